"""Places in which tests run, one at a time: a directory with nothing but the candidate in it."""

from __future__ import annotations

import fcntl
import os
import shutil
from collections.abc import Mapping
from contextlib import ExitStack
from pathlib import Path

from stripe.inputs.processes import MARK
from stripe.inputs.spawning import Launcher

_OVERWRITE = os.O_WRONLY | os.O_CREAT | os.O_NOFOLLOW | os.O_NONBLOCK
"""Fails for what is no file of the directory: a link, a directory, a pipe that nobody reads."""


class Folder:
    """A directory of ours, whatever tests do to it.

    A test may remove it, or put something else in its place, as a link to what is precious.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self._descriptor = -1
        self._identity = (0, 0)
        self._make()

    def _make(self) -> None:
        self.close()
        self.path.mkdir(parents=True)
        self._descriptor = os.open(self.path, os.O_RDONLY | os.O_DIRECTORY)
        self._identity = _identity(self.path)

    def clear(self, but: str = "") -> None:
        """Remove everything in it, but for what has this name."""
        try:
            ours = _identity(self.path) == self._identity
        except OSError:
            ours = False
        if ours:
            for name in os.listdir(self._descriptor):
                if name != but:
                    remove(self.path / name)
        else:
            remove(self.path)
            self._make()

    def close(self) -> None:
        if self._descriptor >= 0:
            os.close(self._descriptor)
            self._descriptor = -1


class Slot:
    """A place to run one test at a time: a directory, and files for what is printed.

    Args:
        home: where to make it.
        file: what the candidate is called.
        mark: by which everything that is started here is known.
        reads: whether commands read the candidate from standard input.
    """

    def __init__(self, home: Path, file: str, mark: str, *, reads: bool) -> None:
        with ExitStack() as stack:
            self._directory = Folder(home / "run")
            stack.callback(self._directory.close)
            self._tmp = Folder(home / "tmp")
            stack.callback(self._tmp.close)
            self.directory = self._directory.path
            self.file = self.directory / file
            self.mark = mark
            self.stdout = _sink(stack, home / "out")
            self.stderr = _sink(stack, home / "err")
            null = os.open(os.devnull, os.O_RDWR)
            stack.callback(os.close, null)
            environment = self._environment()
            stdin = self.file if reads else null
            self.heard = Launcher(self.directory, environment, stdin, self.stdout, self.stderr)
            """Starts commands whose words are of interest..."""
            stack.callback(self.heard.close)
            self.unheard = Launcher(self.directory, environment, stdin, null, null)
            """...and others."""
            stack.callback(self.unheard.close)
            self.close = stack.pop_all().close

    def _environment(self) -> Mapping[bytes, bytes]:
        """Of every test; in bytes, or each would encode it anew."""
        ours: dict[str, str | Path] = {
            MARK: self.mark,
            "TMPDIR": self._tmp.path,
            "PWD": self.directory,
            "STRIPE_INPUT": self.file,
            "STRIPE_CWD": os.getcwd(),
        }
        return os.environb | {os.fsencode(name): os.fsencode(value) for name, value in ours.items()}

    def put(self, content: bytes) -> None:
        """Make the candidate the only thing in the directory."""
        self._directory.clear(but=self.file.name)
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


def _sink(stack: ExitStack, path: Path) -> int:
    """Where a run prints to: in memory if possible, for disks may take their time to truncate."""
    if hasattr(os, "memfd_create"):
        descriptor = os.memfd_create(path.name)
        fcntl.fcntl(descriptor, fcntl.F_SETFL, os.O_APPEND)
    else:
        descriptor = os.open(path, os.O_RDWR | os.O_CREAT | os.O_APPEND)
    stack.callback(os.close, descriptor)
    return descriptor


def _identity(path: Path) -> tuple[int, int]:
    found = os.stat(path, follow_symlinks=False)
    return found.st_dev, found.st_ino


def remove(path: Path) -> None:
    """Remove whatever it is."""
    if path.is_dir() and not path.is_symlink():
        shutil.rmtree(path, ignore_errors=True)
    else:
        path.unlink(missing_ok=True)
