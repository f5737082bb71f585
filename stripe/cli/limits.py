"""Limits of this shell that we cannot work within, told before anything runs."""

from __future__ import annotations

import resource

from stripe.errors import UsageError

LEAST_FILES = 320
"""Files that a process of ours must be able to have open: those of ours have numbers that no
program comes to see, up to 256 and above."""

LEAST_MEMORY = 128 << 20
"""Bytes of addresses that a process of ours must be able to have."""

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
    size, _ = resource.getrlimit(resource.RLIMIT_FSIZE)
    if 0 <= size < LEAST_SIZE:
        raise UsageError(
            "system-limit",
            f"Files may have no more than {size} bytes here; the recording of a run takes more.",
            "Allow more in this shell: ulimit -f unlimited",
        )


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
