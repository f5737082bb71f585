from fractions import Fraction

import pytest
from polynomials import (
    added,
    composed,
    derived,
    divided,
    greatest_divisor,
    integral,
    multiplied,
    parsed,
    shown,
    sign_changes,
    through,
    trimmed,
    value,
    whole_roots,
)


def test_trimmed():
    assert trimmed([1, 0, 2, 0, 0]) == [1, 0, 2]
    assert trimmed([0, 0]) == []
    assert trimmed([]) == []


@pytest.mark.parametrize(
    ("one", "other", "factor", "expected"),
    [
        ([1, 2], [3], 1, [4, 2]),
        ([1], [3, 0, 5], 1, [4, 0, 5]),
        ([1, 2], [1, 2], -1, []),
        ([1, 2, 3], [0, 0, 1], -3, [1, 2]),
        ([], [1, 1], 2, [2, 2]),
    ],
)
def test_added(one, other, factor, expected):
    assert added(one, other, factor) == expected


@pytest.mark.parametrize(
    ("one", "other", "expected"),
    [([1, 1], [1, 1], [1, 2, 1]), ([], [1, 2], []), ([2], [0, 3], [0, 6]), ([-1, 1], [1, 1, 1], [-1, 0, 0, 1])],
)
def test_multiplied(one, other, expected):
    assert multiplied(one, other) == expected


@pytest.mark.parametrize(
    ("one", "other", "quotient", "rest"),
    [
        ([-1, 0, 1], [1, 1], [-1, 1], []),
        ([1, 0, 0, 1], [1, 0, 1], [0, 1], [1, -1]),
        ([1, 2], [0, 0, 1], [], [1, 2]),
        ([1, 3], [2, 0], [Fraction(1, 2), Fraction(3, 2)], []),
        ([5, 0, 0, 0, 2], [1, 0, 1], [-2, 0, 2], [7]),
    ],
)
def test_divided(one, other, quotient, rest):
    assert divided(one, other) == (quotient, rest)
    assert added(multiplied(quotient, trimmed(other)), rest) == one


def test_divided_by_nothing():
    with pytest.raises(ZeroDivisionError):
        divided([1, 2], [0, 0])


@pytest.mark.parametrize(
    ("one", "other", "expected"),
    [
        ([-1, 0, 1], [1, 2, 1], [1, 1]),
        ([2, 4], [], [Fraction(1, 2), 1]),
        ([1, 1], [2, 1], [1]),
        ([], [], []),
        ([0, 3, 3], [0, 0, 6], [0, 1]),
    ],
)
def test_greatest_divisor(one, other, expected):
    assert greatest_divisor(one, other) == expected


@pytest.mark.parametrize(
    ("poly", "x", "expected"), [([], 5, 0), ([7], 5, 7), ([1, 2, 3], 2, 17), ([0, 0, 1], -3, 9)]
)
def test_value(poly, x, expected):
    assert value(poly, x) == expected


def test_derived():
    assert derived([5, 3, 2, 1]) == [3, 4, 3]
    assert derived([5, 3, 2, 1], 2) == [4, 6]
    assert derived([5]) == []
    assert derived([1, 2], 0) == [1, 2]


@pytest.mark.parametrize(
    ("poly", "low", "high", "expected"),
    [([3], 1, 4, 9), ([0, 2], 0, 3, 9), ([0, 0, 1], -1, 2, 3), ([1, 1], 2, 0, -4), ([], 0, 9, 0)],
)
def test_integral(poly, low, high, expected):
    assert integral(poly, low, high) == expected


@pytest.mark.parametrize(
    ("outer", "inner", "expected"),
    [([1, 0, 1], [1, 1], [2, 2, 1]), ([5], [1, 1], [5]), ([0, 1], [3, 4], [3, 4]), ([1, 2, 3], [2], [17])],
)
def test_composed(outer, inner, expected):
    assert composed(outer, inner) == expected


@pytest.mark.parametrize(
    ("points", "expected"),
    [
        ([], []),
        ([(2, 7)], [7]),
        ([(0, 1), (1, 3)], [1, 2]),
        ([(1, 1), (2, 4), (3, 9)], [0, 0, 1]),
        ([(-1, -2), (0, 0), (1, 2)], [0, 2]),
    ],
)
def test_through(points, expected):
    assert through(points) == expected


@pytest.mark.parametrize(
    ("poly", "expected"),
    [
        ([], []),
        ([5], []),
        ([-6, 1, 1], [-3, 2]),
        ([1, -2, 1], [1, 1]),
        ([0, 0, -4, 2], [0, 0, 2]),
        ([1, 0, 1], []),
        ([-1, 2], []),
        ([6, -7, 0, 1], [-3, 1, 2]),
    ],
)
def test_whole_roots(poly, expected):
    assert whole_roots(poly) == expected


def test_sign_changes():
    assert sign_changes([1, -1, 1]) == 2
    assert sign_changes([1, 0, 2, 0, -3]) == 1
    assert sign_changes([-1, -2]) == 0
    assert sign_changes([]) == 0


@pytest.mark.parametrize(
    ("poly", "text"),
    [
        ([], "0"),
        ([4], "4"),
        ([1, -3, 1], "x^2 - 3x + 1"),
        ([-1, 0, 0, -2], "-2x^3 - 1"),
        ([0, 1], "x"),
        ([0, -1, 0, 1], "x^3 - x"),
        ([1, 1], "x + 1"),
    ],
)
def test_shown_and_parsed(poly, text):
    assert shown(poly) == text
    assert parsed(text) == poly


def test_parsed():
    assert parsed("3*x^2+2 x-x") == [0, 1, 3]
    assert parsed("x - x") == []
    assert parsed("") == []
    assert parsed("5 + 2x^2 + 1") == [6, 0, 2]
