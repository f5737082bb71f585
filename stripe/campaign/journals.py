"""Outcomes on disk: a reduction that was killed goes on where it was."""

from __future__ import annotations

import contextlib
import fcntl
import os
import time
from collections.abc import Hashable, Iterator
from pathlib import Path
from typing import Any

from stripe.campaign.provenance import Basis
from stripe.dd import Configuration, Journal, JournalMismatch, Outcome
from stripe.dd.journal import HEADER
from stripe.files import caches

KEPT_DAYS = 30
"""Journals that nobody came back for are removed after as many days."""


def default_folder() -> Path:
    """Where journals are kept."""
    return caches() / "journals"


@contextlib.contextmanager
def open_journal(
    folder: str | os.PathLike[str] | None, subject: str, basis: Basis, *, resume: bool
) -> Iterator[SearchJournal[Any] | None]:
    """The journal of the search called ``subject``; ``None`` if it cannot be written, or is in use.

    ``folder`` is that of the command line by default.  ``subject`` must be a file name without
    spaces.  With ``resume``, what is in it is used if it
    has the same ``basis``; else :attr:`SearchJournal.refused` says why not.  It stays on disk
    unless :meth:`SearchJournal.finish` was called.
    """
    folder = default_folder() if folder is None else Path(folder)
    path = folder / subject
    try:
        folder.mkdir(parents=True, exist_ok=True)
        _forget_old(folder)
        lock = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
    except OSError:
        yield None
        return
    try:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            journal = load(path, subject, basis, resume=resume)
        except OSError:
            yield None
            return
        with journal:
            yield journal
        if journal.finished:
            path.unlink(missing_ok=True)
    finally:
        os.close(lock)


def load(path: Path, subject: str, basis: Basis, *, resume: bool) -> SearchJournal[Any]:
    """The journal at ``path``; a new one, unless it rests on the same."""
    refused = ""
    if resume:
        line = _first_line(path)
        if line.startswith(f"{subject} "):
            try:
                refused = basis.objection(line) or ""
                if not refused:
                    return SearchJournal(path, line, resume=True)
            except (JournalMismatch, ValueError):
                refused = "it cannot be read"
    journal: SearchJournal[Any] = SearchJournal(path, basis.line(subject))
    journal.refused = refused
    return journal


def _first_line(path: Path) -> str:
    """What a journal says it is about; empty if it is none."""
    with path.open("rb") as stream:
        line = stream.readline()
    return line.decode("utf-8", "replace").removeprefix(HEADER).rstrip("\n")


def _forget_old(folder: Path) -> None:
    oldest = time.time() - KEPT_DAYS * 24 * 3600
    for path in folder.iterdir():
        with contextlib.suppress(OSError):
            if path.stat().st_mtime < oldest:
                path.unlink()


class SearchJournal[D: Hashable](Journal[D]):
    """A journal that a full disk does not turn into a failure of the search."""

    finished = False
    refused = ""
    """What has changed since the outcomes of an earlier search, which are not used therefore."""
    _lost = False

    def put(self, configuration: Configuration[D], outcome: Outcome) -> None:
        """Write down the outcome of a test, as long as that works."""
        if not self._lost:
            try:
                super().put(configuration, outcome)
            except OSError:
                self._lost = True

    @property
    def notes(self) -> list[str]:
        """Why outcomes of an earlier search are not used, if they are not."""
        if not self.refused:
            return []
        return [f"The journal is of another run: {self.refused}. The search began anew."]

    def finish(self) -> None:
        """Note that nobody needs to come back for it."""
        self.finished = True
