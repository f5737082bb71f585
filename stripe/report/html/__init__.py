"""The page: one HTML file that needs nothing else, to look at in any browser.

It can be read without JavaScript; the script adds selection, arrows, playback, comparison and
the game of predicting.
"""

from __future__ import annotations

import textwrap

from stripe.reduce import Result
from stripe.report.chart import Chart
from stripe.report.dead_values import dead_value_lines
from stripe.report.happened import ended, exception, happened
from stripe.report.html.chart import drawing
from stripe.report.html.data import data_of
from stripe.report.html.marks import event_rows, marked_files
from stripe.report.markup import remembered, template
from stripe.report.source import ELSEWHERE
from stripe.report.style import Style, printable
from stripe.report.summary import conditions, faithfulness, minimality, verified
from stripe.report.table import Layout
from stripe.report.words import WORDS, level_lines, outcomes

__all__ = ["page"]

LONGEST_FAILURE = 80
"""Characters of what a program failed with, in the title of a page."""


def page(result: Result) -> str:
    """The whole page as text."""
    trace, recorded = result.trace, result.recorded
    layout = Layout(trace, result.slices, Style(full=True), [])
    program = printable(" ".join(result.command)) or "a program"
    places = map(trace.statements.__getitem__, set(trace.statement))
    return template("html/slice.html.jinja").render(
        result=result,
        trace=trace,
        slices=result.slices,
        recorded=recorded,
        end=recorded and ended(recorded),
        program=program,
        title=_title(result, program),
        facts=list(happened(result)),
        failed=printable(exception(recorded) or "") if recorded is not None else "",
        executed=len({(each.file, each.line) for each in places}),
        elsewhere=ELSEWHERE if any(file.elsewhere for file in trace.files) else "",
        # What has nothing to show would move the code off the first screen.
        files=sorted(marked_files(result, result.slices), key=lambda file: not file.open),
        events=event_rows(result, layout),
        drawings=[drawing(Chart.of_slice(each)) for each in result.slices],
        unread=list(dead_value_lines(result)),
        data=data_of(result, layout),
        cells=remembered("html/parts.html.jinja", "heat_cells"),
        conditions=conditions,
        faithfulness=faithfulness,
        level_lines=level_lines,
        minimality=minimality,
        outcomes=outcomes,
        verified=verified,
        words=WORDS,
    )


def _title(result: Result, program: str) -> str:
    """What the page is called: with what the program failed, if it did."""
    failed = exception(result.recorded) if result.recorded is not None else None
    about = f"Critical slice of {program}"
    if failed is None:
        return about
    return f"{printable(textwrap.shorten(failed, LONGEST_FAILURE, placeholder=' …'))}: {about}"
