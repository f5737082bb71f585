"""The terminal's form of a cause-effect chain: a narrative, a table, and a summary."""

from __future__ import annotations

from collections.abc import Iterator
from textwrap import wrap

from stripe.dd import Outcome
from stripe.report.style import Style, cells, duration, pad, plural, printable, rate
from stripe.report.summary import STOPPED, fact_lines, note_lines
from stripe.report.words import WORDS
from stripe.states.deltas import Change
from stripe.states.isolating import Cause, Variable
from stripe.states.result import CausesResult

WIDEST = 40
"""Characters of a value that are told."""


def causes_lines(result: CausesResult, style: Style) -> Iterator[str]:
    """All of the report."""
    yield style.heading(_title(result))
    for paragraph in narrative(result, style):
        yield from wrap(printable(paragraph), style.width - 2, subsequent_indent="  ")
    if result.chain:
        yield style.heading("the chain")
        yield from _table(result, style)
    yield style.heading("summary")
    yield from fact_lines(_facts(result), style)
    yield from note_lines(result.notes, style)


def narrative(result: CausesResult, style: Style) -> Iterator[str]:
    """The causes in sentences, each of which follows from the one before."""
    if not result.chain:
        yield "Nothing was found before the search ended."
        return
    for number, cause in enumerate(result.steps):
        how = "hence at" if number else "At"
        what = " and ".join(_sentence(each, style) for each in cause.variables)
        yield f"{how} {place(cause)}, {what};"
    yield "hence the failure."


def place(cause: Cause) -> str:
    """Function, line, and how many times it was executed."""
    moment, call = cause.match.failing, cause.match.backtrace[0]
    name = moment.file if call.function == "<module>" else call.function
    return f"{name}:{moment.line}" + (f"#{moment.occurrence}" if moment.occurrence > 1 else "")


def _sentence(variable: Variable, style: Style) -> str:
    before, after = (style.cut(each, WIDEST) for each in (variable.before, variable.after))
    if variable.change is Change.DELETE:
        return f"`{variable.name}` was not there (it is {before} when it passes)"
    if not before:
        return f"`{variable.name}` was there, {after}"
    verb = "refers to" if variable.change is Change.ADJUST else "was"
    if not after:
        return f"`{variable.name}` {verb} nothing instead of {before}"
    if before == after:
        return f"`{variable.name}` was another {after}"
    return f"`{variable.name}` {verb} {after} instead of {before}"


def _table(result: CausesResult, style: Style) -> Iterator[str]:
    """A row for each step: place, variable, its values, and the line that comes next."""
    rows = [("", "variable", "failing", "passing", "before")]
    for cause in result.steps:
        moment = cause.match.failing
        line = result.source.get((moment.file, moment.line), "")
        for number, each in enumerate(cause.variables):
            rows.append(
                (
                    "" if number else place(cause),
                    each.name,
                    style.cut(each.after, WIDEST) or "-",
                    style.cut(each.before, WIDEST) or "-",
                    "" if number else line,
                )
            )
    told = [tuple(map(printable, row)) for row in rows]
    widths = [max(map(cells, column)) for column in zip(*told, strict=True)]
    for number, row in enumerate(told):
        text = "  ".join(pad(*each) for each in zip(row, widths, strict=True)).rstrip()
        text = style.cut(text, style.width)
        yield text if number else style.dim(text)


def _title(result: CausesResult) -> str:
    return printable(
        f"why {result.program} fails with {result.failing or 'no input'} and not with "
        f"{result.passing or 'none'}"
    )


def _facts(result: CausesResult) -> Iterator[tuple[str, str]]:
    yield "moments", f"{result.matched:,} of {result.moments:,} are in both runs"
    yield "looked at", plural(len(result.chain), "moment")
    for each in result.transitions:
        direct = "" if each.direct else ", perhaps between"
        yield "transition", f"{place(each.before)} to {place(each.after)}{direct}"
    yield "tests", f"{result.tests}"
    for outcome in (Outcome.FAIL, Outcome.PASS, Outcome.UNRESOLVED):
        yield f"  {WORDS[outcome]}", f"{result.outcomes.get(outcome, 0)} {outcome.name}"
    for why, count in result.undecided.items():
        yield "    because", f"{count}: {why}"
    yield "time", f"{duration(result.seconds)}, {rate(result.tests, result.seconds)}"
    yield "1-minimal", "yes, each" if result.certified else f"no: {STOPPED[result.stopped]}"
