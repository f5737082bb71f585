"""The terminal's face of a result: which sections, in which order."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator

from stripe.deadline import Deadline
from stripe.reduce import CriticalSlice, Result
from stripe.report.backward_walk import walk_lines
from stripe.report.chart import Chart
from stripe.report.dead_values import TOLD, dead_value_lines
from stripe.report.happened import marked, rows
from stripe.report.late import cut_late
from stripe.report.source import legend, source
from stripe.report.style import Style, plural, printable
from stripe.report.summary import summary
from stripe.report.table import table
from stripe.report.tests import tests

SECTIONS = ("source", "table", "back", "tests", "summary")
DEFAULT_SECTIONS = ("source", "table", "summary")

REST = "--show all shows everything."
"""How to see what was folded."""


def render(
    result: Result, sections: Collection[str] = DEFAULT_SECTIONS, style: Style | None = None
) -> str:
    """The whole report as one text."""
    return "\n".join(lines(result, sections, style or Style())) + "\n"


def lines(
    result: Result, sections: Collection[str], style: Style, deadline: Deadline | None = None
) -> Iterator[str]:
    """The report line by line, so that a reader who stops early costs nothing.

    What happened stands before source and summary; a table or picture alone is just that.  Once
    the ``deadline`` is over, long sections are cut, and say so.
    """
    deadline = deadline or Deadline()
    started = False
    left_out: list[str] = []
    if result.recorded is not None and {"source", "summary"} & set(sections):
        yield from _headed("what happened", rows(result, style), style)
        started = True
    for section in SECTIONS:
        if section not in sections:
            continue
        for part in _section(section, result, style, left_out.append):
            if started:
                yield ""
            started = True
            yield from cut_late(part, deadline)
    if left_out:
        yield style.dim(f"Not shown: {', '.join(left_out)}. {REST}")


def _section(
    section: str, result: Result, style: Style, left_out: Callable[[str], None]
) -> Iterator[Iterator[str]]:
    trace = result.trace
    if section == "table":
        head = f"{plural(len(trace), 'event')} of {printable(' '.join(result.command))}"
        yield _headed(head, table(trace, result.slices, style, left_out), style)
    elif section == "summary":
        yield _headed("summary", summary(result, style), style)
    else:
        for each in result.slices:
            if section == "source":
                yield _headed(
                    _title(each, result), source(trace, each, style, marked(result)), style
                )
                if each is result.slices[-1]:
                    deciding = any(found.governing for found in result.slices)
                    elsewhere = any(file.elsewhere for file in trace.files)
                    yield legend(style, governing=deciding, elsewhere=elsewhere)
                    if result.dead_values:
                        yield _headed("computed, and never read", _unread(result, style), style)
            elif section == "back":
                head = f"{printable(each.name)}: from the symptom back"
                yield _headed(head, walk_lines(trace, each, style), style)
            else:
                head = f"{printable(each.name)}: {plural(len(each.log), 'test')}"
                yield _headed(head, tests(Chart.of_slice(each), style), style)


def _unread(result: Result, style: Style) -> Iterator[str]:
    most = None if style.full else TOLD
    for place, told in dead_value_lines(result, most):
        yield from style.paragraph(told, f"{place}  ", "bold")
    if most is not None and len(result.dead_values) > most:
        yield style.dim(f"{len(result.dead_values) - most} more. {REST}")


def _headed(text: str, body: Iterator[str], style: Style) -> Iterator[str]:
    yield style.heading(text)
    yield from body


def _title(slice_: CriticalSlice, result: Result) -> str:
    check = f" = {slice_.check}" if slice_.check != slice_.name else ""
    minimal = "" if slice_.certified else ", not certified"
    return printable(
        f"{slice_.name}{check}: {len(slice_.events)} of {plural(slice_.of, 'event')} kept{minimal}"
    )
