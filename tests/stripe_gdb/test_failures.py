"""Failures are told apart by what they say and by their event, not by their statement alone."""

from __future__ import annotations

import shutil
from dataclasses import replace
from itertools import product
from pathlib import Path

import pytest

import stripe
from stripe.backend import End, Observation, UncaughtException
from stripe_gdb.failures import Where, aborted, failure
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


def kept(result: stripe.Result) -> list[str]:
    [found] = result.slices
    assert found.certified
    assert found.verified
    return [result.trace.name(event) for event in found.events]


SAME_STATEMENT_TWICE = sample("failures/same_statement_twice.c")


@engines
def test_a_signal_is_that_of_the_recorded_event(engine, tmp_path):
    """The first call, which worked, may die as well: that is another event."""
    program = build(SAME_STATEMENT_TWICE, tmp_path)
    with recorded(program, engine=engine) as recording:
        assert recording.recorded.exception == UncaughtException(
            "SIGSEGV", "Segmentation fault", "prog.c", 4, 0, 5
        )
        for check, control in product(("signal", "exception"), CONTROLS):
            assert kept(reduced(recording, check, control=control)) == ["11_5", "4_6"]


NULL_NAME = sample("failures/null_name.c")
NO_FUNCTION = sample("failures/no_function.c")


@engines
@pytest.mark.parametrize(
    ("text", "fault", "lines"),
    [
        (NULL_NAME, "1 at libc.so.6 near null", "20 6 7 9 21 6 8 9 22 13 13 14"),
        (NO_FUNCTION, "1 at nowhere near null", "5 6 7"),
    ],
)
def test_a_statement_that_fails_otherwise_is_another_failure(engine, text, fault, lines, tmp_path):
    """It may be led elsewhere, in a library, or to no function: by another instruction."""
    with recorded(build(text, tmp_path), engine=engine) as recording:
        assert recording.recorded.fault == fault
        names = [name.partition("_")[0] for name in kept(reduced(recording, "exception"))]
        assert names == lines.split()
        assert names == [name.partition("_")[0] for name in kept(reduced(recording, "signal"))]


USED_AGAIN = sample("failures/used_again.c")


@engines
def test_memory_that_was_used_before_is_left_as_it_is_if_the_crash_is_another_one(engine, tmp_path):
    """Filled, it would be another address that leads nowhere."""
    with recorded(build(USED_AGAIN, tmp_path), engine=engine) as recording:
        result = reduced(recording, "exception")
        assert [name.partition("_")[0] for name in kept(result)] == ["6", "8", "9", "10", "12"]
        assert any("that it has freed" in note for note in result.notes)


ENDLESS = sample("failures/endless.c")


@engines
def test_frames_are_filled_as_far_as_the_stack_goes(engine, tmp_path):
    """Else it would be the filling that fails at the end of the stack."""
    with recorded(build(ENDLESS, tmp_path), engine=engine) as recording:
        result = reduced(recording, "exception")
        assert {name.partition("_")[0] for name in kept(result)} == {"6", "10", "11", "12"}
        assert not any("local variables" in note for note in result.notes)


WRITTEN_OVER = sample("failures/written_over.c")


@engines
def test_what_dies_as_it_returns_died_of_its_call(engine, tmp_path):
    program = build(WRITTEN_OVER, tmp_path, "-fno-stack-protector")
    with recorded(program, engine=engine) as recording:
        assert kept(reduced(recording, "exception")) == ["10_3", "5_4"]


TWO_EXCEPTIONS = sample("failures/two_exceptions.cpp")


@needs_cxx
@engines
def test_exceptions_of_one_statement_are_two(engine, tmp_path):
    (tmp_path / "prog.cpp").write_text(TWO_EXCEPTIONS)
    with recorded(build(tmp_path / "prog.cpp", tmp_path), engine=engine) as recording:
        for check, control in product(("exception", "crash"), CONTROLS):
            assert kept(reduced(recording, check, control=control)) == ["11_2", "12_3", "5_4"]


def died(stderr: str, status: int = 6, end: End = End.SIGNAL, *, rust: bool = False) -> object:
    fault = aborted(end, status, stderr.encode())
    run = Observation(end, status, b"", stderr.encode(), Path(), fault=fault)
    found = failure(run, Where(7, 3, "prog", 5), rust=rust)
    assert found is None or (found.file, found.line, found.statement, found.event) == (
        "prog", 5, 3, 7,
    )  # fmt: skip
    return found and (found.type, found.message)


def test_what_the_runtime_libraries_say():
    thrown = "terminate called after throwing an instance of "
    assert died(f"x\n{thrown}'my'\n") == ("my", "")
    assert died(f"{thrown}'std::range_error'\n  what():  a 'b'\nc\n") == (
        "std::range_error", "a 'b'\nc",
    )  # fmt: skip
    libcxx = "libc++abi: terminating due to uncaught exception of type "
    assert died(f"{libcxx}std::range_error: no: 5\n") == ("std::range_error", "no: 5")
    assert died(f"{libcxx}int\n") == ("int", "")
    assert died("terminate called without an active exception\n") == ("SIGABRT", "Aborted")
    assert died(f"{thrown}'int'\n", 11) == ("SIGSEGV", "Segmentation fault")
    assert died(f"{thrown}'int'\n", 0, End.EXITED) is None


def test_what_the_c_library_says():
    assert died("x\np: p.c:5: int f(int): Assertion `n > 0' failed.\n") == (
        "SIGABRT", "Assertion `n > 0' failed.",
    )  # fmt: skip
    assert died("free(): invalid pointer\n") == ("SIGABRT", "free(): invalid pointer")
    assert died("*** stack smashing detected ***: terminated\n") == (
        "SIGABRT", "*** stack smashing detected ***: terminated",
    )  # fmt: skip
    assert died("free(): invalid pointer\nbye\n") == ("SIGABRT", "Aborted")
    assert died("free(): invalid pointer\n", 11) == ("SIGSEGV", "Segmentation fault")


def test_what_panics_say():
    first = "\nthread '<unnamed>' (2) panicked at p.rs:8:46:\nother\nnote: run with\n"
    text = f"{first}\nthread 'main' (1) panicked at p.rs:5:9:\ntwo\nlines\nstack backtrace:\n 0: f"
    assert died(text, 101, End.EXITED, rust=True) == ("panic", "two\nlines")
    assert died(text, 6, rust=True) == ("panic", "two\nlines")
    assert died("thread 'main' panicked at p.rs:5:9:\nno", rust=True) == ("panic", "no")
    assert died(first, 101, End.EXITED, rust=True) == ("panic", "other")
    assert died(text, 1, End.EXITED, rust=True) is None
    assert died(text, 101, End.EXITED) is None
    assert died("", 6, rust=True) == ("SIGABRT", "Aborted")


PANICS = sample("failures/panics.rs")


@pytest.mark.skipif(shutil.which("rustc") is None, reason="needs rustc")
@engines
@pytest.mark.parametrize("option", ["panic=unwind", "panic=abort"])
def test_a_panic_is_an_exception(engine, option, tmp_path, monkeypatch):
    monkeypatch.setenv("RUSTFLAGS", f"-C {option}")
    (tmp_path / "prog.rs").write_text(PANICS)
    result = stripe.trace("prog.rs", directory=tmp_path, check="exception", engine=engine)
    assert result.recorded
    raised = result.recorded.exception
    assert raised
    told = "index out of bounds: the len is 3 but the index is 5"
    assert replace(raised, statement=0) == UncaughtException(
        "panic", told, "prog.rs", 10, 0, raised.event
    )
    assert raised.event
    names = kept(result)
    lines = {int(name.partition("_")[0]) for name in names}
    assert result.trace.name(raised.event) in names
    assert {10, 16, 17} <= lines
    assert not {4, 14, 15} & lines


@engines
def test_exit_at_the_end_of_main_is_as_little_needed_as_return(engine, tmp_path):
    text = (
        '#include <stdio.h>\n#include <stdlib.h>\nint main(void)\n{\n    puts("a");\n    END;\n}\n'
    )
    for end in ("return 0", "exit(0)"):
        with recorded(build(text.replace("END", end), tmp_path), engine=engine) as recording:
            for control in CONTROLS:
                assert kept(reduced(recording, "stdout", control=control)) == ["5_1"]


@pytest.mark.skipif(shutil.which("rustc") is None, reason="needs rustc")
@engines
def test_exit_at_the_end_of_main_in_rust(engine, tmp_path):
    text = 'fn main() {\n    println!("a");\n    std::process::exit(0);\n}\n'
    (tmp_path / "prog.rs").write_text(text)
    result = stripe.trace("prog.rs", directory=tmp_path, check="stdout+exit", engine=engine)
    assert kept(result) == ["2_1"]
