"""The terminal's form of failure-inducing changes: the patch, who made them, and a summary."""

from __future__ import annotations

from collections.abc import Iterator

from stripe.changes.result import Blamed, ChangesResult
from stripe.dd import Outcome
from stripe.report.style import Style, duration, plural, printable, rate
from stripe.report.summary import STOPPED, fact_lines, note_lines
from stripe.report.words import WORDS

LINES = 60
"""How many lines of a patch are shown."""


def changes_lines(result: ChangesResult, style: Style) -> Iterator[str]:
    """All of the report."""
    yield style.heading(_sentence(result))
    for each in result.blamed:
        yield from _story(each)
    yield from _patch(result, style)
    yield style.heading("summary")
    yield from fact_lines(_facts(result), style)
    yield from note_lines(result.notes, style)


def _sentence(result: ChangesResult) -> str:
    what = plural(result.blamed_lines, "line")
    several = len(result.blamed) > 1 or result.blamed_lines > 1
    together = ", all of them together," if several else ""
    return printable(
        f"{what} of {result.lines:,} changed{together} make {result.good} fail as {result.bad} does"
        if several
        else f"{what} of {result.lines:,} changed makes {result.good} fail as {result.bad} does"
    )


def _story(each: Blamed) -> Iterator[str]:
    """Where the changes are, and who made them."""
    where = printable(each.path)
    if each.functions:
        where += f", in {', '.join(map(printable, each.functions))}"
    kinds = [kind for kind in each.kinds if kind != "lines"]
    if kinds:
        where += f" ({', '.join(kinds)})"
    yield where
    if each.commit:
        yield f"  {printable(f'{each.commit} {each.date[:10]} {each.author}: {each.subject}')}"


def _patch(result: ChangesResult, style: Style) -> Iterator[str]:
    lines = result.patch.decode("utf-8", "replace").splitlines()
    shown = lines if style.full else lines[:LINES]
    for line in shown:
        yield style.cut(printable(line), style.width)
    if len(shown) < len(lines):
        yield style.dim(style.glyph("fold"))


def _facts(result: ChangesResult) -> Iterator[tuple[str, str]]:
    yield "lines", f"{result.blamed_lines:,} of {result.lines:,} changed"
    for level in result.levels:
        yield f"  {level.name}", f"{level.after} of {level.before}, {plural(level.tests, 'test')}"
    yield "tests", f"{result.tests}"
    for outcome in (Outcome.FAIL, Outcome.PASS, Outcome.UNRESOLVED):
        yield f"  {WORDS[outcome]}", f"{result.outcomes.get(outcome, 0)} {outcome.name}"
    for why, count in result.undecided.items():
        yield "    because", f"{count}: {why}"
    if result.predicted:
        yield "  not run", f"{result.predicted}, which cannot be right"
    if result.resumed:
        yield "  from before", f"{result.resumed} more"
    yield "time", f"{duration(result.seconds)}, {rate(result.tests, result.seconds)}"
    certified = f"yes, in {result.granularity}s"
    yield "1-minimal", certified if result.certified else f"no: {STOPPED[result.stopped]}"
    verified = {True: "reproduced", False: "NOT reproduced", None: "not tried"}
    yield "run once more", verified[result.verified]
    yield "failure", result.failure_now
    if result.output:
        yield "file", ", ".join(result.output)
