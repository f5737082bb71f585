"""Ascending numbers as stretches: a configuration of many deltas with few gaps.

Where nothing is missing, not each number is looked at.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterator, Sequence
from itertools import compress

from stripe.index_set import IndexSet, known_flags

BLOCK = 64
"""So many numbers are looked at one by one before larger steps are tried."""

SHORT = 1 << 16
"""Up to so many flags, each is looked at; of more, unbroken stretches are passed in steps."""


def ends(numbers: Sequence[int]) -> array[int]:
    """Strictly ascending numbers as first, last + 1 of each unbroken stretch.

    Cost: proportional to the stretches, and to the logarithms of their lengths.
    """
    if isinstance(numbers, IndexSet):
        flags = known_flags(numbers)
        if flags is not None and len(flags) <= SHORT:
            inside = int.from_bytes(flags, "little")
            changes = (inside ^ inside << 8).to_bytes(len(flags) + 1, "little")
            return array("i", compress(range(len(changes)), changes))
        numbers = numbers.numbers
    found = array("i")
    note = found.append
    size = len(numbers)
    place, end = 0, -1
    while place < size:
        for number in numbers[place : place + BLOCK]:
            if number != end:
                note(end)
                note(number)
            end = number + 1
        place += BLOCK
        step = BLOCK
        while place + step <= size and numbers[place + step - 1] == end + step - 1:
            place += step
            end += step
            step *= 2
    if found:
        note(end)
        del found[0]  # where nothing had ended yet
    return found


def stretches(numbers: Sequence[int]) -> Iterator[range]:
    """What :func:`ends` tells, as ranges."""
    for first, end in zip(numbers[::2], numbers[1::2], strict=True):
        yield range(first, end)
