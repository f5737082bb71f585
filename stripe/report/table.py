"""The trace as a table, as in the paper's Figure 6: a row an event, a column a criterion.

Rows that are kept by no criterion, and repetitions of the same rows, are folded, each with
its count.  Short traces are shown whole.
"""

from __future__ import annotations

import re
from array import array
from bisect import bisect_left
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import reduce
from operator import or_
from typing import NamedTuple

from stripe.reduce import CriticalSlice
from stripe.report.style import Style, cells, pad, plural, printable
from stripe.trace import Trace
from stripe.trace.statement_texts import StatementTexts

SHORT = 50
"""A trace of at most so many events is shown whole."""

MOST_ROWS = 150
"""A folded table is cut in the middle beyond this many rows."""

FOLD_FROM = 3
"""The shortest stretch of rows kept by nobody, and of repetitions, that is folded."""

NOBODYS = re.compile(rb"\0{%d,}" % FOLD_FROM)
"""Such a stretch, where events are bytes."""

LONGEST_BLOCK = 64
"""The longest block of rows whose repetition is looked for."""

NAME_WIDTH = 16

NEITHER, GOVERNS, KEPT = 0, 1, 2
"""How a criterion marks an event; the second: not kept, but it decided that kept ones ran."""

LONGEST_TEXT = 4000
"""Characters of a statement that are shown, even where nothing is cut."""


class Row(NamedTuple):
    """An event, and for each criterion whether it is kept, a condition, or neither."""

    event: int
    statement: int
    marks: tuple[int, ...]

    @property
    def kept(self) -> bool:
        """Whether a criterion keeps it."""
        return KEPT in self.marks

    @property
    def last(self) -> int:
        """The last event it stands for."""
        return self.event

    @property
    def symbol(self) -> object:
        return (self.statement, *self.marks)


class Unkept(NamedTuple):
    """Events from ``first`` on that no criterion keeps."""

    first: int
    size: int

    @property
    def last(self) -> int:
        """The last event it stands for."""
        return self.first + self.size - 1

    @property
    def symbol(self) -> object:
        return self.size


@dataclass(frozen=True, slots=True)
class Repeat:
    """A block of items that comes ``times`` times; ``last`` is the last event of all."""

    items: tuple[Item, ...]
    times: int
    last: int

    @property
    def symbol(self) -> object:
        return (self.times, *(item.symbol for item in self.items))


type Item = Row | Unkept | Repeat


def items_of(trace: Trace, slices: Sequence[CriticalSlice], *, full: bool = False) -> list[Item]:
    """What the table shows; with ``full`` every event has its own row."""
    marks = _marks_of(trace, slices)

    def row(event: int) -> Row:
        return Row(event, trace.statement[event], tuple(each[event] for each in marks))

    if full or len(trace) <= SHORT:
        return [row(event) for event in range(len(trace))]
    starts, codes = _unfolded(trace, marks)
    starts.append(len(trace))

    def item(index: int) -> Item:
        first, size = starts[index], starts[index + 1] - starts[index]
        return row(first) if size == 1 else Unkept(first, size)

    items = _fold(codes, item)
    size = len(codes)
    while len(items) < size:
        size = len(items)
        items = _fold_repetitions(items)
    return items


def _marks_of(trace: Trace, slices: Sequence[CriticalSlice]) -> list[bytearray]:
    """For each criterion how it marks each event."""
    found = []
    for each in slices:
        marks = bytearray(len(trace))
        for events, mark in ((each.governing, GOVERNS), (each.events, KEPT)):
            for event in events:
                marks[event] = mark
        found.append(marks)
    return found


def _unfolded(trace: Trace, marks: Sequence[bytearray]) -> tuple[array[int], array[int]]:
    """The first event of each row and gap, and a number for its symbol; there may be millions."""
    starts = array("i")
    codes = array("i")
    numbers: dict[object, int] = {}

    def rows(start: int, stop: int) -> None:
        starts.extend(range(start, stop))
        columns = (each[start:stop] for each in (trace.statement, *marks))
        codes.extend(
            numbers.setdefault(symbol, len(numbers)) for symbol in zip(*columns, strict=True)
        )

    together = reduce(or_, map(int.from_bytes, marks), 0).to_bytes(len(trace))
    start = 0
    for gap in NOBODYS.finditer(together):
        rows(start, gap.start())
        starts.append(gap.start())
        codes.append(numbers.setdefault(len(gap[0]), len(numbers)))
        start = gap.end()
    rows(start, len(trace))
    return starts, codes


def _fold_repetitions(items: Sequence[Item]) -> list[Item]:
    """Blocks that come again at once, at least :data:`FOLD_FROM` times, become one item."""
    return fold([item.symbol for item in items], items.__getitem__)


def fold(symbols: Sequence[object], item: Callable[[int], Item]) -> list[Item]:
    """The same for items of which there are symbols only; ``item`` makes those that are left."""
    numbers: dict[object, int] = {}
    codes = array("i", (numbers.setdefault(symbol, len(numbers)) for symbol in symbols))
    return _fold(codes, item)


def _fold(codes: array[int], item: Callable[[int], Item]) -> list[Item]:
    """The same where symbols have numbers."""
    places: dict[int, array[int]] = {}
    for index, code in enumerate(codes):
        if code not in places:
            places[code] = array("i")
        places[code].append(index)
    folded: list[Item] = []
    index = 0
    while index < len(codes):
        size, times = _repetition(codes, places[codes[index]], index)
        if times >= FOLD_FROM and (times - 1) * size >= FOLD_FROM:
            stop = index + size * times
            block = _fold_repetitions([item(each) for each in range(index, index + size)])
            folded.append(Repeat(tuple(block), times, item(stop - 1).last))
            index = stop
        else:
            folded.append(item(index))
            index += 1
    return folded


def _repetition(codes: Sequence[int], places: Sequence[int], start: int) -> tuple[int, int]:
    """Size and number of the blocks that start at ``start``; those that cover most."""
    best = (1, 1)
    # Where the first symbol comes again, the block may; the first few places suffice.
    after = bisect_left(places, start + 1)
    for place in places[after : after + 8]:
        size = place - start
        if size > LONGEST_BLOCK:
            break
        times = 1
        while (
            codes[start : start + size] == codes[start + times * size : start + (times + 1) * size]
        ):
            times += 1
        if times > 1 and times * size > best[0] * best[1]:
            best = (size, times)
    return best


def table(
    trace: Trace,
    slices: Sequence[CriticalSlice],
    style: Style,
    left_out: Callable[[str], None] = lambda what: None,
) -> Iterator[str]:
    """The lines of the table; ``left_out`` hears what of it is not shown.

    They are made one by one, as there may be millions.
    """
    items = items_of(trace, slices, full=style.full)
    layout = Layout(trace, slices, style, items)
    yield layout.header()
    lines = layout.lines(items)
    total = layout.count(items)
    if style.full or total <= MOST_ROWS:
        yield from lines
        return
    tail = MOST_ROWS // 3
    head = MOST_ROWS - tail
    left_out(f"{total - MOST_ROWS} rows of the table")
    cut = style.dim(f"{style.glyph('fold'):>4} {total - MOST_ROWS} rows not shown")
    for number, line in enumerate(lines):
        if number < head or number >= total - tail:
            yield line
        elif number == head:
            yield cut


class Layout:
    """Widths of the columns, and how items become lines."""

    def __init__(
        self,
        trace: Trace,
        slices: Sequence[CriticalSlice],
        style: Style,
        items: Sequence[Item],
    ) -> None:
        self.trace = trace
        self.style = style
        self.own_texts = StatementTexts(trace)
        executed = {trace.statements[number].file for number in set(trace.statement)}
        self.show_file = len(executed) > 1
        self.texts: dict[int, str] = {}
        name_width = min(NAME_WIDTH, max(3, (style.width - 36) // max(len(slices), 1) - 2))
        self.names = [style.cut(printable(each.name), name_width) for each in slices]
        rows = list(_flat(items))
        longest = max((len(trace.name(row.event)) for row in rows), default=0)
        self.event_width = max(longest, 5)
        marks = sum(max(cells(name), 1) + 2 for name in self.names)
        room = max(20, style.width - self.event_width - marks - 4)
        widest = max((cells(self.text(row.statement)) for row in rows), default=0)
        self.text_width = min(max(widest, 9), room)

    def text(self, number: int) -> str:
        """The source text of a statement, in one line."""
        if number not in self.texts:
            statement = self.trace.statements[number]
            line = self.own_texts.line(statement)
            text = line[: len(line) - len(line.lstrip())] + self.own_texts.own(statement)
            if len(text) > LONGEST_TEXT:
                text = text[:LONGEST_TEXT] + self.style.glyph("more")
            if statement.header_end > statement.line:
                text += " " + self.style.glyph("more")
            if self.show_file:
                path = self.style.path(self.trace.files[statement.file].path)
                text = f"{path.rpartition('/')[2]}: {text.strip()}"
            self.texts[number] = printable(text)
        return self.texts[number]

    def header(self) -> str:
        head = f"  {'event':<{self.event_width}}  {pad('statement', self.text_width)}"
        return self.style.dim(head) + "".join("  " + self.style.bold(name) for name in self.names)

    def lines(self, items: Sequence[Item]) -> Iterator[str]:
        for item in items:
            if isinstance(item, Row):
                yield self.row(item)
            elif isinstance(item, Unkept):
                yield self.note(f"{plural(item.size, 'event')} left out")
            else:
                yield from self.lines(item.items)
                rows = self.count(item.items)
                what = "the same row" if rows == 1 else f"the same {rows} rows"
                yield self.note(
                    f"{what} {item.times - 1} times more, up to {self.trace.name(item.last)}"
                )

    def count(self, items: Sequence[Item]) -> int:
        """How many lines ``items`` take."""
        return sum(self.count(item.items) + 1 if isinstance(item, Repeat) else 1 for item in items)

    def row(self, row: Row) -> str:
        text = pad(self.style.cut(self.text(row.statement), self.text_width), self.text_width)
        head = f"  {self.trace.name(row.event):<{self.event_width}}  {text}"
        if not any(row.marks):
            return self.style.dim(head.rstrip())
        head = self.style.bold(head) if row.kept else self.style.dim(head)
        glyphs = [self.style.glyph(name) for name in ("none", "some", "bullet")]
        marks = "".join(
            f"  {glyphs[mark]:^{max(cells(name), 1)}}"
            for mark, name in zip(row.marks, self.names, strict=True)
        ).rstrip()
        return head + (self.style.good(marks) if row.kept else self.style.pale(marks))

    def note(self, text: str) -> str:
        return self.style.dim(f"  {self.style.glyph('fold'):<{self.event_width}}  {text}")


def _flat(items: Sequence[Item]) -> Iterator[Row]:
    for item in items:
        if isinstance(item, Row):
            yield item
        elif isinstance(item, Repeat):
            yield from _flat(item.items)
