"""The page of a cause-effect chain: one file without a script, in the style of the others."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass

from stripe.report.causes import (
    WIDEST,
    WIDEST_NAME,
    place,
    question,
    stack,
    steps,
    together,
    values,
)
from stripe.report.markup import template
from stripe.report.pictures.boxes import LEGEND, boxes
from stripe.report.pictures.layout import Layout, layout
from stripe.report.pictures.svg import title
from stripe.report.style import cut, middle
from stripe.report.summary import STOPPED
from stripe.report.words import outcomes
from stripe.results.causes import Cause, CausesResult, DebuggerCommands, Transition
from stripe.states.explanation import AROUND


@dataclass(frozen=True, slots=True)
class _ShownStep:
    """A step of the chain.

    - ``values``: name, and value in the passing and in the failing run, of each variable
    - ``lines``: those around the moment: number, how they are marked, text
    - ``picture``: both states, and its ``title``
    """

    cause: Cause
    how: str
    place: str
    sentence: str
    doubt: str
    values: Sequence[tuple[str, str, str]]
    source: str
    transition: Transition | None
    lines: Sequence[tuple[int, str, str]]
    stack: str
    picture: Layout
    title: str
    by_hand: DebuggerCommands | None


def page(result: CausesResult) -> str:
    """The whole page as text."""
    return template("html/causes.html.jinja").render(
        result=result,
        program=cut(result.program, WIDEST_NAME),
        question=question(result),
        minimality="yes, each" if result.certified else f"no: {STOPPED[result.stopped]}",
        outcomes=outcomes(result.outcomes),
        steps=list(_steps(result)),
        place=place,
        legend=LEGEND,
        widest_name=WIDEST_NAME,
    )


def _steps(result: CausesResult) -> Iterator[_ShownStep]:
    into = {each.after: each for each in result.transitions}
    shown = (*result.steps, *(result.chain[each.before] for each in result.transitions))
    marked = {(each.file, each.line) for each in shown}
    source = result.source()
    for number, (how, cause, doubt) in zip(result.step_numbers, steps(result), strict=True):
        yield _ShownStep(
            cause,
            how,
            place(cause),
            together(cause),
            doubt,
            [
                (middle(each.name, WIDEST_NAME), *values(each, WIDEST))
                for each in cause.variables
            ],
            source.get((cause.file, cause.line), "").strip(),
            into.get(number),
            list(_around(source, cause, marked)),
            cut(stack(cause.backtrace), 400),
            layout(boxes(cause.graph)),
            title(cause),
            cause.by_hand,
        )  # fmt: skip


def _around(
    source: Mapping[tuple[str, int], str], cause: Cause, marked: Collection[tuple[str, int]]
) -> Iterator[tuple[int, str, str]]:
    """The lines around a moment; those of other steps are marked as well."""
    file, line = cause.file, cause.line
    for number in range(line - AROUND, line + AROUND + 1):
        text = source.get((file, number))
        if text is not None:
            kind = "now" if number == line else "also" if (file, number) in marked else ""
            yield number, kind, text
