"""Limits of the system that we cannot work within, told before anything runs or in plain words."""

from __future__ import annotations

import errno
import resource

from stripe.errors import UsageError

LEAST_FILES = 64
"""Files that a process of ours must be able to have open."""

LEAST_SIZE = 1 << 20
"""Bytes that a file of ours must be able to have."""

_TOLD = {
    errno.EMFILE: ("too-few-files", "the limit of open files is reached", "ulimit -n 1024"),
    errno.ENFILE: ("too-few-files", "the system's limit of open files is reached", "wait a while"),
    errno.EFBIG: ("files-too-small", "the limit for the size of files is reached", "ulimit -f"),
    errno.ENOSPC: ("disk-full", "there is no more room on the disk", "make room, or set TMPDIR"),
    errno.EDQUOT: ("disk-full", "your share of the disk is used up", "make room, or set TMPDIR"),
    errno.EAGAIN: ("too-many-processes", "no more processes can be started", "ulimit -u"),
    errno.ENOMEM: ("no-memory", "there is no more memory", "end other programs"),
}


def require_limits() -> None:
    """Raise :class:`~stripe.errors.UsageError` if this shell allows too little."""
    files, _ = resource.getrlimit(resource.RLIMIT_NOFILE)
    if 0 <= files < LEAST_FILES:
        raise UsageError(
            "too-few-files",
            f"A process may have no more than {files} files open here; STRIPE needs {LEAST_FILES}.",
            "Allow more in this shell: ulimit -n 1024",
        )
    size, _ = resource.getrlimit(resource.RLIMIT_FSIZE)
    if 0 <= size < LEAST_SIZE:
        raise UsageError(
            "files-too-small",
            f"Files may have no more than {size} bytes here; the recording of a run takes more.",
            "Allow more in this shell: ulimit -f unlimited",
        )


def of_the_system(error: OSError) -> UsageError | None:
    """What to say of an error that is the system's, and neither ours nor the program's."""
    if error.errno not in _TOLD:
        return None
    slug, what, hint = _TOLD[error.errno]
    where = f" ({error.filename})" if error.filename else ""
    return UsageError(slug, f"STRIPE cannot go on: {what}{where}.", f"What may help: {hint}.")
