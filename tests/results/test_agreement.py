"""An answer holds if the same happens, and each of its reasons is found again."""

from __future__ import annotations

import pytest

from stripe.results.agreement import agreement
from stripe.results.why import Document, Experiment
from tests.support.answers import answer_of, place_of

PLAIN = "AssertionError: assert half(3) == 1, in test_odd"


def answer(says: str, plain: str, slice_standing: str = "found") -> Document:
    made: tuple[Experiment, ...] = (
        Experiment("run", "found", plain, 0.1, 1),
        Experiment("slice", slice_standing, "its time was over", 1.0),  # type: ignore[arg-type]
    )
    return answer_of(says, place_of(), experiments=made)


@pytest.mark.parametrize("says", [PLAIN, "AssertionError (it compared 1.5), in test_odd"])
def test_the_same_happens_if_the_plain_run_says_so(says: str) -> None:
    """What an assertion compared is told if there was time for a slice: then it was another."""
    found = agreement(answer(PLAIN, PLAIN), answer(says, PLAIN))
    assert found.same
    assert found.holds
    assert (found.then, found.now) == (PLAIN, PLAIN)


def test_where_something_else_happens_nothing_is_said_to_hold() -> None:
    found = agreement(answer(PLAIN, PLAIN), answer("KeyError: 3", "KeyError: 3"))
    assert (found.same, found.holds) == (False, False)
    assert [(each.fate, each.why) for each in found.again] == [
        ("untried", "something else happens now")
    ]


@pytest.mark.parametrize(("standing", "fate"), [("nothing", "gone"), ("limit", "untried")])
def test_what_is_not_told_again_is_gone_only_if_it_was_tried_to_its_end(
    standing: str, fate: str
) -> None:
    now = answer_of(PLAIN, experiments=answer(PLAIN, PLAIN, standing).experiments)
    (again,) = agreement(answer(PLAIN, PLAIN), now).again
    assert again.fate == fate
