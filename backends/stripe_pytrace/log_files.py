"""The log of a recording: a folder of files (agent/recording/record.py and log_files.py)."""

from __future__ import annotations

from array import array
from bisect import bisect_right
from collections.abc import Sequence
from itertools import accumulate
from pathlib import Path
from typing import Self, overload

WIDTH = array("i").itemsize


class StoredLog(Sequence[int]):
    """The entries, read from the files a part at a time; used with ``with``, it removes them."""

    def __init__(self, path: Path) -> None:
        self._path = path
        parts = path.iterdir() if path.is_dir() else ()
        self._files = sorted(parts, key=lambda part: int(part.name))
        sizes = [part.stat().st_size // WIDTH for part in self._files]
        self._starts = [0, *accumulate(sizes)]

    def __len__(self) -> int:
        return self._starts[-1]

    @overload
    def __getitem__(self, which: int) -> int: ...
    @overload
    def __getitem__(self, which: slice) -> array[int]: ...
    def __getitem__(self, which: int | slice) -> int | array[int]:
        """The entries of a slice (without a step), or one."""
        if isinstance(which, int):
            return self[which : which + 1][0]
        start, stop, _ = which.indices(len(self))
        found = array("i")
        while start < stop:
            number = bisect_right(self._starts, start) - 1
            amount = min(stop, self._starts[number + 1]) - start
            with open(self._files[number], "rb") as stream:
                stream.seek((start - self._starts[number]) * WIDTH)
                found.fromfile(stream, amount)
            start += amount
        return found

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        for part in self._files:
            part.unlink(missing_ok=True)
        if self._path.is_dir():
            self._path.rmdir()
