"""The code that reports show: of files with suspected lines, these and the ones around them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from pathlib import Path

from stripe.interventions import Line

AROUND = 3
"""Lines before and after a suspected one."""

LONGEST = 500
"""Characters of a line."""

MOST = 20_000
"""Lines in all; of more, those of the files that come first."""


def lines_of(text: str) -> list[str]:
    """The lines of a program, without their ends: form feeds and the like end none."""
    lines = text.replace("\r\n", "\n").replace("\r", "\n").split("\n")
    return lines if lines[-1] else lines[:-1]


def read(directory: Path, files: Iterable[str]) -> dict[str, list[str]]:
    """The lines of files, as far as they can be read."""
    found = {}
    for file in files:
        with suppress(OSError, ValueError):
            found[file] = lines_of((directory / file).read_bytes().decode("utf-8", "replace"))
    return found


def passages(texts: Mapping[str, Sequence[str]], suspected: Sequence[Line]) -> dict[Line, str]:
    """Suspected lines, in the order in which they are to be shown, with those around them."""
    wanted: dict[Line, None] = {}
    for file, line in suspected:
        if len(wanted) >= MOST:
            break
        last = len(texts.get(file, ()))
        for number in range(max(1, line - AROUND), min(last, line + AROUND) + 1):
            wanted[Line(file, number)] = None
    return {line: texts[line.file][line.line - 1][:LONGEST] for line in sorted(wanted)}
