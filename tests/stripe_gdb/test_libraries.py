"""Shared libraries of the user's are recorded like the program; what cannot be, a note names."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from stripe.backend import End, Probe
from stripe.errors import NotReducible
from stripe.sandbox.walls import Layer
from stripe_gdb import hangs
from tests.stripe_gdb.differential import facts
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
from tests.support.layers import forced

pytestmark = [needs_gdb, needs_cc]

PLUG = """\
static int calls;
int scale(int v)
{
    calls++;
    if (v > 2)
        v = v * 10;
    return v;
}
"""
LINKED = sample("libraries/linked.c")
OPENED = sample("libraries/opened.c")
BOTH = pytest.mark.parametrize("text", [LINKED, OPENED], ids=["linked", "dlopen"])


def library(folder: Path, text: str, *options: str, name: str = "plug", cc: str = "cc") -> Path:
    """A shared library ``libNAME.so``, not optimised, with debug information."""
    source = folder / f"{name}.{'cpp' if cc == 'c++' else 'c'}"
    source.write_text(text)
    made = folder / f"lib{name}.so"
    make = (cc, "-shared", "-fPIC", "-g", "-O0", *options, source.name, "-o", made.name)
    subprocess.run(make, check=True, cwd=folder)
    return made


def plugged(folder: Path, text: str, *options: str, plug: str = PLUG) -> Path:
    """A program, and a library ``libplug.so`` made with some options."""
    made = library(folder, plug, *options)
    linked = ("-Wl,--no-as-needed,-rpath,$ORIGIN", str(made))
    return build(text, folder, *(() if "dlopen" in text else linked))


def line(text: str, part: str) -> int:
    """The number of the line of a text that contains something."""
    [found] = [n for n, each in enumerate(text.split("\n"), 1) if part in each]
    return found


@engines
@BOTH
def test_they_are_recorded_and_sliced(text, engine, tmp_path):
    with recorded(plugged(tmp_path, text), engine=engine) as recording:
        assert recording.plain.stdout == b"73\n"
        assert recording.notes == []
        trace = recording.trace
        assert {each.path for each in trace.files} == {"prog.c", "plug.c"}
        assert [each.function for each in trace.activations] == ["main", *["scale"] * 4]
        for control in CONTROLS:
            [found] = reduced(recording, "stdout", control=control).slices
            assert found.verified
            places = {recording.trace.statements[trace.statement[event]] for event in found.events}
            lines = {(trace.files[each.file].path, each.line) for each in places}
            assert ("plug.c", line(PLUG, "v * 10")) in lines
            assert ("plug.c", line(PLUG, "return v")) in lines
            assert ("prog.c", line(text, "total += ")) in lines
            assert ("plug.c", line(PLUG, "calls++")) not in lines
            assert ("prog.c", line(text, "waste--")) not in lines
            decided = ("plug.c", line(PLUG, "if (v > 2)"))
            assert (decided in lines) == (control == "program")


@BOTH
def test_both_engines_see_the_same(text, tmp_path):
    program = plugged(tmp_path, text)

    def told(engine: str) -> tuple[object, ...]:
        with recorded(program, engine=engine) as recording:
            trace = recording.trace
            _, ran = recording.executed(trace.close([e for e in range(len(trace)) if e % 5]))
            return (
                trace.statements, trace.activations, trace.statement, trace.caller, trace.control,
                ran,
            )  # fmt: skip

    assert told("gdb") == told("ptrace")


@engines
def test_what_runs_before_the_main_function_and_after_it(engine, tmp_path):
    plug = PLUG + (
        "#include <stdio.h>\nstatic int first;\n"
        "__attribute__((constructor)) static void begin(void)\n{\n    first = 6;\n}\n"
        "__attribute__((destructor)) static void end(void)\n{\n"
        '    printf("%d\\n", first * 7);\n}\n'
    )
    with recorded(plugged(tmp_path, LINKED, plug=plug), engine=engine) as recording:
        assert recording.plain.stdout == b"73\n42\n"
        names = [each.function for each in recording.trace.activations]
        assert names == ["begin", "main", *["scale"] * 4, "end"]
        [found] = reduced(recording, "stdout:/^42/").slices
        assert found.verified
        statements = {recording.trace.statement[event] for event in found.events}
        lines = {recording.trace.statements[each].line for each in statements}
        assert lines == {line(plug, "first = 6"), line(plug, "first * 7")}


AGAIN = sample("libraries/again.c")


@engines
def test_one_that_is_closed_and_opened_again(engine, tmp_path):
    with recorded(plugged(tmp_path, AGAIN), engine=engine) as recording:
        assert recording.plain.stdout == b"30\n1\n40\n"
        [found] = reduced(recording, "stdout:/^40/").slices
        assert found.verified
        assert len(found.events) < len(recording.trace) / 2


@engines
def test_two_that_are_mapped_at_one_place(engine, tmp_path):
    """The second is not recorded, as its addresses are taken."""
    library(tmp_path, PLUG.replace("10", "100"), name="other")
    text = AGAIN.replace('"./libplug.so", 1', '"./libother.so", 5')
    with recorded(plugged(tmp_path, text), engine=engine) as recording:
        assert recording.plain.stdout == b"30\n500\n40\n"
        [note] = recording.notes
        assert "libother.so (other.c)" in note
        assert "where another one was" in note
        [found] = reduced(recording, "stdout:/^40/").slices
        assert found.verified


TWO = sample("libraries/two.c")


@engines
def test_a_replay_in_which_one_is_somewhere_else_is_ended(engine, tmp_path):
    library(tmp_path, PLUG, name="spare")
    with recorded(plugged(tmp_path, TWO), engine=engine) as recording:
        assert recording.notes == []
        everything = range(len(recording.trace))
        with recording.replay(everything) as full:
            assert facts(full) == facts(recording.plain)
        for _ in range(2):
            with recording.replay(everything[1:]) as run:
                assert run.end is End.DIVERGED
                assert "libplug.so is not at the address where it was" in run.detail
        with recording.replay(everything) as full:
            assert facts(full) == facts(recording.plain)


@engines
def test_one_that_the_program_replaces_is_refused(engine, tmp_path):
    library(tmp_path, PLUG.replace("calls++", "calls += 7; calls--"), name="new")
    text = OPENED.replace(
        "    void *library", '    rename("libnew.so", "libplug.so");\n    void *library'
    )
    program = plugged(tmp_path, text)
    with pytest.raises(NotReducible) as refused, recorded(program, engine=engine):
        pass
    assert refused.value.slug == "cannot-record"
    assert "the shared library libplug.so is not the file that it was" in refused.value.message


@engines
def test_a_crash_in_one_is_where_it_is(engine, tmp_path):
    plug = PLUG.replace("v = v * 10", "v = *(int *)0")
    with recorded(plugged(tmp_path, LINKED, plug=plug), engine=engine) as recording:
        raised = recording.plain.exception or recording.recorded.exception
        assert raised is not None
        assert (raised.file, raised.line) == ("plug.c", line(plug, "*(int *)0"))
        assert recording.recorded.fault
        [found] = reduced(recording, "exception").slices
        assert found.verified


CALLS_BACK = sample("libraries/calls_back.c")


@engines
def test_one_that_calls_back(engine, tmp_path):
    plug = "int back(int);\nint scale(int v)\n{\n    int w = back(v);\n    return w * 2;\n}\n"
    with recorded(plugged(tmp_path, CALLS_BACK, plug=plug), engine=engine) as recording:
        assert recording.plain.stdout == b"8\n"
        names = [each.function for each in recording.trace.activations]
        assert names == ["main", "scale", "back"]
        [found] = reduced(recording, "stdout").slices
        assert len(found.events) == len(recording.trace) - 3


THROWS = """\
int scale(int v)
{
    if (v > 2)
        throw v * 10;
    return v;
}
"""
CATCHES = sample("libraries/catches.cpp")


@needs_cxx
@engines
def test_an_exception_from_one_to_the_program(engine, tmp_path):
    made = library(tmp_path, THROWS, cc="c++")
    source = tmp_path / "prog.cpp"
    source.write_text(CATCHES)
    program = build(source, tmp_path, "-Wl,--no-as-needed,-rpath,$ORIGIN", str(made))
    with recorded(program, engine=engine) as recording:
        assert recording.plain.stdout == b"30\n"
        [found] = reduced(recording, "stdout").slices
        assert found.verified
        trace = recording.trace
        lines = {trace.statements[trace.statement[event]].line for event in found.events}
        assert line(THROWS, "throw") in lines


def test_their_variables_can_be_criteria(tmp_path):
    probe = Probe("v", "plug.c", line(PLUG, "return v"))
    with recorded(plugged(tmp_path, OPENED), probes=[probe]) as recording:
        assert recording.recorded.values == {probe: "40"}
        everything = range(len(recording.trace))
        with recording.replay(everything) as full:
            assert full.values == {probe: "40"}


@engines
def test_what_statements_of_theirs_see(engine, tmp_path):
    with recorded(plugged(tmp_path, LINKED), engine=engine) as recording:
        trace = recording.trace
        own = [
            event
            for event in range(len(trace))
            if trace.statements[trace.statement[event]].line == line(PLUG, "calls++")
            and trace.files[trace.statements[trace.statement[event]].file].path == "plug.c"
        ]
        without = [event for event in range(len(trace)) if event != own[0]]
        seen = recording.differences(without)
        assert {event: set(each) for event, each in seen.items()} == {
            event: {"calls", "calls afterwards"} for event in own[1:]
        }
        assert seen[own[1]]["calls"] == ("1", "0")


@engines
def test_a_program_that_never_ends_in_one(engine, tmp_path, monkeypatch):
    monkeypatch.setattr(hangs, "CUT_EVENTS", 2_000)
    plug = PLUG.replace("if (v > 2)", "while (v > 2)").replace("v * 10", "v * 10 % 20 + 3")
    with recorded(plugged(tmp_path, LINKED, plug=plug), engine=engine, cut=True) as recording:
        assert recording.plain.end is End.CUT
        [found] = reduced(recording, "hang").slices
        trace = recording.trace
        statements = {trace.statements[trace.statement[event]] for event in found.events}
        lines = {(trace.files[each.file].path, each.line) for each in statements}
        assert ("plug.c", line(plug, "while")) in lines


def test_at_a_terminal(tmp_path):
    text = OPENED.replace(
        "    int total", '    char name[9];\n    printf("Name: ");\n    fflush(stdout);\n'
        "    fgets(name, 9, stdin);\n    printf(\"%s\", name);\n    int total"
    )  # fmt: skip
    program = plugged(tmp_path, text)
    with recorded(program, tty=True, stdin=b"< Name:\n> ada\n") as recording:
        assert recording.reads.unseen
        assert recording.notes == []
        assert b"ada" in recording.plain.stdout
        assert "scale" in {each.function for each in recording.trace.activations}


def test_at_a_terminal_where_something_is_typed_at_once(tmp_path):
    text = (
        "#include <stdio.h>\nint main(void)\n{\n    char name[9];\n    fgets(name, 9, stdin);\n"
        '    printf("%s", name);\n    return 0;\n}\n'
    )
    with recorded(build(text, tmp_path), tty=True, stdin=b"> ada\n") as recording:
        assert b"ada" in recording.plain.stdout


# -- what cannot be recorded


@engines
@BOTH
def test_optimised_ones_are_named(text, engine, tmp_path):
    with recorded(plugged(tmp_path, text, "-O2"), engine=engine) as recording:
        [note] = recording.notes
        assert {each.path for each in recording.trace.files} == {"prog.c"}
    assert note.startswith(
        "The program runs code of yours in the shared library libplug.so (plug.c), which is not "
        "recorded"
    )
    assert "-O2" in note


@pytest.mark.parametrize("options", [("-g0",), ("-g0", "-s")])
def test_those_without_debug_information_are_named(options, tmp_path):
    with recorded(plugged(tmp_path, LINKED, *options)) as recording:
        [note] = recording.notes
    assert "the shared library libplug.so, which has no debug information" in note


def test_those_that_are_excluded_are_not(tmp_path):
    program = plugged(tmp_path, LINKED)
    with recorded(program, exclude=("plug.c",)) as recording:
        assert recording.notes == []
        assert {each.path for each in recording.trace.files} == {"prog.c"}


@BOTH
def test_what_acts_only_once_is_not_run_again(text, tmp_path):
    with recorded(plugged(tmp_path, text), live=True) as recording:
        [note] = recording.notes
    assert "libplug.so (plug.c)" in note
    assert "--live" in note


def test_a_program_that_is_read_is_no_library(tmp_path):
    text = '#include <stdio.h>\nint main(void)\n{\n    return !fopen("first", "r");\n}\n'
    build("int main(void)\n{\n    return 0;\n}\n", tmp_path, name="first")
    with recorded(build(text, tmp_path)) as recording:
        assert recording.plain.status == 0
        assert recording.notes == []


@engines
@BOTH
@pytest.mark.parametrize("layer", [Layer.LANDLOCK, Layer.NAMESPACES])
def test_whatever_the_walls_are(layer, text, engine, tmp_path):
    """Under Landlock the program has other paths, and its memory is written by ptrace."""
    with forced(layer), recorded(plugged(tmp_path, text), engine=engine) as recording:
        assert recording.notes == []
        [found] = reduced(recording, "stdout").slices
        assert found.verified
        assert "plug.c" in {each.path for each in recording.trace.files}
