"""What a search for suspects answers, as data.

All of it can be written as JSON (:meth:`SuspectsResult.to_json`) and read again
(:func:`stripe.suspects.reading.from_json`); every report is made from that and nothing else.
:data:`VERSION` counts the incompatible changes of that form; its JSON Schema is
``stripe/report/schema/suspects.json``.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any

from stripe.dd import Reason
from stripe.interventions import Ended, Line, Shown
from stripe.suspects.differences import first_difference, in_words
from stripe.suspects.edits import Edit, edits, unified
from stripe.suspects.ranks import Repair, Suspect
from stripe.suspects.slices import SliceView
from stripe.suspects.sources import lines_of
from stripe.suspects.tallies import Tally

FORMAT = "stripe-suspects-result"

VERSION = 1
"""The version of the JSON form."""

LONGEST = 1000
"""Characters of a change in words, and of a value; their texts come from the program."""


@dataclass(frozen=True, slots=True)
class Place:
    """A place with a change that turns failing tests right.

    - ``line``, ``end``: the lines that it changes; ``source``: the first of them
    - ``kind``, ``words``: what it is; ``diff``: the same, if it can be written so
    - ``repaired`` of ``failing`` tests pass with it; of ``passing`` ones, ``kept`` still do, and
      ``broken`` do not
    - ``righted``, ``spoiled``: the names of those that pass with it, and of those that it breaks,
      as far as these ran
    - ``found``: how many tests there are with it that cannot be collected without, and how many of
      them pass; ``None``: all can
    - ``others``: changes of the same line that do as well
    - ``before``, ``after``: values of what is changed, without and with it, from where they differ
      on; ``nth``: which value that is, from 1
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
    righted: Sequence[str] = ()
    spoiled: Sequence[str] = ()
    found: tuple[int, int] | None = None
    nth: int = 1

    @property
    def edits(self) -> tuple[Edit, ...]:
        """What of the file is replaced by what; nothing if there is no diff."""
        return tuple(edits(self.diff or ""))

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
            "values": {
                "before": list(self.before),
                "after": list(self.after),
                "first": self.nth,
            },
            "source": self.source,
            "turns_right": list(self.righted),
            "breaks": list(self.spoiled),
            "found": None
            if self.found is None
            else {"tests": self.found[0], "passing": self.found[1]},
        }


@dataclass(frozen=True, slots=True)
class SuspectsResult:
    """The answer of :func:`stripe.suspects.find_suspects`.

    - ``places``: at most five, with a change each
    - ``ranking``: all lines that failing tests execute
    - ``tallies``: how many changes were tried at each line, and what they did
    - ``spectrum``: the score of each line, by formula
    - ``failing``, ``passing``: the names of tests that count; ``left_out``: of others
    - ``offered``: changes there are; ``tried``: those that were; ``ended``: how many ended how;
      ``runs``: processes of tests
    - ``source``: the suspected lines and those around them
    - ``slice``: what the critical slice of a failing run says of the lines; ``None``: there is none
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
    source: Mapping[Line, str] = field(repr=False)
    tallies: Mapping[Line, Tally] = field(repr=False)
    sandbox: str = ""
    notes: tuple[str, ...] = ()
    slice: SliceView | None = None

    def ochiai_ranks(self) -> dict[Line, int]:
        """By the spectrum alone, from 1; lines with the same score have the same."""
        scores = self.spectrum["ochiai"]
        ranks: dict[float, int] = {}
        for place, score in enumerate(sorted(scores.values(), reverse=True), 1):
            ranks.setdefault(score, place)
        return {line: ranks[score] for line, score in scores.items()}

    @property
    def suspected(self) -> list[Line]:
        """The lines that anything is known of, the most suspicious first."""
        ranked = [Line(each.file, each.line) for each in self.ranking]
        return list(dict.fromkeys([*ranked, *self.tallies]))

    def to_json(self) -> dict[str, Any]:
        """The result as plain JSON data, version :data:`VERSION`."""
        return {
            "format": FORMAT,
            "version": VERSION,
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
                    "slice": None
                    if self.slice is None
                    else self.slice.of_line(Line(each.file, each.line)).value,
                }
                for each in self.ranking
            ],
            "lines": [
                {"file": file, "line": line, **asdict(tally)}
                for (file, line), tally in self.tallies.items()
            ],
            "failing": list(self.failing),
            "passing": list(self.passing),
            "left_out": list(self.left_out),
            "changes": {
                "offered": self.offered,
                "tried": self.tried,
                **{each.name.lower(): self.ended.get(each.name.lower(), 0) for each in Ended},
            },
            "runs": self.runs,
            "stopped": self.stopped.value,
            "seconds": self.seconds,
            "source": [
                {"file": file, "line": line, "text": text}
                for (file, line), text in self.source.items()
            ],
            "sandbox": self.sandbox,
            "slice": None if self.slice is None else self.slice.to_json(),
            "notes": list(self.notes),
        }


def _finite(score: float) -> float | None:
    return None if score == float("inf") else score


_ADDRESS = re.compile(r" at 0x[0-9a-fA-F]{6,16}(?=>)")


def _short(text: str) -> str:
    return text if len(text) <= LONGEST else f"{text[: LONGEST - 3]}..."


def place(repair: Repair, shown: Shown, others: int) -> Place:
    """What is told of a repair."""
    change = repair.change
    # Where something was in memory means nothing to anybody.
    values = first_difference(
        *([_ADDRESS.sub("", each) for each in seen] for seen in (shown.before, shown.after))
    )
    lines = lines_of(shown.old)
    return Place(
        file=change.at.file,
        line=change.at.line,
        end=change.end,
        function=change.function,
        kind=change.kind,
        words=_short(in_words(change.words, shown.old, shown.new)),
        diff=None if shown.new is None else unified(change.at.file, shown.old, shown.new),
        size=change.size,
        repaired=repair.repaired,
        failing=repair.failing,
        kept=repair.passing - repair.broken,
        broken=repair.broken,
        passing=repair.passing,
        others=others,
        before=values.before,
        after=values.after,
        nth=values.first,
        source=lines[change.at.line - 1].strip()[:LONGEST] if change.at.line <= len(lines) else "",
        righted=repair.righted,
        spoiled=repair.spoiled,
        found=repair.found,
    )
