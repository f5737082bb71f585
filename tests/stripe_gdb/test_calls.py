"""Nothing runs in a replay that the recorded run did not: calls, callbacks, whole statements."""

from __future__ import annotations

from collections.abc import Collection
from itertools import product

import pytest

from stripe.backend import End, Observation
from stripe.errors import NotReducible
from stripe_gdb.recording import NativeRecording
from tests.stripe_gdb.native import (
    CONTROLS,
    build,
    engines,
    needs_cc,
    needs_cxx,
    needs_gdb,
    recorded,
    reduced,
    sample,
)

pytestmark = [needs_gdb, needs_cc]


def without(recording: NativeRecording, lines: Collection[int]) -> Observation:
    """A replay without all events of some lines."""
    trace = recording.trace
    kept = [
        event
        for event in range(len(trace))
        if trace.statements[trace.statement[event]].line not in lines
    ]
    return recording.executed(trace.close(kept))[0]


NEVER_CALLED = sample("calls/never_called.c")


@engines
def test_a_function_that_never_ran_does_not_run(engine, tmp_path):
    with recorded(build(NEVER_CALLED, tmp_path), engine=engine) as recording:
        run = without(recording, {10})
        assert (run.end, run.stdout) == (End.DIVERGED, b"")
        assert run.detail == "it calls spare (prog.c:4) at prog.c:11, as the recorded run did not"
        for control in CONTROLS:
            [found] = reduced(recording, "stdout", control=control).slices
            assert {"10_1", "11_2"} <= {recording.trace.name(event) for event in found.events}


CALLED_MORE = sample("calls/called_more.c")


@engines
def test_calls_and_callbacks_beyond_the_recorded_ones(engine, tmp_path):
    with recorded(build(CALLED_MORE, tmp_path), engine=engine) as recording:
        run, other = without(recording, {14}), without(recording, {15})
    assert (run.end, run.detail) == (
        End.DIVERGED,
        "it calls positive (prog.c:5) at prog.c:16, as the recorded run did not",
    )
    assert (other.end, other.detail) == (
        End.DIVERGED,
        "it calls less (prog.c:9) at prog.c:17, as the recorded run did not",
    )


COMPLETED = sample("calls/completed.c")


@engines
def test_what_never_was_completed_is_not(engine, tmp_path):
    with recorded(build(COMPLETED, tmp_path), engine=engine) as recording:
        run = without(recording, {16})
        assert (run.end, run.stdout) == (End.DIVERGED, b"begin\n")
        run = without(recording, {10})  # the program ends there, as it did
        assert (run.end, run.status, run.stdout) == (End.EXITED, 0, b"begin\n")


UNWOUND = sample("calls/unwound.cpp")


@needs_cxx
@engines
def test_destructors_that_unwinding_runs(engine, tmp_path):
    (tmp_path / "prog.cpp").write_text(UNWOUND)
    with recorded(build(tmp_path / "prog.cpp", tmp_path), engine=engine) as recording:
        everything = range(len(recording.trace))
        for strict in (False, True):
            with recording.replay(everything, strict=strict) as run:
                assert run.stdout == recording.plain.stdout
        run = without(recording, {17})
        assert b"result 5" not in run.stdout
        run = without(recording, {10})
        assert run.stdout == b"made 0\nmade 1\nresult 1\nmade 1\ncaught 5\n"
        wanted = (("/caught/", {17, 26, 28, 30}), ("/gone/", {10, 17}))
        trace = recording.trace
        for (check, lines), control in product(wanted, CONTROLS):
            [found] = reduced(recording, f"stdout:{check}", control=control).slices
            assert found.certified
            assert found.verified
            kept = {trace.statements[trace.statement[event]].line for event in found.events}
            assert lines <= kept


JUMPING = sample("calls/jumping.cpp")


@needs_cxx
@engines
def test_a_jump_over_frames_arrives_where_it_did(engine, tmp_path):
    (tmp_path / "prog.cpp").write_text(JUMPING)
    with recorded(build(tmp_path / "prog.cpp", tmp_path), engine=engine) as recording:
        run = without(recording, {12})
    assert (run.end, run.stdout) == (End.DIVERGED, b"")
    assert run.detail == "the exception that was caught is not thrown (prog.cpp:18)"


THREADS = sample("calls/threads.c")


def test_another_thread_may_call_what_the_recorded_run_did_not(tmp_path):
    """It runs in full, and is not traced; that the main thread does not call it is still seen."""
    with recorded(build(THREADS, tmp_path, "-pthread")) as recording:
        result = reduced(recording, "stdout")
    lines = {line for _, line in result.slices[0].lines(result.trace)}
    assert lines == {18, 19, 21}
    assert result.slices[0].certified
    assert any("starts threads: they run in full" in note for note in result.notes)
    theirs = set(result.trace.files[0].elsewhere)
    assert {6, 10, 11, 12} <= theirs, "what the other thread ran"
    assert not theirs & lines


def test_the_ptrace_engine_names_the_other_one_for_threads(tmp_path):
    with (
        pytest.raises(NotReducible, match="it starts a thread") as refused,
        recorded(build(THREADS, tmp_path, "-pthread"), engine="ptrace"),
    ):
        pass
    assert refused.value.slug == "cannot-record"
    assert "--engine gdb" in refused.value.hint
