"""The terminal's form of failure-inducing changes: the patch, what is known of it, a summary."""

from __future__ import annotations

from collections.abc import Collection, Iterator

from stripe.changes.narrative import narrative
from stripe.dd import Reason
from stripe.report.chart import Chart
from stripe.report.style import Style, plural, printable
from stripe.report.summary import STOPPED, VERIFIED, account, note_lines
from stripe.report.tests import tests
from stripe.results.changes import Blamed, ChangesResult, Level, NextCause

LINES = 60
"""How many lines of a patch are shown."""

SECTIONS = ("patch", "story", "tests", "summary")
DEFAULT_SECTIONS = ("patch", "story", "summary")


def changes_lines(
    result: ChangesResult, style: Style, sections: Collection[str] = DEFAULT_SECTIONS
) -> Iterator[str]:
    """The report, or parts of it."""
    if "patch" in sections:
        yield style.heading(sentence(result))
        for each in result.blamed:
            yield from _place(each)
        yield from _patch(result, style)
    if "story" in sections:
        yield from _story(result, style)
    if result.next is not None and "patch" in sections:
        yield from _next(result, result.next, style)
    if "tests" in sections:
        yield style.heading(plural(sum(not each.predicted for each in result.log), "test"))
        yield from tests(chart_of(result), style)
    if "summary" in sections:
        yield style.heading("summary")
        yield from style.facts(_facts(result))
        yield from note_lines(result.notes, style)


def chart_of(result: ChangesResult) -> Chart:
    """The search as a picture."""
    return Chart(result.log, result.edits.of, result.answer, "change", "answer", falls=True)


def sentence(result: ChangesResult) -> str:
    """What was found, in a sentence: that it was not verified comes first."""
    return _sentence(result, result, f" of {result.lines.changed:,} changed")


def _sentence(result: ChangesResult, found: ChangesResult | NextCause, of: str) -> str:
    what = plural(found.blamed_lines, "line") + of
    several = len(found.blamed) > 1 or found.blamed_lines > 1
    together = ", all of them together," if several else ""
    make = "make" if several else "makes"
    doubt = "" if found.verified else "not verified: "
    return printable(f"{doubt}{what}{together} {make} {result.good} fail as {result.bad} does")


def place(each: Blamed) -> str:
    """Where changes are."""
    where = printable(each.path)
    if each.functions:
        where += f", in {', '.join(map(printable, each.functions))}"
    kinds = [kind for kind in each.kinds if kind != "lines"]
    return f"{where} ({', '.join(kinds)})" if kinds else where


def author(each: Blamed) -> str:
    """Who made changes, if that is known."""
    if not each.commit:
        return ""
    return printable(f"{each.commit} {each.date[:10]} {each.author}: {each.subject}")


def _place(each: Blamed) -> Iterator[str]:
    yield place(each)
    if author(each):
        yield f"  {author(each)}"


def _next(result: ChangesResult, found: NextCause, style: Style) -> Iterator[str]:
    """The next cause: its patch, and how sure it is."""
    yield style.heading(next_sentence(result, found))
    for each in found.blamed:
        yield from _place(each)
    yield from _patch(found, style)
    yield from style.facts(_next_facts(found))
    yield from note_lines(found.notes, style)


def next_sentence(result: ChangesResult, found: NextCause) -> str:
    """What was found after the answer, in a sentence."""
    return f"next cause: {_sentence(result, found, '')}, without any of these"


def _next_facts(found: NextCause) -> Iterator[tuple[str, str]]:
    """How sure the next cause is, and what it took."""
    yield "tests", f"{found.tests} more"
    yield "1-minimal", minimality(found)
    yield "run once more", VERIFIED[found.verified]
    if found.output:
        yield "file", ", ".join(found.output)


def _patch(result: ChangesResult | NextCause, style: Style) -> Iterator[str]:
    lines = result.patch.decode("utf-8", "replace").splitlines()
    shown = lines if style.full else lines[:LINES]
    for line in style.code("a.diff", shown):
        yield style.shown(line, style.width)
    if len(shown) < len(lines):
        left = plural(len(lines) - len(shown), "line")
        yield style.dim(f"{style.glyph('fold')} {left} more: --show all, or in the file below")


def _story(result: ChangesResult, style: Style) -> Iterator[str]:
    """What tests have shown, and what they have not."""
    statements = narrative(result)
    if statements:
        yield style.heading("what tests have shown")
    for each in statements:
        how = "yellow" if each.about == "not shown" else "bold"
        yield from style.paragraph(each.text, f"{each.about}: ", how)
        for item in each.items:
            yield from style.paragraph(item, f"  {style.glyph('dot')} ", "")


def _facts(result: ChangesResult) -> Iterator[tuple[str, str]]:
    yield "lines", f"{result.blamed_lines:,} of {result.lines.changed:,} changed"
    for level in filter(told, result.levels):
        yield f"  {level.name}", f"{level.after} of {level.before}, {plural(level.tests, 'test')}"
    yield from account(result, result.undecided.items(), result.predicted)
    yield "1-minimal", minimality(result)
    yield "run once more", VERIFIED[result.verified]
    yield "failure", result.failure.answer
    if result.output:
        yield "file", ", ".join(result.output)


def told(level: Level) -> bool:
    """Whether anything came of a level: where there was one change only, nothing was asked."""
    return level.tests > 0 or level.after < level.before


def minimality(result: ChangesResult | NextCause) -> str:
    """Whether no single change can be left out, or why that is not known."""
    if result.untried:
        return f"could not be tried: {result.untried}"
    if result.certified:
        return f"yes, in {result.granularity}s"
    if result.stopped is Reason.FINISHED and not result.verified:
        once_more = "was not run once more" if result.verified is None else "then did not fail"
        return f"no: the search came to its end, but the answer {once_more}"
    return f"no: {STOPPED[result.stopped]}"
