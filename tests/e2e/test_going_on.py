"""Searches that go on after they were killed, or on other machines."""

from __future__ import annotations

import signal
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.e2e.harness import Room
from tests.support.cluster import Cluster
from tests.support.needs import needs_dask
from tests.support.patience import PATIENCE, wait_until

SLOW = """\
import time
kept = 0
for number in range(10):
    time.sleep(0.01)
    kept = kept + number
print(kept)
"""
LINES = [2, 3, 5, 6]


def outcomes(room: Room) -> int:
    """How many outcomes are on disk."""
    files = (room.caches / "stripe" / "journals").glob("*")
    return sum(len(path.read_bytes().splitlines()) - 1 for path in files)


def test_killed_and_resumed(room: Room) -> None:
    room.program(SLOW)
    process = room.start("trace", "prog.py", "--algorithm", "ddmin")
    with room.never_outlived_by(process):
        wait_until(lambda: outcomes(room) >= 10 or process.poll() is not None)
        process.send_signal(signal.SIGKILL)
        process.communicate(timeout=PATIENCE)
    wait_until(lambda: not room.processes())
    for left in room.tmp.iterdir():  # kill -9 leaves the scratch directory: see the README
        room.remove(left)
    done = outcomes(room)
    run = room.trace("prog.py", "--algorithm", "ddmin", "--resume")
    assert run.lines() == LINES
    assert run.slice()["certified"]
    assert run.slice()["tests"]["resumed"] == done >= 10
    assert outcomes(room) == 0


def test_it_says_how_to_go_on(room: Room) -> None:
    room.program(SLOW)
    run = room.stripe("trace", "prog.py", "--algorithm", "ddmin", "--max-tests", "5")
    assert run.status == 0
    assert "--resume" in run.err


def test_nothing_to_resume(room: Room) -> None:
    room.program("print('done')\n")
    run = room.stripe("trace", "prog.py", "--resume")
    assert run.status == 0
    assert "resume" in run.out


class Site:
    """Where a cluster runs: what its workers start and keep is known by a room of their own."""

    def __init__(self, path: Path) -> None:
        self.room = Room(path)
        self.cluster = Cluster(path, self.room.environment)

    def address(self) -> str:
        """What ``--executor`` gets; both workers are there."""
        self.cluster.replace_dead()
        return f"dask://{self.cluster.address()}"

    def end_a_worker(self) -> None:
        """As a machine that is lost does."""
        worker = self.cluster.workers[0]
        worker.kill()
        worker.wait()

    def nothing_is_left(self) -> None:
        """Workers outlive a search; what they kept for it, and what they started, does not.

        Of one that is dead the same holds: that ends by itself.
        """
        self.room.tolerated.update(process.pid for process in self.cluster.processes)
        kept = self.room.tmp
        wait_until(lambda: not list(kept.glob("stripe-*")), lambda: str(list(kept.iterdir())))
        wait_until(lambda: not self.room.processes(), lambda: str(self.room.processes()))


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    site = Site(tmp_path_factory.mktemp("site"))
    try:
        yield site
    finally:
        site.cluster.end()


@needs_dask
def test_an_input_on_a_cluster(room: Room, site: Site) -> None:
    room.file("in.txt", "".join(f"line {number}\n" for number in range(60)) + "culprit\n")
    where = ("--executor", site.address())
    run = room.stripe("input", "in.txt", *where, "--check", "stdout:/culprit/", "--",
                      "grep", "culprit", "@@", writes=("in.reduced.txt",))  # fmt: skip
    assert run.status == 0, run
    assert (room.work / "in.reduced.txt").read_text() == "culprit"
    site.nothing_is_left()


@needs_dask
def test_a_program_as_input_on_a_cluster(room: Room, site: Site) -> None:
    room.file("prog.py", "def f(x):\n    return x\n\nif f(1) > 0 and f:\n    print(f(2))\n")
    run = room.stripe("input", "prog.py", "--executor", site.address(), "--check",
                      "stdout:/f.2/", "--json", "-", "--", "grep", "f.2", "@@",
                      writes=("prog.reduced.py",))  # fmt: skip
    assert run.status == 0, run
    assert run.result["failing"]["text"] == "if None:\n    print(f(2))\n"
    assert run.result["certified"] is True


@needs_dask
def test_workers_that_see_another_program(room: Room, site: Site) -> None:
    who = "import os\nprint('worker' if 'DASK' in os.environ.get('WHO', '') else 'host')\n"
    room.program(SLOW + who)
    run = room.stripe("trace", "prog.py", "--algorithm", "ddmin", "--executor", site.address(),
                      environment={"WHO": "DASK"})  # fmt: skip
    run.refused("worker-differs", "prog.py", status=1)


# Last, as a worker that died is replaced for who comes next.


@needs_dask
def test_workers_of_a_cluster_one_of_which_dies(room: Room, site: Site) -> None:
    room.program(SLOW)
    alone = room.trace("prog.py", "--algorithm", "ddmin")
    where = site.address()
    process = room.start("trace", "prog.py", "--algorithm", "ddmin", "--executor", where,
                         "--json", str(room.elsewhere / "result.json"))  # fmt: skip
    with room.never_outlived_by(process):
        wait_until(lambda: outcomes(room) >= 15 or process.poll() is not None)
        assert process.poll() is None, process.communicate()
        site.end_a_worker()
        out, err = process.communicate(timeout=PATIENCE)
    assert process.returncode == 0, err
    assert b"1-minimal      yes" in out
    there = room.result(room.elsewhere / "result.json")
    assert there["slices"][0]["events"] == alone.slice()["events"]
    assert there["slices"][0]["tests"] == alone.slice()["tests"]
    site.nothing_is_left()


@needs_dask
def test_changes_on_a_cluster_one_of_whose_workers_dies(room: Room, site: Site) -> None:
    """Workers are sent the versions, and are somewhere else."""
    for name, changed in (("good", 0), ("bad", 30)):
        lines = [f"{'new' if number < changed else 'old'} {number}\n" for number in range(40)]
        room.file(f"{name}/a", "".join(lines))
    words = ("changes", "good", "bad", "--algorithm", "ddmin", "--granularity", "line", "--test",
             "sleep 0.05; ! (grep 'new 3' a && grep 'new 17' a)")  # fmt: skip
    alone = room.stripe(*words, "--json", "-", writes=("changes.patch",)).result
    (room.work / "changes.patch").unlink()
    answer = room.elsewhere / "result.json"
    where = site.address()
    process = room.start(*words, "--executor", where, "--json", str(answer))
    with room.never_outlived_by(process):
        wait_until(lambda: outcomes(room) >= 5 or process.poll() is not None)
        assert process.poll() is None, process.communicate()
        site.end_a_worker()
        _, err = process.communicate(timeout=PATIENCE)
    assert process.returncode == 0, err
    there = room.result(answer)
    for same in ("blamed", "patch", "tests", "levels", "certified", "notes"):
        assert there[same] == alone[same]
    assert there["certified"]
    site.nothing_is_left()


@needs_dask
def test_no_scheduler(room: Room) -> None:
    room.program("print('done')\n")
    run = room.stripe("trace", "prog.py", "--executor", "tcp://127.0.0.1:1",
                      environment={"DASK_DISTRIBUTED__COMM__TIMEOUTS__CONNECT": "1s"})  # fmt: skip
    run.refused("no-scheduler", "at tcp://127.0.0.1:1:", status=2)


def test_an_executor_nobody_knows(room: Room) -> None:
    run = room.stripe("trace", "prog.py", "--executor", "cloud")
    run.refused("bad-executor", "'cloud'", "dask://", status=2)
