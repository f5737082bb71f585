"""The heat strip beside the code of suspects: what was tried at a line, and what it did there.

Each line's bar is as long as its share of the most that was tried at one.  The ground of its number
is as strong as the spectrum finds it suspicious.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from stripe.interventions import Line
from stripe.report.style import plural
from stripe.suspects import SuspectsResult, Tally

WIDTH, HEIGHT = 128, 11

LEAST = 4
"""Width of the smallest part of a bar."""

SHADES = 9
"""Grounds that a line's number can have."""

OPEN = 3
"""Files that are shown unfolded though no change was found for them."""

TALL = {"repaired": 11, "partly": 8, "broken": 8, "nothing": 5, "lost": 5}
"""How high a part is, so that nobody depends on colours."""

WORDS = {
    "repaired": "repair all failing tests, and break none",
    "partly": "repair some, and break none",
    "broken": "repair some, and break others",
    "nothing": "repair none",
    "lost": "killed, or out of fuel",
}


class BarPart(NamedTuple):
    """A part of a bar: the changes that came to ``name``, one of :data:`WORDS`."""

    name: str
    x: float
    y: float
    width: float
    height: float


class CodeLine(NamedTuple):
    """A line of code.

    - ``gap``: lines are left out before it; ``shade``: 0 or one of :data:`SHADES`
    - ``place``: the number of the place that it is, or 0
    - ``told``, ``bar``: what was tried there; ``good`` of ``tried`` changes broke nothing
    """

    number: int
    text: str
    gap: bool
    shade: int
    place: int
    suspected: bool
    told: str
    bar: Sequence[BarPart]
    good: int
    tried: int


@dataclass(frozen=True, slots=True)
class CodeFile:
    """A file with suspected lines; ``number`` is what anchors call it."""

    number: int
    path: str
    open: bool
    suspected: int
    lines: Sequence[CodeLine]


def anchors(result: SuspectsResult) -> dict[str, int]:
    """The numbers of the files in the page, the most suspicious one first."""
    files = dict.fromkeys(each.file for each in result.suspected)
    return {file: number for number, file in enumerate(files)}


def code_files(result: SuspectsResult) -> Iterator[CodeFile]:
    """Every file with suspected lines, as far as the result has its text."""
    by_file: dict[str, dict[int, str]] = {}
    for (file, number), text in result.source.items():
        by_file.setdefault(file, {})[number] = text
    counts = Counter(each.file for each in result.suspected)
    told = {each.file for each in result.places}
    for file, number in anchors(result).items():
        if file in by_file:
            unfolded = file in told or (not told and number < OPEN)
            lines = list(_lines(result, file, by_file[file]))
            yield CodeFile(number, file, unfolded, counts[file], lines)


def _lines(result: SuspectsResult, file: str, texts: Mapping[int, str]) -> Iterator[CodeLine]:
    tallies, scores = result.tallies, result.ochiai
    most = max((each.tried for each in tallies.values()), default=0)
    strongest = max(filter(math.isfinite, scores.values()), default=0.0)
    places = {each.line: place for place, each in enumerate(result.places, 1) if each.file == file}
    before = 0
    for number, text in sorted(texts.items()):
        at = Line(file, number)
        tally = tallies.get(at)
        yield CodeLine(
            number,
            text,
            gap=number != before + 1,
            shade=_shade(scores.get(at, 0.0), strongest),
            place=places.get(number, 0),
            suspected=at in scores,
            told=tally_told(tally) if tally else "",
            bar=list(_bar(tally, most)) if tally else (),
            good=tally.repaired + tally.partly if tally else 0,
            tried=tally.tried if tally else 0,
        )
        before = number


def _shade(score: float, strongest: float) -> int:
    """The ground of a line's number; ``strongest``: of all finite scores."""
    if score > strongest:
        return SHADES
    return round(SHADES * score / strongest) if strongest else 0


def tally_told(tally: Tally) -> str:
    """What was tried, in words."""
    if not tally.tried:
        return f"none of {plural(tally.offered, 'change')} tried"
    parts = [f"{count} {words}" for name, words in WORDS.items() if (count := getattr(tally, name))]
    return f"{tally.tried} of {plural(tally.offered, 'change')} tried: {'; '.join(parts)}"


def _bar(tally: Tally, most: int) -> Iterator[BarPart]:
    """What was tried at a line, of ``most`` at any."""
    x = 0.0
    for name in WORDS:
        if count := getattr(tally, name):
            width = LEAST + (WIDTH - LEAST * len(WORDS)) * count / most
            yield part(name, x, width)
            x += width


def part(name: str, x: float, width: float) -> BarPart:
    """The part of a bar that has so much room."""
    inset = 0.5 if name in ("partly", "lost") else 0.0
    tall = TALL[name] - 2 * inset
    return BarPart(name, x + inset, (HEIGHT - tall) / 2, width - 1 - 2 * inset, tall)
