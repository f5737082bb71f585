"""Kernel objects that outlive the processes that made them: System V IPC and message queues."""

from __future__ import annotations

import ctypes
import os

from .system import LIBC

_REMOVE = 0
_KINDS = ("shm", "sem", "msg")
_QUEUES = "/dev/mqueue"


class Leftovers:
    """Removes those of our IPC namespace."""

    def __init__(self) -> None:
        self._tables = [_open(f"/proc/sysvipc/{kind}") for kind in _KINDS]

    def remove(self) -> None:
        """Remove all of them; nobody uses them any more."""
        for kind, table in zip(_KINDS, self._tables, strict=True):
            for line in _lines(table)[1:]:
                number = ctypes.c_int(int(line.split()[1]))
                if kind == "sem":
                    LIBC.semctl(number, 0, _REMOVE)
                else:
                    getattr(LIBC, f"{kind}ctl")(number, _REMOVE, None)


def _open(path: str) -> int:
    try:
        return os.open(path, os.O_RDONLY | os.O_CLOEXEC)
    except OSError:
        return -1  # a kernel without


def _lines(table: int) -> list[bytes]:
    if table < 0:
        return []
    text = b""
    while part := os.pread(table, 65536, len(text)):
        text += part
    return text.splitlines()
