"""The columns of dependences against what they stand for: sets, found anew for each part."""

from __future__ import annotations

from array import array
from collections.abc import Sequence

from hypothesis import given
from hypothesis import strategies as st

from stripe.trace import NONE, Dependences, Trace
from stripe.trace.definitions import Tables, places
from stripe.trace.effects import Facts
from stripe.trace.model import DENSE
from tests.trace.test_dependence import traces


def naive(trace: Trace, events: Sequence[int]) -> dict[int, set[int]]:
    """What each event depends on, as if there were no other events."""
    facts, present = Facts(trace), set(events)
    needs: dict[int, set[int]] = {event: set() for event in events}
    last: dict[tuple[int | None, str], int] = {}
    begun: set[int] = set()
    defined: dict[int, int] = {}

    def change(activation: int, accesses: Sequence[tuple[bool, str]], by: int, means: int) -> None:
        for local, key in accesses:
            place = activation if local else None, key
            needs[by].add(last.get(place, NONE))
            last[place] = means

    for event in events:
        number, activation = trace.statement[event], trace.activation[event]
        effects, above = facts.resolve(number), trace.caller[event]
        facts.effects[number] = effects
        needs[event].update(trace.parents(event))
        if activation not in begun:
            begun.add(activation)
            owner = facts.owners[number]
            if owner in defined and (above in present or above == NONE):
                needs[event if above == NONE else above].add(defined[owner])
        needs[event].update(
            last.get((activation if local else None, key), NONE) for local, key in effects.reads
        )
        if effects.fetches:
            scope = trace.scope[event]
            again = scope != NONE and trace.statement[scope] == number
            if again:
                needs[event].add(last.get((activation, f"<next>{number}"), NONE))
            last[activation, f"<next>{number}"] = event
        called = event + 1 < len(trace) and trace.caller[event + 1] == event
        unknown = bool(effects.hands) and not called
        change(activation, effects.changes + effects.hands * unknown, event, event)
        if effects.changes_argument or (unknown and effects.hands_argument):
            place = event
            while (caller := trace.caller[place]) in present:
                needs[caller].add(place)
                calling = facts.effects[trace.statement[caller]]
                assert calling is not None
                change(trace.activation[caller], calling.hands, event, caller)
                if not calling.hands_argument:
                    break
                place = caller
        for local, key in () if facts.ended[event] else effects.writes:
            where = activation if local else None, key
            if key[0] in ".<":
                needs[event].add(last.get(where, NONE))
            last[where] = event
        if effects.returns and above in present:
            needs[above].add(event)
        if number in facts.owners:
            defined[number] = event
    return {event: (on & present) - {event} for event, on in needs.items()}


def reached(needs: dict[int, set[int]], roots: Sequence[int]) -> tuple[int, ...]:
    """All that some events need, directly or not."""
    found: set[int] = set()
    todo = [event for event in roots if event in needs]
    while todo:
        event = todo.pop()
        if event not in found:
            found.add(event)
            todo += needs[event]
    return tuple(sorted(found))


@given(traces(), st.data())
def test_dependences_are_those_of_the_definition(trace: Trace, data: st.DataObject) -> None:
    some = st.lists(st.sampled_from(range(len(trace))), unique=True)
    part = trace.close(data.draw(some))
    smaller = trace.close(set(part) - set(data.draw(some)))
    roots = data.draw(some)
    everything = tuple(range(len(trace)))
    for given_, among in ((None, everything), (part, part), (part, smaller), (None, smaller)):
        found, needs = Dependences(trace, given_), naive(trace, among)
        assert {event: set(found.sources(event, among)) for event in among} == needs
        assert found.slice(roots, among) == reached(needs, roots)


def test_places_of_some_of_many_events_and_of_most() -> None:
    for events in (range(40), (1, 5), tuple(range(0, 40, 2)), tuple(range(40))):
        place = places(events, 40)
        assert [place(event) for event in events] == list(range(len(events)))
        assert place(NONE) == NONE
        if len(events) < 40:
            assert place(39) == NONE
    assert 2 * DENSE < 40 < 20 * DENSE  # of these parts one has a table of all, one has not


def test_tables_of_activations_that_are_over_are_forgotten() -> None:
    """One calls in its last statement: until that is over, it may be asked what it handed on."""
    activations = array("i", [0, 1, 1, 2, 2, 0, 3, 0])
    callers = array("i", [NONE, 0, 0, 2, 2, NONE, 5, NONE])
    tables = Tables(activations, callers)
    there = []
    for place in (0, 1, 3, 5, 6, 7):
        tables.turn(place)
        there.append(sorted(tables.found))
    assert there == [[0], [0, 1], [0, 1, 2], [0], [0, 3], [0]]
