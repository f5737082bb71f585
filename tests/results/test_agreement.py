"""An answer asked for again, reason by reason: what holds, what is gone, and what is not known."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest

from stripe.results.agreement import Found, agreement
from stripe.results.why import Experiment, Happened, Place, Reason

CRASH = Happened("exception", "IndexError")
RAISED = Reason("raised", "run", "it was raised here")
REPAIRED = Reason("repaired", "suspects", "with this change the test passes")
MADE = (
    Experiment("run", "found", "IndexError", 0.1, complete=True),
    Experiment("suspects", "found", "", 0.1, complete=True),
)
CUT_OFF = Experiment("suspects", "found", "14 of 7,369 small changes were tried", 9.0)


def answer(*reasons: Reason, line: int = 3, happened: Happened = CRASH, made: Any = MADE) -> Any:
    """An answer with one place, as far as it is compared."""
    places = (Place("prog.py", line, "f", "return items[n]", reasons),)
    return SimpleNamespace(happened=happened, places=places, experiments=made, interrupted=False)


def told(now: Any) -> set[Found]:
    """What an answer tells of lines."""
    return {
        Found(place.file, place.source, reason.kind) for place in now.places for reason in place.why
    }


@pytest.mark.parametrize(
    ("now", "fates", "holds"),
    [
        (answer(RAISED, REPAIRED), ["holds", "holds"], True),
        (answer(RAISED, REPAIRED, line=4), ["holds", "holds"], True),
        (answer(RAISED), ["holds", "gone"], False),
        (answer(RAISED, made=MADE[:1]), ["holds", "untried"], False),
        (answer(RAISED, made=(MADE[0], CUT_OFF)), ["holds", "untried"], False),
        (
            answer(RAISED, made=(MADE[0], Experiment("suspects", "limit", "no time", 9.0))),
            ["holds", "untried"],
            False,
        ),
        (
            answer(RAISED, REPAIRED, made=(Experiment("run", "found", "KeyError", 0.1), MADE[1])),
            ["untried", "untried"],
            False,
        ),
        (
            answer(RAISED, REPAIRED, happened=Happened("test", "IndexError")),
            ["untried", "untried"],
            False,
        ),
    ],
    ids=[
        "same",
        "moved",
        "not told",
        "not made",
        "found less in its time",
        "cut off",
        "another error",
        "another symptom",
    ],
)
def test_what_becomes_of_reasons(now: Any, fates: list[str], holds: bool) -> None:
    found = agreement(answer(RAISED, REPAIRED), now, told(now))
    assert [each.fate for each in found.again] == fates
    assert found.holds is holds
    assert all(each.why for each in found.again if each.fate == "untried")


def test_without_a_reason_nothing_holds() -> None:
    assert not agreement(answer(), answer(), []).holds


def test_the_same_happens_if_the_plain_run_says_so() -> None:
    """What an assertion compared is told first, if there was time for a slice."""
    now = answer(RAISED, happened=Happened("exception", "It compared"))
    found = agreement(answer(RAISED), now, told(now))
    assert found.holds
    assert (found.then, found.now) == ("IndexError", "IndexError")


def test_what_was_found_again_holds_if_other_places_are_told_first() -> None:
    """With more time there are better places, and what stood there was told to be gone."""
    now = answer(REPAIRED)
    found = agreement(answer(RAISED, REPAIRED), now, told(answer(RAISED, REPAIRED)))
    assert found.holds


def test_where_it_was_raised_is_the_same_whichever_experiment_tells_it() -> None:
    """The slice tells it with values; on a busy machine it has no time to."""
    then = answer(Reason("raised", "slice", "it was raised here, where n was 2"))
    now = answer(RAISED, made=(MADE[0], Experiment("slice", "limit", "no time", 9.0)))
    assert agreement(then, now, told(now)).holds


def test_that_a_line_is_needed_says_what_its_dependences_said() -> None:
    then = answer(Reason("depends", "slice", "what is printed depends on it, 1 step back"))
    kept = answer(Reason("kept", "slice", "left out alone, the run no longer shows it"))
    assert agreement(then, kept, told(kept)).holds
    assert not agreement(kept, then, told(then)).holds
