"""Descriptors of what forks runs, by numbers that its children can close at once."""

from __future__ import annotations

import fcntl
import os

FIRST_OF_OURS, LAST_OF_OURS = 200, 240
"""Descriptors of a trunk or an outpost that its children do not have."""


def moved(*descriptors: int) -> tuple[int, ...]:
    """The same files by numbers that can be closed at once."""
    found = []
    for each in descriptors:
        found.append(fcntl.fcntl(each, fcntl.F_DUPFD_CLOEXEC, FIRST_OF_OURS))
        os.close(each)
    return tuple(found)
