"""What a second processor brings, for real: one job against two, or a cluster of two workers.

Two shapes of programs (``shapes``), made slow where all of their output comes from: in each test
they sleep, which a busy machine hardly disturbs, or burn a processor, for which two have to be
idle.  A cluster has its scheduler and both workers on this machine.
"""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator
from concurrent.futures import Executor
from contextlib import contextmanager
from importlib.util import find_spec
from pathlib import Path

from benchmarks.measure import Row, Sizes, ratio, value
from benchmarks.scale.shapes import shape_named
from stripe import api
from stripe.campaign.workers import close_all
from stripe.dd import open_executor
from stripe.reduce import Result

GOAL, CLUSTER_GOAL = 1.8, 1.6
MILLISECONDS = 60
CLUSTER_MILLISECONDS = 130
"""So that a search takes a minute: workers of a cluster first record for some seconds."""
LEAST = 0.05
"""Seconds of a test: slices are too small for tests to be run together, from one slow beginning."""
WORKERS = 2
SUBJECTS = (("quicksort", "seed = 19\n", 30, 15), ("trees", "seed = 7\n", 60, 30))
"""A shape, the statement on which its output depends, and its size, in full and quickly."""

WAYS = {
    "sleeps": "import time\n{name} = time.sleep({milliseconds} / 1000) or {value}\n",
    "burns": "{name} = sum(range({milliseconds} * 100_000)) * 0 or {value}\n",
}
"""In the statement itself, or a search would leave out what takes the time, and not the rest."""


def program(name: str, statement: str, size: int, way: str, milliseconds: int) -> tuple[str, str]:
    """A slow program, and its check."""
    shape = shape_named(name)
    text = shape.source(size)
    assert statement in text
    variable, value = statement.split(" = ")
    slowly = WAYS[way].format(name=variable, milliseconds=milliseconds, value=value.strip())
    return text.replace(statement, slowly), shape.check


def search(text: str, check: str, jobs: int, executor: Executor | None = None) -> Result:
    """The search in such a program, certified."""
    with tempfile.TemporaryDirectory(prefix="benchmark-") as folder:
        path = Path(folder) / "program.py"
        path.write_text(text, "utf-8")
        result = api.trace(path.name, check=check, directory=folder, jobs=jobs, executor=executor)
    (found,) = result.slices
    assert found.certified
    if jobs == 1:
        assert found.seconds / found.tests > LEAST, "most tests leave out what is slow"
    return result


def run(sizes: Sizes) -> Iterator[Row]:
    """``make bench ARGS=jobs``."""
    ways = {way: way == "sleeps" or (os.cpu_count() or 1) > 1 for way in WAYS}
    for name, statement, full, quick in SUBJECTS:
        size = sizes.choose(full, quick)
        for way in (way for way, can in ways.items() if can):
            slow = program(name, statement, size, way, MILLISECONDS)
            alone = search(*slow, 1)
            yield _alone(f"{name} {size}, each test {way} for {MILLISECONDS} ms", alone)
            yield _faster(alone, search(*slow, 2), "  2 jobs", GOAL)
        if find_spec("distributed"):
            slow = program(name, statement, size, "sleeps", CLUSTER_MILLISECONDS)
            alone = search(*slow, 1)
            yield _alone(f"{name} {size}, each test sleeps for {CLUSTER_MILLISECONDS} ms", alone)
            with cluster() as executor:
                workers = search(*slow, WORKERS, executor)
            yield _faster(alone, workers, f"  a cluster of {WORKERS} workers", CLUSTER_GOAL)


def _alone(what: str, alone: Result) -> Row:
    """How long it takes with one job."""
    (found,) = alone.slices
    return value("jobs", f"{what}: {found.tests} tests, 1 job", [found.seconds], "s")


def _faster(alone: Result, other: Result, what: str, goal: float) -> Row:
    """How many times as fast a search was, whose answer has to be the same."""
    (one,), (two,) = alone.slices, other.slices
    assert (one.events, one.tests) == (two.events, two.tests), "the answer depends on who tests"
    return ratio(
        "jobs", f"{what}: times as fast", [one.seconds], [two.seconds], goal, at_least=True
    )


@contextmanager
def cluster() -> Iterator[Executor]:
    """A Dask scheduler with two workers here, to be used as ``--executor`` does."""
    from tests.support.cluster import Cluster

    with tempfile.TemporaryDirectory(prefix="benchmark-") as folder:
        started = Cluster(Path(folder))
        try:
            spec = f"dask://{started.address()}"
            with open_executor(spec, WORKERS, at_end=close_all) as executor:
                yield executor
        finally:
            started.end()
