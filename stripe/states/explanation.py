"""What people are told beside a chain: how runs ended, and the lines that it goes through."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path

from stripe.backend import End, Observation
from stripe.checks.crash import signature
from stripe.states.isolation import Cause

AROUND = 3
"""Lines before and after one of the chain."""

LONGEST = 500
"""Characters of a line."""


def ending(observation: Observation) -> str:
    """How a run ended, in a line: its exception, its status, or the last that it printed."""
    raised = observation.exception
    if raised is not None:
        told = f"{raised.type}: {raised.message}" if raised.message else raised.type
    elif observation.end is not End.EXITED or observation.status:
        told = str(signature(observation))
    else:
        lines = observation.stdout.decode("utf-8", "replace").split("\n")
        printed = [line.rstrip() for line in lines if line.strip()]
        told = f"it prints {printed[-1]}" if printed else "it prints nothing"
        if len(printed) > 1:
            told = f"the last line that it prints is {printed[-1]}"
    return told.partition("\n")[0][:LONGEST]


def passages(chain: Sequence[Cause], directory: Path) -> Mapping[tuple[str, int], str]:
    """The lines before which there are causes, and those around them, by file and line."""
    wanted: dict[str, set[int]] = {}
    for cause in chain:
        file, line = cause.match.failing[:2]
        wanted.setdefault(file, set()).update(range(line - AROUND, line + AROUND + 1))
    found = {}
    for file, numbers in wanted.items():
        with suppress(OSError):
            lines = (directory / file).read_text("utf-8", "replace").splitlines()
            for line in sorted(numbers):
                if 1 <= line <= len(lines):
                    found[file, line] = lines[line - 1][:LONGEST]
    return found
