"""Answers of which not even several deltas together can go."""

from __future__ import annotations

import random
from itertools import combinations

import pytest

from stripe.dd import Budget, Outcome, Reason, Tester, certify


def pairs(configuration: tuple[int, ...]) -> Outcome:
    """What is needed is 0; 1 to 8 go in pairs only, 9 to 11 only all at once."""
    there = set(configuration)
    together = all((a in there) == (a + 1 in there) for a in (1, 3, 5, 7))
    three = there & {9, 10, 11}
    fails = 0 in there and together and len(three) in (0, 3)
    return Outcome.FAIL if fails else Outcome.UNRESOLVED


@pytest.mark.parametrize(
    ("n", "left"), [(1, tuple(range(12))), (2, (0, 9, 10, 11)), (3, (0,)), (9, (0,))]
)
def test_what_can_only_go_together(n: int, left: tuple[int, ...]) -> None:
    result = certify(range(12), pairs, n=n)
    assert result.configuration == left
    assert result.certified


@pytest.mark.parametrize("seed", range(10))
def test_it_is_minimal_in_removals_of_up_to_n(seed: int) -> None:
    dice = random.Random(seed)
    failing = {tuple(sorted(dice.sample(range(7), dice.randrange(1, 8)))) for _ in range(30)}
    failing.add(tuple(range(7)))

    def test(configuration: tuple[int, ...]) -> bool:
        return configuration in failing

    result = certify(range(7), test, n=2)
    assert result.certified
    for count in (1, 2):
        for gone in combinations(result.configuration, count):
            rest = tuple(each for each in result.configuration if each not in gone)
            assert not test(rest) or not rest


def test_a_budget_ends_it_without_a_certificate() -> None:
    result = certify(range(12), Tester(pairs, budget=Budget(tests=16)), n=2)
    assert not result.certified
    assert result.reason is Reason.MAX_TESTS
    assert pairs(result.configuration) is Outcome.FAIL
