"""Differences of a file in hunks, as the pages of changes and of suspects show them."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import NamedTuple

_HEADING = re.compile(r"@@ -(\d{1,9})\S* \+(\d{1,9})")


class DiffLine(NamedTuple):
    """A line: its numbers without and with the change, "" where it is not there; who made it."""

    before: int | str
    after: int | str
    sign: str
    text: str
    by: str


@dataclass(frozen=True, slots=True)
class Hunk:
    """Lines in a row, each with its sign (blank, ``-`` or ``+``), text, and by whom it is.

    ``before``, ``after``: the number of the first one without and with the change, from 1.
    """

    before: int
    after: int
    lines: list[tuple[str, str, str]] = field(default_factory=list)

    def rows(self) -> Iterator[DiffLine]:
        """The lines with their numbers."""
        before, after = self.before, self.after
        for sign, text, by in self.lines:
            yield DiffLine(
                "" if sign == "+" else before, "" if sign == "-" else after, sign, text, by
            )
            before += sign != "+"
            after += sign != "-"


def hunks_of(diff: str) -> list[Hunk]:
    """The hunks of a unified diff of one file."""
    found: list[Hunk] = []
    for line in diff.split("\n"):
        if heading := _HEADING.match(line):
            found.append(Hunk(int(heading[1]), int(heading[2])))
        elif found and line.startswith((" ", "-", "+")):
            found[-1].lines.append((line[0], line[1:].removesuffix("\r"), ""))
    return found
