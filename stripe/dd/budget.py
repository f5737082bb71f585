"""How much searches may spend, and how they learn that nothing is left."""

from __future__ import annotations

import enum
import math
import sys
import time


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
    IDLE = "idle"
    """Hardly anything could be left out, and of many single deltas in a row none."""


class BudgetExhausted(Exception):
    """No further test may be run. Every search catches it and returns its best result so far."""

    def __init__(self, reason: Reason) -> None:
        super().__init__(f"the budget of the search is used up: {reason.value}")
        self.reason = reason


class Budget:
    """What is left of so many tests and seconds, from now on; ``None``: no limit.

    Raises:
        ValueError: when a limit is negative.
    """

    def __init__(self, tests: int | None = None, seconds: float | None = None) -> None:
        for name, limit in (("tests", tests), ("seconds", seconds)):
            if limit is not None and limit < 0:
                raise ValueError(f"{name} must not be negative: {limit}")
        self._tests = math.inf if tests is None else tests
        self._until = math.inf if seconds is None else time.monotonic() + seconds
        self._whole: Budget | None = None

    @property
    def tests(self) -> int | None:
        """Tests that may still be run."""
        return None if math.isinf(self._tests) else max(0, int(self._tests))

    @property
    def seconds(self) -> float | None:
        """Seconds that are left."""
        return None if math.isinf(self._until) else max(0.0, self._until - time.monotonic())

    def spend(self) -> None:
        """Take off a test, here and from what this is a share of."""
        self._tests -= 1
        if self._whole is not None:
            self._whole.spend()

    def spend_if_left(self) -> int:
        """Take off a test; how many may follow it.

        Raises:
            BudgetExhausted: when none may be run.
        """
        if self.tests == 0:
            raise BudgetExhausted(Reason.MAX_TESTS)
        if self.seconds == 0:
            raise BudgetExhausted(Reason.MAX_TIME)
        self.spend()
        return sys.maxsize if self.tests is None else self.tests

    def share(self, parts: int = 1, *, keep: float = 0.0, most: float = math.inf) -> Budget:
        """One of ``parts`` equal shares of what is left.

        ``keep``: seconds that are kept back from each for what follows its searches, but no more
        than half of it.  ``most``: seconds that a share has at most.
        """
        tests, seconds = self.tests, self.seconds
        if tests is not None:
            tests //= parts
        if seconds is not None:
            seconds /= parts
            seconds -= min(keep, seconds / 2)
        share = Budget(tests, most if seconds is None else min(most, seconds))
        share._whole = self
        return share
