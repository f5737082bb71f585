"""The search as a picture (Figure 5 of Cleve & Zeller 2000): a row a test, its deltas as dots.

Where it is asked for, a line beside them falls: how many deltas the best answer had by then, as in
Tables 8 and 9 of Zeller 1999, on a logarithmic scale.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

from stripe.dd import Outcome
from stripe.report.chart import Chart
from stripe.report.words import PREDICTED, WORDS

if TYPE_CHECKING:
    from stripe.report.chart import Entry

WIDTH = 860
"""Units of the picture for all deltas together."""

FALL = 60
"""Units for the size of the best answer."""

MOST_TESTS = 1500
"""Tests that are drawn; of more, the reductions and every so many-th."""

MOST_STRETCHES = 40_000
"""Stretches of kept deltas that are drawn, in all tests together."""

LABELLED = 250
"""Up to so many tests, each says its outcome."""

FEW_DELTAS = 120
"""Up to so many deltas, each has a dot of its own."""

LEFT, TOP = 54, 4


def chosen(log: Sequence[Entry]) -> list[Entry]:
    """The tests to draw."""
    rows = [entry for entry in log if entry.ranges is not None]
    while len(rows) > 1 and (
        len(rows) > MOST_TESTS or sum(len(row.ranges or ()) for row in rows) > 2 * MOST_STRETCHES
    ):
        step = 2
        thinned = [
            row
            for number, row in enumerate(rows)
            if number % step == 0 or (row.outcome is Outcome.FAIL and len(rows) <= 4 * MOST_TESTS)
        ]
        rows = thinned if len(thinned) < len(rows) else rows[::2]
    return rows


class TestRow(NamedTuple):
    """A test: how its outcome is called, its deltas as a path at height ``y``; texts beside it.

    ``said`` is empty where tests are too many for texts.
    """

    kind: str
    entry: Entry
    path: str
    y: float
    name: int | str
    said: str


@dataclass(frozen=True, slots=True)
class Drawing:
    """The picture of a search, in its units.

    - ``run``: how many tests were run; ``rows``: those that are drawn
    - ``answer``: the deltas found as a path, around ``bottom``
    - ``right``: where the deltas end
    - ``fall``, ``sizes``: the line of the best answer's size as a path, and its numbers
    """

    chart: Chart
    rows: Sequence[TestRow]
    width: int
    height: int
    right: int
    answer: str
    bottom: float
    fall: str
    sizes: Sequence[tuple[float, float, int]]

    @property
    def run(self) -> int:
        return sum(not each.predicted for each in self.chart.log)


def drawing(chart: Chart) -> Drawing:
    """The picture of a search."""
    entries = chosen(chart.log)
    labelled = len(entries) <= LABELLED
    step = 12 if labelled else 5
    unit = WIDTH / max(chart.of, 1)
    right = LEFT + WIDTH
    rows = []
    for place, entry in enumerate(entries):
        y = TOP + step * place + step / 2
        kind = "predicted" if entry.predicted else entry.outcome.name.lower()
        said = PREDICTED if entry.predicted else WORDS[entry.outcome]
        name = "" if entry.predicted else entry.number
        path = _dots(entry.kept(), chart.of, unit, y)
        rows.append(TestRow(kind, entry, path, y, name, said if labelled else ""))
    bottom = TOP + step * len(rows) + step / 2 + 3
    falls_from = right + (114 if labelled else 24)
    width = falls_from + FALL + 34 if chart.falls else right + (110 if labelled else 16)
    fall, sizes = _fall(chart, entries, step, falls_from) if chart.falls else ("", [])
    return Drawing(
        chart,
        rows,
        width,
        TOP + step * (len(rows) + 1) + 6,
        right,
        _dots(chart.answer, chart.of, unit, bottom),
        bottom,
        fall,
        sizes,
    )


def _fall(
    chart: Chart, entries: Sequence[Entry], step: int, left: int
) -> tuple[str, list[tuple[float, float, int]]]:
    """The line of the best answer's size, and its numbers where it falls."""
    whole = math.log1p(chart.of) or 1.0
    drawn = set(map(id, entries))
    sizes = [size for entry, size in chart.left(chart.log) if id(entry) in drawn]
    sizes.append(min(chart.size, sizes[-1]) if sizes else chart.size)
    path = ""
    numbers: list[tuple[float, float, int]] = []
    before, written = None, -99.0
    for place, size in enumerate(sizes):
        y = TOP + step * place
        x = left + FALL * math.log1p(size) / whole
        path += f"{'L' if path else 'M'}{x:.1f} {y:g}V{y + step:g}"
        if size != before and y - written >= 12:
            written = y
            numbers.append((x + 6, y + 10, size))
        before = size
    return path, numbers


def _dots(kept: Iterable[range], of: int, unit: float, y: float) -> str:
    """A path with a dot for each delta, or a stroke for each stretch where they are many.

    Stretches closer than half a unit of the picture are drawn as one.
    """
    parts: list[str] = []
    start = stop = -1.0
    for stretch in kept:
        if of <= FEW_DELTAS:
            parts += [f"M{LEFT + (delta + 0.5) * unit:.4g} {y:g}h0" for delta in stretch]
            continue
        first, last = stretch.start * unit, stretch.stop * unit
        if start >= 0 and first - stop < 0.5:
            stop = last
            continue
        if start >= 0:
            parts.append(_stroke(start, stop, y))
        start, stop = first, last
    if start >= 0:
        parts.append(_stroke(start, stop, y))
    return "".join(parts)


def _stroke(start: float, stop: float, y: float) -> str:
    return f"M{LEFT + start:.1f} {y:g}h{max(stop - start, 0.6):.1f}"
