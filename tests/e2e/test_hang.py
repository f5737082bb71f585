"""``--check hang``: programs that do not end."""

from __future__ import annotations

import json

import pytest

from tests.e2e.harness import Room

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


@pytest.mark.parametrize(
    ("program", "timeout", "slug"),
    [
        ("for n in range(9):\n    print(n)\n", "60", "no-hang"),
        ("import time\ntime.sleep(1000)\n", "0.1", "waits-for-ever"),
    ],
)
def test_what_is_no_endless_loop_is_refused(
    room: Room, program: str, timeout: str, slug: str
) -> None:
    room.program(program)
    run = room.stripe("trace", "prog.py", "--check", "hang", "--timeout", timeout)
    assert run.status == 1, run
    assert f"[{slug}]" in run.err


def test_a_program_that_does_not_end_is_told_of_the_check(room: Room) -> None:
    room.program(COUNTER)
    run = room.stripe("trace", "prog.py", "--timeout", "1")
    assert "[program-hangs]" in run.err
    assert "--check hang" in run.err
