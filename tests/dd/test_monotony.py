"""Monotony: used as long as it holds, and checked."""

from stripe.dd import Configuration, Outcome, Tester
from stripe.dd.monotony import Monotony
from tests.dd.functions import FAIL, PASS, UNRESOLVED


def test_what_lies_in_a_passing_configuration_is_not_tested() -> None:
    tester = Tester[int](lambda _: PASS, monotone=True)
    tester.test((1, 2, 3))

    assert tester.test((1, 3)) is PASS
    assert (tester.statistics.tests, tester.statistics.hits) == (1, 1)


def test_one_who_wants_to_be_sure_gets_a_test() -> None:
    tester = Tester[int](
        lambda configuration: UNRESOLVED if len(configuration) < 3 else PASS, monotone=True
    )
    tester.test((1, 2, 3))

    assert tester.test((1, 3), sure=True) is UNRESOLVED
    assert tester.test((1, 3)) is UNRESOLVED


def test_a_failure_inside_what_passes_ends_all_predictions() -> None:
    outcomes: dict[Configuration[int], Outcome] = {(1, 2, 3): PASS, (1, 2): FAIL, (3,): FAIL}
    tester = Tester(outcomes.__getitem__, monotone=True)
    tester.test((1, 2, 3))
    tester.test((1, 2), sure=True)

    assert tester.monotony is not None
    assert not tester.monotony.holds
    assert tester.test((3,)) is FAIL


def test_a_pass_around_a_failure_is_a_contradiction_too() -> None:
    monotony = Monotony[int]()
    monotony.learn((1,), FAIL)
    monotony.learn((1, 2), UNRESOLVED)
    assert monotony.holds

    monotony.learn((1, 2), PASS)
    assert not monotony.holds
    assert not monotony.passes((1,))
