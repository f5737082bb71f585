"""Sweeps: how the steps grow and shrink."""

from __future__ import annotations

from stripe.dd import Search, Tester, hdd, sweep, sweep_strategy
from tests.dd.functions import Needs


def test_steps_grow_while_deltas_can_go() -> None:
    test = Needs(0)
    sweep(range(16), test, check=False, certify=False)

    # From the end: 1, 2, 4 and 8 deltas go; the last one is known to be needed by the axiom.
    assert [len(configuration) for configuration in test.seen] == [15, 13, 9, 1]


def test_steps_shrink_to_the_delta_that_cannot_go() -> None:
    test = Needs(10)
    sweep(range(16), test, check=False, certify=False)

    assert test.seen[:6] == [
        tuple(range(15)),
        tuple(range(13)),
        tuple(range(9)),  # 9 to 12 cannot go together
        tuple(range(11)),  # 11 and 12 can
        tuple(range(10)),  # 10 cannot
        (*range(9), 10),  # 9 can, and steps grow again
    ]


def test_a_needed_delta_costs_one_test() -> None:
    result = sweep(range(20), Needs(*range(20)), check=False)

    assert result.configuration == tuple(range(20))
    assert result.statistics.tests == 20


def test_forwards_begins_at_the_first_delta() -> None:
    test = Needs(15)
    sweep(range(16), test, forwards=True, check=False, certify=False)

    assert test.seen[:2] == [tuple(range(1, 16)), tuple(range(3, 16))]


def test_closing_may_take_more_than_the_step() -> None:
    def without_orphans(configuration: tuple[int, ...]) -> tuple[int, ...]:
        kept = set(configuration)
        return tuple(delta for delta in configuration if delta < 8 or delta - 8 in kept)

    result = sweep(range(16), Tester(Needs(3, 11), close=without_orphans), forwards=True)

    assert result.configuration == (3, 11)
    assert result.certified


def test_a_sparse_sweep_is_a_binary_search_for_a_single_delta() -> None:
    for needed in (0, 1, 511, 512, 700, 1023):
        result = sweep(range(1024), Needs(needed), sparse=True, check=False)
        assert result.configuration == (needed,)
        assert result.certified
        assert result.statistics.tests <= 16


def test_a_sparse_sweep_begins_with_a_half() -> None:
    test = Needs(3)
    sweep(range(16), test, sparse=True, check=False, certify=False)

    # That nothing passes is an axiom, so half of them cannot go with the other half.
    assert test.seen[:4] == [
        tuple(range(8)),
        tuple(range(4)),
        tuple(range(2)),
        (0, 1, 2),
    ]


def test_three_of_95_events_cost_no_more_than_39_tests() -> None:
    for first in range(0, 93, 7):
        for second in range(first + 1, 94, 9):
            for third in range(second + 1, 95, 11):
                result = sweep(range(95), Needs(first, second, third), sparse=True, check=False)
                assert result.configuration == (first, second, third)
                assert result.statistics.tests <= 39


def test_a_sparse_sweep_of_what_is_all_needed() -> None:
    result = sweep(range(64), Needs(*range(64)), sparse=True, check=False)
    assert result.configuration == tuple(range(64))
    assert result.statistics.tests <= 64 + 10


def test_the_levels_of_a_tree_are_searched_as_asked() -> None:
    """Of 500 children of 500 roots one is needed: a binary search among roots, then one test."""

    def level(search: Search[int]) -> None:
        if not search.fails(()):
            sweep_strategy(search, sparse=True)

    def parent(node: int) -> int | None:
        return node - 500 if node >= 500 else None

    result = hdd(range(1000), Needs(123, 623), parent, level=level, check=False)
    assert result.configuration == (123, 623)
    assert result.statistics.tests <= 24
