"""The terminal's form of suspects: the places with a change each, all lines in order, a summary."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence

from stripe.dd import Reason
from stripe.interventions import Line
from stripe.report.style import Style, duration, plural, printable, rate
from stripe.report.summary import STOPPED, note_lines
from stripe.suspects import Place, Standing, SuspectsResult
from stripe.suspects.ranks import Repair

SECTIONS = ("places", "ranking", "summary")
"""The parts of the report, in order."""

LINES = 5
"""Lines of the ranking that are told unasked."""

NOTHING = "No change that was tried makes what fails pass without breaking much else."
UNTRIED = "No change was tried."
CLOSEST = (
    "No change that was tried makes all that fails pass and breaks nothing. These come closest:"
)

DOING = {"leave out ": "Leaving out ", "insert ": "Inserting "}
"""How the sentence about a change begins whose words begin so."""

STANDING = {
    Standing.CRITICAL: "kept",
    Standing.DECIDES: "decides",
    Standing.DYNAMIC: "dynamic",
    Standing.EXECUTED: "executed",
    Standing.ABSENT: "-",
}
"""What a slice says of a line, in a word; :data:`LEGEND` explains."""

INDENT = " " * 6
LEGEND = (
    "slice: kept in the critical slice, decides that such ran, dynamic: in the dynamic slice only, "
    "executed: in none, -: not executed by that run"
)

SAID = {
    Standing.CRITICAL: "in the critical slice, kept by testing",
    Standing.DECIDES: "not in the critical slice, but it decided that something there ran",
    Standing.DYNAMIC: "in the dynamic slice only: testing has left it out of the critical one",
    Standing.EXECUTED: "executed, but in no slice",
    Standing.ABSENT: "not executed by the run that was sliced",
}


def suspects_lines(
    result: SuspectsResult, style: Style, sections: Collection[str] = SECTIONS
) -> Iterator[str]:
    """The report; ``sections`` are some of :data:`SECTIONS`."""
    if "places" in sections:
        yield style.heading(printable(f"where {suspected(result)} may be wrong"))
        if (said := beforehand(result)) is not None:
            yield from style.paragraph(said)
        for number, place in enumerate(result.places, 1):
            yield from _place(number, place, result, style)
    if "ranking" in sections:
        yield style.heading("the most suspicious lines")
        yield from _ranking(result, style)
    if "summary" in sections:
        yield style.heading("summary")
        yield from style.facts(_facts(result))
        yield from note_lines(result.notes, style)


def _place(number: int, place: Place, result: SuspectsResult, style: Style) -> Iterator[str]:
    where = f"{place.file}:{place.line}" + (f", in {place.function}" if place.function else "")
    yield style.bold(printable(f"{number}. {where}"))
    yield from style.paragraph(evidence(place), "   ")
    for what, names in _named(place, style):
        told = style.cut(printable(", ".join(names)), style.width - len(what) - 5)
        yield style.dim(f"   {what}: {told}")
    values = place.values
    if values.before or values.after:
        then, now = (
            ", ".join(each) or without_values(place) for each in (values.before, values.after)
        )
        width = max(60, style.width - len("   with the change: "))
        yield style.dim(f"   {which_values(place)}: {style.cut(printable(then), width)}")
        yield style.dim(f"   with the change: {style.cut(printable(now), width)}")
    if place.diff is not None:
        for line in style.code("a.diff", place.diff.removesuffix("\n").split("\n")[2:]):
            yield "     " + style.shown(line, style.width - 5)
    if result.slice is not None:
        said = SAID[result.standing(place)]
        yield style.dim(f"   the line is {said}")


def _named(place: Place, style: Style) -> Iterator[tuple[str, Sequence[str]]]:
    """Tests that are worth their names: where it does not go without saying which they are."""
    if place.righted and (style.verbose or place.repaired < place.failing):
        yield "turns right", place.righted
    if place.spoiled:
        yield "breaks", place.spoiled


def which_values(place: Place) -> str:
    """What the values are called that are told: the first that differ."""
    first = place.values.first
    return "first values" if first == 1 else f"values from number {first} on"


def without_values(place: Place) -> str:
    """What is told in the place of values, where there are none in one of the runs."""
    return "nothing (it never completes)" if place.values.first == 1 else "no more"


def suspected(result: SuspectsResult) -> str:
    """What may be wrong, in words; it is not what runs the tests."""
    return "the tested code" if result.program in ("pytest", "unittest") else result.program


def beforehand(result: SuspectsResult) -> str | None:
    """What has to be said before the places, if there is none that repairs all and breaks none."""
    if not result.places:
        return NOTHING if result.tried else UNTRIED
    whole = any(each.repaired == each.failing and not each.broken for each in result.places)
    return None if whole else CLOSEST


def evidence(place: Place) -> str:
    """What a change does, as a sentence; it is never called the fix."""
    change = f"With {place.words}, this change"
    for begin, doing in DOING.items():
        if place.words.startswith(begin):
            change = doing + place.words.removeprefix(begin)
            change += " statement" * change.endswith(("` before this", "` after this"))
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
    do = "does" if place.others == 1 else "do"
    more = f" (as {do} {plural(place.others, 'other change')} of the line)" if place.others else ""
    return f"{change} makes {right}{rest}{more}.{_found(place)}"


def in_short(repair: Repair) -> str:
    """A line about a change that repairs something, as soon as that is known."""
    change, broken = repair.change, f", and breaks {repair.broken}" if repair.broken else ""
    right = f"{repair.repaired} of {plural(repair.failing, 'failing test')}"
    return f"{change.at}: {change.words} repairs {right}{broken}"


def _found(place: Place) -> str:
    """What there is of tests that could not be collected before."""
    if place.found is None:
        return ""
    tests, passing = place.found.tests, place.found.passing
    pass_ = "all of them pass" if passing == tests else f"{passing} of them pass, and none fails"
    return f" {plural(tests, 'test')} can be collected then that could not before; {pass_}."


def _ranking(result: SuspectsResult, style: Style) -> Iterator[str]:
    by_place = {(each.file, each.line) for each in result.places}
    shown = result.ranking if style.verbose else result.ranking[:LINES]
    sliced, scores, ochiai = result.slice, result.ochiai, result.ochiai_ranks()
    rows = [("rank", "changes", "ochiai (rank)", *([] if sliced is None else ["slice"]), "line")]
    for each in shown:
        line = Line(each.file, each.line)
        mark = style.glyph("kept") if line in by_place else " "
        standing = [] if sliced is None else [STANDING[each.slice or Standing.ABSENT]]
        by_ochiai = f"{scores[line]:.3f} ({ochiai[line]})"
        where = f"{mark} {printable(each.file)}:{each.line}"
        rows.append((str(each.rank), str(each.repairs), by_ochiai, *standing, where))
    yield from style.table(rows, right=range(3), head="dim")
    if len(shown) < len(result.ranking):
        yield style.dim(f"      and {plural(len(result.ranking) - len(shown), 'line')} more: -v")
    if sliced is not None:
        yield from map(style.dim, style.paragraph(LEGEND, INDENT))


def _facts(result: SuspectsResult) -> Iterator[tuple[str, str]]:
    yield "tests", f"{len(result.failing)} failing, {len(result.passing)} passing"
    if result.left_out:
        yield (
            "left out",
            f"{len(result.left_out)} skipped, not asked about, or not the same each time",
        )
    yield "changes", f"{result.tried:,} of {result.offered:,} tried"
    out = result.changes.fuel, result.changes.crashed
    if any(out):
        yield "  of these", f"{out[0]:,} ran out of fuel, {out[1]:,} were killed"
    if (sliced := result.slice) is not None:
        rest = "" if sliced.certified else ", not certified: the search for it ended before"
        yield "slice", f"{sliced.kept:,} of {plural(sliced.of, 'execution')} of {sliced.run}{rest}"
    yield "time", f"{duration(result.seconds)}, {rate(result.runs, result.seconds)}"
    if result.stopped is not Reason.FINISHED:
        yield "ended", STOPPED[result.stopped]
    if result.sandbox:
        yield "sandbox", result.sandbox
