"""Which source files are the user's code, and their text.

By default every file that the debug information names and that is here, except what belongs to
the system or to a language's own libraries.

Globs are as in ``.gitignore``: ``?``, ``*``, ``[a-z]`` within a name, ``**`` over folders; a name
alone means files and folders of that name anywhere; what matches a folder matches all below it.
An include adds; with "only" nothing else counts; excludes win.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterable, Sequence
from functools import cache
from pathlib import Path

from stripe.errors import UsageError

SYSTEM = re.compile(r"/(usr|lib|lib64|rustc|nix/store)/|.*/(\.cargo/registry|\.rustup|rustlib)/")


class Sources:
    """Decides which files count (:meth:`wants`) and reads them (:meth:`line`, :meth:`text`).

    Paths are absolute, as debug information gives them.
    """

    def __init__(
        self,
        directory: Path,
        include: Sequence[str],
        only: Sequence[str],
        exclude: Sequence[str],
    ) -> None:
        self.directory = os.path.realpath(directory)
        self._include = [self._matcher(glob, "--include") for glob in include]
        self._only = [self._matcher(glob, "--only") for glob in only]
        self._options = [
            *zip((f"--include {glob!r}" for glob in include), self._include, strict=True),
            *zip((f"--only {glob!r}" for glob in only), self._only, strict=True),
        ]
        self._exclude = [self._matcher(glob, "--exclude") for glob in exclude]
        self.wants = cache(self._wants)
        self._lines = cache(self._read)

    def _wants(self, path: str) -> bool:
        path = os.path.normpath(path)
        if not path or path.startswith("<") or path.endswith(">"):
            return False
        if any(matches(path) for matches in self._exclude):
            return False
        if any(matches(path) for matches in self._include):
            return True
        if self._only:
            return any(matches(path) for matches in self._only)
        return not SYSTEM.match(path) and os.path.isfile(path)

    def unmatched(self, paths: Iterable[str]) -> list[str]:
        """The options that name files and match none of ``paths``."""
        used = [os.path.normpath(path) for path in paths]
        return [
            option for option, matches in self._options if not any(matches(path) for path in used)
        ]

    def text(self, path: str) -> str:
        """The text of a file; empty if it is not there any more."""
        return "\n".join(self._lines(path))

    def line(self, path: str, number: int) -> str:
        """A line of a file, without the space around it."""
        lines = self._lines(path)
        return lines[number - 1].strip() if 0 < number <= len(lines) else ""

    def _read(self, path: str) -> list[str]:
        try:
            return Path(path).read_text("utf-8", "replace").split("\n")
        except OSError:
            return []

    def relative(self, path: str) -> str:
        """A path for people: relative to the working directory if it is below that."""
        path = os.path.normpath(path)
        for spelling in (path, os.path.realpath(path)):
            if spelling.startswith(self.directory.rstrip("/") + "/"):
                return os.path.relpath(spelling, self.directory)
        return path

    def _matcher(self, glob: str, option: str) -> Callable[[str], bool]:
        if not glob.strip("/ ") or "\0" in glob:
            raise UsageError(
                "bad-glob",
                f"{option} {glob!r} names no file.",
                f"Give a file, a folder or a glob: {option} 'src/**', {option} '*.c'.",
            )
        pattern = os.path.expanduser(glob.removeprefix("./")).rstrip("/")
        if ".." in pattern.split("/"):
            pattern = os.path.normpath(os.path.join(self.directory, pattern))
        anywhere = "" if pattern.startswith("/") else "(?:.*/)?"
        expression = re.compile(anywhere + _expression(pattern) + "(?:/.*)?", re.DOTALL)
        return lambda path: expression.fullmatch(path) is not None


def _expression(glob: str) -> str:
    parts = re.split(r"(\*\*/|\*\*|\*|\?|\[[^\]/]+\])", glob)
    special = {"**/": "(?:.*/)?", "**": ".*", "*": "[^/]*", "?": "[^/]"}
    result = []
    for part in parts:
        if part.startswith("[") and len(part) > 2:
            result.append("[" + part[1:-1].replace("\\", "\\\\").replace("!", "^", 1) + "]")
        else:
            result.append(special.get(part, re.escape(part)))
    return "".join(result)
