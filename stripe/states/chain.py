"""Cause-effect chains, and the transitions in them (Why Programs Fail, A.3 and A.4)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from stripe.states.isolating import Cause

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

    ``cause`` isolates at a moment, by its index; ``None`` where nothing can be isolated. ``over``:
    nothing more may be tested.
    """

    def __init__(self, cause: Callable[[int], Cause | None], over: Callable[[], bool]) -> None:
        self._isolate = cause
        self._over = over
        self.causes: dict[int, Cause | None] = {}
        self.transitions: list[Transition] = []

    def cause(self, index: int) -> Cause | None:
        """The cause at a moment."""
        if index not in self.causes:
            if self._over():
                return None
            self.causes[index] = self._isolate(index)
        return self.causes[index]

    def search(self, first: int, last: int) -> None:
        """The cause transitions between two moments that have causes (``cts``)."""
        before, after = self.cause(first), self.cause(last)
        if before is None or after is None or before.like(after):
            return
        middle = self._between(first, last)
        if middle is None:
            direct = all(index in self.causes for index in range(first + 1, last))
            self.transitions.append(Transition(before, after, direct))
            return
        self.search(first, middle)
        self.search(middle, last)

    def _between(self, first: int, last: int) -> int | None:
        """A moment about in the middle that has a cause."""
        between = spread(range(first + 1, last), PROBES)
        between.sort(key=lambda index: (abs(2 * index - first - last), index))
        return next((index for index in between if self.cause(index) is not None), None)

    @property
    def found(self) -> list[Cause]:
        """All causes, in order of their moments."""
        return [cause for _, cause in sorted(self.causes.items()) if cause is not None]


def spread(indices: Sequence[int], most: int) -> list[int]:
    """Some of them, evenly, with the first and the last."""
    if len(indices) <= most:
        return list(indices)
    return [indices[round(n * (len(indices) - 1) / (most - 1))] for n in range(most)]
