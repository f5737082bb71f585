"""How much a search may spend, and how it learns that nothing is left."""

from __future__ import annotations

import enum
import sys
import time
from collections.abc import Callable


class Reason(enum.Enum):
    """Why a search ended."""

    FINISHED = "finished"
    """It came to its own end."""
    MAX_TESTS = "max-tests"
    """The number of tests allowed was run."""
    MAX_TIME = "max-time"
    """The time allowed was used."""
    STOPPED = "stopped"
    """Somebody asked it to stop, as with Ctrl-C."""
    MEMORY = "memory"
    """There was no memory left for it."""
    DISK = "disk"
    """There was no room left on the disk."""


class BudgetExhausted(Exception):
    """No further test may be run. Every search catches it and returns its best result so far."""

    def __init__(self, reason: Reason) -> None:
        super().__init__(f"the budget of the search is used up: {reason.value}")
        self.reason = reason


class Budget:
    """Limits on tests and time, and a way to be stopped from outside.

    Args:
        max_tests: how many tests may really be run; None for no limit.
        max_time: seconds from the first test on; None for no limit.
        stop: asked before every test; a true answer ends the search.

    Raises:
        ValueError: when a limit is negative.
    """

    def __init__(
        self,
        max_tests: int | None = None,
        max_time: float | None = None,
        stop: Callable[[], bool] | None = None,
    ) -> None:
        if max_tests is not None and max_tests < 0:
            raise ValueError(f"max_tests must not be negative: {max_tests}")
        if max_time is not None and max_time < 0:
            raise ValueError(f"max_time must not be negative: {max_time}")
        self._max_tests = max_tests
        self._max_time = max_time
        self._stop = stop
        self._started: float | None = None

    def spend(self, tests_run: int) -> int:
        """Ask for one more test after ``tests_run`` of them; return how many may follow it.

        Raises:
            BudgetExhausted: when it must not be run.
        """
        if self._stop is not None and self._stop():
            raise BudgetExhausted(Reason.STOPPED)
        if self._max_tests is not None and tests_run >= self._max_tests:
            raise BudgetExhausted(Reason.MAX_TESTS)
        if self._max_time is not None:
            now = time.monotonic()
            if self._started is None:
                self._started = now
            if now - self._started >= self._max_time:
                raise BudgetExhausted(Reason.MAX_TIME)
        return sys.maxsize if self._max_tests is None else self._max_tests - tests_run - 1
