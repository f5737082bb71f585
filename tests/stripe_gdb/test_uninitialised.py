"""What a kept statement reads and nothing has written decides nothing."""

from __future__ import annotations

import re
import shutil
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

import pytest

import stripe
from stripe.backend import End
from stripe.errors import NotReducible
from stripe.reduce.reading import from_json
from stripe.report.terminal import render
from stripe_gdb.recording import NativeRecording
from tests.stripe_gdb.differential import facts
from tests.stripe_gdb.native import (
    CONTROLS,
    EXAMPLES,
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


def lines_of(result: stripe.Result) -> list[list[int]]:
    """The lines of slices that are as they have to be."""
    assert all(found.certified and found.verified for found in result.slices)
    assert not any("The program reads" in note for note in result.notes)
    trace = result.trace
    return [
        [trace.statements[trace.statement[event]].line for event in found.events]
        for found in result.slices
    ]


def kept(program: Path | str, folder: Path, **settings: object) -> list[int]:
    """The lines of the only slice."""
    [lines] = lines_of(stripe.trace(program, directory=folder, **settings))  # type: ignore[arg-type]
    return lines


@engines
def test_the_paper_with_local_variables(engine, tmp_path):
    """As with variables that begin with garbage: 15, 13 and 3 events."""
    text = (EXAMPLES / "sample.c").read_text("utf-8")
    declared = re.compile(r"^int a = .*\n", re.MULTILINE)
    text = declared.sub("", text).replace("int main(void)\n{\n", "int main(void)\n{\n"
                                          "    int a, b, sum, mul;\n")  # fmt: skip
    result = stripe.trace(
        build(text, tmp_path),
        directory=tmp_path,
        stdin="0\n5\n",
        check=["all=stdout", "sum=stdout:/^sum/", "mul=stdout:/^mul/"],
        engine=engine,
    )
    assert [len(each.events) for each in result.slices] == [15, 13, 3]
    assert all(each.certified and each.verified for each in result.slices)


LOCALS = sample("uninitialised/locals.c")


@engines
def test_locals_with_control_program(engine, tmp_path):
    program = build(LOCALS, tmp_path)
    lines = kept(program, tmp_path, check="stdout", control="program", engine=engine)
    assert lines == [17, 8, 9, 10, 11, 12]


RESULTS = sample("uninitialised/results.c")


@engines
def test_a_function_whose_return_is_left_out_gives_nothing(engine, tmp_path):
    """A condition cannot hold by what a register happens to hold."""
    with recorded(build(RESULTS, tmp_path), engine=engine) as recording:
        [lines] = lines_of(reduced(recording, "stdout:/half/", control="program"))
        assert lines == [14, 15, 4, 5, 16, 9, 10]
        # What `main` gives is nothing that anybody has asked for.
        half, end, status = lines_of(
            reduced(recording, "half=stdout:/half/", "end=stdout:/end/", "exit")
        )
    assert half == [14, 16, 9, 10]
    assert end == [17]
    assert status == [18, 9, 10]


ROUNDS = sample("uninitialised/rounds.c")


@engines
def test_a_variable_of_an_inner_block_begins_anew_with_each_round(engine, tmp_path):
    """It does not hold what the round before has left there."""
    with recorded(build(ROUNDS, tmp_path), engine=engine) as recording:
        for control in CONTROLS:
            [lines] = lines_of(reduced(recording, "stdout", control=control))
            assert lines.count(8) == lines.count(9) == 3


CATCH = sample("uninitialised/catch.cpp")


@engines
@needs_cxx
def test_an_exception_that_is_caught_is_not_overwritten(engine, tmp_path):
    (tmp_path / "prog.cpp").write_text(CATCH)
    program = build(tmp_path / "prog.cpp", tmp_path)
    lines = kept(program, tmp_path, check="stdout", engine=engine)
    assert [line for line in lines if line != 5] == [7, 8, 9, 7, 8, 9]


HEAP = sample("uninitialised/heap.c")


@engines
def test_the_heap(engine, tmp_path):
    program = build(HEAP, tmp_path)
    lines = kept(program, tmp_path, check="stdout", control="program", engine=engine)
    assert {13, 16} <= set(lines)
    text = HEAP.replace("total += each->count;", "total = each->count;")
    program = build(text, tmp_path, name="last")
    lines = kept(program, tmp_path, check="stdout", engine=engine)
    assert {10, 11, 15, 16} <= set(lines)


NULL = sample("uninitialised/null.c")


@engines
def test_a_null_pointer_is_set_to_null(engine, tmp_path):
    with recorded(build(NULL, tmp_path), engine=engine) as recording:
        for control in CONTROLS:
            [lines] = lines_of(reduced(recording, "exception", control=control))
            assert {8, 9, 14} <= set(lines)


@needs_cxx
@engines
def test_what_is_thrown_is_not_decided_by_garbage(engine, tmp_path):
    text = """\
#include <stdexcept>
static int divide(int a, int b)
{
    b == 0 ? throw std::domain_error("zero") : a < 0 ? throw std::range_error("less") : 0;
    return a / b;
}
int main()
{
    int numerator = -4;
    int denominator = 7;
    denominator = 0;
    return divide(numerator, denominator);
}
"""
    (tmp_path / "prog.cpp").write_text(text)
    with recorded(build(tmp_path / "prog.cpp", tmp_path), engine=engine) as recording:
        for check in ("exception", "crash"):
            assert lines_of(reduced(recording, check)) == [[11, 12, 4]]


@pytest.mark.skipif(shutil.which("rustc") is None, reason="needs rustc")
@engines
def test_rust(engine, tmp_path):
    text = """\
fn main() {
    let mut total: i64 = 0;
    let step;
    step = std::hint::black_box(4);
    total += step;
    println!("{total}");
}
"""
    (tmp_path / "prog.rs").write_text(text)
    result = stripe.trace("prog.rs", directory=tmp_path, check="stdout", engine=engine)
    trace = result.trace
    lines = {trace.statements[trace.statement[event]].line for event in result.slices[0].events}
    assert {2, 4, 5, 6} <= lines


OWN_BUG = sample("uninitialised/own_bug.c")


@engines
def test_a_program_that_reads_such_memory_itself(engine, tmp_path):
    program = build(OWN_BUG, tmp_path, "-Wno-uninitialized")
    with recorded(program, engine=engine) as recording:
        assert recording.plain.stdout == b"4 4 6\n"
        assert [note.partition(":")[0] for note in recording.notes] == [
            "The program depends on where its heap is, or reads memory that it has freed",
            "The program reads local variables that nothing has written (forgets)",
        ]
        for variant in range(recording.variants):
            with recording.replay(range(len(recording.trace)), variant=variant) as run:
                assert facts(run) == facts(recording.plain)
        [found] = reduced(recording, "stdout").slices
        trace = recording.trace
        lines = {trace.statements[trace.statement[event]].line for event in found.events}
    assert {16, 26} <= lines


FIND = sample("uninitialised/find.c")
ALLOCATED = sample("uninitialised/allocated.c")
REALLOCATED = ALLOCATED.replace("malloc(4000)", "malloc(40)").replace(
    "    int more", "    void *behind = malloc(9); p = realloc(p, 4000);\n    int more"
)
"""The block has to move: the C library does not fill what it adds to a block that stays."""
PADDED = sample("uninitialised/padded.c")


@engines
@pytest.mark.parametrize(
    ("text", "line", "name"),
    [(FIND, 6, "p[i]"), (ALLOCATED, 8, "p[700]"), (REALLOCATED, 9, "p[700]"), (PADDED, 16, "")],
    ids=["array", "malloc", "realloc", "padding"],
)
def test_where_the_recorded_run_reads_such_memory_is_told_first(engine, text, line, name, tmp_path):
    """It may be the very bug; a condition that depends on it shows in strict replays only."""
    program = build(text, tmp_path, "-w")
    for control in CONTROLS:
        settings = {"control": control, "engine": engine}
        result = stripe.trace(program, directory=tmp_path, check="stdout", **settings)
        assert result.recorded is not None
        told = result.recorded.unwritten
        what = f"reads {name}, which" if name else "depends on memory that"
        where = f"{what} nothing has written, at prog.c:{line}, "
        assert told.startswith(where)
        assert render(result).split("\n")[1].startswith(f"unwritten    {where}")
        again = from_json(result.to_json())
        assert again.recorded == result.recorded
        assert not any(found.certified and found.verified is False for found in result.slices)


@pytest.mark.parametrize("always", [True, False])
def test_a_replay_that_its_limit_ended_is_no_evidence(always, tmp_path, monkeypatch):
    """Unless the same one ends in time where nothing is filled."""
    replayed, times = NativeRecording.replay, []

    @contextmanager
    def late(self, *arguments, **options):
        times.append(self._varying.heap)
        with replayed(self, *arguments, **options) as run:
            yield replace(run, end=End.TIMEOUT) if always or len(times) == 1 else run

    monkeypatch.setattr(NativeRecording, "replay", late)
    program = build(LOCALS, tmp_path)
    if always:
        with pytest.raises(NotReducible) as refused, recorded(program, engine="ptrace"):
            pass
        assert refused.value.slug == "too-slow"
    else:
        with recorded(program, engine="ptrace") as recording:
            assert recording.notes
    assert times[:2] == [2, 0]


@engines
def test_nothing_is_told_of_a_run_that_reads_no_such_memory(engine, tmp_path):
    result = stripe.trace(build(LOCALS, tmp_path), directory=tmp_path, engine=engine)
    assert result.recorded is not None
    assert result.recorded.unwritten == ""
    assert "unwritten" not in render(result)
