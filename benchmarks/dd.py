"""The library of delta debugging by itself: what a test costs outside the test function, and
what a second job brings.

The goal for two jobs is that of searches whose next question can be told.  A sweep bisects:
after each answer it goes one of two ways, and a second test that runs ahead is in vain half of
the time.  Even ternary search, the best use of two tests at a time, is only log2(3) = 1.58
times as fast there; its figure is shown without a goal.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from functools import partial

from benchmarks.measure import Row, Sizes, interleaved, ratio, value
from benchmarks.peers import PEERS, Fails
from stripe.dd import ALGORITHMS, Configuration, Outcome, Tester
from stripe.dd.published import PUBLISHED

DELTAS = 1_000
GOAL_MICROSECONDS = 10.0
GOAL_JOBS = 1.8
TEST_SECONDS = 0.05
SEARCHES = {**ALGORITHMS, **PUBLISHED}
LINES = 896
CULPRITS = frozenset(range(60, LINES, 110))


def run(sizes: Sizes) -> Iterator[Row]:
    for name in SEARCHES:
        costs = [overhead(name) for _ in range(sizes.choose(20, 5))]
        what = f"{name}: a test of {DELTAS:,} deltas, outside the test function"
        yield value("dd", what, costs, "us", GOAL_MICROSECONDS)
    for name, search in PEERS.items():
        try:
            costs = [overhead_of(search) for _ in range(sizes.choose(10, 3))]
        except ImportError:
            continue
        yield value("dd", f"{name}: the same", costs, "us")
    million = [overhead("sweep", 1_000_000) / 1e3]
    yield value("dd", "sweep: a test of 1,000,000 deltas, outside", million, "ms")
    for name in ("ddmin", "splitting", "sweep"):
        jobs = (partial(reduce, name, 1), partial(reduce, name, 2))
        alone, together = interleaved(sizes.choose(3, 1), *jobs, warm_up=0)
        what = f"{name}: {len(CULPRITS)} of {LINES} deltas, tests of 50 ms: 1 job / 2 jobs"
        goal = None if name == "sweep" else GOAL_JOBS
        yield ratio("dd", what, alone, together, goal, at_least=True)
    try:
        alone, together = interleaved(
            sizes.choose(3, 1), reduce_by_lithium, partial(reduce, "splitting", 2), warm_up=0
        )
    except ImportError:
        return
    what = "the same problem: lithium, alone as it works / splitting, 2 jobs"
    yield ratio("dd", what, alone, together, 1.0, at_least=True)


def overhead(name: str, deltas: int = DELTAS) -> float:
    """Microseconds a test."""
    needed = frozenset(range(60, deltas, deltas // 8))
    inside = 0.0

    def test(configuration: Configuration[int]) -> Outcome:
        nonlocal inside
        started = time.perf_counter()
        outcome = Outcome.FAIL if needed.issubset(configuration) else Outcome.PASS
        inside += time.perf_counter() - started
        return outcome

    started = time.perf_counter()
    tests = SEARCHES[name](range(deltas), Tester(test)).statistics.tests
    return (time.perf_counter() - started - inside) / tests * 1e6


def overhead_of(search: Callable[[Sequence[int], Fails], Sequence[int]]) -> float:
    """Microseconds a test of another package, its conversions of configurations included."""
    needed = frozenset(range(60, DELTAS, 125))
    inside = 0.0
    tests = 0

    def fails(configuration: tuple[int, ...]) -> bool:
        nonlocal inside, tests
        tests += 1
        started = time.perf_counter()
        answer = needed.issubset(configuration)
        inside += time.perf_counter() - started
        return answer

    started = time.perf_counter()
    search(range(DELTAS), fails)
    return (time.perf_counter() - started - inside) / tests * 1e6


def reduce_by_lithium(_round: int) -> None:
    def fails(configuration: tuple[int, ...]) -> bool:
        time.sleep(TEST_SECONDS)
        return CULPRITS.issubset(configuration)

    PEERS["lithium"](range(LINES), fails)


def reduce(name: str, jobs: int, _round: int) -> None:
    def test(configuration: Configuration[int]) -> Outcome:
        time.sleep(TEST_SECONDS)
        return Outcome.FAIL if CULPRITS.issubset(configuration) else Outcome.PASS

    SEARCHES[name](range(LINES), Tester(test, jobs=jobs))
