"""The files that a run is to have: its input, and where what it prints is kept."""

from __future__ import annotations

import os

TYPE_CHECKING = False  # a launcher begins sooner without typing
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any


class Capture:
    """A file in memory for what a run prints.

    In memory, because emptying a file on disk between two tests takes longer than the test.
    """

    def __init__(self, name: str) -> None:
        self.number = os.memfd_create(name)
        self._path = f"/proc/self/fd/{self.number}"

    def move(self, moved: Callable[..., tuple[int, ...]]) -> None:
        """Give it another descriptor."""
        (self.number,) = moved(self.number)
        self._path = f"/proc/self/fd/{self.number}"

    def begin(self, data: bytes) -> None:
        """Write what stands there before anything else is printed."""
        os.ftruncate(self.number, 0)
        offset = 0
        while offset < len(data):
            offset += os.pwrite(self.number, data[offset:], offset)

    def open(self, number: int) -> None:
        """Make it descriptor ``number``; everything that writes there appends."""
        descriptor = os.open(self._path, os.O_WRONLY | os.O_APPEND)
        os.dup2(descriptor, number)
        os.close(descriptor)

    def take(self) -> bytes:
        """What was written; empties the file."""
        size = os.fstat(self.number).st_size
        if not size:
            return b""
        data = read(self.number, size)
        os.ftruncate(self.number, 0)
        return data


def printed(number: int) -> bytes:
    """What has been written to an output that is a file in memory."""
    file = os.open(f"/proc/self/fd/{number}", os.O_RDONLY | os.O_CLOEXEC)
    try:
        return read(file, os.fstat(file).st_size)
    finally:
        os.close(file)


def read(file: int, size: int) -> bytes:
    """What a file of a known size holds."""
    parts, start = [], 0
    while start < size and (part := os.pread(file, size - start, start)):
        parts.append(part)
        start += len(part)
    return parts[0] if len(parts) == 1 else b"".join(parts)


def redirect(request: dict[str, Any], out: Capture, err: Capture) -> None:
    """Take the files and the directory that the next child is to inherit."""
    enter(request)
    out.open(1)
    err.open(2)


def enter(request: dict[str, Any]) -> None:
    """Take the directory and the input of a run."""
    os.chdir(request["directory"])
    source = os.open(request["stdin"], os.O_RDONLY)
    os.dup2(source, 0)
    os.close(source)
