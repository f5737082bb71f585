"""Small limits of the shell: each verb tells a limit, and never a fact about the user's program."""

from __future__ import annotations

import sys

import pytest

from tests.e2e.harness import Room, Run

HALF = "import sys\ntotal = int(sys.argv[1]) // 2\nassert total != 3, total\nprint(total)\n"
TEST = f"{sys.executable} half.py 7"
VERBS = {
    "trace": ("trace", "half.py", "7"),
    "input": ("input", "data.txt", "--check", "stdout:/needle/", "--", "cat", "@@"),
    "changes": ("changes", "good", "bad", "--test", TEST),
    "causes": ("causes", "half.py", "--fail", "7", "--pass", "8"),
    "suspects": ("suspects", "--expect", "4", "half.py", "7"),
    "verify": ("verify", "--yes", "saved.json"),
}
LIMITS = ("-n 12", "-n 64", "-v 30000", "-v 60000", "-f 0", "-f 1")


def limited(room: Room, limit: str, *words: str) -> Run:
    command = [sys.executable, "-m", "stripe.cli.main"]
    return room.stripe(*words, words=["sh", "-c", f'ulimit {limit}; exec "$@"', "sh", *command])


@pytest.fixture
def ready(room: Room) -> Room:
    for place, text in (("good/", HALF.replace("3", "300")), ("bad/", HALF), ("", HALF)):
        room.file(f"{place}half.py", text)
    room.file("data.txt", "one\nneedle\n")
    room.file("saved.json", "{}")
    return room


@pytest.mark.parametrize("limit", LIMITS)
@pytest.mark.parametrize("verb", VERBS)
def test_it_is_named(ready: Room, verb: str, limit: str) -> None:
    run = limited(ready, limit, *VERBS[verb])
    run.refused("system-limit", f"ulimit {limit[:2]}", status=2)


def test_a_verb_that_runs_nothing_tells_it_as_well(ready: Room) -> None:
    limited(ready, "-v 60000", "doctor").refused("system-limit", "ulimit -v", status=2)


@pytest.mark.parametrize("stopped", ["getpid", "getppid"])
def test_a_process_that_was_stopped(room: Room, stopped: str) -> None:
    """In the sandbox only: elsewhere the parent is not the program's to stop."""
    room.program(f"import os, signal\nos.kill(os.{stopped}(), signal.SIGSTOP)\nprint(1 / 0)\n")
    run = room.stripe("trace", "--timeout", "2", "prog.py")
    run.refused("process-stopped", "SIGSTOP", status=1)
