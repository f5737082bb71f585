"""Ascending numbers, told by where unbroken stretches begin and end."""

from __future__ import annotations

from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from stripe.intervals import ends


class Counting(tuple[int, ...]):
    """Numbers that count how many of them are looked at."""

    looks = 0

    def __getitem__(self, place):
        found = super().__getitem__(place)
        Counting.looks += len(found) if isinstance(place, slice) else 1
        return found


@given(st.sets(st.integers(0, 60)), st.integers(0, 300))
def test_stretches_are_maximal_and_hold_all_numbers(some: set[int], many: int) -> None:
    numbers = some | set(range(30, 30 + many))
    found = ends(sorted(numbers)).tolist()
    pairs = list(zip(found[::2], found[1::2], strict=True))
    assert {each for pair in pairs for each in range(*pair)} == numbers
    assert all(first < end for first, end in pairs)
    assert all(before[1] < after[0] for before, after in pairwise(pairs))


def test_few_stretches_of_many_numbers_take_few_looks() -> None:
    Counting.looks = 0
    found = ends(Counting(each for each in range(100_000) if each not in (7, 70_000)))
    assert found.tolist() == [0, 7, 8, 70_000, 70_001, 100_000]
    assert Counting.looks < 3_000
