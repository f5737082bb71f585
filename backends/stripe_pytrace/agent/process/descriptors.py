"""Descriptors of what forks runs, by numbers that its children can close at once."""

from __future__ import annotations

import fcntl
import os

FIRST_OF_OURS, LAST_OF_OURS = 200, 240
"""Descriptors of a trunk or a fork point that its children do not have."""

DEVICES = ("/dev/null", "/dev/zero", "/dev/full", "/dev/random", "/dev/urandom")
"""Those where nothing that is done is seen by others."""

FIRST_OF_LIBRARIES = 256
"""What libraries keep open for us has numbers from here on, which nobody closes."""

REPORT = FIRST_OF_OURS - 1
"""What a run tells its end by."""


class LowNumbersTaken:
    """While it lasts, what is opened gets none of the numbers that a program's files have.

    Libraries keep descriptors that nobody can move: libffi 3.5 one of its own file, once ctypes is
    imported, and ``mmap`` of 3.12 one of what it maps.  Where too few are allowed, nothing is done.
    """

    def __enter__(self) -> None:
        self._taken: list[int] = []
        try:
            last = os.open(os.devnull, os.O_RDONLY)
            while last < FIRST_OF_LIBRARIES:
                self._taken.append(last)
                last = os.dup(last)
        except OSError:
            return
        os.close(last)

    def __exit__(self, *exception: object) -> None:
        for each in self._taken:
            os.close(each)


def settled(descriptor: int) -> int:
    """The same file as ``REPORT``, if there can be one: what a program opens has the same numbers
    in all runs, whatever we had open when we forked."""
    try:
        os.dup2(descriptor, REPORT, inheritable=False)
    except OSError:
        return descriptor  # so many are not allowed
    os.close(descriptor)
    return REPORT


def stand_aside(report: int) -> None:
    """Have this and the standard streams only, by a number that no program of the user's gets.

    What runs plainly opens its files by the numbers that it has without us.
    """
    report = settled(report)
    os.set_inheritable(report, True)
    os.closerange(3, report)
    os.closerange(report + 1, 256)


def moved(*descriptors: int) -> tuple[int, ...]:
    """The same files by numbers that can be closed at once."""
    found = []
    for each in descriptors:
        found.append(fcntl.fcntl(each, fcntl.F_DUPFD_CLOEXEC, FIRST_OF_OURS))
        os.close(each)
    return tuple(found)


def is_regular(descriptor: int) -> bool:
    """Whether a descriptor is that of a file which has a content."""
    try:
        return os.fstat(descriptor).st_mode & 0o170000 == 0o100000
    except OSError:
        return False
