"""How likely it is that events can go, by what came of their like: so tests run ahead are of use.

As branches of a program are predicted by what they did before (Smith, ISCA 1981), the more alike
the better: groups of the same size that were left out at the same step, that take others along or
not, of the same statement.  It only says what is worth running ahead of its question; a search
that runs nothing ahead never asks.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from itertools import chain
from typing import NamedTuple

from stripe.dd import Configuration, Search

PRIOR = 0.3
"""How many groups go, where nothing is known."""

FADING = 0.8
"""What an outcome still counts once its like has had another one."""


class Step(NamedTuple):
    """Some events that a search leaves out.

    - ``kind``: the step of the search at which it does
    - ``events``: those events
    - ``more``: how many go along
    - ``statement``: of the first one
    """

    kind: str
    events: Sequence[int]
    more: int
    statement: int


class OutcomePredictor:
    """What came of the steps of a search, and what will likely come of the next one."""

    def __init__(self) -> None:
        self._seen: dict[Hashable, tuple[float, float]] = {}  # how many went, of how many
        self._needed: set[int] = set()  # events that could not go alone, when they were tried

    def chance(self, step: Step) -> float:
        """How likely it is that a step succeeds; what is more alike has the last word."""
        chance = PRIOR
        for like in self._likes(step):
            went, of = self._seen.get(like, (0.0, 0.0))
            chance = (went + chance) / (of + 1)
        return chance

    def record(self, step: Step, *, went: bool) -> None:
        """What came of a step."""
        for like in self._likes(step):
            others, of = self._seen.get(like, (0.0, 0.0))
            self._seen[like] = others * FADING + went, of * FADING + 1
        if not went and len(step.events) == 1:
            self._needed.update(step.events)

    def _likes(self, step: Step) -> Sequence[Hashable]:
        """What steps are alike by, the roughest first."""
        size = min(len(step.events), 5).bit_length()
        anew = self._needed.isdisjoint(step.events)
        along = step.more > 0
        rough = step.kind, anew
        return (
            rough,
            (*rough, size),
            (*rough, size, along),
            (*rough, size, along, step.statement),
        )


class _Asked(Exception):
    """What a search asks, and what it will likely ask after that."""

    def __init__(self, questions: Iterator[Configuration[int]]) -> None:
        super().__init__()
        self.questions = questions


class _Silent(Search[int]):
    """A search that gets no answer."""

    def fails(
        self, candidate: Configuration[int], ahead: Iterable[Configuration[int]] = ()
    ) -> bool:
        """Raises what would be tested, and what may run ahead meanwhile."""
        raise _Asked(chain((candidate,), ahead))


def first_questions(
    search: Search[int], candidate: Configuration[int], strategy: Callable[[Search[int]], None]
) -> Iterator[Configuration[int]]:
    """What a strategy asks first once ``candidate`` has failed, and what likely follows."""
    other = _Silent(search.tester, search.left(candidate))
    try:
        strategy(other)
    except _Asked as asked:
        yield from asked.questions
