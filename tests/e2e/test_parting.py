"""A refusal says how the program ended, and where its runs first part."""

from __future__ import annotations

import pytest

from tests.e2e.harness import Room

CHANCE = """\
import random, sys
def pick(n):
    x = random.randrange(n)
    return x * 2
a = [3]
b = pick(10 ** 12)
print("start\\033", file=sys.stderr)
if b > 10 ** 12:
    print("big", b)
else:
    print("small", b)
sys.exit(3)
"""


@pytest.mark.parametrize(
    ("program", "says"),
    [
        (CHANCE, "Runs first part at prog.py:3, x = random.randrange(n): x is "),
        (
            "import time\nstart = 1\nprint(start, time.time_ns())\n",
            "Runs first part at prog.py:3, print(start, time.time_ns()): time.time_ns(...) is ",
        ),
        (
            "import os\nfor number in os.urandom(9):\n    print(number)\n",
            "for number in os.urandom(9): (execution 1 of 10): number is ",
        ),
    ],
)
def test_the_first_place_where_runs_part(room: Room, program: str, says: str) -> None:
    room.program(program)
    run = room.stripe("trace", "prog.py")
    run.refused("nondeterministic", says, status=1)


def test_the_end_and_the_last_words_are_quoted(room: Room) -> None:
    room.program(CHANCE)
    run = room.stripe("trace", "prog.py")
    run.refused(
        "nondeterministic",
        "The plain run ended with exit status 3; its last words on standard error:",
        status=1,
    )
    assert "\n    start\\x1b [" in run.err


def test_nothing_is_said_of_an_end_that_was_well(room: Room) -> None:
    room.program("import time\nprint(time.time_ns())\n")
    assert "ended with" not in room.stripe("trace", "prog.py").err
