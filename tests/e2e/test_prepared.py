"""A command that is forked does what one does that is started."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from tests.e2e import prepared
from tests.e2e.harness import Room, Run, command

PROGRAM = """\
import os
import beside
word = input()
print(word, os.environ["MINE"], os.path.basename(os.getcwd()))
unused = 1
"""


@pytest.mark.parametrize("layer", ["", "none"])
def test_what_it_prints_and_how_it_ends(room: Room, layer: str) -> None:
    """With variables that count when a process starts, or once in its life."""
    room.program(PROGRAM)
    (room.elsewhere / "beside").mkdir()
    environment = {"MINE": "x", "PYTHONPATH": str(room.elsewhere), "STRIPE_SANDBOX_LAYER": layer}
    for show in ("nothing there is", "source", "summary"):
        arguments = ("trace", "prog.py", "--show", show, "--max-tests", "3")
        first, second = (
            room.stripe(*arguments, stdin="\u00e9\n", environment=environment, words=each)
            for each in (None, command())
        )
        if show == "summary":
            assert told(first) == told(second)
            assert not layer or told(first) == [layer]
        else:
            assert first == second
            assert ("print(word" in first.out) == (show == "source"), first


def told(run: Run) -> list[str]:
    """What a summary says of the sandbox."""
    return [line.split()[1] for line in run.out.splitlines() if line.startswith("sandbox ")]


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
    assert asked == [room.work]
