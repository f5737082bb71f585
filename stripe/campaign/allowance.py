"""The tests and the time that several searches may use together."""

from __future__ import annotations

import math
import time

from stripe.patience import Patience


class Allowance:
    """What is left of so many tests and seconds, from now on; ``None``: no limit."""

    def __init__(self, tests: int | None = None, seconds: float | None = None) -> None:
        self._tests = math.inf if tests is None else tests
        self._until = math.inf if seconds is None else time.monotonic() + seconds
        self._whole: Allowance | None = None

    @classmethod
    def within(cls, patience: Patience, tests: int | None, *, keep: float) -> Allowance:
        """What is left of the time of a command, but for ``keep`` seconds, or half of it."""
        left = patience.left
        return cls(tests, left - min(keep, left / 2))

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

    def share(self, parts: int, *, keep: float = 0.0, most: float = math.inf) -> Allowance:
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
        share = Allowance(tests, most if seconds is None else min(most, seconds))
        share._whole = self
        return share
