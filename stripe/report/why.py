"""The terminal's form of an answer of ``stripe why``: one screen, the most useful line first."""

from __future__ import annotations

from collections.abc import Iterator

from stripe.report.style import Style, cells, duration, pad, printable
from stripe.results.why import Document, Place, Step

SCREEN = 24
"""Lines of a screen: the story is cut so that the rest has room."""

NAMES = {
    "run": "one plain run",
    "changes": "changes between versions",
    "suspects": "small changes",
    "slice": "leaving out",
    "causes": "states of a passing run",
    "input": "a smaller input",
}
"""The experiments, in words."""

MOST_OBSTACLES = 2
"""Experiments that have added nothing and are told of on one screen; those that failed first."""

REST = "stripe why --all"
"""The command that shows what did not fit."""

UNTESTED = " (as it was recorded; nothing of it was tested)"
"""What is said of a story that follows dependences alone."""

WHY_NOT = ("limit", "refused", "failed", "skipped")
"""Experiments of which it is told why they have added nothing."""


def why_lines(document: Document, style: Style, rest: str = REST) -> list[str]:
    """The answer; the whole of it with ``style.full``, else on one screen.

    ``rest``: the command that shows what did not fit; empty: there is none.
    """
    lost: list[str] = []
    head = list(_head(document, style, lost))
    if document.happened.symptom == "nothing":
        return [*head, *_nothing_asked(document, style)]
    tail = [*_tail(document, style, lost)]
    room = 1000 if style.full else SCREEN - len(head) - len(tail) - 2
    story = [*_story(document, style, room, lost)]
    more = [f"{style.dim(pad('more', 9))}  {rest} shows what did not fit here"]
    return [*head, *story, *tail, *(more if lost and rest else [])]


def headline(document: Document) -> str:
    """What happened, and the first place with the first reason for it."""
    says = printable(document.happened.says)
    if not document.places:
        return f"{says}. Nothing useful was found."
    first = document.places[0]
    return printable(f"{says}. {first.file}:{first.line}: {first.why[0].says}")


def _head(document: Document, style: Style, lost: list[str]) -> Iterator[str]:
    """What happened, and where to look; ``lost`` takes what did not fit, as in all these."""
    happened = document.happened
    where = f"  ({_at(happened.file, happened.line, style)})" if happened.line else ""
    says = style.cut(printable(happened.says), max(20, style.width - cells(where)))
    yield style.warn(says) + style.dim(where)
    if happened.symptom == "nothing":
        return
    if not document.places:
        yield style.bold("Nothing useful was found.") + " " + printable(document.certainty)
        return
    yield style.bold("where to look")
    for number, place in enumerate(document.places, 1):
        yield from _place(number, place, style, lost)


def _place(number: int, place: Place, style: Style, lost: list[str]) -> Iterator[str]:
    within = f" in {place.function}" if place.function not in ("", "<module>") else ""
    at = f"{_at(place.file, place.line, style)}{printable(within)}"
    yield style.cut(f" {number}  {at}:  {printable(place.source)}", style.width)
    told = "; ".join(each.says for each in place.why)
    lines = style.wrapped(told, style.width - 6)
    most = len(lines) if style.full else 2 if number == 1 else 1
    lost += lines[most:]
    for index, line in enumerate(lines[:most]):
        more = index + 1 == most and len(lines) > most
        yield "      " + style.pale(style.cut(line + " " + style.glyph("more") if more else line,
                                              style.width - 6))  # fmt: skip


def _story(document: Document, style: Style, room: int, lost: list[str]) -> Iterator[str]:
    """How it came about, within so many lines."""
    steps = document.story
    shown = steps[-(room - 1) :] if room > 2 else ()
    lost += [each.source for each in steps[: len(steps) - len(shown)]]
    if not shown:
        return
    yield style.bold("how it came about") + (UNTESTED if document.analysed else "")
    width = max(cells(_at(each.file, each.line, style)) for each in shown)
    for step in shown:
        yield _step(step, width, style)


def _step(step: Step, width: int, style: Style) -> str:
    again = f"  ({style.glyph('more')} {step.again} more)" if step.again else ""
    values = ", ".join(f"{name} = {value}" for name, value in step.values)
    text = f"    {pad(_at(step.file, step.line, style), width)}  {printable(step.source)}{again}"
    if not values:
        return style.cut(text, style.width)
    room = style.width - cells(text) - 3
    if room < 12:
        text = style.cut(text, style.width // 2)
        room = style.width - cells(text) - 3
    return f"{text}   {style.dim(style.cut(printable(values), room))}"


def _tail(document: Document, style: Style, lost: list[str]) -> Iterator[str]:
    """What does not matter, how sure it is, what was not tried, and what to type next."""
    rows = []
    if document.aside:
        rows.append(("no matter", document.aside))
    if document.places:
        rows.append(("how sure", document.certainty))
    without = [each for each in document.experiments if each.standing in WHY_NOT]
    without.sort(key=lambda each: WHY_NOT.index(each.standing))
    shown = without if style.full else without[:MOST_OBSTACLES]
    lost += [each.says for each in without[len(shown) :] if each.standing != "skipped"]
    for each in shown:
        rows.append(("not tried" if each.standing == "skipped" else each.standing,
                     f"{NAMES[each.name]}: {each.says}"))  # fmt: skip
    if style.full or style.verbose:
        rows += [("note", note) for note in document.notes]
        for each in document.experiments:
            if each.standing not in WHY_NOT:
                told = f"{NAMES[each.name]}: {each.says} ({duration(each.seconds)})"
                rows.append(("tried", told))
    if document.interrupted:
        rows.append(("ended", "It was interrupted: this is what was known by then."))
    for label, text in rows:
        if style.full:
            for index, line in enumerate(style.wrapped(text, style.width - 11)):
                yield f"{style.dim(pad(label if not index else '', 9))}  {line}"
        else:
            fitting = style.cut(printable(text), style.width - 11)
            lost += [text] if fitting != printable(text) else []
            yield f"{style.dim(pad(label, 9))}  {fitting}"
    for command, what in document.following[:2]:  # to be copied: never cut
        told = f"{printable(command)}   ({printable(what)})"
        text = told if cells(told) <= style.width - 11 else printable(command)
        yield f"{style.dim(pad('next', 9))}  {text}"


def _nothing_asked(document: Document, style: Style) -> Iterator[str]:
    """The last lines of output, numbered, and how to ask about one."""
    happened = document.happened
    command = document.following[0][0] if document.following else "stripe why --line 1 PROGRAM"
    if not happened.output:
        yield "It printed nothing. Ask about a file that it writes, or a variable:"
        yield "  stripe why --check file:PATH ...    stripe why --check var:NAME@FILE:LINE ..."
        return
    last = happened.first + len(happened.output) - 1
    width = len(str(last))
    for number, line in enumerate(happened.output, happened.first):
        yield style.cut(f" {number:>{width}}  {printable(line)}", style.width)
    yield f"Which of these lines is wrong? Ask about it, or say what it should be: {command}"


def _at(file: str, line: int, style: Style) -> str:
    return f"{style.path(file)}:{line}" if line else style.path(file)
