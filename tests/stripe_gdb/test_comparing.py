"""What kept events see, held against the recorded run."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest

from stripe.backend import Comparing, Differences
from stripe_gdb.recording import NativeRecording
from stripe_gdb.value_comparison import Pairs
from tests.stripe_gdb.native import build, needs_cc, needs_gdb, recorded, sample

pytestmark = [needs_gdb, needs_cc]

LIST = sample("comparing/list.c")


@pytest.fixture(params=["gdb", "ptrace"])
def recording(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[NativeRecording]:
    with recorded(build(LIST, tmp_path), engine=request.param) as made:
        yield made


def without(recording: NativeRecording, lines: Sequence[int], **how: bool) -> Differences:
    """What differs when lines are left out."""
    trace = recording.trace
    kept = [e for e in range(len(trace)) if trace.statements[trace.statement[e]].line not in lines]
    return recording.differences(trace.close(kept), **how)


def told(recording: NativeRecording, found: Differences) -> dict[int, dict[str, tuple[str, str]]]:
    """Differences by lines."""
    trace = recording.trace
    return {
        trace.statements[trace.statement[event]].line: dict(each) for event, each in found.items()
    }


def test_nothing_differs_when_all_is_kept(recording: NativeRecording) -> None:
    assert isinstance(recording, Comparing)
    everything = range(len(recording.trace))
    assert recording.differences(everything) == {}
    assert recording.differences(everything, strict=True, fresh=True) == {}


def test_an_element_and_who_reads_it(recording: NativeRecording) -> None:
    assert told(recording, without(recording, [26])) == {30: {"table[1][2]": ("20", "0")}}


def test_a_condition_is_no_value(recording: NativeRecording) -> None:
    assert without(recording, [27]) == {}


def test_a_condition_has_a_say_where_that_is_asked_for(recording: NativeRecording) -> None:
    """The loop would not end without what is done in it."""
    ended = {"it": ("executed", "not executed")}
    assert ended not in told(recording, without(recording, [28])).values()
    assert told(recording, without(recording, [28], strict=True))[30] == ended


def test_a_field_and_what_no_kept_event_wrote(recording: NativeRecording) -> None:
    found = told(recording, without(recording, [11]))
    assert found.keys() == {24, 30, 31}
    assert found[30] == {"light->weight": ("0.25", "0.0 (nothing wrote it)")}
    assert found[31]["what is returned"] == ("1", "0")


def test_a_local_variable_does_not_happen_to_hold_the_value(recording: NativeRecording) -> None:
    """What nothing wrote is filled: as an index, it ends the replay."""
    found = told(recording, without(recording, [21]))
    assert found[28] == {"it": ("executed", "not executed")}


def test_addresses_of_the_heap_do_not_matter(recording: NativeRecording) -> None:
    trace = recording.trace
    lines = [trace.statements[number].line for number in trace.statement]
    # What made the first item goes, so that the second one is where that was.
    kept = [event for event, line in enumerate(lines) if line != 22 and line != 31]
    found = told(recording, recording.differences(trace.close(kept)))
    assert found.keys() == {12, 24}
    (old, new) = found[12]["first"]
    assert old.startswith("<")
    assert new == "null"


def test_what_is_not_executed_differs(recording: NativeRecording) -> None:
    found = told(recording, without(recording, [23]))
    assert found[30] == {"it": ("executed", "not executed")}


def test_which_pointers_stand_for_which() -> None:
    pairs = Pairs()
    assert pairs.same("5", "5", makes=False)
    assert not pairs.same("5", "6", makes=False)
    assert pairs.same("{<1>, <2>}", "{<7>, <8>}", makes=False)
    assert not pairs.same("<1>", "<8>", makes=False)
    assert not pairs.same("<3>", "<7>", makes=False)
    assert not pairs.same("<1>", "5", makes=True)
    # Made now, each stands for the other, and for what it stood before nothing does any more.
    assert pairs.same("<1>", "<8>", makes=True)
    assert pairs.same("<1>", "<8>", makes=False)
    assert pairs.same("<2>", "<7>", makes=False)
