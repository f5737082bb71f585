"""Tests run ahead of their question, on several workers at once."""

from __future__ import annotations

import time
from collections.abc import Callable, Hashable, Iterable
from concurrent.futures import FIRST_COMPLETED, Executor, Future, ThreadPoolExecutor, wait
from typing import Any, Protocol

from stripe.dd.cache import Cache
from stripe.dd.outcomes import Configuration, Outcome, TestFunction, as_outcome

type _Timed = tuple[Outcome, float]


class Ends(Protocol):
    """Ends tests that run elsewhere; as :class:`stripe.dd.worker_pool.WorkerPool` does."""

    def cancel(self, future: Future[Any], configuration: Any) -> bool:
        """Have the test of a configuration end; whether that can be."""
        ...

    def ending(self, configuration: Any) -> bool:
        """Whether what comes of that configuration may still be that it was ended."""
        ...


class Speculator[D: Hashable]:
    """Runs the test that a search asks for, and on idle workers those it will likely ask for next.

    The search asks its questions one after the other and gets the answers it would get alone:
    what runs ahead only makes an answer come sooner. Tests that turn out not to be likely any
    more are cancelled: not waited for if they have not begun, and told to end through ``cancel`` if
    they have.

    Args:
        function: the test function.
        jobs: how many tests to have running, at least 2.
        executor: where to run them. None: own threads, which end with ``settle``.
        cancel: tells the running test of a configuration to end at once; its outcome is dropped.
            Called in the thread of the search.
        here: the test function for what is asked for and no worker of ``executor`` has begun; it
            runs in a thread beside them, and only that is told to end through ``cancel``. If it
            can be, what runs ahead runs here as well while nothing else does.
        ends: tells the workers of ``executor`` to end tests.
    """

    def __init__(
        self,
        function: TestFunction[D],
        jobs: int,
        executor: Executor | None = None,
        cancel: Callable[[Configuration[D]], None] | None = None,
        here: TestFunction[D] | None = None,
        ends: Ends | None = None,
    ) -> None:
        self.started = 0
        """Tests started, asked for or not."""
        self.foreseen = 0
        """Tests that had been started when they were asked for."""
        self._function = function
        self._jobs = jobs
        self._given = executor
        self._own: ThreadPoolExecutor | None = None
        self._cancel = cancel
        self._here = here
        self._ends = ends
        self._alone: Configuration[D] | None = None  # what runs here, beside an executor
        self._running: dict[Configuration[D], Future[_Timed]] = {}
        # Not likely any more, but begun and not to be told to end.
        self._lingering: dict[Configuration[D], Future[_Timed]] = {}
        # Done, but not asked for yet.
        self._ready: Cache[D] = Cache()
        self._elapsed: dict[int, float] = {}

    def run(
        self, configuration: Configuration[D], ahead: Iterable[Configuration[D]], spare: int
    ) -> _Timed:
        """The outcome of a test and the seconds it took.

        Args:
            configuration: what is asked for.
            ahead: what may be asked for next, the likeliest first.
            spare: how many tests may be started beyond this one.

        Raises:
            Exception: whatever the test function raised. That of a test nobody asked for is
                dropped; if it is asked for later, it is run again.
        """
        self._collect(configuration)
        key = hash(configuration)
        outcome = self._ready.get(key, configuration)
        self.foreseen += outcome is not None or configuration in self._running
        if outcome is not None:
            return outcome, self._elapsed.pop(key, 0.0)
        likely = iter(ahead)
        wanted = {configuration: None}
        slots = min(self._jobs, spare + 1)
        self._ask(configuration)  # first: to find out what is likely may take a while
        self._want(wanted, likely, slots)
        for other in [other for other in self._running if other not in wanted]:
            self._drop(other)
        for other in wanted:
            if other not in self._running:
                self._submit(other)
            elif self._idle_here() and self._running[other].cancel():
                self._run_here(other)  # no worker has begun it
        asked = self._running[configuration]
        while not asked.done():
            wait(self._running.values(), return_when=FIRST_COMPLETED)
            self._collect(configuration)
            if not asked.done():
                before = set(wanted)
                self._want(wanted, likely, len(wanted) + slots - len(self._running))
                for other in [other for other in wanted if other not in before]:
                    self._submit(other)
        del self._running[configuration]
        return asked.result()

    def cancel_all(self) -> None:
        """Cancel what is running and end own threads. Outcomes already there are kept."""
        self._pause()
        self._lingering.clear()
        if self._own is not None:
            self._own.shutdown(wait=False, cancel_futures=True)
            self._own = None

    def _pause(self) -> None:
        """Cancel all that is running."""
        for configuration in list(self._running):
            self._drop(configuration)

    def _want(
        self,
        wanted: dict[Configuration[D], None],
        likely: Iterable[Configuration[D]],
        count: int,
    ) -> None:
        """Fill up ``wanted`` to ``count`` configurations that are not done yet."""
        if len(wanted) >= count:
            return
        for other in likely:
            if self._ready.get(hash(other), other) is not None or other in wanted:
                continue
            if self._ends is None or not self._ends.ending(other):
                wanted[other] = None
                if len(wanted) >= count:
                    return

    def _ask(self, configuration: Configuration[D]) -> None:
        """Have the test run that is waited for: here, unless a worker has begun it."""
        future = self._running.get(configuration)
        if self._here is None:
            if future is None:
                self._submit(configuration)
        elif configuration in self._lingering:
            self._running[configuration] = self._lingering.pop(configuration)
        elif future is None or future.cancel():
            self.started += future is None
            if self._alone in self._running and self._alone != configuration:
                self._drop(self._alone)  # it only ran ahead
            self._run_here(configuration)

    def _idle_here(self) -> bool:
        """Whether what runs ahead may run here: nothing else does, and it can be ended."""
        able = self._here is not None and self._cancel is not None
        return able and self._alone not in self._running

    def _run_here(self, configuration: Configuration[D]) -> None:
        assert self._here is not None
        self._alone = configuration
        self._running[configuration] = self._threads().submit(_timed, self._here, configuration)

    def _submit(self, configuration: Configuration[D]) -> None:
        lingering = self._lingering.pop(configuration, None)
        if lingering is not None:
            self._running[configuration] = lingering
            return
        self.started += 1
        if self._idle_here():
            self._run_here(configuration)
            return
        executor = self._threads() if self._given is None else self._given
        self._running[configuration] = executor.submit(_timed, self._function, configuration)

    def _threads(self) -> ThreadPoolExecutor:
        if self._own is None:
            # Twice the jobs: a loser that takes its time to end must not hold up the others.
            self._own = ThreadPoolExecutor(2 * self._jobs, thread_name_prefix="dd-test")
        return self._own

    def _drop(self, configuration: Configuration[D], *, told: bool = True) -> None:
        """Do without a test that was started; ``told``: a worker that runs it is told."""
        future = self._running.pop(configuration)
        if future.done():
            self._keep(configuration, future)
        elif future.cancel():
            self.started -= self._here is not None  # no worker had begun it
        else:
            here = self._here is None or configuration == self._alone
            if self._cancel is not None and here:
                self._cancel(configuration)
            elif not (
                told and not here and self._ends and self._ends.cancel(future, configuration)
            ):
                self._lingering[configuration] = future

    def _collect(self, asked: Configuration[D]) -> None:
        """Put aside what has finished, but for the running test that is asked for."""
        for started in (self._running, self._lingering):
            done = [other for other, future in started.items() if future.done()]
            for other in done:
                if started is self._lingering or other != asked:
                    self._keep(other, started.pop(other))

    def _keep(self, configuration: Configuration[D], future: Future[_Timed]) -> None:
        if future.cancelled() or future.exception() is not None:
            return
        key = hash(configuration)
        outcome, self._elapsed[key] = future.result()
        self._ready.put(key, configuration, outcome)


def _timed[D: Hashable](function: TestFunction[D], configuration: Configuration[D]) -> _Timed:
    """Run a test on a worker. A function of the module, so that processes can be sent it."""
    started = time.perf_counter()
    outcome = as_outcome(function(configuration))
    return outcome, time.perf_counter() - started
