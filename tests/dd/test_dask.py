"""Beyond one machine: a Dask scheduler and two workers, one of which dies in the middle."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from stripe.dd import Tester, ddmin, open_executor
from tests.dd.functions import DiesOnce
from tests.support.cluster import Cluster
from tests.support.needs import needs_dask

pytestmark = needs_dask


@pytest.fixture
def cluster(tmp_path: Path) -> Iterator[Cluster]:
    cluster = Cluster(tmp_path)
    try:
        yield cluster
    finally:
        cluster.end()


def test_a_worker_that_dies_in_a_test_loses_nothing(cluster: Cluster, tmp_path: Path) -> None:
    test = DiesOnce(str(tmp_path / "died"))
    with open_executor(f"dask://{cluster.address()}", 2) as executor:
        remote = ddmin(range(32), Tester(test, jobs=2, executor=executor))
        dead = [worker for worker in cluster.workers if worker.poll() is not None]
    alone = ddmin(range(32), test)

    assert len(dead) == 1
    assert remote.configuration == alone.configuration == (3, 17, 30)
    assert remote.certificate == alone.certificate
    assert remote.certified
    assert remote.statistics.tests == alone.statistics.tests
