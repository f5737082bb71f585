"""Which event of an old trace is which of a new one, and what a verdict rests on."""

from __future__ import annotations

import os
import signal
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import pytest

from stripe.backend import End, Observation
from stripe.campaign.progress import Progress
from stripe.checks import parse_check
from stripe.errors import NotReducible
from stripe.reduce import Result, Settings, reduce
from stripe.reduce.alignment import align
from stripe.reduce.verify import Verdict, Verification, verify
from tests.support.fake import SAMPLE, SAMPLE_INPUT, record

SMALL = "a = 1\nb = 2\nprint(a + b)\n"


def traced(text: str, check: str = "stdout", settings: Settings | None = None) -> Result:
    checks = [parse_check(check)]
    recording = record(text, SAMPLE_INPUT)
    return reduce(recording, checks, settings or Settings(), command=("prog.py",))


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


def test_after_another_course_the_place_is_found_again() -> None:
    one = record(SAMPLE, SAMPLE_INPUT).trace
    two = record(SAMPLE, b"0\n3\n").trace
    found = align(one, two)
    assert found.parted == 21, "after four rounds the loop ends"
    assert set(found.events) > set(range(21)), "and what comes after it is the same"
    assert found.events[30] == len(two) - 1
    assert all(
        one.statements[one.statement[first]].line == two.statements[two.statement[second]].line
        for first, second in found.events.items()
    )


def test_one_event_more_costs_no_other() -> None:
    """What comes behind it does as often the same."""
    text = "m = int(input())\nwhile m:\n    m = m - 1\n"
    text += "a = 3\nwhile a:\n    a = a - 1\nprint(a)\n"
    one, two = (record(text, b"%d\n" % each).trace for each in (2, 3))
    found = align(one, two)
    assert found.parted is not None
    assert len(found.events) == len(one)
    assert len(one) + 2 == len(two)


@pytest.mark.parametrize(("before", "after", "parted"), [(1, 2, 3), (2, 1, 4)])
def test_a_course_that_ends_earlier_ends_the_match(before: int, after: int, parted: int) -> None:
    """At the last event that there was, or at the first that there is no more."""
    rounds = "n = int(input())\nwhile n:\n    n = n - 1\n"
    found = align(*(record(rounds, b"%d\n" % each).trace for each in (before, after)))
    assert found.parted == parted
    assert set(found.events) == set(range(4))


def test_a_slice_holds_for_its_own_program() -> None:
    result = traced(SAMPLE)
    found = again(result, SAMPLE)
    [verdict] = found.verdicts
    assert found.holds
    assert (verdict.behaviour, verdict.missing, verdict.reproduced, verdict.needless) == (
        True, (), True, (),
    )  # fmt: skip


def test_the_answer_as_data() -> None:
    found = again(traced(SMALL), SMALL)
    assert found.to_json() == {
        "format": "stripe-verification", "version": 1, "holds": True, "interrupted": False,
        "changed": [], "events": {"matched": 3, "of": 3, "parted": None}, "streams": [],
        "slices": [{
            "name": "stdout", "check": "stdout", "kept": 3, "holds": True, "behaviour": True,
            "missing": [], "added": [], "reproduced": True, "needless": [], "reason": "",
            "level": "events",
        }],
    }  # fmt: skip


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


GOOD = Verdict("stdout", "stdout", 3, True, (), (), True, ())


@pytest.mark.parametrize(
    "facts",
    [
        {"behaviour": False},
        {"missing": ("1_1",)},
        {"added": ("1_1",)},
        {"reproduced": False},
        {"reproduced": None},
        {"needless": ("1_1",)},
        {"needless": None},
    ],
)
def test_nothing_but_all_of_it_holds(facts: dict[str, Any]) -> None:
    assert GOOD.holds
    assert not replace(GOOD, **facts).holds


def test_a_kept_event_that_is_gone() -> None:
    found = again(traced(SMALL), "b = 2\na = b - 1\nprint(a + b)\n")
    [verdict] = found.verdicts
    assert (verdict.behaviour, verdict.missing, verdict.reproduced) == (True, ("1_1",), None)
    assert "not have all of its events" in verdict.reason
    assert not verdict.holds


def test_a_condition_that_now_decides_is_added() -> None:
    settings = Settings(control="program")
    text = "a = 1\nb = 2\nif b:\n    print(a + b)\n"
    [verdict] = again(traced(SMALL, settings=settings), text, settings).verdicts
    assert (verdict.added, verdict.reproduced, verdict.holds) == (("3_3",), True, False)


def test_a_slice_that_is_not_reproduced() -> None:
    """No removal is tried then."""
    result, recording = traced(SMALL), record(SMALL)
    recording.change = lambda events, fresh, run: replace(run, stdout=b"") if fresh else run
    [verdict] = verify(result, recording, Settings()).verdicts
    assert (verdict.reproduced, verdict.needless, verdict.holds) == (False, None, False)


def test_a_run_that_cannot_be_followed_is_no_ground_for_a_verdict() -> None:
    def other(events: Sequence[int], fresh: bool, run: Observation) -> Observation:
        return replace(run, stderr=b"?") if len(events) == 3 else run

    result, recording = traced(SMALL, "stdout"), record(SMALL)
    recording.change = other
    with pytest.raises(NotReducible, match="full replay"):
        verify(result, recording, Settings())


@pytest.mark.parametrize("power", [True, False])
def test_of_all_that_is_needed_the_control_is_asked(power: bool) -> None:
    """Where no removal decides anything, nothing shows that leaving out works."""

    def undecided(events: Sequence[int], fresh: bool, run: Observation) -> Observation:
        lost = 0 < len(events) < 3 or not (events or power)
        return replace(run, end=End.DIVERGED) if lost else run

    result, recording = traced(SMALL), record(SMALL)
    recording.change = undecided
    [verdict] = verify(result, recording, Settings()).verdicts
    assert verdict.reproduced
    assert verdict.holds is power
    assert ("leaving out could not be tried" in verdict.reason) is not power


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
