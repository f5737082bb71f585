"""What every search sees to before it begins, and what a test function may answer."""

from __future__ import annotations

from typing import Any

import pytest

from stripe.dd import (
    ALGORITHMS,
    AxiomViolated,
    Budget,
    Configuration,
    Outcome,
    Tester,
    certify,
    dd,
    ddmin,
    hdd,
    splitting,
)
from stripe.dd.published import PUBLISHED
from tests.dd.functions import FAIL, PASS, Needs


def by_tree(deltas: Any, test: Any, **options: Any) -> Any:
    return hdd(deltas, test, lambda delta: delta // 2 or None, **options)


SEARCHES: dict[str, Any] = {
    **ALGORITHMS, **PUBLISHED, "hdd": by_tree, "certify": certify, "dd +-": dd
}  # fmt: skip


@pytest.mark.parametrize("name", SEARCHES)
def test_what_does_not_fail_is_refused(name: str) -> None:
    with pytest.raises(AxiomViolated, match="does not fail: its outcome is pass"):
        SEARCHES[name](range(1, 6), lambda configuration: PASS)


@pytest.mark.parametrize("name", SEARCHES)
def test_where_nothing_is_needed_the_answer_is_empty(name: str) -> None:
    result = SEARCHES[name](range(1, 6), lambda configuration: FAIL)
    assert result.configuration == ()
    assert (result.certified, result.checked) == (True, True)


@pytest.mark.parametrize("name", SEARCHES)
def test_what_was_taken_for_granted_is_said(name: str) -> None:
    test = Needs(1, 4)
    assert not SEARCHES[name](range(1, 6), test, check=False).checked
    assert test.seen
    assert not {(), (1, 2, 3, 4, 5)} & set(test.seen)


@pytest.mark.parametrize("name", SEARCHES)
def test_what_a_test_has_said_is_not_taken_for_granted(name: str) -> None:
    tester: Tester[int] = Tester(lambda configuration: FAIL)
    tester.test(())
    assert SEARCHES[name](range(1, 6), tester, check=False).configuration == ()
    assert tester.statistics.tests == 1, "and there is nothing to ask"


def test_a_search_that_could_not_look_says_so() -> None:
    result = splitting(range(5), Tester(Needs(1), budget=Budget(1)))
    assert (result.configuration, result.checked) == ((0, 1, 2, 3, 4), False)


def test_both_are_tested_once() -> None:
    test = Needs(1)
    tester = Tester(test)
    ddmin(range(4), tester)
    assert test.seen[:2] == [(0, 1, 2, 3), ()]

    ddmin(range(4), tester)
    assert len(test.seen) == len(set(test.seen))


def test_who_tells_success_gets_an_error() -> None:
    """A test that is true where the program works: there is no failure in it all."""
    with pytest.raises(AxiomViolated, match="or True, where the failure"):
        splitting(range(8), lambda configuration: not {2, 5} <= set(configuration))


@pytest.mark.parametrize("name", SEARCHES)
@pytest.mark.parametrize("jobs", [1, 2])
def test_true_means_that_the_failure_is_there(name: str, jobs: int) -> None:
    def test(configuration: Configuration[int]) -> bool:
        return {2, 5} <= set(configuration)

    result = SEARCHES[name](range(1, 9), Tester(test, jobs=jobs))
    assert set(result.configuration) >= {2, 5}
    assert result.certified
    assert set(result.certificate.values()) <= {PASS}


@pytest.mark.parametrize("answer", [None, 1, "fail", ["x"] * 1000])
@pytest.mark.parametrize("jobs", [1, 2])
def test_any_other_answer_is_refused(answer: Any, jobs: int) -> None:
    def test(configuration: Configuration[int]) -> Outcome:
        return answer

    with pytest.raises(TypeError, match="Return True where the failure is there") as caught:
        splitting(range(8), Tester(test, jobs=jobs))
    assert f"returned {answer!r}"[:60] in str(caught.value)
    assert len(str(caught.value)) < 400
