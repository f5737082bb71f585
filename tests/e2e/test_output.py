"""What the command prints, and where."""

from __future__ import annotations

import contextlib
import json
import os
import pty
import re

import pytest

from tests.e2e.harness import Room, command
from tests.support.patience import PATIENCE

PROGRAM = "a = 1\nb = 2\nprint('b', b)\n"


def test_the_report(room: Room) -> None:
    room.program(PROGRAM)
    run = room.stripe("trace", "prog.py")
    assert run.err == "", "no progress without a terminal"
    assert "── stdout: 2 of 3 events kept ──" in run.out
    assert "     1 0/1  │ a = 1" in run.out
    assert " ▶   2 1/1  │ b = 2" in run.out
    assert "  2_2    b = 2" in run.out
    assert re.search(r"^1-minimal +yes$", run.out, re.MULTILINE)
    assert "\x1b" not in run.out


def test_json_on_standard_output_stands_alone(room: Room) -> None:
    room.program(PROGRAM)
    run = room.stripe("trace", "prog.py", "--json", "-", "-v")
    data = json.loads(run.out)
    assert data["format"] == "stripe-result"
    assert data["slices"][0]["certified"] is True
    assert "2 of 3 events" in run.err


def test_json_into_a_file(room: Room) -> None:
    room.program(PROGRAM)
    run = room.stripe("trace", "prog.py", "--json", "result.json", writes=("result.json",))
    assert "1-minimal" in run.out
    data = json.loads((room.work / "result.json").read_text())
    assert data["slices"][0]["events"] == [1, 2]


@pytest.mark.parametrize(("option", "lines"), [("-q", 0), ("-v", 2), ("-qv", 0)])
def test_quiet_and_verbose(room: Room, option: str, lines: int) -> None:
    room.program(PROGRAM)
    run = room.stripe("trace", option, "prog.py")
    assert run.status == 0
    assert len(run.err.splitlines()) == lines
    assert "1-minimal" in run.out


def test_show_tests_is_the_papers_picture(room: Room) -> None:
    room.program(PROGRAM)
    run = room.stripe("trace", "prog.py", "--show", "tests")
    rows = [line for line in run.out.splitlines() if "│" in line]
    assert any(re.fullmatch(r" *\d+ │ ••│ shows it", row) for row in rows)
    assert rows[-1].strip() == "│ ••│ the slice"
    assert "summary" not in run.out


def test_show_all_folds_nothing(room: Room) -> None:
    room.program("for number in range(40):\n    x = number\nprint(x)\n" + "y = 1\n" * 30)
    short = room.stripe("trace", "prog.py")
    full = room.stripe("trace", "prog.py", "--show", "all")
    assert "⋮" in short.out
    assert "⋮" not in full.out
    assert "the slice" in full.out
    assert full.out.count("│ y = 1") == 30


def test_a_closed_pipe_is_no_error(room: Room) -> None:
    """There is more to say than fits into a pipe."""
    room.program("x = 0\n" + f"y = '{'1' * 70}'\n" * 1500 + "print(x)\n")
    process = room.start("trace", "prog.py", "--show", "all", "--max-tests", "5")
    assert (room.leave_early(process), process.returncode) == (b"", 0)
    room.must_be_clean()


@pytest.mark.parametrize("number", [0, 1, 2])
def test_a_closed_standard_stream_is_no_error(room: Room, number: int) -> None:
    room.program(PROGRAM)
    closed = "<&-" if number == 0 else f"{number}>&-"
    words = ["sh", "-c", f'exec "$0" "$@" {closed}', *command()]
    run = room.stripe("trace", "prog.py", "-v", "--json", "found.json", words=words,
                      writes=("found.json",))  # fmt: skip
    assert run.status == 0, run.err
    assert ("1-minimal" in run.out) is (number != 1)
    assert room.result(room.work / "found.json")["slices"][0]["certified"]


SLOW = """\
import time
waits = []
for number in range(3):
    waits.append(time.sleep(0.25))
print(waits)
"""


def in_terminal(room: Room, *arguments: str, **environment: str) -> tuple[int, str]:
    """Run the command in a real terminal; exit status and all that appeared."""
    before = {**room.environment, "TERM": "xterm-256color", **environment}
    parent, child = pty.openpty()
    try:
        process = room.start(
            *arguments, stdin=child, stdout=child, stderr=child, environment=before
        )
    finally:
        os.close(child)
    seen = b""
    with room.never_outlived_by(process), contextlib.suppress(OSError):
        while part := os.read(parent, 65536):  # OSError: the last writer is gone
            seen += part
    os.close(parent)
    return process.wait(PATIENCE), seen.decode()


def test_progress_and_colours_in_a_terminal(room: Room) -> None:
    room.program(SLOW)
    status, text = in_terminal(room, "trace", "prog.py")
    assert status == 0
    assert re.search(r"\r\x1b\[2Kstdout: \d+ tests, \d+ of \d+ events left, [\d.]+ tests/s", text)
    assert "to go" in text
    assert "\x1b[1m" in text
    report = text[text.rindex("\r\x1b[1A\x1b[2K") :]
    assert "events left" not in report, "the progress is gone in the end"
    room.must_be_clean()


def test_no_progress_with_quiet_and_no_colour_with_no_color(room: Room) -> None:
    room.program(PROGRAM)
    status, text = in_terminal(room, "trace", "-q", "prog.py", NO_COLOR="1")
    assert status == 0
    assert "\x1b" not in text
    assert "events left" not in text
    assert "1-minimal" in text


def test_a_terminal_is_not_read(room: Room) -> None:
    """Standard input is a terminal: the program finds nothing to read, and nobody waits."""
    room.program("import sys\nprint(repr(sys.stdin.read()))\n")
    status, text = in_terminal(room, "trace", "prog.py", "--show", "summary")
    assert status == 0
    assert "1-minimal" in text


def test_letters_the_terminal_does_not_have(room: Room) -> None:
    room.program("größe = 'ü✓'\nprint(größe)\n")
    run = room.stripe("trace", "prog.py", environment={"PYTHONIOENCODING": "ascii"})
    assert run.status == 0
    assert run.out.isascii()
    assert ">   1 1/1" in run.out


def test_help_and_version(room: Room) -> None:
    assert "stripe VERB --help" in room.stripe("--help").out
    assert re.fullmatch(r"stripe \d+\.\d+\.\d+\n", room.stripe("--version").out)
    text = room.stripe("trace", "--help").out
    for word in ("--check", "--control", "--max-tests", "var:NAME@FILE:LINE", "exit status"):
        assert word in text
