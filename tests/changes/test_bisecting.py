"""The first bad step, with steps that cannot be tested."""

from __future__ import annotations

import pytest

from stripe.changes.bisection import first_bad
from stripe.dd import Outcome


@pytest.mark.parametrize("culprit", [1, 2, 57, 116])
def test_one_step_is_found_in_as_many_tests_as_halving_takes(culprit: int) -> None:
    asked = []

    def test(count: int) -> Outcome:
        asked.append(count)
        return Outcome.FAIL if count >= culprit else Outcome.PASS

    assert first_bad(116, test) == (culprit - 1, culprit)
    assert len(asked) <= 7
    assert len(set(asked)) == len(asked)


def test_what_cannot_be_tested_stays_in_between() -> None:
    def test(count: int) -> Outcome:
        if 4 <= count <= 6:
            return Outcome.UNRESOLVED
        return Outcome.FAIL if count >= 5 else Outcome.PASS

    assert first_bad(10, test) == (3, 7)


def test_when_nothing_more_may_be_tested_it_is_told_how_far_it_came() -> None:
    outcomes = iter([Outcome.FAIL, None])
    assert first_bad(8, lambda count: next(outcomes)) == (0, 4)
