"""Pictures as SVG: a file of its own that needs nothing else; pages have the same in them."""

from __future__ import annotations

from stripe.report.causes import place, steps, together
from stripe.report.markup import template
from stripe.report.pictures.boxes import LEGEND, boxes
from stripe.report.pictures.layout import CHARACTER, LINE, MARGIN, layout
from stripe.report.style import cells, cut, plural, printable
from stripe.results.causes import Cause, CausesResult

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
    heads = [
        cut(printable(f"{how} {place(cause)}, {together(cause)}"), WRAPPED)
        for how, cause, _ in steps(result)
    ]
    pictures = [layout(boxes(cause.graph)) for _, cause, _ in steps(result)]
    y, shown = float(MARGIN), []
    for head, picture in zip(heads, pictures, strict=True):
        shown.append((head, y, picture))
        y += HEAD + picture.height + LINE
    lines = (cells(line) * CHARACTER + 2 * MARGIN for line in (*heads, LEGEND))
    return template("pictures/picture.svg.jinja").render(
        title=f"Why {result.program} fails: states that differ",
        width=max([*lines, *(picture.width for picture in pictures)]),
        height=y + LINE + MARGIN,
        steps=shown,
        bottom=y + 6,
        margin=MARGIN,
        legend=LEGEND,
    )
