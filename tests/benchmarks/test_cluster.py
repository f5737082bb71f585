"""The simulated cluster: time passes as the tests say, and the answers are the real ones."""

from __future__ import annotations

import pytest

from benchmarks.scale.cluster import Cluster, Costs, simulated
from stripe.dd import ALGORITHMS, Configuration, Result, Tester


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
