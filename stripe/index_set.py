"""Ascending numbers in little room: configurations of very many deltas.

A tuple takes 8 bytes for each number, and the number itself 32 more unless others have it as well.
Where nothing is missing here, it is a range; else 4 bytes a number.
"""

from __future__ import annotations

from array import array
from bisect import bisect_left
from collections.abc import Callable, Container, Iterable, Iterator, Sequence
from itertools import compress, filterfalse
from typing import TYPE_CHECKING, Any, cast
from weakref import ref

FEWEST = 4096
"""Fewer numbers are a tuple."""

BLOCK = 64
"""So many numbers are compared at once, or more."""

SPARSE = 16
"""If no more than one of so many goes, what is between them is copied at once."""

MOST = 2**31
"""No number is so large."""

FLAGGED = 1 << 21
"""Flags of larger numbers are not remembered: each would take as much room as all that is."""

LATEST = 4
"""Configurations whose flags are remembered."""

if TYPE_CHECKING:
    Tuple = tuple[int, ...]
else:
    Tuple = object


class IndexSet(Tuple):
    """At least :data:`FEWEST` strictly ascending numbers; does what a tuple of them would do.

    It is equal to one, but has another hash.  So whoever looks up what is equal has all its
    configurations from :func:`packed`: then equal ones are of the same type.
    """

    __slots__ = ("__weakref__", "_hash", "numbers")

    def __new__(cls, numbers: array[int] | range) -> IndexSet:
        self = object.__new__(cls)
        self.numbers = numbers
        self._hash = 0
        return self

    if TYPE_CHECKING:
        numbers: array[int] | range
        _hash: int

    def __len__(self) -> int:
        return len(self.numbers)

    def __iter__(self) -> Iterator[int]:
        return iter(self.numbers)

    def __reversed__(self) -> Iterator[int]:
        return reversed(self.numbers)

    def __contains__(self, number: object) -> bool:
        if not isinstance(number, int):
            return False
        place = bisect_left(self.numbers, number)
        return place < len(self.numbers) and self.numbers[place] == number

    def __getitem__(self, place: Any, /) -> Any:
        found = self.numbers[place]
        if isinstance(place, slice):
            ascending = place.step is None or place.step == 1
            return packed(cast(range, found)) if ascending else tuple(cast(range, found))
        return found

    def __add__(self, more: Any, /) -> Any:
        """``more`` come after these."""
        return packed(_array(self.numbers) + as_array(more)) if more else self

    def __radd__(self, others: Any, /) -> Any:
        return packed(as_array(others) + _array(self.numbers)) if others else self

    def __eq__(self, other: object) -> bool:
        if self is other:
            return True
        if isinstance(other, IndexSet):
            # A range is equal to nothing that is none: what has no gaps is one.
            return type(self.numbers) is type(other.numbers) and self.numbers == other.numbers
        return isinstance(other, tuple) and tuple(self) == other

    def __hash__(self) -> int:
        if not self._hash:
            numbers = self.numbers
            self._hash = hash(numbers if isinstance(numbers, range) else numbers.tobytes())
        return self._hash

    def __repr__(self) -> str:
        return f"<{len(self)} numbers, {self[0]} to {self[-1]}>"

    def __reduce__(self) -> Any:
        return packed, (self.numbers,)


def packed(numbers: Iterable[int]) -> tuple[int, ...]:
    """Strictly ascending numbers from 0 on as a configuration; a tuple if they are few."""
    if isinstance(numbers, IndexSet):
        return numbers
    if not isinstance(numbers, tuple | range | array):
        numbers = array("i", numbers)
    if len(numbers) < FEWEST:
        return numbers if isinstance(numbers, tuple) else tuple(numbers)
    first, end = numbers[0], numbers[-1] + 1
    if first < 0 or end > MOST:
        return tuple(numbers)
    if end - first == len(numbers):
        return IndexSet(range(first, end))
    return IndexSet(_array(numbers))


def _array(numbers: Sequence[int]) -> array[int]:
    """The same numbers in four bytes each; not a copy if they are there."""
    is_one = isinstance(numbers, array) and numbers.typecode == "i"
    return cast("array[int]", numbers) if is_one else array("i", numbers)


def as_array(numbers: Iterable[int]) -> array[int]:
    """Numbers to be read one by one, or handed on, in four bytes each.  Nobody changes them."""
    if isinstance(numbers, IndexSet):
        numbers = numbers.numbers
    return _array(numbers) if isinstance(numbers, Sequence | array) else array("i", numbers)


_latest: tuple[tuple[ref[IndexSet], bytearray], ...] = ()
"""Flags that were found or told last; replaced as a whole, as several threads look here."""


def flagged(numbers: IndexSet) -> bytearray:
    """A 1 for each of some numbers, a 0 for others, up to the last one at least.

    Nobody changes it.
    """
    known = known_flags(numbers)
    if known is not None:
        return known
    if isinstance(numbers.numbers, range):
        return bytearray(numbers[0]) + b"\1" * len(numbers)
    found = bytearray(numbers[-1] + 1)
    for number in numbers.numbers:  # faster than what calls functions in C
        found[number] = 1
    remember_flags(numbers, found)
    return found


def known_flags(numbers: IndexSet) -> bytearray | None:
    """What :func:`flagged` tells, if that is known."""
    for each, flags in _latest:
        if each() is numbers:
            return flags
    return None


def remember_flags(numbers: tuple[int, ...], flags: bytearray) -> None:
    """``flags`` are those of some numbers, and nobody changes them any more."""
    global _latest
    if isinstance(numbers, IndexSet) and len(flags) <= FLAGGED:
        _latest = ((ref(numbers), flags), *_latest[: LATEST - 1])


def without(numbers: tuple[int, ...], gone: Iterable[int]) -> tuple[int, ...]:
    """Ascending numbers without some, which may be in any order."""
    left_out = set(gone)
    flags = known_flags(numbers) if isinstance(numbers, IndexSet) else None
    if flags is not None:
        flags = _less(flags, left_out)
    if len(left_out) * SPARSE > len(numbers):
        if flags is None:
            return like(numbers, filterfalse(left_out.__contains__, numbers))
        return _with_flags(packed(compress(range(len(flags)), flags)), flags)
    many = isinstance(numbers, IndexSet)
    source: Any = as_array(numbers) if many else numbers
    found: Any = array("i") if many else []
    start = 0
    for number in sorted(left_out):
        place = bisect_left(source, number, start)
        if place < len(source) and source[place] == number:
            found += source[start:place]
            start = place + 1
    if not start:
        return numbers
    found += source[start:]
    return _with_flags(like(numbers, found), flags)


def without_one[D](configuration: tuple[D, ...], position: int) -> tuple[D, ...]:
    """A configuration without what is at a position."""
    if not isinstance(configuration, IndexSet):
        return configuration[:position] + configuration[position + 1 :]
    numbers = as_array(configuration)
    return cast("tuple[D, ...]", packed(numbers[:position] + numbers[position + 1 :]))


def _less(flags: bytearray, gone: Iterable[int]) -> bytearray:
    """Flags without those of some numbers."""
    found = flags[:]
    for number in gone:
        if 0 <= number < len(found):
            found[number] = 0
    return found


def _with_flags(numbers: tuple[int, ...], flags: bytearray | None) -> tuple[int, ...]:
    """Some numbers, whose flags are remembered if they are known."""
    if flags is not None:
        remember_flags(numbers, flags)
    return numbers


def differing(one: Sequence[int], other: Sequence[int]) -> tuple[Sequence[int], Sequence[int]]:
    """What each of two has between what both begin with and what both end with, about."""
    first, second = comparable(one, other)
    ahead = _alike(first, second)
    first, second = first[ahead:], second[ahead:]
    behind = _alike_behind(first, second)
    return first[: len(first) - behind], second[: len(second) - behind]


def comparable(*parts: Sequence[int]) -> list[Sequence[int]]:
    """The same numbers in sequences of one type, whose stretches are compared in no time."""
    few = all(isinstance(part, tuple) for part in parts)
    return [*parts] if few else [as_array(part) for part in parts]


def _alike(one: Sequence[int], other: Sequence[int]) -> int:
    """About how many numbers are the same at the beginning, and no more than are."""
    return _reach(
        min(len(one), len(other)),
        lambda start, end: one[start:end] == other[start:end],
    )


def _alike_behind(one: Sequence[int], other: Sequence[int]) -> int:
    """The same at the end."""
    first, second = len(one), len(other)
    return _reach(
        min(first, second),
        lambda start, end: one[first - end : first - start] == other[second - end : second - start],
    )


def _reach(most: int, same: Callable[[int, int], bool]) -> int:
    """About how far from 0 all is the same, which is asked of stretches."""
    found, step = 0, BLOCK
    while step >= BLOCK:
        if found + step <= most and same(found, found + step):
            found += step
            step *= 2
        else:
            step //= 2
    return found


def like[D](configuration: tuple[D, ...], found: Iterable[D]) -> tuple[D, ...]:
    """``found``, which are some of a configuration, in order, as a configuration of its kind."""
    if isinstance(configuration, IndexSet):
        return cast("tuple[D, ...]", packed(cast("Iterable[int]", found)))
    return tuple(found)


def common[D](configuration: tuple[D, ...], others: Iterable[D]) -> tuple[D, ...]:
    """Those of a configuration that are among ``others``."""
    if not isinstance(configuration, IndexSet):
        left: Container[D] = set(others)
        return tuple(delta for delta in configuration if delta in left)
    there = bytearray(configuration[-1] + 1)
    for number in cast("Iterable[int]", others):
        if number < len(there):
            there[number] = 1
    chosen = compress(configuration, map(there.__getitem__, configuration))
    return cast("tuple[D, ...]", packed(chosen))
