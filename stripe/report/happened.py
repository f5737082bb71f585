"""What happened in the recorded run, told before anything else."""

from __future__ import annotations

import signal
from collections.abc import Iterator
from typing import NamedTuple

from stripe.backend import End
from stripe.checks import Shown
from stripe.reduce import CriticalSlice, RecordedRun, Result
from stripe.report.style import Style, cells, pad, plural, printable, short
from stripe.trace.infinite_loops import going_on
from stripe.trace.model import LINE_KIND
from stripe.trace.statement_texts import StatementTexts, only_loop

LABEL = 16
"""Columns of a label."""

LINES = 5
"""Lines of output that are told where a result does not say which ones count."""

QUOTED = 80
"""Characters of a text within a sentence."""


class Fact(NamedTuple):
    """A row: what it tells of, and the lines of its text."""

    label: str
    lines: list[str]


def happened(result: Result) -> Iterator[Fact]:
    """The exception and what raised it, how the run ended, and what the checks look at."""
    recorded = result.recorded
    if recorded is None:
        return
    if (raised := exception(recorded)) is not None:
        yield Fact("exception", [raised])
        innermost = recorded.exception.innermost if recorded.exception else ""
        if innermost:
            yield Fact("raised by", innermost.splitlines())
        if where := place(result):
            yield Fact("called from" if innermost else "raised by", [where])
    if recorded.unwritten:
        yield Fact("unwritten", [recorded.unwritten])
    yield Fact(*ended(recorded))
    if recorded.end == End.CUT.name and len(result.trace):
        header = going_on(result.trace)
        yield Fact("goes on at", [_going_on(result, header)])
    told = set()
    for each in result.slices:
        for what, lines, of in shown(result, each):
            if (what, *lines) in told:
                continue
            told.add((what, *lines))
            alone = each.name == each.check and len(result.slices) == 1
            name = what if alone else each.name
            more = [f"... {plural(of - len(lines), 'line')} more"] if of > len(lines) else []
            yield Fact(name, [*lines, *more])


def sentence(result: Result, found: CriticalSlice) -> str:
    """The most telling fact about what a slice explains, in a few words; may be empty."""
    recorded = result.recorded
    if recorded is None:
        return ""
    for what, lines, _ in shown(result, found):
        if told := [line for line in lines if line.strip()]:
            label = "Printed" if what in ("stdout", "stderr") else quote(what)
            return f"{label}: {quote(told[-1])}"
    if (raised := exception(recorded)) is not None:
        number = raised_at(result)
        where = "" if number is None else f", raised in line {result.trace.statements[number].line}"
        return quote(raised) + where
    what, (text,) = ended(recorded)
    return f"The program ended with {what} {text}"


def quote(text: str) -> str:
    """A text of the program, as much of it as fits into a sentence."""
    text = printable(text.strip())
    return text if len(text) <= QUOTED else text[: QUOTED - 3] + "..."


def exception(recorded: RecordedRun) -> str | None:
    """The exception the run ended with, as tracebacks end."""
    raised = recorded.exception
    if raised is None:
        return None
    first = raised.message.strip().split("\n")[0]
    told = f"{raised.type}: {first}" if first else raised.type
    return f"{told} (it compared {raised.compared})" if raised.compared else told


def raised_at(result: Result) -> int | None:
    """The statement that raised the exception; by its event, where that is known."""
    raised = result.recorded and result.recorded.exception
    if not raised:
        return None
    return raised.statement if raised.event is None else result.trace.statement[raised.event]


def marked(result: Result) -> dict[tuple[int, int], str]:
    """What is said beside a line, as (file, line): the exception where it was raised."""
    number = raised_at(result)
    if number is None or result.recorded is None or result.recorded.exception is None:
        return {}
    statement = result.trace.statements[number]
    return {(statement.file, statement.line): result.recorded.exception.type}


def place(result: Result) -> str:
    """Where the exception comes from: event, file and line, and the line's text."""
    raised = result.recorded and result.recorded.exception
    number = raised_at(result)
    if not raised:
        return ""
    if number is None:
        return f"{short(raised.file)}:{raised.line}" if raised.file else ""
    return _located(result, number, raised.event)


def _located(result: Result, number: int, event: int | None, text: str = "") -> str:
    """Event (if known), file and line, and the text of statement ``number``."""
    trace, statement = result.trace, result.trace.statements[number]
    name = "" if event is None else f"{trace.name(event)}  "
    where = f"{short(trace.files[statement.file].path)}:{statement.line}"
    return f"{name}{where}  {text or StatementTexts(trace).own(statement)}"


def _going_on(result: Result, header: int) -> str:
    """Where the loop goes on, and its condition."""
    number = result.trace.statement[header]
    statement = result.trace.statements[number]
    text = StatementTexts(result.trace).own(statement)
    return _located(
        result, number, header, only_loop(text) if statement.kind == LINE_KIND else text
    )


def ended(recorded: RecordedRun) -> tuple[str, list[str]]:
    """How the run ended, as a label and a text."""
    if recorded.end == "EXITED":
        return "exit status", [str(recorded.status)]
    if recorded.end != "SIGNAL":
        return "end", [f"it {End[recorded.end].value}"]
    try:
        name = f" ({signal.Signals(recorded.status).name})"
    except ValueError:
        name = ""
    return "signal", [f"{recorded.status}{name}"]


def shown(result: Result, found: CriticalSlice) -> list[Shown]:
    """What the check of a slice looks at; results of earlier versions do not tell of parts."""
    if found.shown or result.recorded is None or found.check not in ("stdout", "stderr"):
        return list(found.shown)
    text = result.recorded.stdout if found.check == "stdout" else result.recorded.stderr
    lines = text.splitlines()
    return [Shown(found.check, tuple(lines[:LINES]), len(lines))]


def rows(result: Result, style: Style) -> Iterator[str]:
    """The facts for a terminal."""
    facts = [(style.cut(printable(label), LABEL), lines) for label, lines in happened(result)]
    width = max((cells(label) for label, _ in facts), default=0)
    for label, lines in facts:
        for index, line in enumerate(lines):
            head = style.dim(pad(label if index == 0 else "", width))
            text = style.cut(printable(line), style.width - width - 2)
            yield f"{head}  {style.warn(text) if label == 'exception' else text}".rstrip()
