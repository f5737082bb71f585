"""A change of a text: as a unified diff, and as the lines that are replaced."""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterator
from typing import NamedTuple

NO_END = "\\ No newline at end of file\n"

_HUNK = re.compile(r"@@ -(\d{1,9})(?:,(\d{1,9}))? \+\d+(?:,\d+)? @@")


class Edit(NamedTuple):
    """From the line ``first`` on, the lines ``old`` become ``new``; each with its end."""

    first: int
    old: str
    new: str


def unified(file: str, old: str, new: str) -> str:
    """A unified diff, which ``patch -p1`` takes."""
    parts: list[str] = []
    for line in difflib.unified_diff(_lines(old), _lines(new), f"a/{file}", f"b/{file}", n=1):
        parts.append(line if line.endswith("\n") else f"{line}\n{NO_END}")
    return "".join(parts)


def edits(diff: str) -> Iterator[Edit]:
    """What a diff as :func:`unified` makes it does to the old text, from its top down."""
    at, sign = 0, ""
    texts = {"-": "", "+": ""}
    for line in [*_lines(diff), " "]:
        if line == NO_END and sign in texts:
            texts[sign] = texts[sign].removesuffix("\n")
            continue
        hunk = _HUNK.match(line)
        sign = line[0] if at else ""
        if sign not in texts and any(texts.values()):
            yield Edit(at - len(_lines(texts["-"])), texts["-"], texts["+"])
            texts = {"-": "", "+": ""}
        if hunk:
            at = max(1, int(hunk[1]) + (hunk[2] == "0"))  # of no lines, the one before is named
        elif sign in texts:
            texts[sign] += line[1:]
        at += at > 0 and not hunk and sign != "+"


def _lines(text: str) -> list[str]:
    """With their ends; form feeds and the like end none."""
    return re.findall(r"[^\n]*\n|[^\n]+", text)
