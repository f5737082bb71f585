"""What is lost with some events, against a slice of the others found anew."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from stripe.trace import Dependences, Trace
from stripe.trace.shrinking import Shrinking
from tests.trace.test_dependence import traces

NO_END = 1 << 30


def shrinking(trace: Trace, roots: set[int]) -> tuple[Dependences, Shrinking]:
    """All that some events need, and what tells how it shrinks."""
    needed = Dependences(trace).slice(roots)
    found = Dependences(trace, needed)
    return found, Shrinking(found.columns, lambda place: needed[place] in roots)


@given(traces(), st.data())
def test_what_is_left_is_the_slice_of_what_is_left(trace: Trace, data: st.DataObject) -> None:
    some = st.sets(st.sampled_from(range(len(trace))), min_size=1)
    roots = data.draw(some)
    found, shrinks = shrinking(trace, roots)
    events = current = tuple(found.events)
    for _ in range(4):
        gone = data.draw(some)
        left = trace.close(set(current) - gone)
        expected = found.slice(roots, left)
        out = set(current) - set(left)
        places = [events.index(event) for event in out]
        shrinks.pin(events.index(event) for event in roots & set(current))
        lost = shrinks.lost(places, most=NO_END)
        if roots.isdisjoint(out):
            assert lost is not None
        if lost is None:
            continue
        assert len(lost) == len(set(lost))
        assert sorted({*current}.difference(events[place] for place in lost)) == list(expected)
        if data.draw(st.booleans()):
            shrinks.remove(lost, len(data.draw(st.sampled_from([places, lost]))))
            current = expected
            assert shrinks.left == len(current)
