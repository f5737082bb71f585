"""What a search for suspects answers, as data.

All of it can be written as JSON (:meth:`SuspectsResult.to_json`) and read again
(:func:`stripe.suspects.reading.from_json`); every report is made from that and nothing else.  Its
model is :mod:`stripe.results.suspects`.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from stripe.dd import Reason
from stripe.interventions import Line, Shown
from stripe.results.limits import LONGEST_VALUE
from stripe.suspects.differences import first_difference, in_words
from stripe.suspects.edits import Edit, edits, unified
from stripe.suspects.ranks import Repair, Suspect
from stripe.suspects.slices import SliceView
from stripe.suspects.sources import lines_of
from stripe.suspects.tallies import Tally


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

    @property
    def sources(self) -> set[Path]:
        """Their files."""
        return {Path.cwd() / each.file for each in self.suspected}

    def to_json(self) -> dict[str, Any]:
        """The result as plain JSON data."""
        from stripe.suspects.form import document_of  # lazy

        return document_of(self).to_json()


_ADDRESS = re.compile(r" at 0x[0-9a-fA-F]{6,16}(?=>)")


def _short(text: str) -> str:
    return text if len(text) <= LONGEST_VALUE else f"{text[: LONGEST_VALUE - 3]}..."


def place(repair: Repair, shown: Shown, others: int) -> Place:
    """What is told of a repair."""
    change = repair.change
    # Where something was in memory means nothing to anybody.
    values = first_difference(
        *([_ADDRESS.sub("", each) for each in seen] for seen in (shown.before, shown.after))
    )
    number, lines = change.at.line, lines_of(shown.old)
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
        source=lines[number - 1].strip()[:LONGEST_VALUE] if number <= len(lines) else "",
        righted=repair.righted,
        spoiled=repair.spoiled,
        found=repair.found,
    )
