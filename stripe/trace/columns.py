"""Columns of numbers that grow while they are read: long ones are in files, mapped into memory.

What is in a file takes memory only where it is looked at, and the system takes that back when
others want it.  The files have no names: they are gone when nobody holds their columns, or the
process ends.  They are made where temporary files are (``TMPDIR``), which should be a disk.
"""

from __future__ import annotations

import mmap
import tempfile
from array import array
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain
from typing import IO, cast

LONG = 1 << 22
"""Numbers of a column from which on it is in a file; looking at one takes longer there."""

PART = 1 << 18
"""So many numbers are written, or walked over, at a time."""

type Numbers = array[int] | memoryview[int]
"""A column that is complete."""


class Column:
    """Numbers, in four bytes each unless told otherwise.

    Whoever appends does so to ``tail``, which is not replaced, and calls :meth:`spill` now and then
    if the column may get long; ``first`` is the place of the first number there.
    """

    __slots__ = ("_file", "first", "tail")

    def __init__(self, tail: array[int]) -> None:
        """``tail``: what the column begins with."""
        self.tail = tail
        self.first = 0
        self._file: IO[bytes] | None = None

    def __len__(self) -> int:
        return self.first + len(self.tail)

    def __getitem__(self, place: int) -> int:
        if place >= self.first or self._file is None:
            return self.tail[place - self.first]
        found = array(self.tail.typecode)
        self._file.seek(place * found.itemsize)
        found.fromfile(self._file, 1)
        self._file.seek(0, 2)
        return found[0]

    def spill(self) -> None:
        """Move to the file what is in memory."""
        if self._file is None and self.tail:
            self._file = tempfile.TemporaryFile(buffering=0)  # noqa: SIM115  as long as it grows
        if self._file is None:
            return
        write(self._file, self.tail)
        self.first += len(self.tail)
        del self.tail[:]

    def done(self) -> Numbers:
        """All of it; nothing is appended any more."""
        if self._file is None:
            return self.tail
        self.spill()
        with self._file:
            return _mapped(self._file, self.tail.typecode, mmap.ACCESS_READ)


def filled(value: int, size: int) -> Numbers:
    """So many times the same number of four bytes; others may be put there."""
    if size < LONG:
        return array("i", [value]) * size
    part = array("i", [value]) * PART
    with tempfile.TemporaryFile(buffering=0) as file:
        for start in range(0, size, PART):
            write(file, part[: size - start])
        return _mapped(file, "i", mmap.ACCESS_WRITE)


def narrowed(numbers: Numbers) -> Numbers:
    """The same numbers, from 0 on, in as few bytes each as they take."""
    most = max(walk(numbers), default=0)
    kind = "B" if most < 1 << 8 else "H" if most < 1 << 16 else "i"
    if isinstance(numbers, array):
        return array(kind, numbers)
    if kind == "i":
        return numbers
    column = Column(array(kind))
    for part in parts(numbers):
        column.tail.extend(part)
        column.spill()
    return column.done()


def walk(numbers: Sequence[int] | Numbers) -> Iterable[int]:
    """A column from its beginning to its end; what has been passed is not kept in memory."""
    if isinstance(numbers, memoryview):
        return chain.from_iterable(parts(numbers))
    return numbers


def parts(numbers: memoryview[int]) -> Iterator[memoryview[int]]:
    """Pieces of a column in a file, from the beginning to the end."""
    for start in range(0, len(numbers), PART):
        yield numbers[start : start + PART]
        leave(numbers)


def leave(numbers: Sequence[int] | Numbers) -> None:
    """Nobody looks at these for a while: what of them is in a file need not be in memory."""
    if isinstance(numbers, memoryview) and hasattr(mmap, "MADV_DONTNEED"):
        cast("mmap.mmap", numbers.obj).madvise(mmap.MADV_DONTNEED)


def write(file: IO[bytes], numbers: Numbers) -> None:
    """Write a column as it is in memory."""
    for part in parts(numbers) if isinstance(numbers, memoryview) else (numbers,):
        data = memoryview(part).cast("B")
        while data:
            data = data[file.write(data) :]


def _mapped(file: IO[bytes], kind: str, access: int) -> Numbers:
    found = memoryview(mmap.mmap(file.fileno(), 0, access=access))
    return cast("memoryview[int]", found.cast(kind))  # type: ignore[call-overload]
