import pytest
from matrices import determinant, generation, neighbours, product, rotated, saddle_points, spiral, transposed


@pytest.mark.parametrize(
    ("given", "expected"), [([[1]], [[1]]), ([[1, 2, 3]], [[1], [2], [3]]), ([[1, 2], [3, 4]], [[1, 3], [2, 4]])]
)
def test_transposed(given, expected):
    assert transposed(given) == expected


@pytest.mark.parametrize(
    ("left", "right", "expected"),
    [
        ([[2]], [[3]], [[6]]),
        ([[1, 2], [3, 4]], [[0, 1], [1, 0]], [[2, 1], [4, 3]]),
        ([[1, 2, 3]], [[1], [2], [3]], [[14]]),
        ([[1], [2]], [[3, 4]], [[3, 4], [6, 8]]),
    ],
)
def test_product(left, right, expected):
    assert product(left, right) == expected


def test_sizes():
    with pytest.raises(ValueError):
        product([[1, 2]], [[1, 2]])


@pytest.mark.parametrize(
    ("given", "expected"),
    [([[5]], 5), ([[1, 2], [3, 4]], -2), ([[2, 0, 1], [1, 3, 2], [1, 1, 4]], 18), ([[0, 1], [1, 0]], -1)],
)
def test_determinant(given, expected):
    assert determinant(given) == expected


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        ([[1]], [1]),
        ([[1, 2], [3, 4]], [1, 2, 4, 3]),
        ([[1, 2, 3]], [1, 2, 3]),
        ([[1], [2], [3]], [1, 2, 3]),
        ([[1, 2, 3], [4, 5, 6], [7, 8, 9]], [1, 2, 3, 6, 9, 8, 7, 4, 5]),
        ([[1, 2, 3], [4, 5, 6]], [1, 2, 3, 6, 5, 4]),
    ],
)
def test_spiral(given, expected):
    assert spiral(given) == expected


@pytest.mark.parametrize(
    ("given", "expected"), [([[1]], [[1]]), ([[1, 2], [3, 4]], [[3, 1], [4, 2]]), ([[1, 2, 3]], [[1], [2], [3]])]
)
def test_rotated(given, expected):
    assert rotated(given) == expected


GRID = [[0, 1, 0], [0, 1, 0], [0, 1, 0]]


@pytest.mark.parametrize(("row", "column", "expected"), [(0, 0, 2), (1, 1, 2), (1, 0, 3), (2, 2, 2), (0, 1, 1)])
def test_neighbours(row, column, expected):
    assert neighbours(GRID, row, column) == expected


@pytest.mark.parametrize(
    ("given", "expected"),
    [(GRID, [[0, 0, 0], [1, 1, 1], [0, 0, 0]]), ([[1, 1], [1, 1]], [[1, 1], [1, 1]]), ([[1]], [[0]])],
)
def test_generation(given, expected):
    assert generation(given) == expected


@pytest.mark.parametrize(
    ("given", "expected"),
    [([[9, 8, 7], [5, 3, 2], [6, 6, 7]], [(1, 0)]), ([[1, 2], [2, 1]], []), ([[4, 5, 5]], [(0, 1), (0, 2)])],
)
def test_saddle_points(given, expected):
    assert saddle_points(given) == expected
