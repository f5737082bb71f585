"""The simulated cluster: time passes as the tests say, and the answers are the real ones."""

from __future__ import annotations

from typing import Any

import pytest

from benchmarks.scale import beside
from benchmarks.scale.cluster import Cluster, Costs, simulated
from stripe.dd import ALGORITHMS, Configuration, Result, Tester
from tests.dd.functions import Needs


def search(name: str, workers: int, costs: Costs) -> tuple[Result[int], Cluster]:
    culprits = {3, 40, 77}
    cluster = Cluster(workers, costs, lambda events: costs.test or 0.0)

    def test(configuration: Configuration[int]) -> bool:
        return culprits <= set(configuration)

    with simulated(cluster):
        tester = Tester(test, jobs=max(2, workers), executor=cluster)
        return ALGORITHMS[name](range(100), tester), cluster


def test_seconds_are_those_of_the_tests_asked_one_after_the_other() -> None:
    """With one worker nothing can run beside; what runs ahead only waits."""
    costs = Costs(recording=3.0, test=1.0, way=0.5)
    cluster = Cluster(1, costs, lambda events: 1.0)
    futures = [cluster.submit(max, (1, 2)) for _ in range(4)]
    cluster.wait(futures[-1:])
    assert cluster.now == 3.0 + 4 * 1.5
    assert cluster.busy == 4.0
    assert futures[0].result() == 2


@pytest.mark.parametrize("name", ["splitting", "sweep", "ddmin"])
def test_more_workers_change_no_answer_and_no_question(name: str) -> None:
    costs = Costs(recording=1.0, test=0.05, way=0.001)
    alone, ours = search(name, 1, costs)
    seconds = [ours.now]
    for workers in (4, 20):
        many, cluster = search(name, workers, costs)
        assert many.configuration == alone.configuration
        assert many.statistics.tests == alone.statistics.tests
        seconds.append(cluster.now)
    assert seconds == sorted(seconds, reverse=True)


def test_one_test_runs_here_beside_the_workers() -> None:
    clock = beside.Clock()
    crew: Any = beside.Workers(clock, 2, 10.0, 1.0, 0.5)
    test = Needs(3, 40)
    tester: Tester[int] = Tester(
        test, jobs=3, executor=crew, here=test, ends=crew, cancel=lambda configuration: None
    )
    with beside.simulated(clock, 1.0):
        for asked in range(10):  # nothing is waited for until they have recorded
            tester.test((asked,), [(asked + 1,), (asked + 2,)])
        assert clock.now == 10.0
        for asked in range(10, 21):
            tester.test((asked,), [(asked + each,) for each in range(1, 4)])
    assert clock.now < 17.0  # of 21, in three places
