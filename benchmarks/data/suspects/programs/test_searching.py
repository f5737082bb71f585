import pytest
from searching import bisect, find_range, largest_sum, longest_run, peaks, select, two_sum


@pytest.mark.parametrize(
    ("items", "wanted", "expected"),
    [([], 1, 0), ([1], 1, 0), ([1], 2, 1), ([1, 3, 5], 4, 2), ([1, 3, 3, 3], 3, 1), ([2, 4], 9, 2)],
)
def test_bisect(items, wanted, expected):
    assert bisect(items, wanted) == expected


@pytest.mark.parametrize(
    ("items", "wanted", "expected"),
    [
        ([], 1, None),
        ([1, 2, 2, 3], 2, (1, 2)),
        ([1, 2, 2], 2, (1, 2)),
        ([1, 3], 2, None),
        ([5], 5, (0, 0)),
        ([1, 2], 7, None),
    ],
)
def test_find_range(items, wanted, expected):
    assert find_range(items, wanted) == expected


@pytest.mark.parametrize(
    ("items", "rank", "expected"),
    [([7], 0, 7), ([3, 1, 2], 0, 1), ([3, 1, 2], 2, 3), ([5, 5, 1, 5], 1, 5), ([9, 8, 7, 6, 5], 3, 8)],
)
def test_select(items, rank, expected):
    assert select(items, rank) == expected


@pytest.mark.parametrize(
    ("values", "expected"),
    [([], []), ([1, 2, 1], [1]), ([1, 2, 2, 1], [1]), ([3, 2, 1], []), ([1, 3, 1, 4, 0], [1, 3])],
)
def test_peaks(values, expected):
    assert peaks(values) == expected


@pytest.mark.parametrize(
    ("values", "expected"),
    [([], []), ([4], [4]), ([1, 2, 3], [1, 2, 3]), ([5, 1, 2, 9], [1, 2]), ([1, 2, 7, 8], [1, 2])],
)
def test_longest_run(values, expected):
    assert longest_run(values) == expected


@pytest.mark.parametrize(
    ("values", "total", "expected"),
    [([], 1, None), ([1, 2, 3], 5, (1, 2)), ([3, 3], 6, (0, 1)), ([1, 1, 4], 5, (0, 2)), ([2], 4, None)],
)
def test_two_sum(values, total, expected):
    assert two_sum(values, total) == expected


@pytest.mark.parametrize(
    ("values", "expected"), [([1], 1), ([-3, -1, -2], -1), ([2, -1, 3], 4), ([-2, 4, -1, 5, -9], 8)]
)
def test_largest_sum(values, expected):
    assert largest_sum(values) == expected
