"""Limits of this shell that we cannot work within, told before anything runs."""

from __future__ import annotations

import resource

from stripe.errors import UsageError

LEAST_FILES = 64
"""Files that a process of ours must be able to have open."""

LEAST_SIZE = 1 << 20
"""Bytes that a file of ours must be able to have."""


def require_limits() -> None:
    """Raise :class:`~stripe.errors.UsageError` if this shell allows too little."""
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
