"""Pictures as SVG: a file of its own that needs nothing else; pages have the same in them."""

from __future__ import annotations

from collections.abc import Sequence

from stripe.report.causes import place, steps, together
from stripe.report.markup import template
from stripe.report.memory_graph import title as headline
from stripe.report.pictures.boxes import LEGEND, Box, boxes
from stripe.report.pictures.layout import CHARACTER, LINE, MARGIN, layout
from stripe.report.style import cells, cut, plural, printable
from stripe.results.causes import Cause, CausesResult
from stripe.states.memory_graph import MemoryGraph

WRAPPED = 110
"""Characters of a line above a picture."""

HEAD = 16
"""Height of that line."""


def title(cause: Cause) -> str:
    """What a picture shows, in a sentence."""
    sizes = cause.graph
    return (
        f"Both states before {place(cause)}: {plural(cause.differences, 'difference')} between "
        f"{sizes.passing} and {sizes.failing} variables and objects. The cause: {together(cause)}."
    )


def document(result: CausesResult) -> str:
    """A file with the picture of each step of the chain, one below the other."""
    pictures = [
        (f"{how} {place(cause)}, {together(cause)}", boxes(cause.graph))
        for how, cause, _ in steps(result)
    ]
    return _file(f"Why {result.program} fails: states that differ", pictures, LEGEND)


def of_one_state(state: MemoryGraph) -> str:
    """A file with the picture of a memory graph."""
    return _file(headline(state), [(headline(state), boxes(state.graph, alone=True))], "")


def _file(title: str, pictures: Sequence[tuple[str, list[Box]]], legend: str) -> str:
    y, shown = float(MARGIN), []
    for told, found in pictures:
        head, picture = cut(printable(told), WRAPPED), layout(found)
        shown.append((head, y, picture))
        y += HEAD + picture.height + LINE
    lines = (
        cells(line) * CHARACTER + 2 * MARGIN for line in (*(each[0] for each in shown), legend)
    )
    return template("pictures/picture.svg.jinja").render(
        title=title,
        width=max([*lines, *(picture.width for _, _, picture in shown)]),
        height=y + LINE + MARGIN,
        steps=shown,
        bottom=y + 6,
        margin=MARGIN,
        legend=legend,
    )
