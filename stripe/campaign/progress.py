"""How far a reduction is."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from dataclasses import dataclass

from stripe.campaign.problem import Problem
from stripe.dd import Configuration, Outcome, TestEvent


@dataclass(frozen=True, slots=True)
class Progress:
    """The state of a search after a test.

    ``best`` is the size of the smallest slice so far, ``of`` that of the trace; ``to_do``
    estimates the tests that remain if no more events can be left out.  ``stage`` is
    ``searching`` or ``verifying``; ``stopping`` says that Ctrl-C was noticed.  ``noun`` is what
    is counted; ``level`` the level of the search, if there are several.  ``idle`` counts the tests
    since ``best`` was found.  ``bytes`` are those that are left and those there were, of what is
    measured so.
    """

    name: str
    stage: str
    tests: int
    best: int
    of: int
    to_do: int
    seconds: float
    stopping: bool = False
    noun: str = "events"
    level: str = ""
    idle: int = 0
    bytes: tuple[int, int] | None = None


type ProgressListener = Callable[[Progress], None]


class Course[D: Hashable]:
    """How far one search has come: it hears of every question, and passes improvements on."""

    def __init__(self, problem: Problem[D]) -> None:
        self.problem = problem
        self.smallest: Configuration[D] | None = None  # that fails
        self._fewest = len(problem.deltas)
        self._most = 0
        self.idle = 0  # tests since it got smaller

    @property
    def best(self) -> int:
        """How many deltas are left."""
        if self.problem.growing:
            return len(self.problem.deltas) - self._most
        return self._fewest

    @property
    def to_do(self) -> int:
        """About how many tests remain, if nothing more can be left out."""
        # A whole ddmin around k deltas that brings nothing takes up to 4k tests.
        return max(1, 4 * self.best - self.idle)

    def record(self, event: TestEvent[D]) -> None:
        """Take in a question and its answer."""
        size, before = len(event.configuration), self.best
        fewer = event.outcome is Outcome.FAIL and size < self._fewest
        more = event.outcome is Outcome.PASS and size > self._most
        if fewer:
            self._fewest, self.smallest = size, event.configuration
        elif more:
            self._most = size
        if self.best < before:
            self.idle = 0
        elif not event.cached:
            self.idle += 1
        if (fewer or more) and not event.cached and self.problem.improved is not None:
            self.problem.improved(event.configuration, event.outcome)
