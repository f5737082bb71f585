"""What all failing runs of one version print, with gaps where repeated runs differ."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher

from stripe.backend import Observation

MOST_LINES = 5000
"""Lines at the beginning of a stream that are compared."""

_FRAME = re.compile(
    r'^(?P<indent>\s*)File "(?P<file>[^"\n]*)", line (?P<line>\d+).*\n(?:(?P=indent)  .*\n)*',
    re.MULTILINE,
)
"""A frame of a Python traceback, with the source that it quotes."""

_LISTING = re.compile(r"^(?:>|    ).*\n", re.MULTILINE)
"""Source that pytest quotes..."""

_EXPLANATION = re.compile(r"^E  ", re.MULTILINE)
"""...where it explains a failure."""

_CHANGING = re.compile(
    r"0x[0-9a-fA-F]+|\b\d+(?:\.\d+)? ?(?:s|ms|seconds)\b|(?<=\bline )\d+|(?<=\.\w:)\d+(?::\d+)?"
    r"|(?<=\.\w\w:)\d+(?::\d+)?|(?<=\.\w\w\w:)\d+(?::\d+)?"
)
"""Addresses, durations, and numbers of lines: other versions have others."""


def lines_of(observation: Observation) -> list[str]:
    """What a run printed, without what tells where: errors first, then all else."""
    found: list[str] = []
    for name, stream in (("stderr", observation.stderr), ("stdout", observation.stdout)):
        text = stream.decode("utf-8", "replace")
        if text and not text.endswith("\n"):
            text += "\n"
        if _EXPLANATION.search(text):
            text = _LISTING.sub("", text)
        text = _CHANGING.sub("_", _FRAME.sub(_place, text))
        lines = [line.rstrip() for line in text.split("\n")[:-1]]
        found += [f"{name}: {line}" for line in lines[:MOST_LINES] if line]
    return found


def _place(frame: re.Match[str]) -> str:
    """What is compared of a frame: where it is, in files that are in no version."""
    return f"{frame['file']} at {frame['line']}\n" if frame["file"].startswith("/") else ""


@dataclass(frozen=True, slots=True)
class OutputPattern:
    """Lines, and ``None`` for gaps in which anything may stand."""

    parts: tuple[str | None, ...]

    def widened(self, lines: Sequence[str]) -> OutputPattern:
        """A pattern that matches these lines, too."""
        own = list(self.parts)
        matcher = SequenceMatcher(None, own, list(lines), autojunk=False)
        parts: list[str | None] = []
        end = (0, 0)
        for block in matcher.get_matching_blocks():
            if (block.a, block.b) != end and parts[-1:] != [None]:
                parts.append(None)
            for part in own[block.a : block.a + block.size]:
                if part is not None or parts[-1:] != [None]:
                    parts.append(part)
            end = block.a + block.size, block.b + block.size
        return OutputPattern(tuple(parts))

    def matches(self, lines: Sequence[str]) -> bool:
        """Whether lines are those of the pattern, with anything in its gaps."""
        runs: list[list[str]] = [[]]
        for part in self.parts:
            if part is None:
                runs.append([])
            else:
                runs[-1].append(part)
        first, last = runs[0], runs[-1]
        if len(runs) == 1:
            return first == list(lines)
        end = len(lines) - len(last)
        if list(lines[: len(first)]) != first or end < len(first) or list(lines[end:]) != last:
            return False
        place = len(first)
        for run in runs[1:-1]:  # the earliest place leaves most room for the others
            while list(lines[place : place + len(run)]) != run:
                place += 1
                if place + len(run) > end:
                    return False
            place += len(run)
        return place <= end

    @property
    def extent(self) -> tuple[int, bool]:
        """How many lines are compared, and whether there are gaps."""
        return sum(part is not None for part in self.parts), None in self.parts
