"""Groups of deltas as deltas: any search finds groups of which no single one can be left out."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from stripe.dd import ALGORITHMS, GroupTester, Outcome, Tester
from stripe.dd.grouped import NO_GROUP

DELTAS = 12


def closing(parents: Sequence[int]):
    def close(configuration):
        kept = {-1}
        for delta in configuration:
            if parents[delta] in kept:
                kept.add(delta)
        return tuple(delta for delta in configuration if delta in kept)

    return close


TREES = st.tuples(*(st.integers(-1, number - 1) for number in range(DELTAS)))
GROUPS = st.lists(st.integers(NO_GROUP, 4), min_size=DELTAS, max_size=DELTAS)
NEEDED = st.sets(st.integers(0, DELTAS - 1), max_size=4)


@pytest.mark.parametrize("algorithm", ALGORITHMS)
@given(TREES, GROUPS, NEEDED)
@settings(max_examples=40)
def test_no_single_group_of_an_answer_can_be_left_out(algorithm, tree, groups, needed):
    close = closing(tree)

    def fails(deltas):
        return needed <= set(close(tuple(deltas)))

    tester = Tester(lambda deltas: needed <= set(deltas), close=close)
    grouped = GroupTester(tester, tuple(range(DELTAS)), groups)
    found = ALGORITHMS[algorithm](grouped.groups, grouped)
    assert found.certified
    answer = set(found.configuration)
    kept = [each for each in range(DELTAS) if groups[each] in answer | {NO_GROUP}]
    assert set(grouped.deltas(found.configuration)) == set(close(tuple(kept)))
    assert fails(kept)
    for group in answer:
        assert not fails([each for each in kept if groups[each] != group])


def test_a_group_goes_with_the_one_it_is_in():
    tester = Tester[int](lambda deltas: 0 in deltas)
    grouped = GroupTester(tester, (0, 1, 2, 3), [NO_GROUP, 7, 8, 9], {8: 7, 9: 8})
    assert grouped.groups == (7, 8, 9)
    assert grouped.deltas((8, 9)) == (0,)
    assert grouped.closed((7, 9)) == (7,)
    assert grouped.deltas((7, 8, 9)) == (0, 1, 2, 3)


@given(GROUPS, st.lists(st.sets(st.integers(0, 4)), max_size=8))
def test_what_is_there_is_told_anew_each_time(groups, configurations):
    grouped = GroupTester(Tester(lambda deltas: True), tuple(range(DELTAS)), groups)
    for chosen in configurations:
        there = chosen | {NO_GROUP}
        expected = tuple(each for each in range(DELTAS) if groups[each] in there)
        assert grouped.deltas(sorted(chosen.intersection(groups))) == expected


def test_what_groups_leave_is_not_closed_again_where_they_are_whole():
    closed = []

    def close(configuration):
        closed.append(configuration)
        return configuration

    tester = Tester[int](lambda deltas: 0 in deltas, close=close)
    grouped = GroupTester(tester, (0, 1, 2), [NO_GROUP, 7, 8], {8: 7}, whole=True)
    assert grouped.test((7, 8)) is Outcome.FAIL
    assert grouped.test((8,)) is Outcome.FAIL
    assert not closed


def test_without_any_group_there_is_what_is_in_none():
    tested = []

    def test(deltas):
        tested.append(deltas)
        return True

    grouped = GroupTester(Tester(test), (0, 1, 2), [NO_GROUP, 1, 2])
    found = ALGORITHMS["splitting"](grouped.groups, grouped)
    assert (found.configuration, found.certified) == ((), True)
    assert tested == [(0, 1, 2), (0,)]


def test_levels_share_what_was_tested():
    tests = []

    def test(deltas):
        tests.append(deltas)
        return {1, 2} <= set(deltas)

    tester = Tester(test)
    for groups in ([0, 1, 1, 2], [0, 1, 2, 3], [5, 4, 3, 2]):
        grouped = GroupTester(tester, (0, 1, 2, 3), groups)
        ALGORITHMS["sweep"](grouped.groups, grouped)
    assert len(tests) == len(set(tests))
    assert tester.known((1,)) is Outcome.PASS
