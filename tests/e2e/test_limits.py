"""Limits of one run, and of a search; those of a command are in ``test_phases.py``."""

from __future__ import annotations

from tests.e2e.harness import Room

SLEEPER = "import time\nprint('on')\ntime.sleep(600)\n"


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
