"""What the checks say about runs: FAIL, PASS, UNRESOLVED."""

from __future__ import annotations

import os
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from stripe.backend import End, Observation, Probe, UncaughtException
from stripe.checks import default_check, parse_check
from stripe.dd import Outcome
from stripe.errors import NotReducible
from tests.support.fake import observation

FAIL, PASS, UNRESOLVED = Outcome.FAIL, Outcome.PASS, Outcome.UNRESOLVED

ERROR = UncaughtException("ValueError", "too big", "prog.py", 7, 3)


def judge(spec: str, recorded: Observation, run: Observation) -> Outcome:
    return parse_check(spec).reference(recorded).judge(run)


def crash(exception: UncaughtException, stdout: bytes = b"a\n") -> Observation:
    return observation(stdout, status=1, stderr=b"Traceback", exception=exception)


@pytest.mark.parametrize(
    ("stdout", "outcome"),
    [(b"a\n", FAIL), (b"a", PASS), (b"b\n", PASS), (b"a\na\n", PASS), (b"", UNRESOLVED)],
)
def test_stdout_must_be_the_same_to_the_byte(stdout: bytes, outcome: Outcome) -> None:
    assert judge("stdout", observation(b"a\n"), observation(stdout)) is outcome


def test_of_a_stream_with_a_regex_only_matching_lines_count() -> None:
    recorded = observation(b"sum = 1\nmul = 2\nsum = 3\n")
    assert judge("stdout:/^sum/", recorded, observation(b"sum = 1\nsum = 3\nx\n")) is FAIL
    assert judge("stdout:/^sum/", recorded, observation(b"sum = 3\nsum = 1\n")) is PASS
    assert judge("stdout:/^sum/", recorded, observation(b"sum = 1\n")) is PASS


def test_a_regex_sees_text_without_the_end_of_the_line() -> None:
    recorded = observation("größe\r\nüber\n".encode())
    assert judge("stdout:/^größe$/", recorded, recorded) is FAIL
    assert judge("stdout:/^.{4}$/", recorded, observation("über\n".encode())) is FAIL


def test_stderr_is_its_own_stream() -> None:
    recorded = observation(b"out", stderr=b"err")
    assert judge("stderr", recorded, observation(b"", stderr=b"err")) is FAIL
    assert judge("stderr", recorded, observation(b"out", stderr=b"")) is PASS


@pytest.mark.parametrize(
    ("facts", "outcome"),
    [
        ({"status": 3}, FAIL),
        ({"status": 0}, PASS),
        ({"end": End.SIGNAL, "status": 3}, UNRESOLVED),
    ],
)
def test_exit_compares_the_status(facts: dict[str, Any], outcome: Outcome) -> None:
    recorded = observation(b"x", status=3)
    assert judge("exit", recorded, observation(b"x", **facts)) is outcome


def test_exit_compares_the_signal_of_a_run_that_died_of_one() -> None:
    recorded = observation(b"x", end=End.SIGNAL, status=11)
    assert judge("exit", recorded, observation(b"", end=End.SIGNAL, status=11)) is FAIL
    assert judge("exit", recorded, observation(b"x", end=End.SIGNAL, status=6)) is UNRESOLVED


@pytest.mark.parametrize(
    ("exception", "outcome"),
    [
        (ERROR, FAIL),
        (UncaughtException("ValueError", "too small", "prog.py", 7, 3), PASS),
        (UncaughtException("KeyError", "too big", "prog.py", 7, 3), UNRESOLVED),
        (UncaughtException("ValueError", "too big", "prog.py", 8, 4), UNRESOLVED),
    ],
)
def test_an_exception_cannot_slip_to_another_one(
    exception: UncaughtException, outcome: Outcome
) -> None:
    assert judge("exception", crash(ERROR), crash(exception)) is outcome


def test_an_exception_cannot_slip_to_another_event() -> None:
    def at(event: int | None) -> Observation:
        return crash(replace(ERROR, event=event))

    for check in ("exception", "stdout", "crash"):
        assert judge(check, at(5), at(5)) is FAIL
        assert judge(check, at(5), at(3)) is UNRESOLVED
        assert judge(check, at(5), at(None)) is UNRESOLVED
        assert judge(check, at(None), at(3)) is FAIL  # nobody knows which it was


def test_an_exception_cannot_slip_to_another_part_of_the_statement() -> None:
    def at(fault: str) -> Observation:
        return replace(crash(ERROR), fault=fault)

    for check in ("exception", "stdout", "crash"):
        assert judge(check, at("7:7:4:9"), at("7:7:4:9")) is FAIL
        assert judge(check, at("7:7:4:9"), at("7:7:4:12")) is UNRESOLVED


def test_a_run_that_no_longer_crashes_passes() -> None:
    assert judge("exception", crash(ERROR), observation(b"a\n")) is PASS


def test_an_exception_from_a_library_is_told_by_file_and_line() -> None:
    first = UncaughtException("E", "m", "lib.py", 7, None)
    other = UncaughtException("E", "m", "lib.py", 9, None)
    assert judge("exception", crash(first), crash(first)) is FAIL
    assert judge("exception", crash(first), crash(other)) is UNRESOLVED


def test_another_crash_is_unresolved_even_with_the_same_output() -> None:
    assert judge("stdout", observation(b"a\n"), crash(ERROR)) is UNRESOLVED


def test_the_recorded_crash_may_go_when_only_the_output_matters() -> None:
    assert judge("stdout", crash(ERROR), observation(b"a\n")) is FAIL
    assert judge("stdout", crash(ERROR), crash(ERROR)) is FAIL


@pytest.mark.parametrize("end", [End.TIMEOUT, End.DIVERGED, End.BLOCKED, End.HARMFUL])
def test_a_run_without_a_result_is_unresolved(end: End) -> None:
    assert judge("stdout", observation(b"a\n"), observation(b"a\n", end=end)) is UNRESOLVED


def test_printing_nothing_is_unresolved_only_if_the_criterion_is_lost() -> None:
    recorded = observation(b"a\n", status=3)
    assert judge("exit", recorded, observation(b"", status=3)) is FAIL
    assert judge("exit", recorded, observation(b"", status=0)) is UNRESOLVED
    assert judge("exit", recorded, observation(b"x", status=0)) is PASS


def test_a_variable_must_have_the_same_last_value() -> None:
    probe = Probe("x", "p.py", 3)
    recorded = observation(b"a", values={probe: "15"})
    assert judge("var:x@p.py:3", recorded, observation(b"b", values={probe: "15"})) is FAIL
    assert judge("var:x@p.py:3", recorded, observation(b"b", values={probe: "16"})) is PASS
    assert judge("var:x@p.py:3", recorded, observation(b"b")) is PASS


def test_a_file_must_have_the_same_content(tmp_path: Path) -> None:
    for name, text in [("same", "x"), ("other", "y")]:
        (tmp_path / name).mkdir()
        (tmp_path / name / "out").write_text(text)
    (tmp_path / "none").mkdir()
    (tmp_path / "pipe").mkdir()
    os.mkfifo(tmp_path / "pipe" / "out")  # must not be waited for
    recorded = observation(b"a", directory=tmp_path / "same")
    for name, outcome in [("same", FAIL), ("other", PASS), ("none", PASS), ("pipe", PASS)]:
        assert judge("file:out", recorded, observation(b"b", directory=tmp_path / name)) is outcome


def test_a_signal_of_another_fault_is_another_crash() -> None:
    recorded = observation(b"a\n", end=End.SIGNAL, status=11, fault="1 at 0x10")
    assert judge("signal", recorded, recorded) is FAIL
    for fault in ("", "1 at 0x20", "1 at libc.so.6"):
        assert judge("signal", recorded, replace(recorded, fault=fault)) is UNRESOLVED


def test_both_parts_of_a_sum_must_hold() -> None:
    recorded = observation(b"a\n", status=3)
    assert judge("stdout+exit", recorded, observation(b"a\n", status=3)) is FAIL
    assert judge("stdout+exit", recorded, observation(b"a\n", status=0)) is PASS
    assert judge("stdout+exit", recorded, observation(b"b\n", status=3)) is PASS


def test_the_default_is_the_exception_then_the_signal_then_stdout() -> None:
    assert default_check(crash(ERROR)).spec == "exception"
    assert default_check(observation(b"x", end=End.SIGNAL, status=11)).spec == "signal"
    assert default_check(observation(b"x")).spec == "stdout"


@pytest.mark.parametrize(
    ("recorded", "hint"),
    [
        (observation(stderr=b"x"), "--check stderr"),
        (observation(status=3), "--check exit"),
        (observation(), "--check file:PATH"),
    ],
)
def test_without_anything_to_keep_the_hint_names_what_there_is(
    recorded: Observation, hint: str
) -> None:
    with pytest.raises(NotReducible) as caught:
        default_check(recorded)
    assert caught.value.slug == "no-output"
    assert hint in caught.value.hint


SEEN = Probe("x", "prog.py", 3)


@pytest.mark.parametrize(
    ("spec", "then", "now", "told"),
    [
        ("stdout", observation(b"a\nb\n"), observation(b"a\nc\n"),
         "line 2 of stdout was 'b', and is 'c'"),
        ("stdout", observation(b"a\n"), observation(b"a\nc\n"), "stdout had 1 lines, and has 2"),
        ("stderr+exit", observation(b"", stderr=b"e", status=2), observation(b"", stderr=b"e"),
         "exit was ('EXITED', 2), and is ('EXITED', 0)"),
        ("var:x@prog.py:3", observation(b"", values={SEEN: "1"}),
         observation(b"", values={SEEN: "2"}),
         "line 1 of x@prog.py:3 was '1', and is '2'"),
        ("exception", crash(ERROR), crash(replace(ERROR, message="too small")),
         "exception was ('ValueError', 'too big'), and is ('ValueError', 'too small')"),
        ("stdout", crash(ERROR), crash(replace(ERROR, type="KeyError", line=8)),
         "the recorded run ended with ValueError in line 7 of prog.py, this one with KeyError in "
         "line 8 of prog.py"),
        ("stdout", observation(b"a"), observation(b"a", end=End.BLOCKED), End.BLOCKED.value),
    ],
)  # fmt: skip
def test_the_value_that_differs_is_named(
    spec: str, then: Observation, now: Observation, told: str
) -> None:
    """Where a replay of the whole run does something else, this is what people need to know."""
    criterion = parse_check(spec).reference(then)
    assert criterion.judge(now) is not FAIL
    assert told in criterion.difference(now)
