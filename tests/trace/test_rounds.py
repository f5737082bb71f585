"""Which round of a loop each event happened in, as far as the text tells."""

from __future__ import annotations

from array import array

from hypothesis import given
from hypothesis import strategies as st

from stripe.trace import NONE, Activation, SourceFile, Statement, Trace
from stripe.trace.levels import headers_of_rounds

KINDS = ("While", "For", "If", "Expr")


@st.composite
def traces(draw: st.DrawFn) -> Trace:
    """Any statements in each other, in any order, in any activations."""
    count = draw(st.integers(2, 8))
    parents = [NONE, 0, *(draw(st.integers(NONE, number - 1)) for number in range(2, count))]
    statements = [
        Statement(number, 0, draw(st.sampled_from(KINDS)), 1, 1, 1, 0, "f", parent)
        for number, parent in enumerate(parents)
    ]
    happened = draw(st.lists(st.tuples(st.integers(0, count - 1), st.integers(0, 2)), max_size=30))
    return Trace(
        [SourceFile("p", "")],
        statements,
        [Activation(number, "f", 0, NONE) for number in range(3)],
        statement=array("i", (number for number, _ in happened)),
        activation=array("i", (activation for _, activation in happened)),
        caller=array("i", [NONE]) * len(happened),
        scope=array("i", [NONE]) * len(happened),
    )


@given(traces())
def test_the_header_of_a_round_is_the_latest_of_the_loop_around(trace: Trace) -> None:
    def loop(number: int) -> int:
        above = trace.statements[number].parent
        while above != NONE and trace.statements[above].kind not in ("While", "For"):
            above = trace.statements[above].parent
        return above

    expected = []
    for event, number in enumerate(trace.statement):
        same = trace.activation[event]
        earlier = (
            each
            for each in range(event)
            if trace.activation[each] == same and trace.statement[each] == loop(number)
        )
        expected.append(max(earlier, default=NONE))
    assert list(headers_of_rounds(trace)) == expected
