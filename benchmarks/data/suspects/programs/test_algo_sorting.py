import pytest
from algo_sorting import bubble, heap, insertion, merge, quick

LISTS = [[], [1], [2, 1], [3, 1, 2], [1, 2, 3, 4], [5, 2, 9, 1, 5, 6, -3, 0], [2, 2, 1, 1], [4, 3, 2, 1, 0]]


@pytest.mark.parametrize("sort", [bubble, insertion, merge, quick, heap])
@pytest.mark.parametrize("given", LISTS, ids=str)
def test_sorted(sort, given):
    before = list(given)
    assert sort(given) == sorted(given)
    assert given == before
