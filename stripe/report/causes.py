"""The terminal's form of a cause-effect chain: a narrative, a table, and a summary."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence

from stripe import snapshots
from stripe.report.style import Style, apart, cells, cut, middle, plural, printable
from stripe.report.summary import STOPPED, account, note_lines
from stripe.results.causes import Call, Cause, CausesResult, Change, Shown, Variable
from stripe.states.overlay import also_called

WIDEST, WIDEST_NAME = 40, 60
"""Characters of a value, and of a name, that are told."""

MOST = 5
"""Variables of one cause that are told in a sentence."""


SECTIONS = ("story", "chain", "commands", "summary")


def causes_lines(
    result: CausesResult, style: Style, sections: Collection[str] = SECTIONS
) -> Iterator[str]:
    """The report, or parts of it."""
    if "story" in sections:
        yield style.heading(_title(result))
        for paragraph in narrative(result, style):
            yield from style.paragraph(paragraph)
    if result.chain and "chain" in sections:
        yield style.heading("the chain")
        yield from _table(result, style)
    if "commands" in sections and (told := [*by_hand(result)]):
        yield style.heading(commands_title(result))
        for where, commands, why in told:
            yield from style.paragraph(f"{where}:{why and f' not as commands: {why}'}")
            yield from (f"    {each}" for each in commands)
    if "summary" in sections:
        yield style.heading("summary")
        yield from style.facts(_facts(result))
        yield from note_lines(result.notes, style)


def narrative(result: CausesResult, style: Style) -> Iterator[str]:
    """The causes in sentences, each of which follows from the one before."""
    if not result.chain:
        yield "Nothing was found before the search ended."
        return
    for how, cause, doubt in steps(result):
        yield f"{how} {place(cause)}, {together(cause, style.glyph('more'))}{doubt};"
    yield f"hence the failure: {result.failing.end}."


def steps(result: CausesResult) -> Iterator[tuple[str, Cause, str]]:
    """Each cause with how it follows from the one before, and what is to be said of that."""
    doubts = dict(_doubts(result))
    for number, cause in enumerate(result.steps):
        how = "At" if not number else "hence at" if number - 1 not in doubts else "then at"
        yield how, cause, doubts.get(number - 1, "")


def _doubts(result: CausesResult) -> Iterator[tuple[int, str]]:
    """What is to be said of the steps that were not shown to follow from the one before."""
    links = {each.after: each for each in result.links}
    for number, cause in enumerate(result.step_numbers[1:]):
        link = links.get(cause)
        if link is None:
            yield number, " (whether this follows was not tested)"
        elif link.shown is Shown.NOT:
            yield number, f" (not shown to follow: {link.why})"


def by_hand(result: CausesResult) -> Iterator[tuple[str, Sequence[str], str]]:
    """Each step with the commands of a debugger that change the same, or why there are none."""
    for cause in result.steps:
        if cause.by_hand is not None:
            commands = [printable(each) for each in cause.by_hand.commands]
            yield place(cause), commands, printable(cause.by_hand.why)


def commands_title(result: CausesResult) -> str:
    """Which debugger, and what the program is to be given in it."""
    debugger = next(each.by_hand.debugger for each in result.steps if each.by_hand is not None)
    given = cut(result.passing.input, WIDEST_NAME) or "no input"
    return printable(f"by hand, in {debugger}, with {given}")


def place(cause: Cause) -> str:
    """Function, line, and how many times it was executed."""
    call = cause.backtrace[0]
    name = cause.file if call.function == "<module>" else call.function
    name = cut(name, WIDEST_NAME)
    return f"{name}:{cause.line}" + (f"#{cause.occurrence}" if cause.occurrence > 1 else "")


def stack(backtrace: Sequence[Call | snapshots.Call]) -> str:
    """The calls on the stack, the innermost one first."""
    return " from ".join(
        f"{call.file if call.function == '<module>' else call.function}:{call.line}"
        for call in backtrace
    )


def together(cause: Cause, more: str = "…", width: int = WIDEST) -> str:
    """What was the cause, and what it takes as well: all of these variables, or the first.

    ``width``: characters of a value; those of a name are at least as many.
    """
    told = _sentences(cause, cause.variables, more, width)
    if not cause.context:
        return told
    return f"{told}, while {_sentences(cause, cause.context, more, width)}"


def is_shortened(result: CausesResult) -> bool:
    """Whether a report that is as wide as may be has not all of the names and values."""
    return any(
        cells(each.name) > WIDEST_NAME
        or max(cells(each.passing or ""), cells(each.failing or "")) > WIDEST
        for cause in result.steps
        for each in (*cause.variables, *cause.context)
    )


def _sentences(cause: Cause, variables: Sequence[Variable], more: str, width: int) -> str:
    told = [_sentence(cause, each, more, width) for each in variables[:MOST]]
    if len(variables) > MOST:
        told.append(f"{len(variables) - MOST} more")
    return listed(told)


def listed(parts: Sequence[str]) -> str:
    """``a, b and c``."""
    return " and ".join(filter(None, (", ".join(parts[:-1]), parts[-1])))


def values(variable: Variable, width: int, more: str = "…") -> tuple[str, str]:
    """Both values, the passing run's first, cut to where they differ."""
    return apart(variable.passing or "", variable.failing or "", width, more)


def _sentence(cause: Cause, variable: Variable, more: str, width: int) -> str:
    before, after = values(variable, width, more)
    name = middle(variable.name, max(width, WIDEST_NAME), more)
    if variable.change is Change.DELETE and not after:
        return f"`{name}` was missing ({before} when it passes)"
    if not before:
        return f"`{name}` was {after} (missing when it passes)"
    if variable.change is not Change.ADJUST:
        return f"`{name}` was {after} instead of {before}"
    if not after:
        return f"`{name}` referred to nothing instead of {before}"
    if before == after:
        before = f"another {before}"
    if also := also_called(cause.graph, variable.name):
        after = f"the same as `{middle(also, WIDEST_NAME, more)}`"
    return f"`{name}` referred to {after} instead of {before}"


def _table(result: CausesResult, style: Style) -> Iterator[str]:
    """A row for each step: place, variable, its values, and the line that comes next."""
    for width in (WIDEST, WIDEST * 2 // 3, WIDEST // 2):  # as wide as there is room for
        told = [tuple(map(printable, row)) for row in _rows(result, width, style)]
        widths = [max(map(cells, column)) for column in zip(*told, strict=True)]
        if sum(widths) + 2 * (len(widths) - 1) <= style.width:
            break
    yield from style.table(told, head="dim")


def _rows(result: CausesResult, width: int, style: Style) -> Iterator[tuple[str, ...]]:
    yield "", "variable", "failing", "passing", "before"
    source = result.source()
    for cause in result.steps:
        line = source.get((cause.file, cause.line), "").strip()
        for number, each in enumerate(cause.variables):
            before, after = values(each, width, style.glyph("more"))
            where, next_line = ("", "") if number else (place(cause), line)
            yield (
                where,
                middle(each.name, WIDEST_NAME, style.glyph("more")),
                after or "-",
                before or "-",
                next_line,
            )


def _title(result: CausesResult) -> str:
    return printable(
        f"why {result.program} fails with {result.failing.input or 'no input'} and not with "
        f"{result.passing.input or 'none'}"
    )


def question(result: CausesResult) -> str:
    """What was asked, as a sentence."""
    failing, passing = (cut(each, 100) for each in (result.failing.input, result.passing.input))
    return printable(
        f"{cut(result.program, WIDEST_NAME)} fails with {failing or 'no input'}, and does not with "
        f"{passing or 'none'}."
    )


def _facts(result: CausesResult) -> Iterator[tuple[str, str]]:
    yield "moments", f"{result.matched:,} of {result.moments:,} are in both runs"
    yield "looked at", plural(len(result.chain), "moment")
    for each in result.transitions:
        direct = "" if each.direct else ", perhaps between"
        before, after = result.chain[each.before], result.chain[each.after]
        yield "transition", f"{place(before)} to {place(after)}{direct}"
    if is_shortened(result):
        yield "shortened", "names or values; in full: --json FILE"
    yield from account(result, result.undecided.items())
    yield "1-minimal", "yes, each" if result.certified else f"no: {STOPPED[result.stopped]}"
