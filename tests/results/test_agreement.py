"""An answer asked for again, reason by reason: what holds, what is gone, and what is not known."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest

from stripe.results.agreement import agreement
from stripe.results.why import Experiment, Happened, Place, Reason

CRASH = Happened("exception", "IndexError")
RAISED = Reason("raised", "run", "it was raised here")
REPAIRED = Reason("repaired", "suspects", "with this change the test passes")
MADE = (Experiment("run", "found", "IndexError", 0.1), Experiment("suspects", "found", "", 0.1))


def answer(*reasons: Reason, line: int = 3, happened: Happened = CRASH, made: Any = MADE) -> Any:
    """An answer with one place, as far as it is compared."""
    places = (Place("prog.py", line, "f", "return items[n]", reasons),)
    return SimpleNamespace(happened=happened, places=places, experiments=made, interrupted=False)


@pytest.mark.parametrize(
    ("now", "fates", "holds"),
    [
        (answer(RAISED, REPAIRED), ["holds", "holds"], True),
        (answer(RAISED, REPAIRED, line=4), ["holds", "holds"], True),
        (answer(RAISED), ["holds", "gone"], False),
        (answer(RAISED, made=MADE[:1]), ["holds", "untried"], False),
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
    ids=["same", "moved", "not told", "not made", "cut off", "another error", "another symptom"],
)
def test_what_becomes_of_reasons(now: Any, fates: list[str], holds: bool) -> None:
    found = agreement(answer(RAISED, REPAIRED), now)
    assert [each.fate for each in found.again] == fates
    assert found.holds is holds
    assert all(each.why for each in found.again if each.fate == "untried")


def test_without_a_reason_nothing_holds() -> None:
    assert not agreement(answer(), answer()).holds


def test_the_same_happens_if_the_plain_run_says_so() -> None:
    """What an assertion compared is told first, if there was time for a slice."""
    found = agreement(answer(RAISED), answer(RAISED, happened=Happened("exception", "It compared")))
    assert found.holds
    assert (found.then, found.now) == ("IndexError", "IndexError")
