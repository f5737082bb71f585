"""Pictures as text for Graphviz: a graph for each step of the chain."""

from __future__ import annotations

from stripe.report.causes import place, together
from stripe.report.markup import template
from stripe.report.pictures.boxes import boxes
from stripe.results.causes import CausesResult, Side

COLOURS = {
    Side.BOTH: "gray30",
    Side.CHANGED: "gray30",
    Side.PASSING: "#8a5a00",
    Side.FAILING: "#0063a0",
}
LINES = {Side.BOTH: "solid", Side.PASSING: "dashed", Side.FAILING: "bold"}


def document(result: CausesResult) -> str:
    """All steps: ``dot -Tsvg FILE -O`` draws each."""
    return template("pictures/picture.dot.jinja").render(
        graphs=[
            (f"step{number}", f"before {place(cause)}: {together(cause)}", boxes(cause.graph))
            for number, cause in enumerate(result.steps, 1)
        ],
        colours=COLOURS,
        lines=LINES,
    )
