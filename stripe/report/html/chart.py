"""The search as a picture (Figure 5 of Cleve & Zeller 2000): a row a test, its events as dots."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from stripe.dd import Outcome
from stripe.reduce import CriticalSlice, LogEntry
from stripe.report.words import WORDS

WIDTH = 860
"""Units of the picture for all events together."""

MOST_TESTS = 1500
"""Tests that are drawn; of more, the reductions and every so many-th."""

MOST_STRETCHES = 40_000
"""Stretches of kept events that are drawn, in all tests together."""

LABELLED = 250
"""Up to so many tests, each says its outcome."""

FEW_EVENTS = 120
"""Up to so many events, each has a dot of its own."""


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


def chart(found: CriticalSlice, number: int) -> Iterator[str]:
    """The picture as SVG, and what it leaves out."""
    rows = chosen(found.log)
    labelled = len(rows) <= LABELLED
    height = 12 if labelled else 5
    unit = WIDTH / max(found.of, 1)
    left, top = 46, 4
    total = top + height * (len(rows) + 1) + 6
    width = left + WIDTH + (110 if labelled else 16)
    yield (
        f'<svg class="chart" id="chart{number}" viewBox="0 0 {width} {total}" '
        f'width="{width}" height="{total}" role="img" aria-labelledby="chart{number}t">'
        f'<title id="chart{number}t">{len(found.log)} tests of the search, in order: '
        f"which of {found.of} events each kept, and its outcome</title>"
    )
    for place, entry in enumerate(rows):
        y = top + height * place + height / 2
        kind = entry.outcome.name.lower()
        yield (
            f'<g class="t {kind}" data-n="{entry.number}" data-k="{entry.size}">'
            f'<path d="{_dots(entry.kept(), found.of, unit, left, y)}"/>'
        )
        if labelled:
            yield (
                f'<text x="{left - 8}" y="{y + 3.5:g}" class="num">{entry.number}</text>'
                f'<text x="{left + WIDTH + 10}" y="{y + 3.5:g}">{WORDS[entry.outcome]}'
                f" <tspan>{entry.outcome.name}</tspan></text>"
            )
        else:
            yield f'<path class="mark" d="M{left + WIDTH + 8} {y:g}h4"/>'
        yield "</g>"
    y = top + height * len(rows) + height / 2 + 3
    events = [range(event, event + 1) for event in found.events]
    yield (
        f'<g class="t result"><path d="{_dots(events, found.of, unit, left, y)}"/>'
        f'<text x="{left - 8}" y="{y + 3.5:g}" class="num">slice</text></g></svg>'
    )
    left_out = len(found.log) - len(rows)
    if left_out:
        yield f'<p class="hint">{left_out} of {len(found.log)} tests are not drawn.</p>'


def _dots(kept: Iterable[range], of: int, unit: float, left: int, y: float) -> str:
    """A path with a dot for each event, or a stroke for each stretch where they are many.

    Stretches closer than half a unit of the picture are drawn as one.
    """
    parts: list[str] = []
    start = stop = -1.0
    for stretch in kept:
        if of <= FEW_EVENTS:
            parts += [f"M{left + (event + 0.5) * unit:.4g} {y:g}h0" for event in stretch]
            continue
        first, last = stretch.start * unit, stretch.stop * unit
        if start >= 0 and first - stop < 0.5:
            stop = last
            continue
        if start >= 0:
            parts.append(_stroke(left, start, stop, y))
        start, stop = first, last
    if start >= 0:
        parts.append(_stroke(left, start, stop, y))
    return "".join(parts)


def _stroke(left: int, start: float, stop: float, y: float) -> str:
    return f"M{left + start:.1f} {y:g}h{max(stop - start, 0.6):.1f}"
