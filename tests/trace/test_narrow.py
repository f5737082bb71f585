"""Columns of small numbers take no more room than these need."""

from __future__ import annotations

from array import array

import pytest

from stripe.trace.columns import narrowed


@pytest.mark.parametrize(("most", "each"), [(255, 1), (256, 2), (65_535, 2), (65_536, 4)])
def test_numbers_are_the_same_in_less_room(most: int, each: int) -> None:
    numbers = array("i", [0, most, 1])
    assert list(narrowed(numbers)) == list(numbers)
    assert narrowed(numbers).itemsize == each


def test_what_is_empty_stays_empty() -> None:
    assert len(narrowed(array("i"))) == 0
