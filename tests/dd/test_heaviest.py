"""The search in a tree that tries first what weighs most."""

from __future__ import annotations

import random

import pytest

from stripe.dd import Budget, Outcome, Tester, TestEvent, hdd


def tree(dice: random.Random, size: int) -> list[int | None]:
    """The parent of each node."""
    return [None if not n or dice.random() < 0.1 else dice.randrange(n) for n in range(size)]


def path(parents: list[int | None], node: int | None) -> set[int]:
    found = set()
    while node is not None:
        found.add(node)
        node = parents[node]
    return found


@pytest.mark.parametrize("seed", range(20))
@pytest.mark.parametrize("jobs", [1, 2])
def test_what_is_needed_is_left_with_what_is_above_it(seed: int, jobs: int) -> None:
    dice = random.Random(seed)
    parents = tree(dice, 80)
    weights = [dice.randrange(1, 100) for _ in parents]
    needed: set[int] = set().union(*(path(parents, dice.randrange(80)) for _ in range(3)))
    asked: list[TestEvent[int]] = []

    def test(configuration: tuple[int, ...]) -> bool:
        there = set(configuration)
        assert all(parents[node] in there for node in there if parents[node] is not None)
        return needed <= there

    tester = Tester(test, jobs=jobs, listeners=[asked.append])
    result = hdd(range(80), tester, parents.__getitem__, weight=weights.__getitem__)
    assert set(result.configuration) == needed
    assert result.certified
    alone = Tester(test)
    hdd(range(80), alone, parents.__getitem__, weight=weights.__getitem__)
    assert len([each for each in asked if not each.cached]) == (
        alone.statistics.passed + alone.statistics.failed
    )


def test_the_heaviest_goes_first_wherever_it_is() -> None:
    """Below the needed root are 63 light nodes and a heavy one with a needed, heavy part."""
    parents: list[int | None] = [None, *[0] * 64, 64, 64, 64]
    weights = [1, *[1] * 64, 1000, 3000, 1]
    needed = {0, 5, 64, 67}
    tester: Tester[int] = Tester(lambda c: needed <= set(c), budget=Budget(tests=8))
    result = hdd(range(68), tester, parents.__getitem__, weight=weights.__getitem__)
    left = sum(weights[node] for node in result.configuration)
    assert left < 1100  # 1,000 of which is needed

    tester = Tester(lambda c: needed <= set(c), budget=Budget(tests=8))
    by_level = hdd(range(68), tester, parents.__getitem__)
    assert sum(weights[node] for node in by_level.configuration) > 3000


def test_what_went_last_may_have_needed_the_rest() -> None:
    """Nothing can go before what uses it is gone: rounds follow."""

    def test(configuration: tuple[int, ...]) -> Outcome:
        used = all(node + 1 in configuration or node not in configuration for node in range(15))
        return Outcome.FAIL if used and 15 in configuration else Outcome.UNRESOLVED

    result = hdd(range(16), test, lambda node: None, weight=lambda node: 16 - node)
    assert result.configuration == (15,)
    assert result.certified
