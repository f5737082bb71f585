"""Cause-effect chains, and the transitions in them (Why Programs Fail, A.3 and A.4)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import pairwise

from stripe.results.causes import Shown
from stripe.states.isolation import Cause
from stripe.states.links import Link

PROBES = 9
"""So many moments between two are tried, from the middle on, until one has a cause: in loops over
what is in no variable, say, none has."""


@dataclass(frozen=True, slots=True)
class Transition:
    """Between two moments a variable ceases to be the cause, and others begin.

    ``direct``: no moment between has a cause.
    """

    before: Cause
    after: Cause
    direct: bool


class Chain:
    """Finds causes on demand, and halves until transitions are direct.

    - ``cause`` isolates at a moment, by its index; ``None`` where nothing can be isolated
    - ``same``: whether two causes, by their moments, concern the same variables
    - ``over``: nothing more may be tested
    """

    def __init__(
        self,
        cause: Callable[[int], Cause | None],
        same: Callable[[int, int], bool],
        over: Callable[[], bool],
    ) -> None:
        self._isolate = cause
        self._same = same
        self._over = over
        self.causes: dict[int, Cause | None] = {}
        self._links: dict[tuple[int, int], Link] = {}

    def cause(self, index: int) -> Cause | None:
        """The cause at a moment."""
        if index not in self.causes:
            if self._over():
                return None
            self.causes[index] = self._isolate(index)
        return self.causes[index]

    def search(self, first: int, last: int) -> None:
        """Find the cause transitions between two moments that have causes (``cts``)."""
        if self.cause(first) is None or self.cause(last) is None or self._same(first, last):
            return
        middle = self._between(first, last)
        if middle is not None:
            self.search(first, middle)
            self.search(middle, last)

    def _between(self, first: int, last: int) -> int | None:
        """A moment about in the middle that has a cause."""
        between = spread(range(first + 1, last), PROBES)
        between.sort(key=lambda index: (abs(2 * index - first - last), index))
        return next((index for index in between if self.cause(index) is not None), None)

    def prove(
        self,
        link: Callable[[int, int], Link | None],
        following: Callable[[int, int], Cause | None],
        causing: Callable[[int, int], Cause | None],
    ) -> None:
        """See to it that each cause of the chain makes the next one.

        Where it does not, the second one is searched again among what the first one changes; and if
        nothing of this is a cause, the first one among what changes the second. At each moment,
        either is done but once.

        Args:
            link: tests whether it does; ``None``: nobody can tell.
            following: isolates at the second moment what the first one changes.
            causing: isolates at the first moment what changes the second one.
        """
        searched = set()
        while not self._over():
            pair = next((pair for pair in self._steps() if pair not in self._links), None)
            if pair is None:
                return
            found = link(*pair)
            if found is None:
                return
            self._links[pair] = found
            if found.shown is not Shown.NOT:
                continue
            for search, index in ((following, pair[1]), (causing, pair[0])):
                if (search, index) not in searched:
                    searched.add((search, index))
                    other = search(*pair)
                    if other is not None:
                        self._replace(index, other)
                        break

    def _replace(self, index: int, cause: Cause) -> None:
        self.causes[index] = cause
        self._links = {pair: each for pair, each in self._links.items() if index not in pair}
        for pair in pairwise(self._indices()):
            if index in pair:
                self.search(*pair)

    @property
    def found(self) -> list[Cause]:
        """All causes, in order of their moments."""
        return [self._at(index) for index in self._indices()]

    @property
    def transitions(self) -> list[Transition]:
        """Where the variables change."""
        return [
            Transition(
                self._at(a),
                self._at(b),
                all(index in self.causes for index in range(a + 1, b)),
            )
            for a, b in self._changes()
        ]

    @property
    def links(self) -> list[Link]:
        """What was tested of the first cause and those after transitions."""
        return [self._links[pair] for pair in self._steps() if pair in self._links]

    def _at(self, index: int) -> Cause:
        cause = self.causes[index]
        assert cause is not None
        return cause

    def _indices(self) -> list[int]:
        return sorted(index for index, cause in self.causes.items() if cause is not None)

    def _changes(self) -> list[tuple[int, int]]:
        return [pair for pair in pairwise(self._indices()) if not self._same(*pair)]

    def _steps(self) -> list[tuple[int, int]]:
        return list(pairwise([*self._indices()[:1], *(after for _, after in self._changes())]))


def spread(indices: Sequence[int], most: int) -> list[int]:
    """Some of them, evenly, with the first and the last."""
    if len(indices) <= most:
        return list(indices)
    return [indices[round(n * (len(indices) - 1) / (most - 1))] for n in range(most)]
