"""Ascending numbers as stretches: a configuration of many deltas with few gaps.

Where nothing is missing, not each number is looked at.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterator, Sequence

from stripe.packed import Packed

BLOCK = 16
"""So many numbers are looked at one by one before larger steps are tried."""


def ends(numbers: Sequence[int]) -> array[int]:
    """Strictly ascending numbers as first, last + 1 of each unbroken stretch.

    Cost: proportional to the stretches, and to the logarithms of their lengths.
    """
    found = array("i")
    place, end = 0, -1
    if isinstance(numbers, Packed):
        numbers = numbers.numbers
    while place < len(numbers):
        for number in numbers[place : place + BLOCK]:
            if number != end:
                if found:
                    found.append(end)
                found.append(number)
            end = number + 1
        place += BLOCK
        step = BLOCK
        while place + step <= len(numbers) and numbers[place + step - 1] == end + step - 1:
            place += step
            end += step
            step *= 2
    if found:
        found.append(end)
    return found


def stretches(numbers: Sequence[int]) -> Iterator[range]:
    """What :func:`ends` tells, as ranges."""
    for first, end in zip(numbers[::2], numbers[1::2], strict=True):
        yield range(first, end)
