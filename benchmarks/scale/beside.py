"""What ``--executor`` brings beside the tests here: simulated, as the cluster of ``cluster.py`` is.

Workers record first, tests have a way to them, and those that are of no use any more are told to
end.  Meanwhile, and afterwards, one test at a time runs here.
"""

from __future__ import annotations

import heapq
import sys
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Executor, Future
from contextlib import contextmanager
from functools import partial
from typing import Any

from benchmarks.measure import Row, Sizes, value
from benchmarks.scale.jobs import SUBJECTS
from benchmarks.scale.searches import Subject, generated, searched, tested
from benchmarks.scale.shapes import SHAPES
from stripe.dd import Tester, speculation

WORKERS = (1, 2, 4, 10)
MOST = 1000

RECORDING, TEST, WAY = 3.0, 0.13, 0.008
"""Seconds, as they were with Dask, two workers and tests of 130 ms on one idle machine."""


class Clock:
    """Time, which passes when somebody waits."""

    def __init__(self) -> None:
        self.now = 0.0
        self._events: list[tuple[float, int, Callable[[], object]]] = []
        self._numbers = iter(range(sys.maxsize))

    def after(self, seconds: float, happens: Callable[[], object]) -> None:
        """Have something happen so many seconds from now."""
        heapq.heappush(self._events, (self.now + seconds, next(self._numbers), happens))

    def wait(self, futures: Iterable[Future[Any]], return_when: str = "") -> None:
        """Let time pass until one of them is done."""
        futures = list(futures)
        while not any(each.done() for each in futures):
            self.now, _, happens = heapq.heappop(self._events)
            happens()


class Workers(Executor):
    """So many workers, that run a test at a time once they have recorded.

    What they have begun is ended by ``end``, as :class:`stripe.dd.worker_pool.WorkerPool` does.
    """

    def __init__(self, clock: Clock, count: int, recording: float, test: float, way: float) -> None:
        self._clock, self._test, self._way = clock, test, way
        self._waiting: deque[tuple[Future[Any], Callable[[], Any]]] = deque()
        self._ending: dict[Any, Future[Any]] = {}
        self._free = 0
        for _ in range(count):
            clock.after(recording, self._ready)

    def submit(self, function: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future[Any]:
        future: Future[Any] = Future()
        self._waiting.append((future, partial(function, *args)))
        self._give()
        return future

    def end(self, future: Future[Any], configuration: Any) -> bool:
        """Have the worker end it, which it hears of later."""
        self._ending[configuration] = future
        self._clock.after(self._way, lambda: self._over(future, lambda: None))
        return True

    def ending(self, configuration: Any) -> bool:
        """Whether it has not heard of that yet."""
        future = self._ending.get(configuration)
        return future is not None and not future.done()

    def _ready(self) -> None:
        self._free += 1
        self._give()

    def _give(self) -> None:
        while self._free and self._waiting:
            future, run = self._waiting.popleft()
            if future.set_running_or_notify_cancel():
                self._free -= 1
                seconds = self._test + self._way
                self._clock.after(seconds, partial(self._over, future, run))

    def _over(self, future: Future[Any], run: Callable[[], Any]) -> None:
        if not future.done():
            future.set_result(run())
            self._ready()


@contextmanager
def simulated(clock: Clock, test: float) -> Iterator[None]:
    """Have the library of delta debugging wait by a clock, also for what runs here."""
    module: Any = speculation
    real = module.wait, module.ThreadPoolExecutor
    module.wait = clock.wait
    # As many as there are: what is cancelled here ends at once.
    module.ThreadPoolExecutor = lambda *_, **__: Workers(clock, 2 * MOST, 0.0, test, 0.0)
    try:
        yield
    finally:
        module.wait, module.ThreadPoolExecutor = real


def faster(subject: Subject, workers: int, *, test: float = TEST, way: float = WAY) -> float:
    """How many times as fast as here alone the search ``auto`` is, with workers beside it."""
    with tested(subject) as (recording, criterion, outcomes):
        clock = Clock()
        crew: Any = Workers(clock, workers, RECORDING, test, way)
        tester = Tester(
            outcomes,
            close=lambda events: recording.trace.close(events, control=False),
            jobs=workers + 1,
            executor=crew,
            cancel=lambda configuration: None,
            here=outcomes,
            ends=crew,
        )
        with simulated(clock, test):
            result = searched("auto", recording, criterion, tester)
        return result.statistics.tests * test / clock.now


def run(sizes: Sizes) -> Iterator[Row]:
    """A part of ``make bench ARGS=cluster``."""
    for shape in SHAPES:
        for name, _, full, quick in SUBJECTS:
            if shape.name == name:
                size = sizes.choose(full, quick)
                for workers in WORKERS:
                    found = faster(generated(shape, size), workers)
                    what = f"{name} {size}: {workers} workers beside the tests here, times as fast"
                    yield value("cluster", what, [found], "x")
