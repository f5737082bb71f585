"""What cannot be traced is refused, with the reason and the next command."""

from __future__ import annotations

import shutil
import stat
import subprocess
import sys

import pytest

from stripe.backend import Target
from stripe.errors import StripeError
from stripe_gdb.backend import NativeBackend
from tests.stripe_gdb.native import WITHOUT_PTRACE, build, needs_cc, needs_gdb, sample

pytestmark = [needs_cc]

HELLO = '#include <stdio.h>\nint main(void)\n{\n    puts("hello");\n    return 0;\n}\n'

ROUNDS = sample("refusals/rounds.c")
"""Done plainly in a moment, and never while each statement is looked at."""


def refused(folder, program="prog", **settings) -> StripeError:
    with pytest.raises(StripeError) as caught:
        NativeBackend().record(Target(f"./{program}", directory=folder, **settings)).close()
    assert caught.value.hint
    return caught.value


@needs_gdb
@pytest.mark.parametrize(
    ("options", "slug", "says"),
    [
        (("-O1",), "optimised", "-O1"),
        (("-O2",), "optimised", "-O2"),
        (("-Og",), "optimised", "-Og"),
        (("-s",), "stripped", "symbol table"),
        (("-gsplit-dwarf",), "split-debug-info", ".dwo"),
        (("-gsplit-dwarf", "-gdwarf-4"), "split-debug-info", ".dwo"),
        (("-g0",), "no-debug-info", "debug information"),
        (("-static",), "static-program", "statically"),
        (("-c",), "not-a-program", "object file"),
    ],
)
def test_how_it_was_built(tmp_path, options, slug, says):
    build(HELLO, tmp_path, *options)
    error = refused(tmp_path)
    assert error.slug == slug
    assert says in error.message


@needs_gdb
def test_optimised_rust_is_known_by_its_code(tmp_path):
    if shutil.which("rustc") is None:
        pytest.skip("needs rustc")
    source = tmp_path / "prog.rs"
    source.write_text('fn main() { let a = std::env::args().count() * 3; println!("{a}"); }\n')
    subprocess.run(["rustc", "-g", "-O", source], cwd=tmp_path, check=True)
    assert refused(tmp_path).slug == "optimised"


@needs_gdb
@pytest.mark.parametrize(
    ("at", "value", "says"), [(4, 1, "32-bit"), (18, 183, "AArch64"), (18, 243, "RISC-V")]
)
def test_programs_of_other_machines(tmp_path, at, value, says):
    program = build(HELLO, tmp_path)
    data = bytearray(program.read_bytes())
    data[at] = value
    program.write_bytes(data)
    error = refused(tmp_path)
    assert error.slug == "foreign-architecture"
    assert says in error.message


@needs_gdb
@pytest.mark.parametrize("size", [4, 60, 900])
def test_a_torn_file(tmp_path, size):
    program = build(HELLO, tmp_path)
    program.write_bytes(program.read_bytes()[:size])
    assert refused(tmp_path).slug == "not-a-program"


@needs_gdb
def test_a_file_that_is_not_executable(tmp_path):
    build(HELLO, tmp_path).chmod(0o644)
    assert refused(tmp_path).slug == "not-executable"


@needs_gdb
def test_no_source_of_the_users(tmp_path):
    build(HELLO, tmp_path)
    assert refused(tmp_path, only=["other.c"]).slug == "include-matches-nothing"
    assert refused(tmp_path, exclude=["*.c"]).slug == "nothing-to-trace"
    assert refused(tmp_path, include=["/"]).slug == "bad-glob"


@needs_gdb
def test_a_source_that_does_not_compile(tmp_path):
    (tmp_path / "bad.c").write_text("int main(void) { return nothing; }\n")
    error = refused(tmp_path, "bad.c")
    assert error.slug == "does-not-compile"
    assert "nothing" in error.message


@needs_gdb
def test_no_compiler(tmp_path, monkeypatch):
    monkeypatch.setenv("CC", "no-such-compiler")
    (tmp_path / "good.c").write_text(HELLO)
    assert refused(tmp_path, "good.c").slug == "no-compiler"


@needs_gdb
@pytest.mark.parametrize("name", ["none", "none.c"])
def test_no_such_program(tmp_path, name):
    assert refused(tmp_path, name).slug == "no-such-program"


@needs_gdb
def test_a_line_end_in_an_argument(tmp_path):
    build(HELLO, tmp_path)
    assert refused(tmp_path, arguments=["a\nb"]).slug == "bad-argument"


def test_no_gdb(tmp_path, monkeypatch):
    monkeypatch.setenv("STRIPE_GDB", "no-such-gdb")
    build(HELLO, tmp_path)
    error = refused(tmp_path)
    assert error.slug == "no-gdb"
    assert "apt-get install gdb" in error.hint


@needs_gdb
def test_no_permission_to_trace(tmp_path, monkeypatch):
    """A gdb under a seccomp filter that forbids ptrace, as containers have it."""
    wrapper = tmp_path / "gdb-without-ptrace"
    script = tmp_path / "without_ptrace.py"
    script.write_text(WITHOUT_PTRACE)
    wrapper.write_text(f'#!/bin/sh\nexec {sys.executable} {script} {shutil.which("gdb")} "$@"\n')
    wrapper.chmod(wrapper.stat().st_mode | stat.S_IXUSR)
    build(HELLO, tmp_path)
    monkeypatch.setenv("STRIPE_GDB", str(wrapper))
    error = refused(tmp_path)
    assert error.slug == "no-ptrace"
    assert "SYS_PTRACE" in error.hint


def test_the_extra_is_named_when_it_is_missing(tmp_path, monkeypatch):
    monkeypatch.delitem(sys.modules, "stripe_gdb.preparation", raising=False)
    monkeypatch.setitem(sys.modules, "stripe_gdb.preparation", None)
    build(HELLO, tmp_path)
    error = refused(tmp_path)
    assert error.slug == "no-native-extra"
    assert "stripe-trace[native]" in error.hint


def test_other_files_are_left_to_other_backends(tmp_path):
    (tmp_path / "prog.py").write_text("print(1)\n")
    assert NativeBackend().refuses(Target("prog.py", directory=tmp_path))
    assert NativeBackend().refuses(Target("json.tool", module=True))


@needs_gdb
@pytest.mark.parametrize(("engine", "faster"), [(None, True), ("gdb", True), ("ptrace", False)])
def test_what_is_recorded_too_slowly_may_be_recorded_faster(tmp_path, engine, faster):
    build(ROUNDS, tmp_path)
    error = refused(tmp_path, engine=engine, timeout=1)
    assert error.slug == "too-slow-recorded"
    assert ("--engine ptrace" in error.hint) is faster
