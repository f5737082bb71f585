"""Directories that commands may do anything to, and that are emptied for the next one."""

from __future__ import annotations

import os
import shutil
from collections.abc import Collection
from pathlib import Path


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
        self.path.mkdir()  # no parents: a scratch folder that is gone must not come back
        self._descriptor = os.open(self.path, os.O_RDONLY | os.O_DIRECTORY)
        self._identity = _identity(self.path)

    def clear(self, but: Collection[str] = ()) -> None:
        """Remove everything in it, but for what has these names."""
        if self.stayed():
            for name in os.listdir(self._descriptor):
                if name not in but:
                    remove(self.path / name)

    def stayed(self) -> bool:
        """Whether it is still the one that was made; if not, it is made anew, and empty."""
        try:
            ours = _identity(self.path) == self._identity
        except OSError:
            ours = False
        if not ours:
            remove(self.path)
            self._make()
        return ours

    def close(self) -> None:
        if self._descriptor >= 0:
            os.close(self._descriptor)
            self._descriptor = -1


def _identity(path: Path) -> tuple[int, int]:
    found = os.stat(path, follow_symlinks=False)
    return found.st_dev, found.st_ino


def remove(path: Path) -> None:
    """Remove whatever it is."""
    if path.is_dir() and not path.is_symlink():
        shutil.rmtree(path, ignore_errors=True)
    else:
        path.unlink(missing_ok=True)
