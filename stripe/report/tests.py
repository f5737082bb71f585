"""The search as a picture, as in the paper's Figure 5: a row a test, its kept deltas as dots."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

from stripe.dd import Outcome
from stripe.report.chart import Chart
from stripe.report.style import Style
from stripe.report.words import PREDICTED, WORDS

if TYPE_CHECKING:
    from stripe.report.chart import Entry

OUTCOME_WIDTH = max(map(len, WORDS.values()))


def tests(chart: Chart, style: Style) -> Iterator[str]:
    """One line a test, then the answer.  Wide ones are scaled to the terminal."""
    number_width = max(4, len(str(len(chart.log))))
    left_width = len(str(chart.of)) + 2 if chart.falls else 0
    room = max(10, style.width - number_width - OUTCOME_WIDTH - left_width - 6)
    scale = max(1, -(-chart.of // room))
    columns = -(-chart.of // scale)
    bullet, some = style.glyph("bullet"), style.glyph("some")
    if scale > 1:
        yield style.dim(
            f"  A column stands for {scale} {chart.noun}s: {bullet} all of them kept, {some} some."
        )
    bar = style.dim(style.glyph("bar"))
    level = ""
    for entry, smallest in chart.left(chart.log):
        if entry.level != level:
            level = entry.level
            yield style.dim(f"{'':>{number_width}} {level}")
        dots = (
            f"{f'{entry.size} {chart.noun}s':<{columns}}"
            if entry.ranges is None
            else "".join(_dots(entry.kept(), chart.of, scale, bullet, some))
        )
        painted = _paint(entry, dots, style)
        size = style.dim(f"{smallest:>{left_width}} ") if chart.falls else ""
        number = "" if entry.predicted else entry.number
        yield f"{number:>{number_width}} {bar}{painted}{bar}{size} {_outcome(entry, style)}"
    dots = style.bold("".join(_dots(chart.answer, chart.of, scale, bullet, some)))
    size = style.dim(f"{chart.size:>{left_width}} ") if chart.falls else ""
    yield f"{'':>{number_width}} {bar}{dots}{bar}{size} {style.bold(f'the {chart.called}')}"


def _dots(kept: Iterable[range], deltas: int, scale: int, bullet: str, some: str) -> Iterator[str]:
    """One character for each column."""
    columns = -(-deltas // scale)
    counts = [0] * columns
    for stretch in kept:
        for column in range(stretch.start // scale, (stretch.stop - 1) // scale + 1):
            first, last = column * scale, (column + 1) * scale
            counts[column] += min(stretch.stop, last) - max(stretch.start, first)
    for column, count in enumerate(counts):
        size = min(scale, deltas - column * scale)
        yield bullet if count == size else some if count else " "


def _paint(entry: Entry, dots: str, style: Style) -> str:
    if entry.outcome is Outcome.FAIL:
        return style.bold(dots)
    return style.dim(dots)


def _outcome(entry: Entry, style: Style) -> str:
    if entry.predicted:
        return style.dim(PREDICTED)
    paint = {Outcome.FAIL: style.good, Outcome.UNRESOLVED: style.warn}.get(entry.outcome, str)
    return paint(WORDS[entry.outcome])
