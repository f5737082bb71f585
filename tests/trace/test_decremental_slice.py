"""What is lost with some events, against a slice of the others found anew."""

from __future__ import annotations

from array import array

from hypothesis import given
from hypothesis import strategies as st

from stripe.trace import NONE, Dependences, SourceFile, Statement, Trace
from stripe.trace.decremental_slice import Shrinking
from stripe.trace.loss import Left
from tests.trace.test_dependence import traces

NO_END = 1 << 30


def shrinking(
    trace: Trace, roots: set[int], *, others: bool = False
) -> tuple[Dependences, Shrinking]:
    """All that some events need, with all ``others`` or without, and what tells how it shrinks."""
    needed = Dependences(trace).slice(roots)
    events = range(len(trace)) if others else needed
    found = Dependences(trace, events)
    shrinks = Shrinking(found.columns, lambda place: events[place] in roots)
    shrinks.unneeded = [place for place, each in enumerate(events) if each not in needed]
    return found, shrinks


def events_of(found: Dependences, left: Left) -> tuple[int, ...]:
    return tuple(each for place, each in enumerate(found.events) if left.there[place])


@given(st.booleans().flatmap(lambda threads: traces(threads=threads)), st.data())
def test_what_is_left_is_the_slice_of_what_is_left(trace: Trace, data: st.DataObject) -> None:
    some = st.sets(st.sampled_from(range(len(trace))), min_size=1)
    roots = data.draw(some)
    found, shrinks = shrinking(trace, roots, others=data.draw(st.booleans()))
    events = tuple(found.events)
    shrinks.pin(map(events.index, roots))
    tried = shrinks.now
    for _ in range(6):
        current = events_of(found, tried)
        gone = data.draw(some)
        kept = trace.close(set(current) - gone)
        expected = found.slice(roots, kept)
        places = shrinks.closing([events.index(each) for each in gone & {*current}], tried)
        assert sorted(places) == [events.index(each) for each in current if each not in kept]
        left = shrinks.lost(places, most=NO_END, of=tried)
        if roots.isdisjoint({*current}.difference(kept)) and shrinks.nested:
            assert left is not None
        if left is None:
            continue
        assert events_of(found, left) == expected
        assert left.count == len(expected)
        assert sorted(left.gone) == [
            place for place in range(len(events)) if tried.there[place] > left.there[place]
        ]
        # It is looked further from there; now and then that is left for good, or what comes first.
        tried = left
        if data.draw(st.booleans()):
            *_, first = [each for each in tried.way() if each is not shrinks.now]
            shrinks.go_on(first)
            assert shrinks.now is first
        elif data.draw(st.booleans()):
            tried = shrinks.now


def test_what_hands_on_a_result_is_needed_by_its_caller():
    """``return g(y)``, where ``g`` changes what it is handed: that is for ``return`` only."""
    statements = [
        Statement(0, 0, "S", 1, 1, 1, 0, "<module>", writes=("x",)),
        Statement(1, 0, "S", 2, 2, 2, 0, "f", writes=("<return>",)),
        Statement(2, 0, "S", 3, 3, 3, 0, "g", writes=("*<argument>",)),
        Statement(3, 0, "S", 4, 4, 4, 0, "g"),
        Statement(4, 0, "S", 5, 5, 5, 0, "<module>", reads=("x",)),
    ]
    trace = Trace(
        [SourceFile("p", "")], statements, [],
        array("i", [0, 1, 2, 3, 4]), array("i", [0, 1, 2, 2, 0]),
        array("i", [NONE, 0, 1, 1, NONE]), array("i", [NONE] * 5),
    )  # fmt: skip
    found, shrinks = shrinking(trace, {4}, others=True)
    shrinks.pin([4])
    assert list(shrinks.unneeded) == [3]
    left = shrinks.lost([3], most=NO_END)
    assert left is not None
    assert events_of(found, left) == (0, 1, 2, 4)


@given(traces(), st.data())
def test_what_is_said_to_be_left_is_gone_on_with(trace: Trace, data: st.DataObject) -> None:
    some = st.sets(st.sampled_from(range(len(trace))), min_size=1)
    roots = data.draw(some)
    found, shrinks = shrinking(trace, roots)
    events = current = tuple(found.events)
    for _ in range(3):
        kept = trace.close(set(current) - data.draw(some))
        if not roots.isdisjoint({*current}.difference(kept)):
            continue
        current = found.slice(roots, kept)
        gone = [place for place, each in enumerate(events) if each not in current]
        shrinks.go_on(shrinks.without(gone))
        assert events_of(found, shrinks.now) == current
