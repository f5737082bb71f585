"""What two sequences have in common, found in a time that hostile ones cannot stretch."""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Sequence
from difflib import SequenceMatcher

MOST_PAIRS = 2_000_000
"""Pairs of equal items that are looked at; source files have some thousands, of empty lines."""

type Opcode = tuple[str, int, int, int, int]


def opcodes[T: Hashable](old: Sequence[T], new: Sequence[T]) -> list[Opcode]:
    """How ``old`` becomes ``new``: as :meth:`difflib.SequenceMatcher.get_opcodes`.

    Of sequences with too many equal items, only what is equal at both ends is found.
    """
    low = 0
    least = min(len(old), len(new))
    while low < least and old[low] == new[low]:
        low += 1
    tail = 0
    while tail < least - low and old[-1 - tail] == new[-1 - tail]:
        tail += 1
    high, stop = len(old) - tail, len(new) - tail
    counts = Counter(new[low:stop])
    if sum(counts[item] for item in old[low:high]) <= MOST_PAIRS:
        return list(SequenceMatcher(None, old, new, autojunk=False).get_opcodes())
    return [
        *([("equal", 0, low, 0, low)] if low else []),
        ("replace", low, high, low, stop),
        *([("equal", high, len(old), stop, len(new))] if tail else []),
    ]
