"""Where two sequences differ."""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from collections.abc import Hashable, Iterator, Sequence
from difflib import SequenceMatcher
from typing import NamedTuple

_AFFORDABLE = 4_000_000
"""How many pairs of units may be compared to align two stretches."""

_SOON = 250_000
"""From so many pairs on, units that occur once in each are aligned first."""


class Stretch(NamedTuple):
    """A stretch in which they differ: from and to in the one, and in the other."""

    start: int
    end: int
    first: int
    last: int


def stretches[T: Hashable](old: Sequence[T], new: Sequence[T]) -> list[Stretch]:
    """The stretches in which two sequences differ, in order; what is between them is equal.

    Long stretches are cut where units are equal that occur once in each (Cohen's patience diff),
    and are one stretch if there are none.
    """
    return list(_joined(_between(old, new, Stretch(0, len(old), 0, len(new)))))


def _joined(found: Iterator[Stretch]) -> Iterator[Stretch]:
    """Those that touch each other made one."""
    last: Stretch | None = None
    for each in found:
        if last is not None and (last.end, last.last) == (each.start, each.first):
            last = Stretch(last.start, each.end, last.first, each.last)
        else:
            if last is not None:
                yield last
            last = each
    if last is not None:
        yield last


def _between[T: Hashable](old: Sequence[T], new: Sequence[T], part: Stretch) -> Iterator[Stretch]:
    start, end, first, last = part
    while start < end and first < last and old[start] == new[first]:
        start, first = start + 1, first + 1
    while start < end and first < last and old[end - 1] == new[last - 1]:
        end, last = end - 1, last - 1
    part = Stretch(start, end, first, last)
    pairs = (end - start) * (last - first)
    anchors = _anchors(old[start:end], new[first:last]) if pairs > _SOON else []
    if anchors:
        for i, j in anchors:
            yield from _between(old, new, Stretch(start, part.start + i, first, part.first + j))
            start, first = part.start + i + 1, part.first + j + 1
        yield from _between(old, new, Stretch(start, end, first, last))
    elif pairs and pairs <= _AFFORDABLE:
        matcher = SequenceMatcher(None, old[start:end], new[first:last], autojunk=False)
        for tag, i, j, k, m in matcher.get_opcodes():
            if tag != "equal":
                yield Stretch(start + i, start + j, first + k, first + m)
    elif start < end or first < last:
        yield part


def _anchors[T: Hashable](old: Sequence[T], new: Sequence[T]) -> list[tuple[int, int]]:
    """The longest series of units that occur once in each, and are in the same order."""
    counts = Counter(new)
    once = {unit: place for place, unit in enumerate(new) if counts[unit] == 1}
    seen = Counter(old)
    pairs = [(i, once[unit]) for i, unit in enumerate(old) if seen[unit] == 1 and unit in once]
    return [pairs[each] for each in increasing([j for _, j in pairs])]


def increasing(numbers: Sequence[int]) -> list[int]:
    """The indices of a longest increasing subsequence of numbers that all differ."""
    ends: list[int] = []  # the least number that one of each length ends with,
    places: list[int] = []  # and where that is
    before: list[int] = []
    for index, number in enumerate(numbers):
        length = bisect_left(ends, number)
        before.append(places[length - 1] if length else -1)
        if length == len(ends):
            ends.append(number)
            places.append(index)
        else:
            ends[length], places[length] = number, index
    found = []
    at = places[-1] if places else -1
    while at >= 0:
        found.append(at)
        at = before[at]
    return found[::-1]
