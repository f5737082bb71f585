"""Limits of this shell that we cannot work within, told before anything runs."""

from __future__ import annotations

import os
import resource
from contextlib import suppress
from pathlib import Path

from stripe.errors import UsageError

LEAST_FILES = 320
"""Files that a process of ours must be able to have open: those of ours have numbers that no
program comes to see, up to 256 and above."""

LEAST_PROCESSES = 16
"""Processes and threads beside those that the user has already: what runs with one job, and gdb."""

LEAST_MEMORY = 128 << 20
"""Bytes of addresses that a process of ours must be able to have."""

MANY = 4096
"""A limit of processes from which on nobody counts how many there are."""

LEAST_SIZE = 1 << 20
"""Bytes that a file of ours must be able to have."""


def require_limits() -> None:
    """Raise :class:`~stripe.errors.UsageError` if this shell allows too little to run programs."""
    files, _ = resource.getrlimit(resource.RLIMIT_NOFILE)
    if 0 <= files < LEAST_FILES:
        raise UsageError(
            "system-limit",
            f"A process may have no more than {files} files open here; STRIPE needs {LEAST_FILES}.",
            "Allow more in this shell: ulimit -n 1024",
        )
    processes, _ = resource.getrlimit(resource.RLIMIT_NPROC)
    if 0 <= processes < MANY and os.geteuid():  # root may have any number
        there = tasks(os.geteuid())
        if processes - there < LEAST_PROCESSES:
            raise UsageError(
                "system-limit",
                f"There may be no more than {processes} processes and threads of this user, and "
                f"there are {there} already; STRIPE needs {LEAST_PROCESSES} more.",
                f"Allow more in this shell: ulimit -u {there + 10 * LEAST_PROCESSES}",
            )
    size, _ = resource.getrlimit(resource.RLIMIT_FSIZE)
    if 0 <= size < LEAST_SIZE:
        raise UsageError(
            "system-limit",
            f"Files may have no more than {size} bytes here; the recording of a run takes more.",
            "Allow more in this shell: ulimit -f unlimited",
        )


def tasks(user: int) -> int:
    """How many processes and threads a user has."""
    found = 0
    for process in Path("/proc").glob("[0-9]*"):
        with suppress(OSError):  # it has ended
            if process.stat().st_uid == user:
                found += len(os.listdir(process / "task"))
    return found


def require_memory() -> None:
    """Raise :class:`~stripe.errors.UsageError` if not even our own modules can be loaded."""
    memory, _ = resource.getrlimit(resource.RLIMIT_AS)
    if 0 <= memory < LEAST_MEMORY:
        raise UsageError(
            "system-limit",
            f"A process may have no more than {memory >> 10} kB of memory here; STRIPE needs "
            f"{LEAST_MEMORY >> 10}.",
            "Allow more in this shell: ulimit -v unlimited. To limit the program alone: --memory.",
        )
