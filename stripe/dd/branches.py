"""Tests that begin alike, run together: single removals from one configuration."""

from __future__ import annotations

import time
from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from itertools import chain, islice
from operator import eq

from stripe.dd.outcomes import Configuration, Outcome, TestsTogether
from stripe.index_set import IndexSet, shared

FEWEST = 256
"""Deltas of a configuration from which on a test is short compared with what it begins with."""

LONG_SECONDS = 0.02
"""Seconds of a single test from which on the same is taken of a configuration of any size.

Most of a failing test that pytest runs, 50 ms of 60, is done before the first event of the user's.
"""

ALIKE = 8
"""One of so many deltas may be missing in configurations that begin alike."""

FEW = 16
"""So many may be missing in any case where tests are long."""

PATIENT, MOST_PATIENT = 4, 64
"""Tests in a row that do not fail, before it is taken that the next ones will not, either.

Twice as many each time that this was wrong, and tests were run for nothing.
"""

MOST = 128
"""Tests that are run together, for each job."""

LONGEST = 1.0
"""Seconds that tests may take together: progress is told, and searches end, between them."""


class Brancher[D: Hashable]:
    """Runs the test that a search asks for together with those that it will ask for next.

    That they are asked for is likely only where tests nearly never fail, as when an answer is
    certified.  So the more tests in a row did not fail, the more are run together; what was run
    for nothing is never more than about what was asked for.  The search gets the answers that it
    would get alone.

    Args:
        function: runs some tests together.
        jobs: how many times it may be called at the same time.
        cancel: ends the call whose first configuration it is given.
        gives_way: asks what runs likely tests ahead, one in each job, to make room for the test of
            a configuration and others.  It does not where that test has begun; and it is asked
            only where a call is to run more than one.
    """

    def __init__(
        self,
        function: TestsTogether[D],
        jobs: int = 1,
        cancel: Callable[[Configuration[D]], None] | None = None,
        gives_way: Callable[[Configuration[D]], bool] | None = None,
    ) -> None:
        self.started = 0
        """Tests run, asked for or not."""
        self.failed = 0
        """Tests that got no outcome together with others."""
        self._function = function
        self._jobs = jobs
        self._cancel = cancel
        self._gives_way = gives_way
        # Of what was run together and not asked for yet; None: there was no outcome.
        self._ready: dict[Configuration[D], Outcome | None] = {}
        self._streak = 0
        self._patience = PATIENT
        self._each = 0.0  # seconds
        self._single = 0.0  # seconds of the shortest test that was run alone

    def run(
        self, configuration: Configuration[D], ahead: Iterable[Configuration[D]], spare: int
    ) -> tuple[Outcome, float] | None:
        """The outcome of a test and the seconds it took; ``None`` if it is none that begins alike.

        Args:
            configuration: what is asked for.
            ahead: what is likely asked for next.
            spare: how many tests may be run beyond this one.
        """
        if configuration in self._ready and self._ready[configuration] is None:
            self._streak = 0  # it does not get an outcome together with others
            del self._ready[configuration]
        outcome = self._ready.pop(configuration, None)
        if outcome is None and (len(configuration) >= FEWEST or self._long):
            outcome = self._start(configuration, iter(ahead), spare)
        if outcome is None:
            return None
        self.record(outcome)
        return outcome, self._each

    def record(self, outcome: Outcome, seconds: float | None = None) -> None:
        """What came of a test that was asked for, and how long it took if it was run alone."""
        if seconds is not None:
            self._single = min(seconds, self._single or seconds)
        if outcome is Outcome.FAIL:
            if self._ready:
                self._patience = min(MOST_PATIENT, 2 * self._patience)
            self._ready.clear()  # what was likely then is not any more
        self._streak = 0 if outcome is Outcome.FAIL else self._streak + 1

    def _start(
        self, configuration: Configuration[D], following: Iterator[Configuration[D]], spare: int
    ) -> Outcome | None:
        """Run a test, and others with it; ``None`` if it is none that begins like the next one."""
        if self._gives_way is not None and self._size() < 2 * self._jobs:
            return None
        other = next(following, None)
        few = FEW if self._long else 0
        if other is None or not _alike(configuration, other, few):
            return None
        if self._gives_way is not None and not self._gives_way(configuration):
            return None
        size = min(self._size(), spare + 1)
        fresh = (each for each in chain((other,), following) if each not in self._ready)
        began = time.perf_counter()
        run = self._together([configuration, *islice(fresh, size - 1)])
        self._each = (time.perf_counter() - began) / run
        return self._ready.pop(configuration)

    @property
    def _long(self) -> bool:
        """Whether tests are long, whatever the size of a configuration."""
        return self._single >= LONG_SECONDS

    def _size(self) -> int:
        """How many tests are run together."""
        if self._streak < self._patience:
            return self._jobs
        soon = int(LONGEST / self._each) if self._each else MOST
        return self._jobs * max(1, min(MOST, self._streak // self._jobs, soon))

    def _together(self, configurations: Sequence[Configuration[D]]) -> int:
        """Run them, a part in each job, and take in what came of them; how many were run."""
        size = -(-len(configurations) // self._jobs)
        parts = [
            configurations[start : start + size] for start in range(0, len(configurations), size)
        ]
        outcomes = list(chain.from_iterable(self._answers(parts)))
        self._ready.update(zip(configurations, outcomes, strict=True))
        run = sum(each is not None for each in outcomes)
        self.started += run
        self.failed += len(outcomes) - run
        return run

    def _answers(
        self, parts: Sequence[Sequence[Configuration[D]]]
    ) -> Sequence[Sequence[Outcome | None]]:
        if len(parts) == 1:
            return [self._function(parts[0])]
        from concurrent.futures import FIRST_EXCEPTION, ThreadPoolExecutor, wait

        threads = ThreadPoolExecutor(len(parts), thread_name_prefix="dd-branches")
        try:
            calls = [threads.submit(self._function, part) for part in parts]
            wait(calls, return_when=FIRST_EXCEPTION)
            return [call.result() for call in calls]
        except BaseException:
            if self._cancel is not None:
                for part in parts:
                    self._cancel(part[0])
            raise
        finally:
            threads.shutdown(wait=False, cancel_futures=True)


def _alike[D: Hashable](one: Configuration[D], other: Configuration[D], few: int) -> bool:
    """Whether at most one of `ALIKE` deltas is in one of both only, or ``few`` in all."""
    both, most = len(one) + len(other), max(few, len(one) // ALIKE)
    if both - 2 * min(len(one), len(other)) > most:
        return False  # whatever they are
    if not isinstance(one, IndexSet) and both - 2 * sum(map(eq, one, other)) <= most:
        return True  # as in most: they differ near their ends
    return both - 2 * shared(one, other) <= most
