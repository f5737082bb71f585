"""The tester: cache, closing, axioms, budgets, statistics, events."""

from __future__ import annotations

import pytest

from stripe.dd import (
    AxiomViolated,
    Budget,
    BudgetExhausted,
    Configuration,
    Outcome,
    Reason,
    Tester,
    TestEvent,
    certify,
    dd,
    ddmin,
)
from tests.dd.functions import FAIL, PASS, UNRESOLVED, Needs


def test_a_configuration_is_tested_once() -> None:
    test = Needs(1)
    tester = Tester(test)

    assert [tester.test((1, 2)), tester.test((1, 2)), tester.test((2,))] == [FAIL, FAIL, PASS]
    assert test.seen == [(1, 2), (2,)]
    assert (tester.statistics.tests, tester.statistics.hits) == (2, 1)


def test_without_a_cache_every_question_is_a_test() -> None:
    test = Needs(1)
    tester = Tester(test, cache=False)

    tester.test((1,))
    tester.test((1,))

    assert test.seen == [(1,), (1,)]


def test_configurations_that_close_to_the_same_one_share_a_test() -> None:
    def with_parent(configuration: Configuration[int]) -> Configuration[int]:
        return (0, *configuration) if configuration and configuration[0] else configuration

    test = Needs(2)
    tester = Tester(test, close=with_parent)

    assert [tester.test((2,)), tester.test((0, 2))] == [FAIL, FAIL]
    assert test.seen == [(0, 2)]


def test_what_was_just_closed_is_not_closed_again() -> None:
    asked = []

    def close(configuration: Configuration[int]) -> Configuration[int]:
        asked.append(configuration)
        return tuple(each for each in configuration if each < 3)

    tester = Tester(Needs(1), close=close)
    open_one, closed = (1, 2, 3), (1, 2)

    assert tester.closed(open_one) is tester.closed(tester.closed(open_one)) == (1, 2)
    assert tester.test(tester.take_closed(closed)) is FAIL
    assert asked == [open_one]


def test_an_axiom_is_not_run_and_a_test_outweighs_it() -> None:
    test = Needs(1)
    tester = Tester(test)
    tester.assume((), PASS)

    assert tester.test(()) is PASS
    assert test.seen == []

    tester.test((1,))
    tester.assume((1,), UNRESOLVED)
    assert tester.test((1,)) is FAIL


def test_deltas_of_equal_hash_are_told_apart() -> None:
    assert hash((-1,)) == hash((-2,))
    tester = Tester(Needs(-1))

    assert [tester.test((-1,)), tester.test((-2,)), tester.test((-1,))] == [FAIL, PASS, FAIL]
    assert tester.test((-2,)) is PASS
    assert tester.statistics.tests == 2


def test_events_tell_every_question() -> None:
    events: list[TestEvent[int]] = []
    tester = Tester(Needs(1), listeners=[events.append])

    tester.test((1,))
    tester.test((1,))
    tester.test((2,))

    assert [(e.number, e.configuration, e.outcome, e.cached) for e in events] == [
        (1, (1,), FAIL, False),
        (1, (1,), FAIL, True),
        (2, (2,), PASS, False),
    ]
    assert events[0].elapsed > 0
    assert events[1].elapsed == 0


def test_statistics_count_by_outcome() -> None:
    outcomes = iter([PASS, FAIL, UNRESOLVED, PASS])
    tester = Tester[int](lambda _: next(outcomes))

    for delta in range(4):
        tester.test((delta,))

    statistics = tester.statistics
    assert (statistics.passed, statistics.failed, statistics.unresolved) == (2, 1, 1)
    assert statistics.tests == 4


@pytest.mark.parametrize(
    ("limit", "reason"),
    [
        ({"budget": Budget(3)}, Reason.MAX_TESTS),
        ({"budget": Budget(seconds=0.0)}, Reason.MAX_TIME),
        ({"stop": lambda: True}, Reason.STOPPED),
    ],
)
def test_a_budget_ends_a_search_with_the_best_so_far(limit, reason) -> None:
    result = ddmin(range(8), Tester(Needs(1), **limit))

    assert result.reason is reason
    assert not result.certified
    assert 1 in result.configuration
    assert result.statistics.tests == (3 if reason is Reason.MAX_TESTS else 0)


def test_outside_a_search_an_exhausted_budget_is_an_error() -> None:
    tester = Tester(Needs(1), budget=Budget(0))

    with pytest.raises(BudgetExhausted, match="max-tests"):
        tester.test((1,))


@pytest.mark.parametrize("limit", [(-1,), (None, -0.5)])
def test_negative_limits_are_refused(limit) -> None:
    with pytest.raises(ValueError, match="must not be negative"):
        Budget(*limit)


def test_an_exception_of_the_test_reaches_the_caller() -> None:
    def broken(_: Configuration[int]) -> Outcome:
        raise OSError("disk full")

    with pytest.raises(OSError, match="disk full"):
        ddmin(range(4), broken)


def test_certify_removes_what_can_go_and_proves_the_rest() -> None:
    result = certify((0, 1, 2, 3), Needs(1, 3))

    assert result.configuration == (1, 3)
    assert result.certified
    assert result.certificate == {1: PASS, 3: PASS}


def test_certify_of_a_minimal_answer_takes_one_test_per_delta() -> None:
    assert certify((1, 3, 5), Needs(1, 3, 5), check=False).statistics.tests == 3


def test_a_delta_that_closing_puts_back_is_reported_as_required() -> None:
    def with_root(configuration: Configuration[int]) -> Configuration[int]:
        return (0, *(delta for delta in configuration if delta)) if configuration else ()

    result = ddmin(range(8), Tester(Needs(5), close=with_root))

    assert result.configuration == (0, 5)
    assert result.required == (0,)
    assert result.certificate == {5: PASS}
    assert result.certified


def test_what_was_tested_outweighs_the_axiom_that_everything_fails() -> None:
    tester = Tester(Needs(9))
    tester.test((0, 1, 2))

    with pytest.raises(AxiomViolated, match="its outcome is pass"):
        ddmin(range(3), tester, check=False)


@pytest.mark.parametrize("search", [ddmin, dd, certify])
def test_deltas_that_occur_twice_are_refused(search) -> None:
    with pytest.raises(ValueError, match="must differ"):
        search((1, 2, 1), Needs(1))


def test_subsets_of_what_passed_are_not_tested_if_that_is_taken_for_granted() -> None:
    tester = Tester(Needs(1, 6), monotone=True)
    assert tester.test((0, 1, 2, 3, 4)) is PASS
    assert tester.test((1, 2)) is PASS
    assert tester.test((1, 6)) is FAIL
    assert (tester.statistics.passed, tester.statistics.failed) == (1, 1)
    assert tester.statistics.predicted == 1
    assert tester.test((1, 2), own=True) is PASS
    assert tester.statistics.passed == 2


@pytest.mark.parametrize("needed", [(2,), (0, 31), (3, 9, 20, 21)])
def test_taking_monotony_for_granted_saves_tests_of_what_is_monotone(needed) -> None:
    plain, monotone = Tester(Needs(*needed)), Tester(Needs(*needed), monotone=True)
    found = [ddmin(range(32), tester) for tester in (plain, monotone)]
    assert [each.configuration for each in found] == [needed, needed]
    assert [each.certified for each in found] == [True, True]
    assert monotone.statistics.passed <= plain.statistics.passed


def test_no_certificate_rests_on_monotony() -> None:
    """Of all deltas but the last, some fail, though all of them together pass."""

    def test(configuration):
        there = set(configuration)
        return FAIL if 3 in there and (7 in there or not there & {1, 2}) else PASS

    for search in (ddmin, certify):
        result = search(tuple(range(8)), Tester(test, monotone=True))
        assert result.certified
        for delta in result.configuration:
            rest = tuple(each for each in result.configuration if each != delta)
            assert test(rest) is PASS
