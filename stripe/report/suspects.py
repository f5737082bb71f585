"""The terminal's form of suspects: the places with a change each, all lines in order, a summary."""

from __future__ import annotations

from collections.abc import Iterator
from textwrap import wrap

from stripe.dd import Reason
from stripe.report.style import Style, duration, plural, printable, rate
from stripe.report.summary import STOPPED, fact_lines, note_lines
from stripe.suspects import Place, SuspectsResult

LINES = 5
"""Lines of the ranking that are told unasked."""


def suspects_lines(result: SuspectsResult, style: Style) -> Iterator[str]:
    """All of the report."""
    yield style.heading(printable(f"where {result.program} may be wrong"))
    if not result.places:
        yield "No change that was tried makes what fails pass without breaking much else."
    for number, place in enumerate(result.places, 1):
        yield from _place(number, place, style)
    yield style.heading("the most suspicious lines")
    yield from _ranking(result, style)
    yield style.heading("summary")
    yield from fact_lines(_facts(result), style)
    yield from note_lines(result.notes, style)


def _place(number: int, place: Place, style: Style) -> Iterator[str]:
    where = f"{place.file}:{place.line}" + (f", in {place.function}" if place.function else "")
    yield style.bold(printable(f"{number}. {where}"))
    for line in wrap(printable(evidence(place)), style.width - 3, break_on_hyphens=False):
        yield f"   {line}"
    if place.before or place.after:
        then, now = (
            ", ".join(each) if each else "nothing (it never completes)"
            for each in (place.before, place.after)
        )
        yield style.dim(f"   first values: {style.cut(printable(then), 60)}")
        yield style.dim(f"   with the change: {style.cut(printable(now), 60)}")
    if place.diff is not None:
        for line in place.diff.splitlines()[2:]:
            told = style.cut(printable(line), style.width - 5)
            sign = line[:1]
            yield "     " + (style.good(told) if sign == "+" else style.warn(told)
                             if sign == "-" else style.dim(told))  # fmt: skip


def evidence(place: Place) -> str:
    """What a change does, as a sentence; it is never called the fix."""
    right = (
        "the failing test pass"
        if place.failing == 1
        else f"{place.repaired} of {place.failing} failing tests pass"
    )
    if place.passing == 0:
        rest = "; there is no passing test that it could break"
    elif place.broken:
        rest = f", and breaks {place.broken} of {plural(place.passing, 'passing test')}"
    else:
        rest = f", and breaks none of {plural(place.passing, 'passing test')}"
    more = f" (as do {plural(place.others, 'other change')} of the line)" if place.others else ""
    return f"With {place.words}, this change makes {right}{rest}{more}."


def _ranking(result: SuspectsResult, style: Style) -> Iterator[str]:
    by_place = {(each.file, each.line) for each in result.places}
    shown = result.ranking if style.verbose else result.ranking[:LINES]
    yield style.dim(f"{'rank':>4}  {'changes':>7}  {'ochiai':>6}  line")
    for each in shown:
        mark = style.glyph("kept") if (each.file, each.line) in by_place else " "
        facts = f"{each.rank:>4}  {each.repairs:>7}  {each.ochiai:>6.3f}"
        yield printable(f"{facts}  {mark} {each.file}:{each.line}")
    if len(shown) < len(result.ranking):
        yield style.dim(f"      and {plural(len(result.ranking) - len(shown), 'line')} more: -v")


def _facts(result: SuspectsResult) -> Iterator[tuple[str, str]]:
    yield "tests", f"{len(result.failing)} failing, {len(result.passing)} passing"
    if result.left_out:
        yield "left out", f"{len(result.left_out)} skipped, or not the same each time"
    yield "changes", f"{result.tried:,} of {result.offered:,} tried"
    out = result.ended.get("fuel", 0), result.ended.get("crashed", 0)
    if any(out):
        yield "  of these", f"{out[0]:,} ran out of fuel, {out[1]:,} were killed"
    yield "time", f"{duration(result.seconds)}, {rate(result.runs, result.seconds)}"
    if result.stopped is not Reason.FINISHED:
        yield "ended", STOPPED[result.stopped]
    if result.sandbox:
        yield "sandbox", result.sandbox
