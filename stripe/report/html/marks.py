"""Rows of pages and notebooks: lines of source, with how much is kept of them, and events."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby, islice
from typing import NamedTuple

from stripe.reduce import CriticalSlice, Result
from stripe.report.happened import marked
from stripe.report.source import ELSEWHERE, Line, folds, lines_of
from stripe.report.style import plural
from stripe.report.table import Item, Layout, Row, Unkept, items_of

MOST_LINES = 20_000
"""Source lines of a page; of more, stretches with nothing kept are left out."""

MOST_ROWS = 1000
"""Rows of the folded table; the list that the script makes has all events."""

MOST_VALUES = 4
"""Variables shown at the end of a line."""


class Heat(NamedTuple):
    """How many of a line's executions are kept: in words, and the parts that are kept, and govern.

    ``why``: what the words mean, if that does not go without saying.
    """

    share: str
    executed: bool = False
    kept: float = 0.0
    governs: float = 0.0
    why: str = ""


def heat_of(line: Line) -> Heat:
    """What a page says of a line."""
    if not line.executed:
        if line.elsewhere:
            return Heat("~", why=ELSEWHERE)
        return Heat("-" if line.statements else "")
    return Heat(line.share, True, line.kept / line.executed, line.governs / line.executed)


class SourceLine(NamedTuple):
    """A line of source; where there are several slices, each is meant by its number.

    - ``kinds``: for the style: ``k0`` if slice 0 keeps some of it, ``g0`` if it governs, ``x`` if
      it was executed
    - ``values``: of the slices that have any; ``said``: beside it
    """

    number: int
    anchor: str
    kinds: str
    heats: tuple[Heat, ...]
    text: str
    values: Sequence[tuple[int, str]]
    said: str


class Stretch(NamedTuple):
    """Lines in a row; of one that is not shown, how many there were."""

    folded: bool
    left_out: int
    lines: Iterable[SourceLine]


@dataclass(frozen=True, slots=True)
class MarkedFile:
    """A file that was executed; ``open``: something of it is kept."""

    number: int
    path: str
    executed: int
    open: bool
    stretches: Iterable[Stretch]


class EventRow(NamedTuple):
    """An event of the trace; ``number`` counts from 1."""

    number: int
    name: str
    kept: bool
    text: str
    marks: Sequence[int]
    values: str


def marked_files(result: Result, slices: Sequence[CriticalSlice]) -> Iterator[MarkedFile]:
    """Every file that was executed, with a column for each of some slices of ``result``."""
    trace = result.trace
    marks = [lines_of(trace, each) for each in slices]
    seen = [last_values(result, each) for each in slices]
    total = sum(len(trace.files[number].lines) for number in marks[0]) if marks else 0
    said = marked(result)
    for number in sorted(marks[0]) if marks else ():
        columns = [each[number] for each in marks]
        executed = sum(line.executed for line in columns[0].values())
        if executed:
            yield MarkedFile(
                number,
                trace.files[number].path,
                executed,
                any(line.kept or line.governs for each in columns for line in each.values()),
                _stretches(
                    number,
                    trace.files[number].lines,
                    columns,
                    [_of_file(number, each) for each in seen],
                    _of_file(number, said),
                    total > MOST_LINES,
                ),
            )


def _of_file[T](number: int, places: Mapping[tuple[int, int], T]) -> dict[int, T]:
    """What belongs to the lines of a file."""
    return {line: each for (file, line), each in places.items() if file == number}


def last_values(result: Result, found: CriticalSlice) -> dict[tuple[int, int], str]:
    """The first values at the last kept event of each line, as (file, line)."""
    statements = result.trace.statements
    events = {
        (place.file, place.line): event
        for event in sorted(found.with_values)
        for place in (statements[result.trace.statement[event]],)
    }
    return {place: values_told(found.held(event)) for place, event in events.items()}


def values_told(values: Mapping[str, str]) -> str:
    """The first values of a line or an event."""
    told = ", ".join(f"{name} = {text}" for name, text in islice(values.items(), MOST_VALUES))
    return told + ", …" if len(values) > MOST_VALUES else told


def _stretches(
    file: int,
    texts: Sequence[str],
    columns: Sequence[Mapping[int, Line]],
    values: Sequence[Mapping[int, str]],
    said: Mapping[int, str],
    short: bool,
) -> Iterator[Stretch]:
    """A file in stretches that are folded or not; ``short``: what is folded is left out."""
    nothing = Line()

    def line_of(number: int) -> SourceLine:
        marks = [each.get(number, nothing) for each in columns]
        kinds = [
            f"k{which}" if mark.kept_part else f"g{which}"
            for which, mark in enumerate(marks)
            if mark.kept_part or mark.governs_part
        ]
        if marks[0].executed:
            kinds.append("x")
        held = [(which, each[number]) for which, each in enumerate(values) if number in each]
        return SourceLine(
            number,
            f"f{file}l{number}",
            " ".join(kinds),
            tuple(map(heat_of, marks)),
            texts[number - 1],
            held,
            said.get(number, ""),
        )

    shown = {n: line for each in columns for n, line in each.items() if line.marked}
    hidden = folds([shown.get(n) for n in range(1, len(texts) + 1)])
    for folded, numbers in groupby(range(1, len(texts) + 1), hidden.__contains__):
        if folded and short:
            yield Stretch(folded, sum(1 for _ in numbers), ())
        else:
            yield Stretch(folded, 0, map(line_of, numbers))


def event_rows(result: Result, layout: Layout) -> Iterator[EventRow | str]:
    """The table of events (Figure 6), loops folded: events, and remarks between them."""
    rows = _rows(result, layout, items_of(result.trace, result.slices))
    yield from islice(rows, MOST_ROWS)
    if next(rows, None) is not None:
        yield "The rest is left out here; the list of all events has it."


def _rows(result: Result, layout: Layout, items: Sequence[Item]) -> Iterator[EventRow | str]:
    trace = result.trace
    for item in items:
        if isinstance(item, Row):
            held = filter(None, (each.held(item.event) for each in result.slices))
            yield EventRow(
                item.event + 1,
                trace.name(item.event),
                item.kept,
                layout.text(item.statement),
                item.marks,
                values_told(next(held, {})),
            )
        elif isinstance(item, Unkept):
            yield f"{plural(item.size, 'event')} left out"
        else:
            yield from _rows(result, layout, item.items)
            yield (
                f"and so {item.times - 1} times more, {item.times} in all; the last ends with "
                f"{trace.name(item.last)}"
            )
