"""What a tester tells the outside: one event per question, and totals."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from dataclasses import dataclass
from typing import ClassVar

from stripe.dd.outcomes import Configuration, Outcome


@dataclass(frozen=True, slots=True)
class TestEvent[D: Hashable]:
    """One question of a search and its answer."""

    __test__: ClassVar[bool] = False  # keeps pytest from taking it for a test class

    number: int
    """How many tests have been run so far, this one included if it was run."""
    configuration: Configuration[D]
    """What was tested, closed."""
    outcome: Outcome
    cached: bool
    """Whether the answer was known (tested before, assumed or predicted): nothing was run."""
    elapsed: float
    """Seconds the test took; 0.0 if it was not run."""


type Listener[D: Hashable] = Callable[[TestEvent[D]], None]
"""Called after every question, in the thread of the search."""


@dataclass(frozen=True, slots=True)
class Statistics:
    """Totals of a tester at one moment."""

    passed: int = 0
    """Tests run that came to PASS."""
    failed: int = 0
    """Tests run that came to FAIL."""
    unresolved: int = 0
    """Tests run that came to UNRESOLVED."""
    hits: int = 0
    """Questions answered without a test: tested before, assumed or predicted."""
    resumed: int = 0
    """Those among ``tests`` whose outcome came from the journal of an earlier run."""
    speculated: int = 0
    """Tests started ahead of their question that nobody came to ask for."""
    predicted: int = 0
    """Those among ``hits`` that were predicted, each when it was asked for first."""
    foreseen: int = 0
    """Those among ``tests`` that had begun before they were asked for, on other workers."""
    elapsed: float = 0.0
    """Seconds spent inside the test function, summed over all tests that were asked for."""

    @property
    def tests(self) -> int:
        """Tests run that the search asked for: the same number with any number of jobs."""
        return self.passed + self.failed + self.unresolved
