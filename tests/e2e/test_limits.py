"""Limits of time: what they cover, and what is said when they are reached."""

from __future__ import annotations

import json
import time

import pytest

from tests.e2e.harness import Room

SLEEPER = "import time\nprint('on')\ntime.sleep(600)\n"


def test_the_time_for_all_covers_the_recording(room: Room) -> None:
    room.program(SLEEPER)
    run = room.stripe("trace", "prog.py", "--max-time", "1")
    assert run.status == 1, run
    assert "[out-of-time]" in run.err
    assert "1 seconds of --max-time" in run.err
    assert "while running the program" in run.err
    assert "--max-time S" in run.err


def test_the_time_for_all_covers_the_verification(room: Room) -> None:
    room.program("import sys, time\nprint('on')\ntime.sleep(float(sys.argv[1]))\n")
    run = room.stripe("trace", "prog.py", "--json", "r.json", "-q", "0", writes=("r.json",))
    assert run.status == 0, run
    data = json.loads((room.work / "r.json").read_text())
    data["target"]["arguments"] = ["600"]
    (room.work / "r.json").write_text(json.dumps(data))
    run = room.stripe("verify", "--yes", "r.json", "--max-time", "1")
    assert run.status == 1, run
    assert "[out-of-time]" in run.err


LARGE = """\
import sys
n = int(sys.argv[1])
total = 0
for each in range(400_000):
    total += each * n
if n > 5:
    raise ValueError(total)
"""


@pytest.mark.parametrize("seconds", ["1", "3"])
def test_causes_ends_in_time_while_states_are_looked_at(room: Room, seconds: str) -> None:
    """It looked for 18 s where it had 3, as no test was going on."""
    room.program(LARGE)
    began = time.monotonic()
    run = room.stripe("causes", "prog.py", "--fail", "7", "--pass", "3", "--max-time", seconds)
    assert time.monotonic() - began < 12, run
    if run.status:
        assert "[out-of-time]" in run.err, run
        assert "looking at its states" in run.err or "running the program" in run.err
    else:
        assert "the time limit was reached" in run.out, run


@pytest.mark.parametrize(
    "command",
    [
        ["changes", "good", "bad", "--test", "sleep 60; exit 1"],
        ["changes", "good", "bad", "--test", "exit 1", "--build", "sleep 60"],
        ["input", "input.txt", "--test", "./slow.sh"],
        ["causes", "slow.py", "--fail", "7", "--pass", "3"],
        ["suspects", "-m", "pytest", "test_slow.py"],
        ["trace", "-m", "pytest", "test_slow.py"],
    ],
)
def test_the_first_run_of_a_test_is_within_the_time_for_all(room: Room, command: list[str]) -> None:
    """It took 30 to 90 seconds of its own, and was blamed on the program then."""
    for version in ("good", "bad"):
        (room.work / version).mkdir()
        (room.work / version / "prog.py").write_text(f"print({version!r})\n")
    (room.work / "input.txt").write_text("hello\n")
    (room.work / "slow.sh").write_text("#!/bin/sh\nsleep 60\n")
    (room.work / "slow.sh").chmod(0o755)
    for name in ("slow.py", "test_slow.py"):
        (room.work / name).write_text("import time\ntime.sleep(60)\n")
    began = time.monotonic()
    run = room.stripe(command[0], "--max-time", "1", *command[1:])
    assert time.monotonic() - began < 15, run
    assert run.status == 1, run
    assert "[out-of-time]" in run.err, run
    assert "The 1 seconds of --max-time" in run.err, run


def test_a_limit_for_one_run_is_said_to_be_reached(room: Room) -> None:
    room.program(SLEEPER)
    run = room.stripe("trace", "prog.py", "--timeout", "1")
    assert run.status == 1, run
    assert "did not end within 1 second" in run.err


def test_a_recursion_to_the_limit_takes_no_test_for_each_of_its_calls(room: Room) -> None:
    """Without a call the event is lost that raised the error: 1,002 tests were run to see that."""
    room.program("def forever(n):\n    return forever(n + 1)\nforever(0)\n")
    run = room.stripe("trace", "prog.py", "--max-tests", "5")
    assert run.status == 0, run
    assert "all of it is needed" in run.out
