"""Outcomes on disk, so that a search that was killed can go on where it was."""

from __future__ import annotations

import os
from array import array
from collections.abc import Hashable
from hashlib import blake2b
from pathlib import Path
from types import TracebackType
from typing import Any, Protocol, Self

from stripe.dd.outcomes import Configuration, Outcome
from stripe.index_set import IndexSet, as_array

HEADER = "stripe-dd-journal 1 "
"""What the first line begins with, before the subject."""
_LETTERS = {Outcome.PASS: "P", Outcome.FAIL: "F", Outcome.UNRESOLVED: "U"}
_OUTCOMES = {letter: outcome for outcome, letter in _LETTERS.items()}
_DIGEST_SIZE = 16
_LINE = 2 * _DIGEST_SIZE + len(" F\n")
_PART = 65536  # deltas that are looked at together


class JournalMismatch(ValueError):
    """The file is no journal, or the journal of another problem."""


class Memory[D](Protocol):
    """Outcomes of an earlier process, and a place for those of this one."""

    def get(self, configuration: Configuration[D], /) -> Outcome | None:
        """The outcome of an earlier test of ``configuration``, or None."""

    def put(self, configuration: Configuration[D], outcome: Outcome, /) -> None:
        """Take note of a test that was run."""


class Journal[D: Hashable]:
    """A file with one line per test: the digest of its configuration and its outcome.

    Each line is handed to the operating system before the next test begins, so a killed process
    loses at most the test it was running; a line cut off by the kill is ignored. Deltas are
    identified by value if they are integers and by ``repr`` otherwise, which must then be the same
    in every process.

    Args:
        path: the file; created if need be.
        subject: one line that identifies the problem, such as a digest of program, input and
            check. Only a journal with the same subject is resumed.
        resume: use the outcomes in the file. Otherwise the file is emptied.

    Raises:
        JournalMismatch: on resuming a file that is no journal or has another subject.
        ValueError: if ``subject`` has more than one line.
        OSError: if the file cannot be read or written.
    """

    def __init__(self, path: str | os.PathLike[str], subject: str, *, resume: bool = False) -> None:
        if len(subject.splitlines()) > 1:
            raise ValueError("the subject of a journal must be one line")
        self._known: dict[bytes, Outcome] = {}
        header = f"{HEADER}{subject}\n".encode()
        self._file = Path(path).open("r+b" if resume and Path(path).exists() else "w+b", 0)  # noqa: SIM115
        try:
            end = self._load(header)
        except BaseException:
            self._file.close()
            raise
        self._file.seek(end)
        self._file.truncate()
        if end == 0:
            self._file.write(header)
        self._begin = len(header)

    def __len__(self) -> int:
        return len(self._known)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self.close()

    def close(self) -> None:
        """Close the file. The journal must not be used any more."""
        self._file.close()

    def get(self, configuration: Configuration[D]) -> Outcome | None:
        """The outcome of an earlier test of ``configuration``, or None."""
        return self._known.get(_digest(configuration)) if self._known else None

    def put(self, configuration: Configuration[D], outcome: Outcome) -> None:
        """Write down the outcome of a test.

        Raises:
            OSError: if the file cannot be written, as when the disk is full.
        """
        line = f"{_digest(configuration).hex()} {_LETTERS[outcome]}\n"
        self._file.write(line.encode())

    def forget(self) -> None:
        """Take away all outcomes, as of a new journal.

        Raises:
            OSError: if the file cannot be written.
        """
        self._known.clear()
        self._file.seek(self._begin)
        self._file.truncate()

    def _load(self, header: bytes) -> int:
        """Read what is there; return where the complete lines end."""
        first = self._file.readline()
        if not first.endswith(b"\n") and header.startswith(first):
            return 0  # empty, or killed while it was being created
        if first != header:
            raise JournalMismatch(
                f"{self._file.name} is not a journal of this problem: it begins with "
                f"{first.decode(errors='replace').strip()[:80]!r}"
            )
        end = self._file.tell()
        for line in self._file.read().splitlines(keepends=True):
            letter = line[-2:-1].decode(errors="replace")
            if len(line) != _LINE or letter not in _OUTCOMES:
                break
            self._known[bytes.fromhex(line[: 2 * _DIGEST_SIZE].decode())] = _OUTCOMES[letter]
            end += len(line)
        return end


def _digest(configuration: Configuration[Hashable]) -> bytes:
    """Identify a configuration in this and any other process."""
    if isinstance(configuration, IndexSet):
        content = b"i" + as_array(configuration).tobytes()
        return blake2b(content, digest_size=_DIGEST_SIZE).digest()
    found = blake2b(b"q", digest_size=_DIGEST_SIZE)
    try:
        for start in range(0, len(configuration), _PART):
            part: Any = configuration[start : start + _PART]
            found.update(array("q", part).tobytes())
    except (TypeError, OverflowError):
        content = b"r" + "\n".join(map(repr, configuration)).encode()
        return blake2b(content, digest_size=_DIGEST_SIZE).digest()
    return found.digest()
