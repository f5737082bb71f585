"""Runs whose states are looked at and changed are forks, and nothing of one is there in another."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from stripe.backend import Observation, Target
from stripe.errors import NotReducible
from stripe.snapshots import Alteration, Moment
from stripe_pytrace.backend import PythonBackend
from stripe_pytrace.state_runs import StateRun

HERE = "# here"

MANNERS = """\
import os, signal, sys

def told():
    mask = os.umask(0)
    os.umask(mask)
    handlers = [str(signal.getsignal(each))[:9] for each in (signal.SIGUSR1, signal.SIGTERM)]
    blocked = sorted(signal.pthread_sigmask(signal.SIG_BLOCK, []))
    return mask, handlers, blocked, os.environ.get("MARK"), os.path.basename(os.getcwd())

def found():
    return sorted(os.listdir()), "json" in sys.modules, hasattr(os, "mark"), len(sys.path), files()

def files():
    return sorted(os.listdir(os.environ["TMPDIR"])), os.get_inheritable(0), sys.getrecursionlimit()

BEFORE
print(told(), found())  # here
os.umask(0o123)
signal.signal(signal.SIGUSR1, signal.SIG_IGN)
signal.signal(signal.SIGTERM, lambda *_: None)
signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGUSR2])
os.environ["MARK"] = "left"
import json
os.mark = 1
sys.path.append("left")
sys.setrecursionlimit(500)
os.set_inheritable(0, False)
open("left", "w").close()
open(os.path.join(os.environ["TMPDIR"], "left"), "w").close()
open("data", "a").write("left")
os.mkdir("below")
os.chdir("below")
print(told(), open("../data").read())
"""

SAME = {
    "manners": MANNERS.replace("BEFORE", "pass"),
    "input": """\
import sys
first = sys.stdin.readline()
print(first, sys.stdin.read())  # here
""",
    "a generator of random numbers": """\
import random
random.seed(7)
print(random.random())
print(random.random())  # here
""",
    "what the program does when it forks": """\
import os
os.register_at_fork(after_in_child=lambda: print("forked"))
print(1)
print(2)  # here
""",
    "a file that is read": """\
stream = open("long")
first = stream.readline()
print(first, len(stream.read()))  # here
""",
    "a file that is read and then changed": """\
stream = open("long")
first = stream.readline()
print(first, len(stream.read()))  # here
with open("long", "r+") as other:
    other.truncate(9)
""",
    "the numbers of open files": """\
import os
first, second = os.open("long", os.O_RDONLY), os.open("data", os.O_RDONLY)
print(len(os.read(second, 10)))  # here
third = os.open("data", os.O_RDONLY)
print(third - second)
""",
    "printed": """\
print("first", flush=True)
print("second")
print("third")  # here
""",
}
"""What is the same in a fork at the moment."""

OWN = {
    "written before": MANNERS.replace("BEFORE", "open('early', 'w').close()"),
    "an alarm": """\
import signal
rung = []
signal.signal(signal.SIGALRM, lambda *_: rung.append(1))
signal.setitimer(signal.ITIMER_REAL, 0.3)
while not rung:  # here
    signal.sigtimedwait([], 0.1)
print("rung")
""",
    "a pipe": """\
import os
out, into = os.pipe()
os.write(into, b"x")
print(os.read(out, 10))  # here
""",
    "memory that is shared": """\
import mmap
memory = mmap.mmap(-1, 10)
print(memory[0])  # here
memory[0] = 7
""",
    "a file in memory": """\
import os
file = os.memfd_create("kept")
print(os.read(file, 10))  # here
os.pwrite(file, b"left", 0)
""",
    "children that are waited for": """\
import signal
ended = []
signal.signal(signal.SIGCHLD, lambda *_: ended.append(1))
print(ended)
print(ended)  # here
""",
    "a tracer": """\
import sys
seen = []
sys.settrace(lambda frame, *rest: seen.append(frame.f_code.co_name))
def called():
    pass
called()
called()  # here
sys.settrace(None)
print(seen)
""",
    "a process": """\
import os
if os.fork() == 0:
    os._exit(3)
print(os.waitstatus_to_exitcode(os.wait()[1]))  # here
""",
}
"""What only a run of its own has."""


@contextmanager
def runs(tmp_path: Path, text: str) -> Iterator[tuple[StateRun, Moment]]:
    folder = tmp_path / "work"
    folder.mkdir()
    (folder / "prog.py").write_text(text)
    (folder / "data").write_text("data\n")
    (folder / "long").write_text("line\n" * 100_000)
    target = Target("prog.py", directory=folder, stdin=b"one\ntwo\n")
    lines = text.splitlines()
    run = PythonBackend().run(target)
    try:
        yield run, Moment("prog.py", next(n for n, each in enumerate(lines, 1) if HERE in each))
    finally:
        run.close()


def seen(run: Observation) -> tuple[object, ...]:
    return run.end, run.status, run.stdout, run.stderr, run.detail


def again(run: StateRun, moment: Moment, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Have it go on from a moment, more than once, as it was there; the runs of their own."""
    with run.looked(1000) as (observation, _):
        assert seen(observation) == seen(run.plain)
    state = run.states([moment])[moment]
    fresh = []
    once = StateRun._once

    def noted(self, number, task, moments, **limits):
        fresh.append(task["task"])
        return once(self, number, task, moments, **limits)

    monkeypatch.setattr(StateRun, "_once", noted)
    for _ in range(3):
        with run.changed(moment, Alteration({}, state, state)) as (observation, after):
            assert seen(observation) == seen(run.plain)
            assert after == state
    return fresh


@pytest.mark.parametrize("case", SAME)
def test_forks_at_a_moment_leave_nothing_behind(
    case: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with runs(tmp_path, SAME[case]) as (run, moment):
        assert again(run, moment, monkeypatch) == []


@pytest.mark.parametrize("case", OWN)
def test_what_a_fork_would_share_or_lose_is_run_from_the_beginning(
    case: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with runs(tmp_path, OWN[case]) as (run, moment):
        assert again(run, moment, monkeypatch) == ["change"] * 3


def test_without_walls_a_program_that_never_does_the_same_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It is run plainly once more to be sure, and nobody waits for the slot that is in use."""
    monkeypatch.setenv("STRIPE_SANDBOX_LAYER", "none")
    with (
        runs(tmp_path, "import time\nprint(time.time_ns())  # here\n") as (run, _),
        pytest.raises(NotReducible) as raised,
        run.looked(10),
    ):
        pass
    assert raised.value.slug == "nondeterministic"
