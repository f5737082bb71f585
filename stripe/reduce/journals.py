"""Outcomes on disk: a reduction that was killed goes on where it was."""

from __future__ import annotations

import contextlib
import fcntl
import os
import time
from collections.abc import Hashable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from stripe.backend import Recording
from stripe.checks import Criterion
from stripe.dd import Configuration, Journal, JournalMismatch, Outcome
from stripe.files import caches
from stripe.reduce.fingerprint import fingerprint

KEPT_DAYS = 30
"""Journals that nobody came back for are removed after as many days."""


def default_folder() -> Path:
    """Where journals are kept."""
    return caches() / "journals"


@contextlib.contextmanager
def open_journal(
    folder: Path, subject: str, *, resume: bool
) -> Iterator[SearchJournal[Any] | None]:
    """The journal of the search called ``subject``; ``None`` if it cannot be written, or is in use.

    ``subject`` must be a file name.  It stays on disk unless :meth:`SearchJournal.finish` was
    called.
    """
    path = folder / subject
    try:
        folder.mkdir(parents=True, exist_ok=True)
        forget_old(folder)
        lock = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
    except OSError:
        yield None
        return
    try:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            journal = load(path, subject, resume=resume)
        except OSError:
            yield None
            return
        with journal:
            yield journal
        if journal.finished:
            path.unlink(missing_ok=True)
    finally:
        os.close(lock)


def load(path: Path, subject: str, *, resume: bool) -> SearchJournal[Any]:
    try:
        return SearchJournal(path, subject, resume=resume)
    except JournalMismatch:
        return SearchJournal(path, subject)


def forget_old(folder: Path) -> None:
    oldest = time.time() - KEPT_DAYS * 24 * 3600
    for path in folder.iterdir():
        with contextlib.suppress(OSError):
            if path.stat().st_mtime < oldest:
                path.unlink()


@dataclass(frozen=True, slots=True)
class Journals:
    """A folder with the journal of every search that did not come to its end.

    ``identity`` says what was run, and how: program, arguments, input, interpreter.  With
    what was recorded, and the check, it names the journal, so that no outcome of another
    problem is ever used.  ``resume``: use the outcomes of the search before.
    """

    folder: Path
    identity: bytes
    resume: bool = False

    def open(
        self, recording: Recording, criterion: Criterion, *, strict: bool
    ) -> contextlib.AbstractContextManager[SearchJournal[int] | None]:
        """The journal of one search; see :func:`open_journal`."""
        subject = fingerprint(recording, criterion, strict=strict, identity=self.identity)
        return open_journal(self.folder, subject, resume=self.resume)


class SearchJournal[D: Hashable](Journal[D]):
    """A journal that a full disk does not turn into a failure of the search."""

    finished = False
    _lost = False

    def put(self, configuration: Configuration[D], outcome: Outcome) -> None:
        """Write down the outcome of a test, as long as that works."""
        if not self._lost:
            try:
                super().put(configuration, outcome)
            except OSError:
                self._lost = True

    def finish(self) -> None:
        """Note that nobody needs to come back for it."""
        self.finished = True
