"""Each check through the real command: program in, kept lines out."""

from __future__ import annotations

import pytest

from tests.e2e.harness import Room, Run

PROGRAM = """\
import sys
a = 1
b = 2
total = a
total = total + b
print("a =", a)
print("b =", b)
print("warning: total", total, file=sys.stderr)
with open("out.txt", "w") as out:
    out.write(f"{b}\\n")
sys.exit(total)
"""


CHECKS = {
    "stdout": [2, 3, 6, 7],
    "stdout:/^a/": [2, 6],
    r"stdout:/^b = \d+$/": [3, 7],
    "stderr": [1, 2, 3, 4, 5, 8],
    "stderr:/warning/": [1, 2, 3, 4, 5, 8],
    "exit": [1, 2, 3, 4, 5, 11],
    "var:b@prog.py:3": [3],
    "var:total@prog.py:5": [2, 3, 4, 5],
    "var:total@prog.py:4": [2, 4],
    "file:out.txt": [3, 9, 10],
    "file:out.txt+stdout:/^a/": [2, 3, 6, 9, 10],
    "both=stdout:/^a/+stdout:/^b/": [2, 3, 6, 7],
    "cmd:grep -q '^b = 2' $STRIPE_STDOUT": [3, 7],
    "cmd:test $STRIPE_DIRECTORY = $PWD && grep -q warning $STRIPE_STDERR": [1, 2, 3, 4, 5, 8],
    "cmd:test -s out.txt && test $STRIPE_DIRECTORY = $PWD": [3, 9, 10],
    "stdout:/^a/+cmd:test $STRIPE_STATUS = 3": [1, 2, 3, 4, 5, 6, 11],
}


@pytest.fixture(scope="module")
def all_checks(tmp_path_factory: pytest.TempPathFactory) -> Run:
    """One run, reduced for each check."""
    room = Room(tmp_path_factory.mktemp("checks"))
    room.program(PROGRAM)
    return room.trace("prog.py", *(word for check in CHECKS for word in ("--check", check)))


@pytest.mark.parametrize("number", range(len(CHECKS)), ids=list(CHECKS))
def test_a_check(all_checks: Run, number: int) -> None:
    check, lines = list(CHECKS.items())[number]
    assert all_checks.slice(number)["check"] == check.removeprefix("both=")
    assert all_checks.lines(number) == lines


def test_a_check_alone(room: Room) -> None:
    """What it keeps does not depend on others in the same run."""
    room.program(PROGRAM)
    for check in ("stdout:/^a/", "cmd:test -s out.txt && test $STRIPE_DIRECTORY = $PWD"):
        assert room.trace("prog.py", "--check", check).lines() == CHECKS[check]


def test_a_command_may_say_that_it_cannot_tell(room: Room) -> None:
    """125 is UNRESOLVED: such tests count apart."""
    room.program(PROGRAM)
    command = "grep -q '^a' $STRIPE_STDOUT || exit 125; grep -q '^b' $STRIPE_STDOUT"
    run = room.trace("prog.py", "--check", f"both=cmd:{command}")
    assert run.lines() == [2, 3, 6, 7]
    tests = run.slice()["tests"]
    assert tests["UNRESOLVED"] > 0
    assert tests["PASS"] > 0


def test_several_checks_make_a_column_each(room: Room) -> None:
    room.program(PROGRAM)
    run = room.stripe(
        "trace", "prog.py", "--check", "first=stdout:/^a/", "--check", "second=stdout:/^b/",
        "--check", "exit",
    )  # fmt: skip
    assert run.status == 0
    heads = [line.split() for line in run.out.splitlines() if line.strip().startswith("event ")]
    assert heads == [["event", "statement", "first", "second", "exit"]]
    rows = {line.split()[0]: line for line in run.out.splitlines() if "•" in line}
    assert rows["6_6"].count("•") == 1
    assert rows["2_2"].count("•") == 2
    assert "first = stdout:/^a/: 2 of 11 events kept" in run.out


CONDITION = """\
limit = 50
total = 50
fee = 0
if total <= limit:
    fee = 5
print("to pay", total + fee)
"""


def test_the_program_control_mode_finds_the_faulty_condition(room: Room) -> None:
    room.program(CONDITION)
    assert room.trace("prog.py").lines() == [2, 5, 6]
    assert room.trace("prog.py", "--control", "program").lines() == [1, 2, 4, 5, 6]


def test_an_exception_cannot_slip_to_another_statement(room: Room) -> None:
    """Both calls divide by zero, with the same message; the first one is what was recorded."""
    room.program(
        "def first(n):\n    return 1 / n\n\n\ndef second(n):\n    return 1 / n\n\n\n"
        "zero = 5\nzero = 0\nfirst(zero)\nsecond(zero)\n"
    )
    assert room.trace("prog.py").lines() == [1, 2, 10, 11]
