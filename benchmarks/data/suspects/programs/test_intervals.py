import pytest
from intervals import gaps, merged, most_at_once


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        ([], []),
        ([(1, 3)], [(1, 3)]),
        ([(5, 6), (1, 3)], [(1, 3), (5, 6)]),
        ([(1, 3), (2, 5)], [(1, 5)]),
        ([(1, 3), (3, 5)], [(1, 5)]),
        ([(1, 9), (2, 5)], [(1, 9)]),
        ([(4, 4), (1, 2)], [(1, 2)]),
        ([(1, 4), (2, 3), (3, 8), (9, 10)], [(1, 8), (9, 10)]),
    ],
)
def test_merged(given, expected):
    assert merged(given) == expected


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        ([], [(0, 10)]),
        ([(0, 10)], []),
        ([(2, 4)], [(0, 2), (4, 10)]),
        ([(2, 4), (3, 7)], [(0, 2), (7, 10)]),
        ([(-5, -1), (8, 20)], [(0, 8)]),
        ([(-5, 1), (12, 20)], [(1, 10)]),
        ([(0, 3), (5, 10)], [(3, 5)]),
    ],
)
def test_gaps(given, expected):
    assert gaps(given, 0, 10) == expected


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        ([], 0),
        ([(1, 2)], 1),
        ([(1, 3), (2, 4)], 2),
        ([(1, 2), (2, 3)], 1),
        ([(1, 9), (2, 3), (4, 6), (5, 7)], 3),
    ],
)
def test_most_at_once(given, expected):
    assert most_at_once(given) == expected
