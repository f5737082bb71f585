"""Pictures as text for Graphviz: a graph for each step of the chain."""

from __future__ import annotations

from collections.abc import Iterator
from html import escape

from stripe.report.causes import place, together
from stripe.report.pictures.boxes import SIGNS, Box, Row, boxes
from stripe.report.pictures.svg import MARKS
from stripe.report.style import printable
from stripe.states.isolation import Cause
from stripe.states.overlay import Role, Side
from stripe.states.result import CausesResult

COLOURS = {Side.BOTH: "gray30", Side.PASSING: "#8a5a00", Side.FAILING: "#0063a0"}
LINES = {Side.BOTH: "solid", Side.PASSING: "dashed", Side.FAILING: "bold"}


def document(result: CausesResult) -> str:
    """All steps: ``dot -Tsvg FILE -O`` draws each."""
    return "".join(
        line for number, cause in enumerate(result.steps) for line in _graph(cause, number)
    )


def _graph(cause: Cause, number: int) -> Iterator[str]:
    told = together(cause)
    yield f"digraph step{number + 1} {{\n"
    yield "  rankdir=LR\n  labelloc=t\n"
    yield f"  label={quoted(f'before {place(cause)}: {told}')}\n"
    yield '  node [shape=plain fontname="monospace" fontsize=11]\n  edge [arrowsize=0.7]\n'
    found = boxes(cause.overlay)
    for index, box in enumerate(found):
        cluster = [
            f"  subgraph cluster{index} {{ label={quoted(box.title)} style=rounded\n",
            "  }\n",
        ]
        before, after = cluster if box.frame else ("", "")
        yield f"{before}  b{index} [label=<{_table(box)}>]\n{after}"
    for index, box in enumerate(found):
        for row, each in enumerate(box.rows):
            for value in each.values:
                if value.box is not None:
                    yield (
                        f"  b{index}:r{row} -> b{value.box} "
                        f'[color="{COLOURS[value.side]}" style={LINES[value.side]}]\n'
                    )
    yield "}\n"


def _table(box: Box) -> str:
    side = Side.BOTH if box.side is Side.CHANGED else box.side
    mark = f"{MARKS[box.role]} " if box.role else ""
    head = (
        ""
        if box.frame
        else f"<TR><TD{_ground(box)}><B>{_safe(mark + SIGNS[side] + box.title)}</B></TD></TR>"
    )
    rows = "".join(
        f'<TR><TD ALIGN="LEFT" PORT="r{number}"{_ground(row)}>{_told(row)}</TD></TR>'
        for number, row in enumerate(box.rows)
    )
    if not head + rows:
        rows = "<TR><TD></TD></TR>"
    return (
        f'<TABLE BORDER="0" CELLBORDER="1" CELLSPACING="0" COLOR="{COLOURS[side]}">'
        f"{head}{rows}</TABLE>"
    )


def _ground(marked: Row | Box) -> str:
    return ' BGCOLOR="#fdeee3"' if marked.role is Role.CAUSE else ""


def _told(row: Row) -> str:
    """A row as text; of two values, each has its colour."""
    parts = [_safe(f"{MARKS[row.role]} " if row.role else "") + _safe(row.label)]
    parts += [
        f'<FONT COLOR="{COLOURS[value.side]}">{_safe(SIGNS[value.side] + value.text)}</FONT>'
        for value in row.values
        if value.box is None and value.text
    ]
    return "  ".join(filter(None, parts)) or " "


def _safe(text: str) -> str:
    return escape(printable(text))


def quoted(text: str) -> str:
    """A text as a name of Graphviz."""
    return '"' + printable(text).replace("\\", "\\\\").replace('"', '\\"') + '"'
