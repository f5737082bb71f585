"""Crashes, assertions, hangs, sanitizers, variables and conditions as criteria."""

from __future__ import annotations

import signal
import subprocess
import sys

import pytest

import stripe
from stripe.backend import End, Probe
from stripe.errors import StripeError
from tests.stripe_gdb.native import (
    build,
    limited,
    needs_cc,
    needs_cxx,
    needs_gdb,
    recorded,
    sample,
)

pytestmark = [needs_gdb, needs_cc]


def kept(result: stripe.Result, name: str | None = None) -> set[int]:
    """The kept lines."""
    found = result[name] if name else result.slices[0]
    assert found.certified
    assert found.verified
    return {line for _, line in found.lines(result.trace)}


CRASH = sample("criteria/crash.c")


def test_a_crash_is_the_default_criterion(tmp_path):
    result = stripe.trace(build(CRASH, tmp_path), directory=tmp_path)
    assert result.slices[0].name == "exception"
    assert kept(result) >= {20, 21}
    assert len(result.slices[0].events) <= 4  # with the value that it wrote there


def test_signal_and_exit_agree_on_a_crash(tmp_path):
    result = stripe.trace(build(CRASH, tmp_path), directory=tmp_path, check=["signal", "exit"])
    assert kept(result, "signal") == kept(result, "exit")
    with recorded(tmp_path / "prog") as recording:
        assert (recording.plain.end, recording.plain.status) == (End.SIGNAL, 11)
        crash = recording.recorded.exception
        assert crash is not None
        assert (crash.type, crash.line) == ("SIGSEGV", 21)


def test_no_signal_to_keep(tmp_path):
    program = build("int main(void) { return 3; }\n", tmp_path)
    with pytest.raises(StripeError) as caught:
        stripe.trace(program, directory=tmp_path, check="signal")
    assert caught.value.slug == "no-signal"


def test_a_failed_assertion(tmp_path):
    text = (
        "#include <assert.h>\nint main(void)\n{\n    int total = 4;\n    int other = 7;\n"
        "    total += 3;\n    assert(total != other);\n    return 0;\n}\n"
    )
    program = build(text, tmp_path)
    result = stripe.trace(program, directory=tmp_path, check="stderr:/Assertion/")
    assert kept(result) == {4, 5, 6, 7}


def test_an_exit_status_that_is_left_out_ends_main_instead(tmp_path):
    text = (
        "#include <stdio.h>\n#include <stdlib.h>\nstatic void check(int x)\n{\n"
        '    if (x > 2)\n        exit(7);\n}\nint main(void)\n{\n    puts("begin");\n'
        "    check(3);\n    return 0;\n}\n"
    )
    program = build(text, tmp_path)
    with recorded(program) as recording:
        names = [recording.trace.name(event) for event in range(len(recording.trace))]
        assert names == ["10_1", "11_2", "5_3", "6_4"]
        with recording.replay((0, 1, 2)) as run:
            # What `puts` wrote is flushed: the program ended in an orderly way.
            assert (run.end, run.status, run.stdout) == (End.EXITED, 0, b"begin\n")
    result = stripe.trace(program, directory=tmp_path, check=["exit", "stdout"])
    assert kept(result, "exit") == {11, 6}
    assert kept(result, "stdout") == {10}


def test_a_configuration_that_hangs_is_unresolved(tmp_path):
    text = (
        "#include <stdio.h>\nint main(void)\n{\n    int go = 1;\n    go = 0;\n    while (go) ;\n"
        '    puts("through");\n    return 0;\n}\n'
    )
    with recorded(build(text, tmp_path)) as recording:
        names = [recording.trace.name(event) for event in range(len(recording.trace))]
        hanging = [e for e, name in enumerate(names) if not name.startswith("5_")]
        for _ in range(2):
            with limited(recording, 1.0), recording.replay(hanging) as run:
                assert run.end is End.TIMEOUT
        with recording.replay(range(len(names))) as run:
            assert (run.end, run.stdout) == (End.EXITED, b"through\n")


def test_a_configuration_that_floods_is_ended(tmp_path):
    text = (
        "#include <stdio.h>\nint main(void)\n{\n    int go = 1;\n    go = 0;\n"
        '    while (go) puts("a line that is not so very short, so that it does not take long");\n'
        "    return 0;\n}\n"
    )
    with (
        recorded(build(text, tmp_path), timeout=60.0) as recording,
        recording.replay([0, 2]) as run,
    ):
        assert (run.end, run.status) == (End.SIGNAL, signal.SIGXFSZ)
        assert len(run.stdout) < 20 << 20


def test_a_program_that_hangs_is_refused(tmp_path):
    program = build("int main(void)\n{\n    for (;;) ;\n}\n", tmp_path)
    with pytest.raises(StripeError) as caught, recorded(program, timeout=1.0):
        pass
    assert caught.value.slug == "program-hangs"


def test_a_program_that_replaces_itself_is_refused(tmp_path):
    text = (
        '#include <unistd.h>\nint main(void)\n{\n    execlp("echo", "echo", "hi", (char *)0);\n'
        "    return 1;\n}\n"
    )
    with pytest.raises(StripeError) as caught, recorded(build(text, tmp_path)):
        pass
    assert caught.value.slug == "cannot-record"


def test_a_sanitizer_report(tmp_path):
    text = (
        "#include <stdlib.h>\nint main(void)\n{\n    int size = 4;\n    int other = 7;\n"
        "    int *data = malloc(size * sizeof *data);\n    data[0] = other;\n"
        "    data[size] = 1;\n    free(data);\n    return 0;\n}\n"
    )
    try:
        program = build(text, tmp_path, "-fsanitize=address")
    except AssertionError as error:
        pytest.skip(f"no AddressSanitizer: {error}")
    check = "stderr:/ERROR: AddressSanitizer: heap-buffer-overflow/"
    assert kept(stripe.trace(program, directory=tmp_path, check=check)) == {4, 6, 8}


LOOP = sample("criteria/loop.c")


def test_a_variable_after_a_line(tmp_path):
    program = build(LOOP, tmp_path)
    probes = (Probe("total", "prog.c", 8), Probe("pair", "prog.c", 9), Probe("none", "prog.c", 9))
    with recorded(program, probes=probes) as recording:
        assert recording.recorded.values[probes[0]] == "16"
        assert recording.recorded.values[probes[1]] == "{first = 2, second = 2}"
        assert probes[2] not in recording.recorded.values
    result = stripe.trace(program, directory=tmp_path, check="var:total@prog.c:8")
    assert kept(result) == {5, 6, 8}


def test_conditions_count_with_control_program(tmp_path):
    text = (
        "#include <stdio.h>\nint price = 99, limit = 1;\nint main(void) {\n    price = 40;\n"
        "    limit = 50;\n    int fee = 9;\n    if (price < limit)\n        fee = 5;\n"
        '    printf("%d\\n", fee);\n    return 0;\n}\n'
    )
    program = build(text, tmp_path)
    by_trace = stripe.trace(program, directory=tmp_path, check="stdout")
    by_program = stripe.trace(program, directory=tmp_path, check="stdout", control="program")
    assert kept(by_trace) == {8, 9}
    assert kept(by_program) == {4, 5, 7, 8, 9}


def test_control_parents(tmp_path):
    with recorded(build(LOOP, tmp_path)) as recording:
        trace = recording.trace
        named = {
            trace.name(event): trace.name(parent) if parent >= 0 else ""
            for event, parent in enumerate(trace.control)
        }
    assert named["6_2"] == ""
    # The first evaluation of the condition belongs to the initialisation, as the code has it.
    assert named["8_4"] == named["9_5"] == "7_3"
    assert named["8_7"] == named["9_8"] == "7_6"
    assert named["7_9"] == "7_6"  # each condition depends on the one before
    assert named["11_13"] == ""


@needs_cxx
def test_a_handler_needs_its_exception(tmp_path):
    (tmp_path / "prog.cpp").write_text(
        "#include <cstdio>\n#include <stdexcept>\nstatic void fail(int x)\n{\n    if (x)\n"
        '        throw std::runtime_error("no");\n}\nint main()\n{\n    int seen = 0;\n'
        "    try {\n        fail(1);\n    } catch (const std::exception &e) {\n"
        '        seen = 1;\n    }\n    std::printf("%d\\n", seen);\n    return 0;\n}\n'
    )
    program = build(tmp_path / "prog.cpp", tmp_path)
    with recorded(program) as recording:
        trace = recording.trace
        names = [trace.name(event) for event in range(len(trace))]
        thrown = names.index("6_4")
        [landed] = [e for e in range(len(trace)) if trace.scope[e] >= 0]
        assert trace.scope[landed] == thrown
        without = trace.close([event for event in range(len(trace)) if event != thrown])
        assert landed not in without
        with recording.replay(without) as run:  # goes on where the exception was caught
            assert (run.end, run.stdout) == (End.EXITED, b"1\n")


def test_the_command_picks_the_backend_by_the_file(tmp_path):
    build(LOOP, tmp_path)
    command = [sys.executable, "-m", "stripe.cli.main", "trace"]
    for what in (["./prog", "-q", "--check", "stdout"], ["prog.c", "-q", "--check", "stdout"]):
        done = subprocess.run(command + what, cwd=tmp_path, capture_output=True, text=True)
        assert done.returncode == 0, done.stderr
        assert "1 of 14 events kept" in done.stdout
    assert "Compiled" in done.stdout
