"""``--check hang``: programs that do not end."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest

from tests.e2e.harness import Room, command
from tests.support.needs import LEFT_OUT
from tests.support.patience import PATIENCE, wait_until

pexpect = pytest.importorskip("pexpect", reason=LEFT_OUT)

COUNTER = """\
numbers = [3, 1, 2]
total = 0
position = 0
print("start")
while position < len(numbers):
    value = numbers[position]
    if value != 1:
        total = total + value
        position = position + 1
print(total)
"""

ITERATOR = """\
import itertools
def find(items, wanted):
    seen = 0
    for item in items:
        seen += 1
        if item == wanted:
            return seen
limit = 3
print("start")
print(find(itertools.count(1), -limit))
"""

TWO = """\
done = False
rows = [1, 2]
text = ""
while not done:
    for row in rows:
        text = str(row)
    if text == "3":
        done = True
"""

DEEP = """\
def depth(n):
    try:
        return depth(n + 1)
    except RecursionError:
        return n
deepest = depth(0)
print(deepest, flush=True)
"""

WAITING = """\
import queue
orders = queue.Queue()
def order():
    return orders.get()
print(order())
"""

IN_THREADS = """\
import threading, time
worker = threading.Thread(target=lambda: time.sleep(1000))
worker.start()
worker.join()
"""


@pytest.mark.parametrize(
    ("program", "needed", "needless"),
    [
        (COUNTER, {1, 3, 5}, {2, 4, 6, 7, 8, 9}),
        (ITERATOR, {1, 2, 4, 10}, {3, 5, 9}),
        (TWO, {1, 4}, {2, 3, 5, 6}),
    ],
)
def test_what_keeps_a_loop_going(
    room: Room, program: str, needed: set[int], needless: set[int]
) -> None:
    room.program(program)
    run = room.stripe(
        "trace", "prog.py", "--check", "hang", "--json", "r.json", "-q", writes=("r.json",)
    )
    assert run.status == 0, run
    data = json.loads((room.work / "r.json").read_text())
    (found,) = data["slices"]
    line = {each["id"]: each["line"] for each in data["statements"]}
    kept = {line[data["trace"]["statement"][event]] for event in found["events"]}
    assert needed <= kept
    assert not needless & kept
    assert (found["certified"], found["verified"]) == (True, True)
    assert (data["control"], data["recorded"]["end"]) == ("program", "CUT")


def test_recursion_goes_as_deep_in_a_run_that_is_cut_off(room: Room) -> None:
    """Counting what there is in the log takes no level more than the recording leaves for it."""
    room.program(DEEP)
    plain = subprocess.run(
        [sys.executable, "prog.py"], cwd=room.work, capture_output=True, check=True
    )
    room.program(f"{DEEP}while deepest:\n    pass\n")
    run = room.stripe(
        "trace", "prog.py", "--check", "hang", "--max-tests", "1", "--json", "r.json",
        writes=("r.json",),
    )  # fmt: skip
    assert run.status == 0, run
    data = json.loads((room.work / "r.json").read_text())
    assert data["recorded"]["stdout"] == plain.stdout.decode()


@pytest.mark.parametrize(
    ("program", "timeout", "slug", "says"),
    [
        ("for n in range(9):\n    print(n)\n", "60", "no-hang", ""),
        (WAITING, "2", "waits-for-ever", "at prog.py:4"),
        (IN_THREADS, "2", "waits-for-ever", "at prog.py:4"),
    ],
)
def test_what_is_no_endless_loop_is_refused(
    room: Room, program: str, timeout: str, slug: str, says: str
) -> None:
    room.program(program)
    run = room.stripe("trace", "prog.py", "--check", "hang", "--timeout", timeout)
    run.refused(slug, says, status=1)


def test_a_program_that_does_not_end_is_told_of_the_check(room: Room) -> None:
    room.program(COUNTER)
    run = room.stripe("trace", "prog.py", "--timeout", "1")
    assert "[program-hangs]" in run.err
    assert "--check hang" in run.err


LOOK, END = "Ctrl-C to look at what it did so far", "Ctrl-C ends it"


@contextmanager
def at_a_terminal(room: Room, *arguments: str) -> Iterator[Any]:
    """The command, started at a terminal; nothing of it may remain."""
    name, *words = command()
    started = pexpect.spawn(
        name,
        [*words, "trace", *arguments],
        cwd=str(room.work),
        env={**room.environment, "TERM": "dumb"},
        dimensions=(50, 200),
        encoding="utf-8",
        timeout=PATIENCE,
    )
    with started:
        yield started
    wait_until(lambda: not room.processes())
    assert not list(room.tmp.iterdir())


def interrupt(started: Any) -> None:
    """Ctrl-C where it ends the command."""
    started.expect_exact(END)
    started.sendintr()
    started.expect_exact("Interrupted; there is no slice yet.")
    started.expect(pexpect.EOF)
    started.wait()
    assert started.exitstatus == 130


def test_ctrl_c_cuts_off_a_program_to_look_at_it(room: Room) -> None:
    room.program(COUNTER)
    with at_a_terminal(room, "prog.py", "--json", "r.json") as started:
        started.expect_exact(LOOK)
        started.sendintr()
        started.expect_exact("cut off by hand")
        started.expect(pexpect.EOF)
        started.wait()
        assert started.exitstatus == 0
    data = json.loads((room.work / "r.json").read_text())
    assert [each["check"] for each in data["slices"]] == ["hang"]
    assert (data["control"], data["recorded"]["end"]) == ("program", "CUT")
    run = room.stripe("verify", "r.json", "--yes")
    assert run.status == 0, run


def test_a_second_ctrl_c_ends_the_command(room: Room) -> None:
    room.program("import time\ntime.sleep(1000)\n")
    with at_a_terminal(room, "prog.py") as started:
        started.expect_exact(LOOK)
        started.sendintr()
        interrupt(started)


def test_with_another_check_ctrl_c_ends_the_command(room: Room) -> None:
    room.program(COUNTER)
    with at_a_terminal(room, "prog.py", "--check", "stdout") as started:
        interrupt(started)
