"""The search as a picture (Figure 5 of Cleve & Zeller 2000): a row a test, its deltas as dots.

Where it is asked for, a line beside them falls: how many deltas the best answer had by then, as in
Tables 8 and 9 of Zeller 1999, on a logarithmic scale.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence

from stripe.campaign.log import LogEntry
from stripe.dd import Outcome
from stripe.report.chart import Chart
from stripe.report.words import PREDICTED, WORDS

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


def chosen(log: Sequence[LogEntry]) -> list[LogEntry]:
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


def drawn(chart: Chart, number: int) -> Iterator[str]:
    """The picture as SVG, and what it leaves out."""
    rows = chosen(chart.log)
    labelled = len(rows) <= LABELLED
    height = 12 if labelled else 5
    unit = WIDTH / max(chart.of, 1)
    total = TOP + height * (len(rows) + 1) + 6
    fall = LEFT + WIDTH + (114 if labelled else 24)
    width = fall + FALL + 34 if chart.falls else LEFT + WIDTH + (110 if labelled else 16)
    yield (
        f'<svg class="chart" id="chart{number}" viewBox="0 0 {width} {total}" '
        f'width="{width}" height="{total}" role="img" aria-labelledby="chart{number}t">'
        f'<title id="chart{number}t">{len(chart.log)} tests of the search, in order: which of '
        f"{chart.of} {chart.noun}s each kept, and its outcome"
        f"{', and how many the best answer had by then' if chart.falls else ''}</title>"
    )
    for place, entry in enumerate(rows):
        y = TOP + height * place + height / 2
        kind = "predicted" if entry.predicted else entry.outcome.name.lower()
        yield (
            f'<g class="t {kind}" data-n="{entry.number}" data-k="{entry.size}">'
            f'<path d="{_dots(entry.kept(), chart.of, unit, y)}"/>'
        )
        if labelled:
            said = PREDICTED if entry.predicted else WORDS[entry.outcome]
            name = "" if entry.predicted else entry.number
            yield (
                f'<text x="{LEFT - 8}" y="{y + 3.5:g}" class="num">{name}</text>'
                f'<text x="{LEFT + WIDTH + 10}" y="{y + 3.5:g}">{said}</text>'
            )
        else:
            yield f'<path class="mark" d="M{LEFT + WIDTH + 8} {y:g}h4"/>'
        yield "</g>"
    y = TOP + height * len(rows) + height / 2 + 3
    yield (
        f'<g class="t result"><path d="{_dots(chart.answer, chart.of, unit, y)}"/>'
        f'<text x="{LEFT - 8}" y="{y + 3.5:g}" class="num">{chart.called}</text></g>'
    )
    if chart.falls:
        yield from _falling(chart, rows, height, fall)
    yield "</svg>"
    left_out = len(chart.log) - len(rows)
    if left_out:
        yield f'<p class="hint">{left_out} of {len(chart.log)} tests are not drawn.</p>'


def _falling(chart: Chart, rows: Sequence[LogEntry], height: int, fall: int) -> Iterator[str]:
    """The line of the best answer's size, and its numbers where it falls."""
    whole = math.log1p(chart.of) or 1.0
    drawn_rows = set(map(id, rows))
    sizes = [left for entry, left in chart.left(chart.log) if id(entry) in drawn_rows]
    sizes.append(min(chart.size, sizes[-1]) if sizes else chart.size)
    points, numbers = "", []
    before, written = None, -99.0
    for place, size in enumerate(sizes):
        y = TOP + height * place
        x = fall + FALL * math.log1p(size) / whole
        points += f"{'L' if points else 'M'}{x:.1f} {y:g}V{y + height:g}"
        if size != before and y - written >= 12:
            written = y
            numbers.append(f'<text x="{x + 6:.1f}" y="{y + 10:g}">{size}</text>')
        before = size
    yield f'<g class="falls" aria-hidden="true"><path d="{points}"/>{"".join(numbers)}</g>'


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
