"""What more machines would bring: searches replayed on a cluster that is simulated.

The searches are the real ones, asked in the real order, with the real outcomes; only time is made
up.  A worker first records the program, then runs one test at a time; each test takes what it took
here, or ``--test`` seconds, and what the way to a worker and back takes.  The answers and the
tests asked for are compared: they have to be the same for any number of workers.

``python -m benchmarks.scale.cluster [NAME...]`` takes more programs, and other costs.
"""

from __future__ import annotations

import argparse
import heapq
import sys
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import Executor, Future
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from benchmarks.measure import Row, Sizes, value
from benchmarks.scale import beside
from benchmarks.scale.outcomes import Outcomes
from benchmarks.scale.searches import Subject, searched, subjects, tested
from stripe.dd import Configuration, Outcome, Tester, speculation

WORKERS = (1, 2, 4, 10, 30, 100)
NAMES = ("simulation 90", "quicksort 50")

RECORDING, TEST, WAY = 2.0, 0.05, 0.004
"""Seconds: until a worker has recorded, of a test, and from a question to its answer beside that;
the last is an assumption, for a scheduler in the same building."""

JOBS_GOAL = 1.8


@dataclass(frozen=True)
class Costs:
    """Seconds that things take; ``test``: of each, ``None``: as they took here.

    ``ends``: a test that is of no use any more is ended, as ``--jobs`` does on one machine.
    """

    recording: float = RECORDING
    test: float | None = TEST
    way: float = WAY
    ends: bool = False


ON_ONE_MACHINE = Costs(recording=0.0, way=0.001, ends=True)
"""As for ``--jobs``."""


class Timed(Future[Any]):
    """A test that is known to be done at a time."""

    def __init__(self, cluster: Cluster, run: Callable[[], Any]) -> None:
        super().__init__()
        self._cluster, self._run = cluster, run
        self.began = self.over = False

    def done(self) -> bool:
        return self.over

    def cancel(self) -> bool:
        """What a worker has begun can be if tests are ended there."""
        if self.over or (self.began and not self._cluster.end(self)):
            return False
        self.over = True
        return super().cancel()

    def result(self, timeout: float | None = None) -> Any:
        return self._run()

    def exception(self, timeout: float | None = None) -> BaseException | None:
        return None


class Cluster(Executor):
    """Workers whose time passes when somebody waits for them."""

    def __init__(self, workers: int, costs: Costs, seconds: Callable[[Any], float]) -> None:
        self.now = 0.0
        self.busy = 0.0
        self._costs, self._seconds = costs, seconds
        self._waiting: deque[tuple[Timed, float]] = deque()
        self._events: list[tuple[float, int, Timed | None]] = [
            (costs.recording, number, None) for number in range(workers)
        ]
        self._free = 0
        self._numbers = iter(range(workers, sys.maxsize))

    def submit(self, function: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Timed:
        timed = Timed(self, lambda: function(*args))
        self._waiting.append((timed, self._seconds(args[-1])))
        self._begin()
        return timed

    def end(self, timed: Timed) -> bool:
        """Have a worker do without a test that it has begun, if they can."""
        if self._costs.ends:
            self._events = [each for each in self._events if each[2] is not timed]
            heapq.heapify(self._events)
            self._free += 1
            self._begin()
        return self._costs.ends

    def _begin(self) -> None:
        while self._free and self._waiting:
            timed, seconds = self._waiting.popleft()
            if timed.over:
                continue
            self._free -= 1
            timed.began = True
            self.busy += seconds
            end = self.now + seconds + self._costs.way
            heapq.heappush(self._events, (end, next(self._numbers), timed))

    def wait(self, futures: Iterable[Timed], return_when: str = "") -> None:
        """Let time pass until one of them is done."""
        futures = list(futures)
        while not any(each.over for each in futures):
            self.now, _, timed = heapq.heappop(self._events)
            self._free += 1
            if timed is not None:
                timed.over = True
            self._begin()


@contextmanager
def simulated(cluster: Cluster) -> Iterator[None]:
    """Have the library of delta debugging wait for the workers of a cluster."""
    module: Any = speculation
    real = module.wait
    module.wait = cluster.wait
    try:
        yield
    finally:
        module.wait = real


@dataclass(frozen=True)
class Simulated:
    """A search on so many workers: its seconds, and the tests it asked for, and those run."""

    workers: int
    seconds: float
    asked: int
    run: int
    busy: float
    answer: tuple[int, ...]


def simulate(subject: Subject, name: str, workers: Sequence[int], costs: Costs) -> list[Simulated]:
    """The search of that name in a program, on clusters of different size.

    Raises:
        AssertionError: if an answer, or what is asked on the way, depends on the workers.
    """
    found = []
    with tested(subject) as (recording, criterion, outcomes):

        def close(events: Configuration[int]) -> Configuration[int]:
            return recording.trace.close(events, control=False)

        def seconds(events: Sequence[int]) -> float:
            return outcomes.seconds(events) if costs.test is None else costs.test

        for count in workers:
            cluster = Cluster(count, costs, seconds)
            if count == 1:  # nothing runs ahead
                tester = Tester(_alone(outcomes, cluster), close=close)
            else:
                tester = Tester(outcomes, close=close, jobs=count, executor=cluster)
            with simulated(cluster):
                result = searched(name, recording, criterion, tester)
            told = result.statistics
            run = told.tests + told.speculated
            answer = tuple(result.configuration)
            found.append(Simulated(count, cluster.now, told.tests, run, cluster.busy, answer))
    first = found[0]
    for each in found:
        assert each.answer == first.answer, "the answer depends on the number of workers"
        assert each.asked == first.asked, "the tests asked for depend on the number of workers"
    return found


def _alone(outcomes: Outcomes, cluster: Cluster) -> Callable[[Sequence[int]], Outcome]:
    def test(events: Sequence[int]) -> Outcome:
        timed = cluster.submit(outcomes, events)
        cluster.wait([timed])
        outcome: Outcome = timed.result()
        return outcome

    return test


def run(sizes: Sizes) -> Iterator[Row]:
    """``make bench ARGS=cluster``."""
    workers = (1, 2, 10) if sizes.quick else WORKERS
    for subject in subjects():
        if subject.name not in NAMES:
            continue
        for name in ("auto", "splitting"):
            one, *more = simulate(subject, name, workers, Costs())
            yield value("cluster", f"{subject.name}, {name}: 1 worker", [one.seconds], "s")
            for each in more:
                what = f"  {each.workers} workers: times as fast ({each.run / each.asked:.1f} tests"
                yield value(
                    "cluster", f"{what} run for 1 asked)", [one.seconds / each.seconds], "x"
                )
            one, two = simulate(subject, name, (1, 2), ON_ONE_MACHINE)
            what = f"  2 jobs on one machine, each test {1000 * TEST:.0f} ms: times as fast"
            faster = [one.seconds / two.seconds]
            yield value("cluster", what, faster, "x", JOBS_GOAL, at_least=True)
    yield from beside.run(sizes)


def main() -> None:
    """Print a table for programs by the start of their names."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("names", nargs="*", help=f"programs ({', '.join(NAMES)})")
    parser.add_argument("--search", default="auto")
    parser.add_argument("--workers", default=",".join(map(str, WORKERS)))
    parser.add_argument("--test", type=float, help="seconds of a test; those that it took here")
    parser.add_argument("--way", type=float, default=WAY, help="seconds to a worker and back")
    parser.add_argument("--recording", type=float, default=RECORDING)
    parser.add_argument("--ends", action="store_true", help="what is of no use any more is ended")
    options = parser.parse_args()
    names = tuple(options.names) or NAMES
    costs = Costs(options.recording, options.test, options.way, options.ends)
    workers = [int(each) for each in options.workers.split(",")]
    print(
        f"{'program':<22}{'workers':>8}{'seconds':>10}{'faster':>8}{'asked':>8}{'run':>8}{'busy':>7}"
    )
    for subject in subjects():
        if not subject.name.startswith(names):
            continue
        found = simulate(subject, options.search, workers, costs)
        for each in found:
            faster = found[0].seconds / each.seconds
            busy = each.busy / (each.workers * max(each.seconds, 1e-9))
            print(
                f"{subject.name:<22}{each.workers:>8}{each.seconds:>10.1f}{faster:>8.1f}"
                f"{each.asked:>8}{each.run:>8}{100 * busy:>6.0f}%"
            )


if __name__ == "__main__":
    main()
