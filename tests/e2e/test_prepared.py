"""A command that is forked does what one does that is started."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from tests.e2e import prepared
from tests.e2e.harness import Room, command

PROGRAM = """\
import os
word = input()
print(word, os.environ["MINE"], os.path.basename(os.getcwd()))
unused = 1
"""


def test_what_it_prints_and_how_it_ends(room: Room) -> None:
    room.program(PROGRAM)
    for show in ("nothing there is", "source"):
        arguments = ("trace", "prog.py", "--show", show, "--max-tests", "3")
        first, second = (
            room.stripe(*arguments, stdin="\u00e9\n", environment={"MINE": "x"}, words=each)
            for each in (None, command())
        )
        assert first == second
    assert first.status == 0
    assert "print(word" in first.out


def test_its_temporary_files_are_where_its_environment_says(room: Room) -> None:
    room.program("print('done')\n")
    left = room.tmp / f"stripe-{'0' * 16}"  # of a run that was killed: the next one removes it
    left.mkdir()
    os.utime(left, (0, 0))
    room.stripe("trace", "prog.py", "--check", "stdout")
    assert not left.exists()


def test_which_are_started(room: Room, monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[Path] = []

    def run(words: object, cwd: Path, *others: object) -> tuple[int, bytes, bytes]:
        asked.append(cwd)
        return 0, b"", b""

    monkeypatch.setattr(prepared, "run", run)
    room.stripe("show", "--help")
    assert asked == [room.work]
    assert room.stripe("--version").out
    assert room.stripe("show", "--help", environment={"PYTHONUTF8": "1"}).out
    assert room.stripe("show", "--help", words=command()).out
    room.environment["STRIPE_SANDBOX_LAYER"] = "none"
    assert room.stripe("show", "--help").out
    assert asked == [room.work]
