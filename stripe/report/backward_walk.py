"""A slice line by line, from the symptom back to what it depends on."""

from __future__ import annotations

from collections.abc import Iterator

from stripe.reduce import CriticalSlice
from stripe.reduce.backward_walk import StepBack, way_back
from stripe.report.style import Style, cells, pad, printable
from stripe.trace import Trace


def walk_lines(trace: Trace, found: CriticalSlice, style: Style) -> Iterator[str]:
    """Each statement where the way back first comes to it: steps, place, text, what it was for."""
    kept = set(found.events)
    first: dict[int, StepBack] = {}
    for step in way_back(trace, found):
        first.setdefault(trace.statement[step.event], step)
    files = [(printable(style.path(file.path)), file.lines) for file in trace.files]
    places = {}
    for number in first:
        statement = trace.statements[number]
        places[number] = f"{files[statement.file][0]}:{statement.line}"
    width = max(map(cells, places.values()), default=0)
    for number, step in first.items():
        statement = trace.statements[number]
        (text,) = files[statement.file][1][statement.line - 1 : statement.line] or ("",)
        mark = style.glyph("kept" if step.event in kept else "governs")
        steps = "" if step.distance is None else str(step.distance)
        line = f" {mark} {steps:>3}  {pad(places[number], width)}  {printable(text).strip()}"
        why = f"   ({_why(step)})" if step.by is not None else ""
        if cells(line) + cells(why) <= style.width:
            yield line + style.dim(why)
        else:
            yield style.cut(line, style.width)


def _why(step: StepBack) -> str:
    """What the statement was come to for."""
    assert step.by is not None
    if step.by.kind == "data" and step.by.names:
        return ", ".join(step.by.names)
    return {"data": "what it left", "call": "called", "return": "its result", "control": "decides"}[
        step.by.kind
    ]
