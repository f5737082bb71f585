import pytest
from figures import (
    collatz,
    factors,
    greatest_divisor,
    histogram,
    median,
    moving_average,
    power,
    primes,
    root,
    variance,
)


@pytest.mark.parametrize(("limit", "expected"), [(1, []), (2, [2]), (10, [2, 3, 5, 7]), (25, [2, 3, 5, 7, 11, 13, 17, 19, 23])])
def test_primes(limit, expected):
    assert primes(limit) == expected


@pytest.mark.parametrize(
    ("number", "expected"), [(1, []), (2, [2]), (9, [3, 3]), (12, [2, 2, 3]), (97, [97]), (98, [2, 7, 7])]
)
def test_factors(number, expected):
    assert factors(number) == expected


@pytest.mark.parametrize(("one", "other", "expected"), [(12, 18, 6), (5, 0, 5), (0, 5, 5), (7, 3, 1), (-4, 6, 2)])
def test_greatest_divisor(one, other, expected):
    assert greatest_divisor(one, other) == expected


@pytest.mark.parametrize(("values", "expected"), [([3], 3), ([3, 1, 2], 2), ([4, 1], 2.5), ([1, 9, 3, 5], 4)])
def test_median(values, expected):
    assert median(values) == expected


def test_no_median():
    with pytest.raises(ValueError):
        median([])


@pytest.mark.parametrize(("values", "expected"), [([1, 3], 2), ([2, 2, 2], 0), ([1, 2, 3, 4, 5], 2.5)])
def test_variance(values, expected):
    assert variance(values) == expected


@pytest.mark.parametrize(("number", "expected"), [(0, 0), (4, 2), (2, 1.414214), (0.25, 0.5), (144, 12)])
def test_root(number, expected):
    assert root(number) == pytest.approx(expected, abs=1e-6)


def test_no_root():
    with pytest.raises(ValueError):
        root(-1)


@pytest.mark.parametrize(("arguments", "expected"), [((2, 10, 1000), 24), ((3, 0, 7), 1), ((10, 3, 7), 6), ((5, 1, 3), 2)])
def test_power(arguments, expected):
    assert power(*arguments) == expected


@pytest.mark.parametrize(
    ("values", "expected"), [([], [0, 0]), ([0, 1, 5, 9], [2, 2]), ([10], [0, 1]), ([-1, 11, 4], [1, 0])]
)
def test_histogram(values, expected):
    assert histogram(values, 0, 10, 2) == expected


@pytest.mark.parametrize(
    ("values", "size", "expected"), [([], 2, []), ([1], 2, []), ([1, 3, 5], 2, [2, 4]), ([1, 2, 3], 1, [1, 2, 3])]
)
def test_moving_average(values, size, expected):
    assert moving_average(values, size) == expected


@pytest.mark.parametrize(("number", "expected"), [(1, (0, 1)), (2, (1, 2)), (6, (8, 16)), (7, (16, 52))])
def test_collatz(number, expected):
    assert collatz(number) == expected
