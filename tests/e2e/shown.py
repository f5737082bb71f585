"""Commands that a document shows with their output: they must work, and print just that."""

from __future__ import annotations

import re
import shutil
from pathlib import Path

from tests.e2e.harness import Room

Shown = tuple[str, str]
"""A command line, and the output pasted below it."""


def commands_shown(text: str) -> list[Shown]:
    """The commands of a Markdown text; ``...`` on a line of its own stands for lines left out."""
    return re.findall(r"```console\n\$ ((?:stripe|pytest) [^\n]*)\n(.*?)```", text, re.DOTALL)


def names(shown: list[Shown]) -> list[str]:
    """What to call their tests."""
    return [f"{number}-{line[:40]}" for number, (line, _) in enumerate(shown)]


def must_print(room: Room, folder: Path, line: str, shown: str) -> None:
    """Run a command line in a copy of ``folder``; it prints what is shown."""
    shutil.copytree(folder, room.work, dirs_exist_ok=True)
    fails = line.startswith("pytest")
    reduced = re.match(r"stripe input (\w+)\.txt", line)
    writes = (f"{reduced[1]}.reduced.txt",) if reduced else ()
    run = room.line(line, writes, {"PYTHONDONTWRITEBYTECODE": "1"} if fails else None)
    assert run.status == (1 if fails else 0), run
    printed = run.out
    for part in shown.split("...\n"):
        assert part in printed, part
        printed = printed[printed.index(part) + len(part) :]
