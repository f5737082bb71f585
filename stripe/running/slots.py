"""Places in which tests run, one at a time: a directory with nothing but the candidate in it."""

from __future__ import annotations

import fcntl
import os
from collections.abc import Mapping
from contextlib import ExitStack
from pathlib import Path

from stripe.sandbox.commands import CommandPlace, Runner
from stripe.sandbox.folders import Folder, remove
from stripe.sandbox.walls import Layer, Walls

_OVERWRITE = os.O_WRONLY | os.O_CREAT | os.O_NOFOLLOW | os.O_NONBLOCK
"""Fails for what is no file of the directory: a link, a directory, a pipe that nobody reads."""


class CommandSlot:
    """A place to run one test at a time: a directory, and files for what is printed.

    Args:
        scratch: where to make it.
        number: that of no other slot there.
        file: what the candidate is called.
        layer: what keeps tests in.
        reads: whether commands read the candidate from standard input.
    """

    def __init__(self, scratch: Path, number: int, file: str, layer: Layer, *, reads: bool) -> None:
        home = scratch / str(number)
        with ExitStack() as stack:
            self._home, self._directory, self._tmp = (
                Folder(path) for path in (home, home / "run", home / "tmp")
            )
            for folder in (self._home, self._directory, self._tmp):
                stack.callback(folder.close)
            self.directory = self._directory.path
            self.file = self.directory / file
            self.stdout = sink(stack, scratch / f"out-{number}")
            self.stderr = sink(stack, scratch / f"err-{number}")
            walls = Walls(layer, scratch, home, scratch / f"room-{number}", home)
            stdin = self.file if reads else None
            place = CommandPlace(
                self.directory, self._environment(), stdin, self.stdout, self.stderr
            )
            self.runner = Runner(walls, place)
            stack.callback(self.runner.close)
            self.close = stack.pop_all().close

    def _environment(self) -> Mapping[bytes, bytes]:
        """Of every test; in bytes, or each would encode it anew."""
        ours: dict[str, str | Path] = {
            "TMPDIR": self._tmp.path,
            "PWD": self.directory,
            "STRIPE_INPUT": self.file,
            "STRIPE_CWD": os.getcwd(),
        }
        return os.environb | {os.fsencode(name): os.fsencode(value) for name, value in ours.items()}

    def put(self, content: bytes) -> None:
        """Make the candidate the only thing in the directory."""
        self._home.clear(but=(self.directory.name, self._tmp.path.name))
        self._directory.clear(but=(self.file.name,))
        self._tmp.clear()
        descriptor = self._open()
        try:
            # Not truncated first: some file systems then wait for the disk.
            rest = memoryview(content)
            while rest:
                rest = rest[os.write(descriptor, rest) :]
            os.ftruncate(descriptor, len(content))
        finally:
            os.close(descriptor)

    def _open(self) -> int:
        """The file of the candidate, or a new one if a test has done something to it."""
        try:
            descriptor = os.open(self.file, _OVERWRITE, 0o644)
            if os.fstat(descriptor).st_nlink == 1:
                return descriptor
            os.close(descriptor)  # it has another name as well
        except OSError:  # its mode was changed, or something else put in its place
            pass
        remove(self.file)
        return os.open(self.file, _OVERWRITE, 0o644)

    def listen(self) -> None:
        """Forget what was printed."""
        os.ftruncate(self.stdout, 0)
        os.ftruncate(self.stderr, 0)

    def said(self, descriptor: int) -> bytes:
        """What was printed, without the paths of this slot: in another one they are others."""
        text = os.pread(descriptor, os.fstat(descriptor).st_size, 0)
        here = os.fsencode(self.directory)
        return text.replace(here + b"/", b"").replace(here, b".")


def sink(stack: ExitStack, path: Path) -> int:
    """Where a run prints to: in memory if possible, for disks may take their time to truncate."""
    if hasattr(os, "memfd_create"):
        descriptor = os.memfd_create(path.name)
        fcntl.fcntl(descriptor, fcntl.F_SETFL, os.O_APPEND)
    else:
        descriptor = os.open(path, os.O_RDWR | os.O_CREAT | os.O_APPEND)
    stack.callback(os.close, descriptor)
    return descriptor
