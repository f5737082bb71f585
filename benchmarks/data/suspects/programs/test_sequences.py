import pytest
from sequences import (
    common_subsequence,
    edit_distance,
    fewest_coins,
    increasing,
    knapsack,
    pascal,
    ways_to_pay,
)


@pytest.mark.parametrize(
    ("one", "other", "expected"),
    [("", "", 0), ("abc", "", 3), ("", "ab", 2), ("kitten", "sitting", 3), ("abc", "abd", 1), ("ab", "ba", 2)],
)
def test_edit_distance(one, other, expected):
    assert edit_distance(one, other) == expected


@pytest.mark.parametrize(
    ("one", "other", "expected"),
    [("", "a", ""), ("abc", "abc", "abc"), ("abcbdab", "bdcaba", "bcba"), ("ace", "abcde", "ace"), ("x", "y", "")],
)
def test_common_subsequence(one, other, expected):
    assert common_subsequence(one, other) == expected


@pytest.mark.parametrize(
    ("amount", "coins", "expected"),
    [(0, [1], 0), (6, [1, 3, 4], 2), (7, [2], None), (11, [1, 2, 5], 3), (4, [5], None), (5, [5], 1)],
)
def test_fewest_coins(amount, coins, expected):
    assert fewest_coins(amount, coins) == expected


@pytest.mark.parametrize(
    ("amount", "coins", "expected"), [(0, [1], 1), (4, [1, 2], 3), (5, [2], 0), (10, [2, 5, 3], 4)]
)
def test_ways_to_pay(amount, coins, expected):
    assert ways_to_pay(amount, coins) == expected


@pytest.mark.parametrize(
    ("items", "room", "expected"),
    [([], 5, 0), ([(3, 4)], 2, 0), ([(3, 4)], 3, 4), ([(1, 1), (3, 4), (4, 5)], 7, 9), ([(2, 3)], 6, 3)],
)
def test_knapsack(items, room, expected):
    assert knapsack(items, room) == expected


@pytest.mark.parametrize(
    ("values", "expected"), [([], 0), ([5], 1), ([3, 2, 1], 1), ([1, 5, 2, 3], 3), ([2, 2, 2], 1), ([4, 1, 5, 2, 6], 3), ([1, 2, 0], 2)]
)
def test_increasing(values, expected):
    assert increasing(values) == expected


@pytest.mark.parametrize(
    ("rows", "expected"), [(0, []), (1, [[1]]), (4, [[1], [1, 1], [1, 2, 1], [1, 3, 3, 1]])]
)
def test_pascal(rows, expected):
    assert pascal(rows) == expected
