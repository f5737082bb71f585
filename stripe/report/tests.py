"""The search as a picture, as in the paper's Figure 5: a row a test, its kept events as dots."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from stripe.dd import Outcome
from stripe.reduce import CriticalSlice
from stripe.reduce.result import LogEntry, to_ranges
from stripe.report.style import Style
from stripe.report.words import WORDS

OUTCOME_WIDTH = len("other UNRESOLVED")


def tests(slice_: CriticalSlice, style: Style) -> Iterator[str]:
    """One line a test, then the result.  Wide traces are scaled to the terminal."""
    number_width = max(4, len(str(len(slice_.log))))
    room = max(10, style.width - number_width - OUTCOME_WIDTH - 6)
    scale = max(1, -(-slice_.of // room))
    columns = -(-slice_.of // scale)
    bullet, some = style.glyph("bullet"), style.glyph("some")
    if scale > 1:
        yield style.dim(
            f"  A column stands for {scale} events: {bullet} all of them kept, {some} some."
        )
    bar = style.dim(style.glyph("bar"))
    for entry in slice_.log:
        dots = (
            f"{f'{entry.size} events':<{columns}}"
            if entry.ranges is None
            else "".join(_dots(entry.kept(), slice_.of, scale, bullet, some))
        )
        painted = _paint(entry, dots, style)
        yield f"{entry.number:>{number_width}} {bar}{painted}{bar} {_outcome(entry, style)}"
    final = to_ranges(slice_.events)
    pairs = (range(final[index], final[index + 1]) for index in range(0, len(final), 2))
    dots = style.bold("".join(_dots(pairs, slice_.of, scale, bullet, some)))
    yield f"{'':>{number_width}} {bar}{dots}{bar} {style.bold('the slice')}"


def _dots(kept: Iterable[range], events: int, scale: int, bullet: str, some: str) -> Iterator[str]:
    """One character for each column."""
    columns = -(-events // scale)
    counts = [0] * columns
    for stretch in kept:
        for column in range(stretch.start // scale, (stretch.stop - 1) // scale + 1):
            first, last = column * scale, (column + 1) * scale
            counts[column] += min(stretch.stop, last) - max(stretch.start, first)
    for column, count in enumerate(counts):
        size = min(scale, events - column * scale)
        yield bullet if count == size else some if count else " "


def _paint(entry: LogEntry, dots: str, style: Style) -> str:
    if entry.outcome is Outcome.FAIL:
        return style.bold(dots)
    return style.dim(dots)


def _outcome(entry: LogEntry, style: Style) -> str:
    paint = {Outcome.FAIL: style.good, Outcome.UNRESOLVED: style.warn}.get(entry.outcome, str)
    return f"{paint(f'{WORDS[entry.outcome]:5}')} {style.dim(entry.outcome.name)}"
