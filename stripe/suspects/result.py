"""What a search for suspects answers, as data."""

from __future__ import annotations

import difflib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from stripe.dd import Reason
from stripe.interventions import Line, Shown
from stripe.suspects.ranking import Repair, Suspect

VERSION = 1
"""The version of the JSON form."""


@dataclass(frozen=True, slots=True)
class Place:
    """A place with a change that turns failing tests right.

    ``others``: changes of the same line that do as well.
    """

    file: str
    line: int
    end: int
    function: str
    kind: str
    words: str
    diff: str | None
    size: int
    repaired: int
    failing: int
    kept: int
    broken: int
    passing: int
    others: int
    before: Sequence[str]
    after: Sequence[str]
    source: str

    def to_json(self) -> dict[str, Any]:
        """Plain data."""
        return {
            "file": self.file,
            "line": self.line,
            "end": self.end,
            "function": self.function,
            "change": self.words,
            "kind": self.kind,
            "size": self.size,
            "diff": self.diff,
            "repaired": self.repaired,
            "failing": self.failing,
            "still_passing": self.kept,
            "broken": self.broken,
            "passing": self.passing,
            "others": self.others,
            "values": {"before": list(self.before), "after": list(self.after)},
        }


@dataclass(frozen=True, slots=True)
class SuspectsResult:
    """The answer of :func:`stripe.suspects.find_suspects`.

    - ``places``: at most five, with a change each
    - ``ranking``: all lines that failing tests execute
    - ``spectrum``: the score of each line, by formula
    - ``failing``, ``passing``: the names of tests that count; ``left_out``: of others
    - ``offered``: changes there are; ``tried``: those that were; ``runs``: processes of tests
    """

    program: str
    places: tuple[Place, ...]
    ranking: tuple[Suspect, ...]
    spectrum: Mapping[str, Mapping[Line, float]]
    failing: tuple[str, ...]
    passing: tuple[str, ...]
    left_out: tuple[str, ...]
    offered: int
    tried: int
    ended: Mapping[str, int]
    runs: int
    stopped: Reason
    seconds: float
    source: Mapping[Line, str]
    sandbox: str = ""
    notes: tuple[str, ...] = ()

    def to_json(self) -> dict[str, Any]:
        """Plain data for other programs; ``docs/suspects.md`` describes it."""
        return {
            "stripe-suspects": VERSION,
            "program": self.program,
            "places": [each.to_json() for each in self.places],
            "ranking": [
                {
                    "file": each.file,
                    "line": each.line,
                    "rank": each.rank,
                    "repairs": each.repairs,
                    **{
                        name: _finite(scores[Line(each.file, each.line)])
                        for name, scores in self.spectrum.items()
                    },
                }
                for each in self.ranking
            ],
            "failing": list(self.failing),
            "passing": list(self.passing),
            "left_out": list(self.left_out),
            "changes": {"offered": self.offered, "tried": self.tried, **self.ended},
            "runs": self.runs,
            "stopped": self.stopped.value,
            "seconds": round(self.seconds, 3),
            "sandbox": self.sandbox,
            "notes": list(self.notes),
        }


def _finite(score: float) -> float | None:
    return None if score == float("inf") else round(score, 6)


def place(repair: Repair, shown: Shown, others: int) -> Place:
    """What is told of a repair."""
    change = repair.change
    lines = shown.old.splitlines()
    return Place(
        file=change.at.file,
        line=change.at.line,
        end=change.end,
        function=change.function,
        kind=change.kind,
        words=change.words,
        diff=None if shown.new is None else unified(change.at.file, shown.old, shown.new),
        size=change.size,
        repaired=repair.repaired,
        failing=repair.failing,
        kept=repair.passing - repair.broken if repair.known else 0,
        broken=repair.broken,
        passing=repair.passing,
        others=others,
        before=tuple(shown.before),
        after=tuple(shown.after),
        source=lines[change.at.line - 1].strip() if change.at.line <= len(lines) else "",
    )


def unified(file: str, old: str, new: str) -> str:
    """A unified diff, which ``patch -p1`` takes."""
    parts: list[str] = []
    for line in difflib.unified_diff(
        old.splitlines(keepends=True), new.splitlines(keepends=True), f"a/{file}", f"b/{file}", n=1
    ):
        parts.append(line if line.endswith("\n") else f"{line}\n\\ No newline at end of file\n")
    return "".join(parts)
