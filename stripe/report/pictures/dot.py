"""Pictures as text for Graphviz: a graph for each step of the chain."""

from __future__ import annotations

from collections.abc import Sequence

from stripe.report.causes import place, together
from stripe.report.markup import template
from stripe.report.memory_graph import title as headline
from stripe.report.pictures.boxes import Box, boxes
from stripe.results.causes import CausesResult, Side
from stripe.states.memory_graph import MemoryGraph

COLOURS = {
    Side.BOTH: "gray30",
    Side.CHANGED: "gray30",
    Side.PASSING: "#8a5a00",
    Side.FAILING: "#0063a0",
}
LINES = {Side.BOTH: "solid", Side.PASSING: "dashed", Side.FAILING: "bold"}


def document(result: CausesResult) -> str:
    """All steps: ``dot -Tsvg FILE -O`` draws each."""
    return _text(
        [
            (f"step{number}", f"before {place(cause)}: {together(cause)}", boxes(cause.graph))
            for number, cause in enumerate(result.steps, 1)
        ]
    )


def of_one_state(state: MemoryGraph) -> str:
    """A memory graph."""
    return _text([("state", headline(state), boxes(state.graph, alone=True))])


def _text(graphs: Sequence[tuple[str, str, list[Box]]]) -> str:
    return template("pictures/picture.dot.jinja").render(
        graphs=graphs, colours=COLOURS, lines=LINES
    )
