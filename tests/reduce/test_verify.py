"""Which event of an old trace is which of a new one, and what a verdict rests on."""

from __future__ import annotations

import os
import signal

from stripe.campaign.progress import Progress
from stripe.checks import parse_check
from stripe.reduce import Result, Settings, Verification, reduce, verify
from stripe.reduce.alignment import align
from tests.support.fake import SAMPLE, SAMPLE_INPUT, record


def traced(text: str, check: str = "stdout") -> Result:
    checks = [parse_check(check)]
    return reduce(record(text, SAMPLE_INPUT), checks, Settings(), command=("prog.py",))


def again(result: Result, text: str, settings: Settings | None = None) -> Verification:
    return verify(result, record(text, SAMPLE_INPUT), settings or Settings())


def test_the_same_program_has_the_same_events() -> None:
    one, two = record(SAMPLE, SAMPLE_INPUT).trace, record(SAMPLE, SAMPLE_INPUT).trace
    found = align(one, two)
    assert found.events == {event: event for event in range(31)}
    assert found.parted is None


def test_lines_that_move_do_not_matter() -> None:
    one = record(SAMPLE, SAMPLE_INPUT).trace
    two = record("# one\n\n# two\n" + SAMPLE, SAMPLE_INPUT).trace
    assert len(align(one, two).events) == 31


def test_statements_between_are_left_aside() -> None:
    one = record(SAMPLE, SAMPLE_INPUT).trace
    text = SAMPLE.replace("    a = a + 1\n", "    c = a\n    a = a + 1\n")
    two = record(text, SAMPLE_INPUT).trace
    found = align(one, two)
    assert len(two) == 37
    assert len(found.events) == 31
    assert found.parted is None
    # The first addition to `a` comes after one statement more.
    assert (found.events[7], found.events[11]) == (8, 13)


def test_another_course_ends_the_match() -> None:
    one = record(SAMPLE, SAMPLE_INPUT).trace
    two = record(SAMPLE, b"0\n3\n").trace
    found = align(one, two)
    assert found.parted == 21, "after four rounds the loop ends"
    assert set(found.events) == set(range(21))


def test_a_slice_holds_for_its_own_program() -> None:
    result = traced(SAMPLE)
    found = again(result, SAMPLE)
    [verdict] = found.verdicts
    assert found.holds
    assert (verdict.behaviour, verdict.missing, verdict.reproduced, verdict.needless) == (
        True, (), True, (),
    )  # fmt: skip


def test_another_behaviour_is_told_although_the_slice_reproduces_it() -> None:
    result = traced(SAMPLE)
    found = again(result, SAMPLE.replace('"sum ="', '"SUM ="'))
    [verdict] = found.verdicts
    assert (verdict.behaviour, verdict.reproduced, verdict.holds) == (False, True, False)
    assert found.changed == (("prog.py", 1),)
    assert found.streams == ("stdout",)


def test_a_check_that_finds_nothing_any_more() -> None:
    result = traced(SAMPLE, "stdout:/^sum/")
    found = again(result, SAMPLE.replace('"sum ="', '"total ="'))
    [verdict] = found.verdicts
    assert not verdict.holds
    assert "never matches" in verdict.reason


def test_what_has_become_needless_is_named() -> None:
    result = traced(SAMPLE, "stdout:/^sum/")
    found = again(result, SAMPLE.replace('print("sum =", sum)', 'print("sum =", 15)'))
    [verdict] = found.verdicts
    assert verdict.behaviour
    assert verdict.reproduced
    assert verdict.needless is not None
    assert "1_1" in verdict.needless
    assert not verdict.holds


def test_a_budget_leaves_it_open() -> None:
    found = again(traced(SAMPLE), SAMPLE, Settings(max_tests=2))
    [verdict] = found.verdicts
    assert verdict.needless is None
    assert "max-tests" in verdict.reason
    assert not verdict.holds


def test_ctrl_c_ends_it_orderly() -> None:
    def interrupt(progress: Progress) -> None:
        if progress.tests == 3:
            os.kill(os.getpid(), signal.SIGINT)

    result = traced(SAMPLE)
    found = verify(result, record(SAMPLE, SAMPLE_INPUT), Settings(), interrupt)
    assert found.interrupted
    assert not found.holds
