"""What is shown before anything is run: all of it, and nothing else."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

from stripe.backend import Target
from stripe.report.plan import plan


def shown(width: int = 80, check: str = "stdout", source: str = "r.json", **facts: Any) -> str:
    target = Target(**{"program": "prog.py", "directory": Path("/work"), **facts})
    return "\n".join(plan(target, [check, check], source, width))


def test_all_that_is_run_is_shown() -> None:
    text = shown(
        program="pack.age", module=True, arguments=("a b", "", "-x"), python="3.13",
        stdin=b"1\n", check="exit+cmd:test -s x; rm -r $HOME",
    )  # fmt: skip
    assert (
        text
        == """\
stripe: Verifying r.json runs this, again and again:
  program      -m pack.age 'a b' '' -x
  directory    /work
  interpreter  3.13
  input        2 bytes: $'1\\n'
  command      /bin/sh -c 'test -s x; rm -r $HOME'"""
    )


def test_the_interpreter_that_nobody_chose() -> None:
    assert f"interpreter  {sys.executable} (if it is Python)" in shown(width=300)


EVIL = "x\r\x1b[2K\x1b[1A\x9b2J\u202e\u2066\u200b\x07\b\n  program      innocent.py"


def test_texts_of_the_file_cannot_hide_or_pretend() -> None:
    text = shown(
        source=EVIL, program=EVIL, arguments=(EVIL,), directory=Path("/" + EVIL), python=EVIL,
        stdin=EVIL.encode(), check=f"cmd:{EVIL}",
    )  # fmt: skip
    assert text.isascii()
    assert text.replace("\n", "").isprintable()
    labels = [line[:15].strip() for line in text.splitlines()[1:]]
    assert [each for each in labels if each != "|"] == [
        "program", "directory", "interpreter", "input", "command",
    ]  # fmt: skip


def test_no_line_of_the_terminal_is_the_file_s_own() -> None:
    """Blanks up to the end of the terminal's line do not begin a new one."""
    for width in (10, 60, 80, 200):
        false = "x" + " " * (width - 16) + "  command      /bin/true"
        lines = shown(width, arguments=(false * 5,)).splitlines()
        assert max(map(len, lines[1:])) < max(width, 36)
        assert sum(line.startswith("  command") for line in lines) == 0


def test_long_texts_say_so_first() -> None:
    text = shown(check="cmd:true " + " " * 3000 + "; false")
    assert "  command      (3025 characters) /bin/sh -c 'true   " in text
    assert text.endswith("; false'")
