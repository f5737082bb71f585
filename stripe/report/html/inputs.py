"""The page of a reduced input: the answer, and its size by tests (Figure 4 of Zeller &
Hildebrandt 2002)."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import NamedTuple

from stripe.inputs.result import InputResult
from stripe.report.inputs import minimality, shown_content
from stripe.report.markup import template
from stripe.report.summary import VERIFIED
from stripe.report.words import outcomes
from stripe.units.kinds import noun

WIDTH, HEIGHT = 860, 300
"""Units of the picture, without its numbers."""

LEFT, TOP = 80, 12

LINES, BYTES = 2000, 1 << 17
"""How much of an answer is shown."""


class Tick(NamedTuple):
    """A number beside the picture, and where."""

    place: float
    number: str


class Fall(NamedTuple):
    """The size of the smallest failing input by tests: a path, and the numbers of both scales."""

    path: str
    sizes: list[Tick]
    tests: list[Tick]


def page(result: InputResult) -> str:
    """The whole page as text."""
    fails = result.mode != "max"
    contents = [("What fails" if fails else "What passes", result.answer)]
    if result.mode == "diff" and result.passing is not None:
        contents.append(("What passes", result.passing))
    return template("html/inputs.html.jinja").render(
        result=result,
        contents=[(name, len(each), *shown_content(each, LINES, BYTES)) for name, each in contents],
        minimality=minimality(result),
        verified=VERIFIED[result.verified],
        outcomes=outcomes(result.outcomes),
        levels=[(noun(each.name), each) for each in result.levels],
        fall=fall(result) if result.improvements else None,
        left=LEFT,
        top=TOP,
        width=WIDTH,
        height=HEIGHT,
    )


def fall(result: InputResult) -> Fall:
    """The line of sizes; they are on a logarithmic scale."""
    whole = math.log1p(result.original) or 1.0
    last = max(result.tests, result.improvements[-1].tests, 1)

    def x(tests: int) -> float:
        return LEFT + WIDTH * tests / last

    def y(size: int) -> float:
        return TOP + HEIGHT * (1 - math.log1p(size) / whole)

    path = f"M{x(0):.1f} {y(result.original):.1f}"
    for each in result.improvements:
        path += f"H{x(each.tests):.1f}V{y(each.bytes):.1f}"
    path += f"H{x(last):.1f}"
    sizes = [Tick(y(size), f"{size:,}") for size in _sizes(result)]
    steps = sorted({0, last // 4, last // 2, 3 * last // 4, last})
    return Fall(path, sizes, [Tick(x(tests), f"{tests:,}") for tests in steps])


def _sizes(result: InputResult) -> Iterator[int]:
    """The first size, the last, and the powers of ten between that are not close to them."""
    most, least = result.original, result.improvements[-1].bytes
    yield most
    power = 10 ** len(str(most))
    while power > 1:
        power //= 10
        if 3 * least < power and 2 * power < most:
            yield power
    yield least
