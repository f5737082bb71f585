"""Slices that were found, and which of them may be shown: never one of another text."""

from __future__ import annotations

import os
import tokenize
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any

from pygls.uris import from_fs_path

from stripe.reduce import CriticalSlice, Result
from stripe.report.source import Line, lines_of

MOST = 20
"""Slices that are remembered."""


@dataclass(eq=False)
class Sliced:
    """A result, the request it answers, and the criterion of it that is shown.

    ``paths`` are the files of its trace, resolved.
    """

    result: Result
    request: Mapping[str, Any]
    directory: str
    which: int = 0
    marks: dict[int, Mapping[int, Mapping[int, Line]]] = field(default_factory=dict, repr=False)

    @cached_property
    def paths(self) -> list[str]:
        """The files of the trace, resolved."""
        files = self.result.trace.files
        return [os.path.realpath(os.path.join(self.directory, file.path)) for file in files]

    @property
    def slice(self) -> CriticalSlice:
        """The slice that is shown."""
        return self.result.slices[self.which]

    def prepare(self) -> None:
        """Do what takes time in large traces before somebody waits for it."""
        trace = self.result.trace
        for which, each in enumerate(self.result.slices):
            self.marks[which] = lines_of(trace, each)

    def lines(self, path: str) -> Mapping[int, Line]:
        """What happened on the lines of a file, as reports mark it."""
        if not self.marks:
            self.prepare()
        return self.marks[self.which].get(self.paths.index(path), {})

    def uri(self, file: int) -> str:
        """Where a file of the trace is, for clients."""
        path = self.paths[file]
        return from_fs_path(path) or path


class FoundSlices:
    """The slices found so far, the latest first.

    ``opened`` tells the text of a file (a resolved path) in the editor, or ``None``.
    """

    def __init__(self, opened: Callable[[str], str | None]) -> None:
        self._opened = opened
        self._found: list[Sliced] = []
        self._disk: dict[str, tuple[tuple[int, int], str]] = {}

    def add(self, found: Sliced) -> None:
        """Put a slice on top; it replaces one for the same request."""
        self._found = [each for each in self._found if each.request != found.request]
        self._found.insert(0, found)
        del self._found[MOST:]

    def clear(self, path: str | None = None) -> None:
        """Forget the slices of a file, or all."""
        self._found = [
            each for each in self._found if path is not None and path not in each.paths
        ]  # fmt: skip

    def shown(self, path: str) -> Sliced | None:
        """The latest slice with this file, if all of its files are as they were sliced.

        An older one is not shown in place of a latest one that is stale: what is shown would
        change in a way that nobody has asked for.
        """
        for each in self._found:
            if path in each.paths:
                return None if self.changed(each) else each
        return None

    def changed(self, found: Sliced) -> list[str]:
        """The files whose text is not any more what was sliced."""
        files = found.result.trace.files
        return [
            path
            for path, file in zip(found.paths, files, strict=True)
            if self.text(path) != orderly(file.text)
        ]

    def text(self, path: str) -> str | None:
        """The text of a file as it is now: in the editor, else on disk."""
        opened = self._opened(path)
        return self.saved(path) if opened is None else orderly(opened)

    def saved(self, path: str) -> str | None:
        """The text of a file on disk; ``None`` if it cannot be read."""
        try:
            status = os.stat(path)
            stamp = (status.st_mtime_ns, status.st_size)
            known = self._disk.get(path)
            if known is None or known[0] != stamp:
                known = self._disk[path] = (stamp, orderly(read(Path(path))))
            return known[1]
        except OSError:
            return None


def read(path: Path) -> str:
    """A source file as text: a Python file in the encoding it names."""
    if path.suffix == ".py":
        try:
            with tokenize.open(path) as stream:
                return stream.read()
        except (SyntaxError, UnicodeDecodeError):
            pass
    return path.read_bytes().decode("utf-8", "replace")


def orderly(text: str) -> str:
    """Without what editors may change and programs do not see: kinds of line ends, a mark."""
    return text.removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n")
