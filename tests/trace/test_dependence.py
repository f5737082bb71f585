"""Which events an event depends on: source in, the backward slice of its last event out."""

from __future__ import annotations

from array import array
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from stripe.backend import Target
from stripe.trace import NONE, Activation, Dependences, SourceFile, Statement, Trace
from stripe_pytrace.backend import PythonBackend
from tests.support.noting import happen
from tests.support.tables import tables

TABLES = tables(__file__)
SLICES = TABLES["slices"]


@pytest.mark.parametrize("case", SLICES)
def test_slice_of_the_last_print(case, tmp_path):
    source, expected = SLICES[case]
    trace = recorded(tmp_path, source)
    printing = [
        event
        for event in range(len(trace))
        if "<stdout>" in trace.statements[trace.statement[event]].writes
    ]
    sliced = Dependences(trace).slice(printing[-1:])
    lines = sorted(trace.statements[trace.statement[event]].line for event in sliced)
    assert " ".join(map(str, lines)) == expected


def recorded(directory: Path, source: str) -> Trace:
    (directory / "prog.py").write_text(source, "utf-8")
    recording = PythonBackend().record(Target("prog.py", directory=directory, stdin=b"one\ntwo\n"))
    try:
        return recording.trace
    finally:
        recording.close()


def test_predicates_count_in_control_mode_program_only(tmp_path):
    trace = recorded(tmp_path, "x = 1\nif x:\n    y = 2\nprint(0)\nif x:\n    print(y)\n")
    last = (len(trace) - 1,)
    assert lines_of(trace, Dependences(trace).slice(last)) == [3, 6]
    assert lines_of(trace, Dependences(trace, control=True).slice(last)) == [1, 2, 3, 5, 6]


def lines_of(trace: Trace, events: tuple[int, ...]) -> list[int]:
    return sorted(trace.statements[trace.statement[event]].line for event in events)


def straight(*flows: tuple[str, str]) -> Trace:
    """A trace of statements that run once, from their reads and writes."""
    statements = [
        Statement(n, 0, "S", n + 1, n + 1, n + 1, 0, "<module>", NONE, reads, writes)
        for n, (reads, writes) in enumerate(
            (tuple(reads.split()), tuple(writes.split())) for reads, writes in flows
        )
    ]
    none = array("i", [NONE]) * len(flows)
    return Trace(
        [SourceFile("p", "")],
        statements,
        [Activation(0, "<module>", 0, NONE)],
        array("i", range(len(flows))),
        array("i", [0]) * len(flows),
        none,
        none[:],
        lambda: none,
    )


def test_among_some_events_the_others_wrote_nothing():
    trace = straight(("", "x"), ("", "x"), ("x", ""))
    assert Dependences(trace).slice((2,)) == (1, 2)
    assert Dependences(trace, (0, 2)).slice((2,)) == (0, 2)
    assert Dependences(trace, (0, 2)).sources(2) == [0]


@st.composite
def traces(draw: st.DrawFn, *, threads: bool = False) -> Trace:
    """Calls in calls, whose statements read, write and change what is theirs or shared."""
    places = ["a", "b", "::g", ".x"]
    effect = st.lists(st.sampled_from(places), max_size=2)
    changed = ["*a", "?b", "?<argument>", "*<argument>", "<return>", *places]
    change = st.lists(st.sampled_from(changed), max_size=2)
    statements = [
        Statement(
            n, 0, "S", n + 1, n + 1, n + 1, 0, "f", NONE, tuple(draw(effect)), tuple(draw(change))
        )
        for n in range(6)
    ]
    trace = Trace([SourceFile("p", "")], statements, [], find_control=lambda: array("i"))
    going, waiting = [(0, NONE)], [(0, NONE)]  # activations, and what called each
    steps = ["next", "next", "call", "return", "resume", *(["switch"] if threads else [])]
    for event in range(draw(st.integers(1, 25))):
        step = draw(st.sampled_from(steps))
        if step == "call" and event:
            going.append((event, event - 1))
        elif step == "return" and len(going) > 1:
            going.pop()
        elif step == "resume" and event:
            one = draw(st.sampled_from(trace.activation))
            if all(one not in {each for each, _ in stack} for stack in (going, waiting)):
                going.append((one, event - 1))
        elif step == "switch":
            going, waiting = waiting, going
        activation, caller = going[-1]
        happen(trace, draw(st.integers(0, 5)), activation=activation, caller=caller)
    return trace


@given(traces(), st.data())
def test_dependences_among_a_part_are_those_found_without_the_others(
    trace: Trace, data: st.DataObject
) -> None:
    some = st.lists(st.sampled_from(range(len(trace))), unique=True)
    part = trace.close(data.draw(some))
    smaller = trace.close(set(part) - set(data.draw(some)))
    whole, among = Dependences(trace, part), Dependences(trace, smaller)
    roots = data.draw(some)
    assert whole.slice(roots, smaller) == among.slice(roots)
    assert whole.initial(smaller) == among.initial()
    for event in smaller:
        assert whole.sources(event, smaller) == among.sources(event)


def test_what_was_overwritten_comes_back_when_the_later_value_goes():
    trace = straight(("", "x"), ("", "x"), ("", "*x"), ("x", ""))
    found = Dependences(trace)
    assert found.slice((3,)) == (1, 2, 3)
    assert found.slice((3,), (0, 1, 3)) == (1, 3)
    assert found.slice((3,), (0, 3)) == (0, 3)
    assert found.slice((3,), (3,)) == (3,)
    assert found.initial((1, 2, 3)) == {1}


def test_a_criterion_that_is_not_there_is_left_out():
    trace = straight(("", "x"), ("x", ""))
    assert Dependences(trace, (0,)).slice((1,)) == ()


def test_initial_is_what_writes_first():
    trace = straight(("", "x"), ("x", "x"), ("", "*x"), ("", ""))
    assert Dependences(trace).initial() == {0}


def test_without_flows_an_event_depends_on_its_parents_only():
    trace = straight(("", ""), ("", ""))
    trace.caller[1] = 0
    assert Dependences(trace).slice((1,)) == (0, 1)


def test_long_chains_need_no_deep_stack():
    count = 100_000
    trace = straight(*[("x", "x")] * 2)
    trace.statement = array("i", [0]) * count
    for name in ("activation", "caller", "scope"):
        value = 0 if name == "activation" else NONE
        setattr(trace, name, array("i", [value]) * count)
    assert len(Dependences(trace).slice((count - 1,))) == count
