"""What decides whether a layer of the sandbox can be had, as far as it can be read.

To try a layer takes three processes, and its answer seldom changes: it is asked for again when
something of this has.
"""

from __future__ import annotations

import os
import resource
import sys
from pathlib import Path

_FILES = (
    "/proc/sys/kernel/random/boot_id",
    "/proc/self/attr/current",
    "/proc/self/uid_map",
    "/proc/sys/kernel/unprivileged_userns_clone",
    "/proc/sys/kernel/apparmor_restrict_unprivileged_userns",
    "/proc/sys/kernel/apparmor_restrict_unprivileged_unconfined",
    *(
        f"/proc/sys/user/max_{each}_namespaces"
        for each in ("user", "mnt", "pid", "net", "ipc", "uts")
    ),
)
_STATUS = ("Groups:", "Cap", "NoNewPrivs:", "Seccomp")
_NAMESPACES = ("user", "mnt", "pid", "net", "ipc", "uts", "cgroup")


def circumstances(inside: Path, scratch: str) -> str:
    """A text, of one line, that is another one when a layer may be refused that was had.

    Args:
        inside: the folder of what puts the walls up.
        scratch: where scratch copies are.
    """
    status = [line for line in _text("/proc/self/status").splitlines() if line.startswith(_STATUS)]
    ours = [(each.name, each.stat().st_mtime_ns) for each in sorted(inside.glob("*.py"))]
    return repr(
        (
            (sys.executable, sys.version, os.getresuid(), os.getresgid()),
            (resource.getrlimit(resource.RLIMIT_NPROC), resource.getrlimit(resource.RLIMIT_AS)),
            os.environ.get("STRIPE_SANDBOX_UPPER"),
            (scratch, os.stat(scratch).st_dev, os.statvfs(scratch).f_flag),
            [_link(f"/proc/self/ns/{each}") for each in _NAMESPACES],
            [_text(each) for each in _FILES],
            status,
            ours,
        )
    )


def _text(path: str) -> str:
    try:
        with open(path, encoding="utf-8", errors="replace") as stream:
            return stream.read()
    except OSError as error:
        return f"<{error.errno}>"


def _link(path: str) -> str:
    try:
        return os.readlink(path)
    except OSError as error:
        return f"<{error.errno}>"
