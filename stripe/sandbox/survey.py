"""What of a working directory is copied for the runs, and how large that is."""

from __future__ import annotations

import os
import stat
from collections import Counter
from collections.abc import Callable, Collection
from pathlib import Path

from stripe.errors import UsageError
from stripe.sandbox.copies import Tree, join, scan

VERSION_CONTROL = frozenset({".git", ".hg", ".svn"})
CACHES = frozenset(
    {"__pycache__", ".mypy_cache", ".pytest_cache", ".ruff_cache", ".tox", ".nox", "node_modules"}
)
"""Folders that runs do not read but that make the copy large."""

_NAMES_IN_A_NOTE = 5


class TooLarge(UsageError):
    """The error ``directory-too-large``."""


class FolderSurvey:
    """What is in a directory that a copy has to hold, counted before anything is copied.

    ``found`` is what to copy and ``bytes`` its size.  Breadth first, so that when counting
    stops at a limit the biggest subfolders have been seen in about their proportions.
    """

    def __init__(
        self, top: str, max_bytes: int, max_files: int, check: Callable[[], object] = bool
    ) -> None:
        self.top = top
        self.bytes = 0
        self.found: Tree = {}
        self.left_out: list[str] = []
        self.unreadable: list[str] = []
        self.special: list[str] = []
        self._max_bytes, self._max_files = max_bytes, max_files
        self._files = 0
        self._bytes_in: Counter[str] = Counter()
        self._files_in: Counter[str] = Counter()
        try:
            folders = [("", os.stat(top))]
            entries = scan(top)
        except OSError as error:
            raise UsageError(
                "no-such-directory",
                f"The working directory {printable(top)} cannot be read: {error.strerror}.",
                "Run from a directory that exists and that you may read.",
            ) from error
        for rel, status in folders:  # grows on the way
            check()
            if rel:
                try:
                    entries = scan(join(top, rel))
                except OSError:
                    self.unreadable.append(rel)
                    continue
                if any(entry.name == "pyvenv.cfg" for entry in entries):
                    self.left_out.append(rel)  # a virtual environment; used where it is
                    continue
            self.found[rel] = status
            folders += self._add_entries(rel, entries)

    def _add_entries(
        self, rel: str, entries: list[os.DirEntry[str]]
    ) -> list[tuple[str, os.stat_result]]:
        """Sort out what is in the folder ``rel``; returns its subfolders that count."""
        folders = []
        for entry in entries:
            path = join(rel, entry.name)
            try:
                status = entry.stat(follow_symlinks=False)
            except OSError:
                self.unreadable.append(path)
                continue
            is_folder = stat.S_ISDIR(status.st_mode)
            # Work trees and submodules of Git have a file named .git.
            if entry.name in VERSION_CONTROL or (is_folder and entry.name in CACHES):
                self.left_out.append(path)
            elif is_folder:
                folders.append((path, status))
                self._count(path, 0)
            elif stat.S_ISREG(status.st_mode) or stat.S_ISLNK(status.st_mode):
                self.found[path] = status
                self._count(path, status.st_size)
            else:
                self.special.append(path)
        return folders

    def require_at_most(self, max_bytes: int, max_files: int) -> None:
        """Raises :class:`TooLarge` if what was counted is more."""
        self._max_bytes, self._max_files = max_bytes, max_files
        self._require_fit()

    def _count(self, path: str, size: int) -> None:
        self.bytes += size
        self._files += 1
        head, slash, _ = path.partition("/")
        if slash:
            self._bytes_in[head] += size
            self._files_in[head] += 1
        self._require_fit()

    def _require_fit(self) -> None:
        if self.bytes > self._max_bytes or self._files > self._max_files:
            raise self._too_large()

    def _too_large(self) -> TooLarge:
        if self.bytes > self._max_bytes:
            limit, sums = readable_size(self._max_bytes), self._bytes_in
        else:
            limit, sums = f"{self._max_files:,} files and folders", self._files_in
        told = ", ".join(
            f"{printable(name)} ({readable_size(self._bytes_in[name])}, "
            f"{self._files_in[name]:,} entries)"
            for name, _ in sums.most_common(3)
        )
        return TooLarge(
            "directory-too-large",
            f"The working directory {printable(self.top)} holds more than {limit}; every run "
            "works in a copy of it, so that nothing of yours can change."
            + (f" Biggest subfolders when counting stopped: {told}." if told else ""),
            "Run from a smaller directory: put the program and the files it reads into a "
            "directory of their own, cd there, and run the command again.",
        )

    def notes(self, shown: Collection[str] = ()) -> list[str]:
        """One line for each reason why something is not there, but for what is ``shown``."""
        # That caches are missing makes no difference to a program: not worth a line.
        boring = CACHES - {"node_modules"}
        worth = [p for p in self.left_out if os.path.basename(p) not in boring and p not in shown]
        lines = (
            ("Not copied for the runs (version control, environments)", worth),
            ("Not copied for the runs, as it is neither file nor folder", self.special),
        )
        found = [f"{reason}: {_enumerate(paths)}." for reason, paths in lines if paths]
        return [*found, unreadable_note(self.unreadable)] if self.unreadable else found


def unreadable_note(paths: list[str]) -> str:
    """One line for what cannot be read."""
    return f"Not copied for the runs, as it could not be read: {_enumerate(paths)}."


def survey_within(
    top: str, max_bytes: int, max_files: int, check: Callable[[], object] = bool
) -> FolderSurvey | None:
    """What a copy of a directory has to hold; ``None`` if that is more than so much.

    Raises:
        UsageError: ``no-such-directory``.
    """
    try:
        return FolderSurvey(top, max_bytes, max_files, check)
    except TooLarge:
        return None


def printable(path: str | Path) -> str:
    """A path for people: what is not valid text is escaped."""
    return os.fsencode(path).decode("utf-8", "backslashreplace")


def _enumerate(paths: list[str]) -> str:
    shown = ", ".join(printable(path) for path in sorted(paths)[:_NAMES_IN_A_NOTE])
    more = len(paths) - _NAMES_IN_A_NOTE
    return f"{shown} and {more} more" if more > 0 else shown


def readable_size(size: int) -> str:
    """A number of bytes for people."""
    for unit, factor in (("GB", 10**9), ("MB", 10**6), ("kB", 10**3)):
        if size >= factor:
            return f"{size / factor:.1f} {unit}"
    return f"{size} bytes"
