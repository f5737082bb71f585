"""Test functions for the tests: what a search is asked to reduce."""

from __future__ import annotations

import os
import signal
import time

from stripe.dd import Configuration, Outcome

PASS, FAIL, UNRESOLVED = Outcome.PASS, Outcome.FAIL, Outcome.UNRESOLVED


class Needs:
    """Fails iff all of `deltas` are there, else passes. Records what it was asked."""

    def __init__(self, *deltas: int) -> None:
        self.deltas = frozenset(deltas)
        self.seen: list[Configuration[int]] = []

    def __call__(self, configuration: Configuration[int]) -> Outcome:
        self.seen.append(configuration)
        return FAIL if self.deltas.issubset(configuration) else PASS


class Table:
    """Looks the outcome of a set of 0..n-1 up in a list of 2**n outcomes, by its bits."""

    def __init__(self, outcomes: list[Outcome]) -> None:
        self.outcomes = outcomes
        self.count = len(outcomes).bit_length() - 1

    def __call__(self, configuration: Configuration[int]) -> Outcome:
        return self.outcomes[sum(1 << delta for delta in configuration)]


class DiesOnce:
    """Takes as long as a short run of a program; fails iff 3, 17 and 30 are there.

    In any process but the one that made it, the first test of fewer than 16 deltas kills its
    process. `marker` is a path for a file that tells that this has happened.
    """

    def __init__(self, marker: str) -> None:
        self.marker = marker
        self.home = os.getpid()

    def __call__(self, configuration: Configuration[int]) -> Outcome:
        time.sleep(0.05)
        if os.getpid() != self.home and len(configuration) < 16:
            try:
                os.close(os.open(self.marker, os.O_CREAT | os.O_EXCL))
            except FileExistsError:
                pass
            else:
                os.kill(os.getpid(), signal.SIGKILL)
        return FAIL if {3, 17, 30}.issubset(configuration) else PASS
