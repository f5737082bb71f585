"""Runs that are looked at and changed at moments are forked from one agent for each slot."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import pytest

from stripe.backend import Target
from stripe.sandbox.layers import find_layer
from stripe.sandbox.walls import Layer
from stripe.snapshots import Alteration, Moment
from stripe_pytrace.backend import PythonBackend
from stripe_pytrace.host import AgentProcess
from stripe_pytrace.state_runs import StateRun

STEPS = """\
total = 0
for number in (1, 2, 3):
    total += number
print(total)
"""

LAST_WORDS = """\
class Loud:
    def __del__(self):
        print("gone")

kept = Loud()
print(kept is not None)
"""

KILLER = """\
import os, signal
before = 1
with open(f"/proc/{os.getppid()}/cmdline", "rb") as stream:
    if stream.read().endswith(b"states\\0"):
        os.kill(os.getppid(), signal.SIGKILL)
print("on")
"""


@contextmanager
def run(folder: Path, program: str) -> Iterator[StateRun]:
    (folder / "program.py").write_text(program)
    with closing(PythonBackend().run(Target("program.py", directory=folder))) as opened:
        yield opened


def unchanged(opened: StateRun, line: int, occurrence: int = 1) -> bytes:
    """What is printed by a run that goes on from a moment, as it would have without us."""
    moment = Moment("program.py", line, occurrence)
    state = opened.states([moment])[moment]
    with opened.changed(moment, Alteration({}, state, state)) as (observation, after):
        assert after is not None
        assert after.items == state.items
        return observation.stdout


def test_one_process_looks_and_stays_at_moment_after_moment(
    tmp_path: Path, walled: list[AgentProcess]
) -> None:
    with run(tmp_path, STEPS) as opened:
        with opened.looked(100) as (observation, moments):
            assert observation.stdout == b"6\n"
            assert len(moments) == 9
        for occurrence in (1, 3, 1, 2):
            assert unchanged(opened, 3, occurrence) == b"6\n"
    assert len(walled) <= 2, "one for each slot: the other is that of the plain run"


def test_what_is_printed_when_modules_are_torn_down_is_heard(tmp_path: Path) -> None:
    with run(tmp_path, LAST_WORDS) as opened:
        assert opened.plain.stdout == b"True\ngone\n"
        with opened.looked(100) as (observation, _):
            assert observation.stdout == opened.plain.stdout
        assert unchanged(opened, 6) == opened.plain.stdout


def test_what_only_the_failing_run_prints_then_is_heard_in_all(tmp_path: Path) -> None:
    """What passes might begin to fail: so all runs that are compared end in the same way."""
    program = LAST_WORDS.replace("kept = Loud()", "import sys\nkept = sys.argv[1:] and Loud()")
    backend = PythonBackend()
    (tmp_path / "program.py").write_text(program)
    jobs = {}
    for words in ([], ["x"]):
        target = Target("program.py", words, directory=tmp_path)
        with closing(backend.run(target)) as opened:
            with opened.looked(100) as (observation, _):
                assert observation.stdout == opened.plain.stdout
            jobs[len(words)] = opened._fast
    assert jobs == {0: True, 1: False}
    with closing(backend.run(Target("program.py", [], directory=tmp_path))) as opened:
        assert not opened._fast


def test_files_that_are_closed_when_modules_are_torn_down_are_whole(tmp_path: Path) -> None:
    with run(tmp_path, "stream = open('out', 'w')\nstream.write('x')\nprint(1)\n") as opened:
        with opened.looked(100) as (observation, _):
            assert (observation.directory / "out").read_text() == "x"
        moment = Moment("program.py", 3)
        state = opened.states([moment])[moment]
        with opened.changed(moment, Alteration({}, state, state)) as (observation, _):
            assert (observation.directory / "out").read_text() == "x"


def test_a_run_that_kills_what_it_was_forked_from_begins_anew(tmp_path: Path) -> None:
    if find_layer()[0] is not Layer.NAMESPACES:
        pytest.skip("only in namespaces is there a process that it cannot kill")
    with run(tmp_path, KILLER) as opened:
        with opened.looked(100) as (observation, moments):
            assert observation.stdout == b"on\n"
            assert [moment.line for moment, _ in moments].count(5) == 1, "it does it"
        for line in (2, 3):
            assert unchanged(opened, line) == b"on\n"
        assert opened.states([moments[0][0]])


def test_nothing_is_left_of_processes_that_stayed(tmp_path: Path) -> None:
    with run(tmp_path, STEPS) as opened:
        unchanged(opened, 3)
        folder = os.fspath(opened._workspace.root)
    running = [path for path in Path("/proc").glob("[0-9]*") if works_in(path, folder)]
    assert running == []


def works_in(process: Path, folder: str) -> bool:
    try:
        return os.readlink(process / "cwd").startswith(folder)
    except OSError:
        return False
