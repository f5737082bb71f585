"""The terminal's form of a memory graph: boxes one below the other, numbers for arrows."""

from __future__ import annotations

from collections.abc import Iterator

from stripe.report.causes import stack
from stripe.report.pictures.boxes import Row, boxes
from stripe.report.style import Style, cells, pad, printable
from stripe.report.summary import note_lines
from stripe.states.memory_graph import MemoryGraph


def title(state: MemoryGraph) -> str:
    """What is drawn."""
    size = state.graph.failing - 1
    return printable(
        f"the state of {state.program} before {state.moment}: {size} variables and objects"
    )


def graph_lines(state: MemoryGraph, style: Style) -> Iterator[str]:
    """Calls, modules and objects with their parts; an object is referred to by its number."""
    found = boxes(state.graph, alone=True)
    numbers: dict[int, int] = {}
    for number, box in enumerate(found):
        if not box.frame:
            numbers[number] = len(numbers) + 1
    yield style.heading(title(state))
    yield from style.paragraph(printable(stack(state.backtrace)), "on the stack: ")
    for number, box in enumerate(found):
        yield style.bold(f"({numbers[number]}) {box.title}" if number in numbers else box.title)
        width = max((cells(row.label) for row in box.rows if not row.quiet), default=0)
        for row in box.rows:
            yield f"  {pad(row.label, width)}  {_told(row, numbers)}".rstrip()
    yield from note_lines(state.notes, style)


def _told(row: Row, numbers: dict[int, int]) -> str:
    return " ".join(
        each.text if each.box is None else f"({numbers[each.box]})" for each in row.values
    )
