"""What a process would share with its fork, or not hand down to it.

A fork is like a run from the beginning only if both have the same of everything.  What the two
share, the places in open files, is put back when the fork has ended.  Where more than that is
shared, and where the kernel does not hand down something, no fork is made: :class:`Unsafe`.
"""

from __future__ import annotations

import fcntl
import os
import re
import stat
import struct
import time
from collections.abc import Sequence

from . import gates, system
from .layout import BREAKPOINT
from .process import BREAKPOINT_HIT, Process

TIMER = 32
"""Bytes of ``struct itimerval``."""

SCRATCH = gates.NEVER_AT + 0x1000
"""Where a system call may write."""

QUESTION = 0x200
"""A place in the page of data that nothing else is at."""

ASKING = b"".join(
    # mov eax, getitimer; mov edi, which; mov rsi, where; syscall
    b"\xb8\x24\0\0\0\xbf" + struct.pack("<IH", which, 0xBE48)
    + struct.pack("<Q", SCRATCH + which * TIMER) + b"\x0f\x05"
    for which in range(3)
) + BREAKPOINT  # fmt: skip
"""The machine code that asks for the three timers."""

SHARED_MEMORY = re.compile(rb"^\S+ ...s ", re.MULTILINE)
PENDING = re.compile(rb"^(?:SigPnd|ShdPnd):\s*0*[1-9a-f]", re.MULTILINE)
ALONE = re.compile(rb"^Threads:\s*1$", re.MULTILINE)

RECENTLY = 20_000_000
"""Nanoseconds: a file changed since then may be changed again at what counts as the same time."""

MOST_FILES = 500
"""With more files in its folders, to look at them takes longer than a run."""


class Unsafe(Exception):
    """A fork would not be like a run from the beginning."""


class Descriptors:
    """The open files of a process, and where it stands in each.

    ``outputs``: descriptors of the files that it may write: what is in these is put back, too.
    """

    def __init__(self, process: Process, outputs: Sequence[int]) -> None:
        self._files: list[tuple[int, int, int]] = []
        self._outputs: list[tuple[int, bytes]] = []
        try:
            for each in outputs:
                file = os.open(f"/proc/self/fd/{each}", os.O_RDWR | os.O_CLOEXEC)
                self._outputs.append((file, b""))
                self._outputs[-1] = file, _content(file)
            known = {_identity(os.fstat(file)) for file, _ in self._outputs}
            for name in os.listdir(f"/proc/{process.number}/fd"):
                self._take(process.number, int(name), known)
        except BaseException:
            self.close()
            raise

    def _take(self, process: int, number: int, outputs: set[tuple[int, int]]) -> None:
        path = f"/proc/{process}/fd/{number}"
        status = os.stat(path)
        if not stat.S_ISREG(status.st_mode) or os.readlink(path).startswith(("/proc/", "/sys/")):
            raise Unsafe("it has opened what is no file")
        with open(f"/proc/{process}/fdinfo/{number}", "rb") as stream:
            about = stream.read()
        fields = dict(line.split(b":", 1) for line in about.splitlines() if b":" in line)
        flags = int(fields[b"flags"], 8)
        if b"lock" in fields:
            raise Unsafe("it has locked a file")
        if flags & os.O_ACCMODE != os.O_RDONLY and _identity(status) not in outputs:
            raise Unsafe("it writes a file")
        ours = system.descriptor_of(process, number)
        self._files.append((ours, int(fields[b"pos"]), fcntl.fcntl(ours, fcntl.F_GETFL)))

    def printed(self) -> list[bytes]:
        """What is in the outputs now."""
        return [_content(file) for file, _ in self._outputs]

    def restore(self) -> None:
        """Have all as it was, when the fork has ended."""
        for file, place, flags in self._files:
            fcntl.flock(file, fcntl.LOCK_UN)
            fcntl.fcntl(file, fcntl.F_SETFL, flags)
            os.lseek(file, place, os.SEEK_SET)
        for file, content in self._outputs:
            os.ftruncate(file, len(content))
            if _content(file) != content:
                os.pwrite(file, content, 0)

    def close(self) -> None:
        for file, _, _ in self._files:
            os.close(file)
        for file, _ in self._outputs:
            os.close(file)
        self._files, self._outputs = [], []


def _identity(status: os.stat_result) -> tuple[int, int]:
    return status.st_dev, status.st_ino


def _content(file: int) -> bytes:
    """All that is in an open file, wherever somebody stands in it."""
    return os.pread(file, os.fstat(file).st_size, 0)


def require_forkable(process: Process) -> None:
    """Raises :class:`Unsafe` if the kernel would not hand down all that the process has.

    Its registers are others then.
    """
    number = process.number
    with open(f"/proc/{number}/status", "rb") as stream:
        status = stream.read()
    if PENDING.search(status) or not ALONE.search(status):
        raise Unsafe("it has threads, or signals that it will get")
    with open(f"/proc/{number}/maps", "rb") as stream:
        if SHARED_MEMORY.search(stream.read()):
            raise Unsafe("it has memory that is shared")
    with open(f"/proc/{number}/timers", "rb") as stream:
        if stream.read():
            raise Unsafe("it has timers")
    if (os.getpgid(number), os.getsid(number)) != (number, os.getsid(0)):
        raise Unsafe("it has left its group of processes")
    question = process.code.area.start + QUESTION
    process.put(SCRATCH, b"\xff" * (3 * TIMER))
    process.put(question, ASKING)
    process.registers.rip = question
    process.store_registers()
    process.resume(system.CONT)
    if process.wait() != BREAKPOINT_HIT:
        raise OSError("it gets a signal")
    if any(os.pread(process.memory, 3 * TIMER, SCRATCH)):
        raise Unsafe("it has timers")


class Folders:
    """What is in the folders that the program may change.

    Of a folder that ``holds`` one of them only its own entries count.
    """

    def __init__(self, folders: Sequence[str], holders: Sequence[str]) -> None:
        self._folders, self._holders = folders, holders
        self._newest = 0
        self._before = self._look()
        if self._newest > time.time_ns() - RECENTLY:
            raise Unsafe("a file has just been changed")

    def changed(self) -> bool:
        """Whether anything in them is not as it was."""
        try:
            return self._look() != self._before
        except (OSError, Unsafe):
            return True

    def _look(self) -> dict[str, tuple[int, ...]]:
        seen = {path: _stamp(os.lstat(path)) for path in self._holders}
        pending = [*self._folders]
        while pending:
            folder = pending.pop()
            status = os.lstat(folder)
            seen[folder] = _stamp(status)
            if not stat.S_ISDIR(status.st_mode):
                self._newest = max(self._newest, status.st_ctime_ns)
                continue
            if len(seen) > MOST_FILES:
                raise Unsafe("there are many files")
            pending.extend(entry.path for entry in os.scandir(folder))
        return seen


def _stamp(status: os.stat_result) -> tuple[int, ...]:
    """What changes when a file, or a folder's entries, are changed."""
    found = (status.st_mode, status.st_uid, status.st_gid, status.st_ino, status.st_mtime_ns)
    if stat.S_ISDIR(status.st_mode):
        return found
    return (*found, status.st_nlink, status.st_size, status.st_ctime_ns)
