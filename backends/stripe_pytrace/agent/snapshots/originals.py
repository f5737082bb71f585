"""What a template has in the pages that runs write to, where the worker itself can read it.

A file in memory, which nobody else can change: the worker has it open to be read, and sees a table
in front of it that says where the pages belong.  One system call of its puts many of them back, in
a quarter of the time in which another process could write them.
"""

from __future__ import annotations

import os

from ..process.descriptors import moved
from ..process.limits import with_output
from .calls import LIBC, address, array, words
from .pages import LARGE, MADV_COLLAPSE

STORED = 32 << 20
"""Bytes of pages that are put back: where runs write to more, to fork is quicker."""

PAGE = 4096
MOST_AT_ONCE = 1000
"""The kernel takes 1024 stretches of memory at a time."""

_TABLE = 16 * (STORED // PAGE)
_WHOLE = _TABLE + STORED
_MADVISE, _FAILED = 28, (1 << 64) - 1
_READ, _WRITE, _SHARED = 1, 2, 1
_PRIVATE, _FIXED, _ANONYMOUS = 2, 16, 32
_DONTFORK = 10


class Unfit(Exception):
    """Runs cannot be made so."""


class Originals:
    """Pages of a template; in memory that forks do not have, but for the table.

    ``number``: the file.  ``usual``: the stretches that runs of the worker before have written to.
    ``reads``: to put all back, so many stretches, from where in the table and in the file, and
    bytes, by turns.
    """

    def __init__(self) -> None:
        self.usual: list[int] = []
        self.reads: list[tuple[int, int, int, int]] = []
        self._used = self._stretches = 0
        self._large = 0
        writable = _file()
        try:
            self._first = _mapped(writable, _WHOLE, _READ | _WRITE, _room())
            (self.number,) = moved(os.open(f"/proc/self/fd/{writable}", os.O_RDONLY))
            self._seen = _mapped(self.number, _TABLE, _READ)
        finally:
            os.close(writable)
        if LIBC.syscall(_MADVISE, self._first, _WHOLE, _DONTFORK, 0, 0) < 0:
            raise Unfit
        self._table = words(self._first, _TABLE // 8)

    def settle(self) -> None:
        """Most of what will be kept is there: have it in large pages, which are read faster."""
        last = (_TABLE + self._used) // LARGE + 1
        if self._large < last <= _WHOLE // LARGE:
            place, size = self._first + self._large * LARGE, (last - self._large) * LARGE
            LIBC.syscall(_MADVISE, place, size, MADV_COLLAPSE, 0, 0)  # or it stays as it is
            self._large = last

    def clear(self) -> None:
        """It may be used anew."""
        self._used = self._stretches = 0
        self.reads.clear()

    def keep(self, template: int, stretches: list[int]) -> None:
        """Keep what a template has there: where stretches begin, and their sizes, by turns.

        Raises Unfit if it is too much, or if there is no such memory.
        """
        for start in range(0, len(stretches), 2 * MOST_AT_ONCE):
            self._keep(template, stretches[start : start + 2 * MOST_AT_ONCE])

    def _keep(self, template: int, part: list[int]) -> None:
        total, count = sum(part[1::2]), len(part) // 2
        if self._used + total > STORED:
            raise Unfit
        there, here = array(*part), array(self._first + _TABLE + self._used, total)
        if LIBC.process_vm_readv(template, address(here), 1, address(there), count, 0) != total:
            raise Unfit
        place = self._stretches
        self._table[2 * place : 2 * (place + count)] = part
        self._used += total
        self._stretches += count
        if self.reads and self.reads[-1][0] + count <= MOST_AT_ONCE:
            before, _, offset, size = self.reads.pop()
            count, place, total = before + count, place - before, size + total
        else:
            offset = _TABLE + self._used - total
        self.reads.append((count, self._seen + 16 * place, offset, total))


def _file() -> int:
    """A file in memory that is large enough; what a run may write to a file is no limit to it."""
    number = os.memfd_create("originals")
    try:
        if not with_output(_WHOLE, lambda: os.ftruncate(number, _WHOLE)):
            raise Unfit
    except BaseException:
        os.close(number)
        raise
    return number


def _room() -> int:
    """Where a file can be mapped so that large pages of it may be mapped as such.  Raises Unfit."""
    found: int = LIBC.mmap(0, _WHOLE + LARGE, 0, _PRIVATE | _ANONYMOUS, -1, 0)
    if found == _FAILED:
        raise Unfit
    return (found + LARGE - 1) // LARGE * LARGE


def _mapped(number: int, size: int, rights: int, place: int = 0) -> int:
    """Where a file is in memory now.  Raises Unfit."""
    flags = _SHARED | (_FIXED if place else 0)
    found: int = LIBC.mmap(place, size, rights, flags, number, 0)
    if found == _FAILED:
        raise Unfit
    return found
