"""What becomes of the files a forked process has inherited.

A child has the very open files of its parent: their positions, their locks, their other ends, and,
of a folder, a way past every wall. So each is replaced, under the same number. A file or folder
is opened once more, by its path, behind the walls; anything else is dead.
"""

from __future__ import annotations

import fcntl
import os
import socket
import stat
from collections.abc import Collection
from contextlib import suppress
from dataclasses import dataclass

_LARGEST_COPY = 16 << 20
"""Bytes of a file that is copied where it cannot be opened again; larger ones are dead."""

_KEPT_FLAGS = os.O_ACCMODE | os.O_APPEND | os.O_NONBLOCK
_DEVICES = ("/dev/null", "/dev/zero", "/dev/full", "/dev/random", "/dev/urandom")


@dataclass(frozen=True, slots=True)
class _File:
    """How to open a file again."""

    path: str
    flags: int
    position: int
    inheritable: bool
    content: bytes | None = None
    """Instead of what is at `path`."""


class Inherited:
    """The descriptors that a process has when this is made, which must be outside of the walls.

    Args:
        ours: descriptors to leave alone.
        writable: whether files can be opened for writing behind the walls.
    """

    def __init__(self, ours: Collection[int], *, writable: bool) -> None:
        self._files: dict[int, _File] = {}
        self._sockets: set[int] = set()
        self._writable = writable
        # 0, 1 and 2 are the business of who runs the tests.
        self._numbers: list[int] = []
        for number in _open_ones():
            if number <= 2 or number in ours:
                continue
            try:
                status = os.fstat(number)
            except OSError:
                continue  # not open: it was the listing's own
            self._numbers.append(number)
            with suppress(OSError):
                self._look_at(number, status)

    def _look_at(self, number: int, status: os.stat_result) -> None:
        kind = status.st_mode
        if stat.S_ISSOCK(kind):
            self._sockets.add(number)
            return
        path = os.readlink(f"/proc/self/fd/{number}")
        device = stat.S_ISCHR(kind) and path in _DEVICES
        if not (device or stat.S_ISREG(kind) or stat.S_ISDIR(kind)):
            return
        flags = fcntl.fcntl(number, fcntl.F_GETFL)
        kept = flags & (_KEPT_FLAGS | os.O_PATH)
        try:
            there = os.stat(path, follow_symlinks=False)
            found = (there.st_dev, there.st_ino) == (status.st_dev, status.st_ino)
        except OSError:
            found = False
        position = 0
        if stat.S_ISREG(kind) and not flags & os.O_PATH:
            position = os.lseek(number, 0, os.SEEK_CUR)
        inheritable = os.get_inheritable(number)
        if stat.S_ISDIR(kind):
            kept |= os.O_DIRECTORY
        elif stat.S_ISREG(kind) and not flags & os.O_PATH:
            written = flags & os.O_ACCMODE != os.O_RDONLY
            if not found or path.startswith("/dev/") or written > self._writable:
                content = _content(number, status.st_size)
                if content is not None:
                    self._files[number] = _File(path, kept, position, inheritable, content)
                    return
        if found:
            self._files[number] = _File(path, kept, position, inheritable)

    def replace(self, ours: Collection[int]) -> None:
        """Behind the walls: let go of all of them, and of everything else that is not ours."""
        known = {0, 1, 2, *ours}
        nothing = os.open(os.devnull, os.O_RDWR | os.O_CLOEXEC)
        dead, other = socket.socketpair()
        other.close()
        for number in self._numbers:
            place = dead.fileno() if number in self._sockets else nothing
            os.dup2(place, number, inheritable=False)
        dead.close()
        os.close(nothing)
        known.update(self._numbers)
        for number in _open_ones():
            if number not in known:
                with suppress(OSError):
                    os.close(number)

    def reopen(self) -> None:
        """In a child of that: open again what can be."""
        for number, file in self._files.items():
            try:
                found = self._open(file)
            except OSError:
                continue  # stays dead
            if found != number:
                os.dup2(found, number, inheritable=file.inheritable)
                os.close(found)

    def _open(self, file: _File) -> int:
        if file.content is not None:
            found = os.memfd_create(os.path.basename(file.path))
            view = memoryview(file.content)
            while view:
                view = view[os.write(found, view) :]
            if file.flags & (os.O_ACCMODE | os.O_APPEND) != os.O_RDWR:
                again = os.open(f"/proc/self/fd/{found}", file.flags)
                os.close(found)
                found = again
        else:
            found = os.open(file.path, file.flags | os.O_CLOEXEC | os.O_NOFOLLOW | os.O_NOCTTY)
        if file.position:
            os.lseek(found, file.position, os.SEEK_SET)
        return found


def _content(number: int, size: int) -> bytes | None:
    """What is in an open file, if it is not too much; of one that can only be written, nothing."""
    if size > _LARGEST_COPY:
        return None
    try:
        return os.pread(number, size, 0)
    except OSError:
        return b""


def _open_ones() -> list[int]:
    return sorted(map(int, os.listdir("/proc/self/fd")))
