"""One output of a command: a file, a pipe or device, or standard output."""

from __future__ import annotations

import os
import sys
import tempfile
from dataclasses import dataclass
from itertools import count
from pathlib import Path

from stripe.errors import UsageError
from stripe.files import caches, replace_file
from stripe.interrupts import cut_off_device
from stripe.outputs.memory import is_ours, remember
from stripe.outputs.places import Key, descriptor, keys, numbered

type Stamp = tuple[int, ...] | None
"""By which a file is known to be as it was; ``None``: it is not there."""


class Output:
    """Where something goes that a verb writes.

    Args:
        option: what names it, for messages (``--json``).
        target: its value; ``-`` is standard output.
        kind: what is written there; only what we wrote of the same kind is replaced unasked.
        chosen: nobody named the file, so another name will do as well.
    """

    def __init__(self, option: str, target: str, kind: str, *, chosen: bool = False) -> None:
        self.option = option
        self.target = target
        self.kind = kind
        self.chosen = chosen
        self.avoid: frozenset[Key] = frozenset()
        """Places that are read, and must never be written to."""
        self.replace = False
        """Whether what is there now may be replaced, whosever it is."""
        self._stamp: Stamp = None

    @property
    def standard(self) -> bool:
        """Whether it is standard output."""
        return descriptor(self.target) == 1

    @property
    def is_file(self) -> bool:
        """Whether it is a file, or not there yet: pipes and devices cannot be replaced."""
        path = Path(self.target)
        return descriptor(self.target) is None and (path.is_file() or not path.exists())

    @property
    def path(self) -> Path:
        """The file itself, without links."""
        return Path(os.path.realpath(self.target))

    def accept(self) -> None:
        """Take what is there now for what may be replaced."""
        self.replace = True
        self._stamp = _stamp(self.path)

    def foreign(self) -> bool:
        """Whether something is there that somebody else wrote."""
        return self.is_file and self.path.exists() and not is_ours(self.path, self.kind)

    def write(self, data: bytes) -> str:
        """Write ``data`` in place of what was written before; a note if the name had to change.

        A file that somebody put there in the meantime is kept, and so is one of ``avoid``.

        Raises:
            OSError: it cannot be written; :class:`BrokenPipeError`: nobody reads it any more.
        """
        if not self.is_file:
            self._pass_on(data)
            return ""
        note = ""
        if self._taken():
            before = self.target
            self._rename()
            note = f"{before!r} is another file by now, which is kept; {self.target!r} is ours."
        path = self.path
        remember(path, self.kind, data)
        replace_file(path, data)
        self.replace = True
        self._stamp = _stamp(path)
        return note

    def _taken(self) -> bool:
        if self.avoid & keys(self.target):
            return True
        now = _stamp(self.path)
        return now is not None and not (self.replace and now == self._stamp) and self.foreign()

    def _rename(self) -> None:
        name = Path(self.target)
        for number in count(2):
            self.target, self.replace = str(numbered(name, number)), False
            if not self._taken():
                return

    def _pass_on(self, data: bytes) -> None:
        """Write to what is open, or a device; a later Ctrl-C ends it where nobody reads."""
        number = descriptor(self.target)
        try:
            with cut_off_device():
                if number == 1:
                    _write_out(data)
                elif number is None:
                    with open(self.target, "wb", 0) as device:
                        _write_all(device.fileno(), data)
                else:
                    _write_all(number, data)
        except KeyboardInterrupt:
            raise OSError("it was interrupted, as nobody reads it") from None


@dataclass(frozen=True, slots=True)
class Loss:
    """What could not be written where it belongs: why, and where it is ``kept`` instead."""

    target: str
    reason: str
    kept: Path | None


def save(output: Output, data: bytes) -> tuple[str, Loss | None]:
    """Write, or keep elsewhere what cannot be written; a note, and what went wrong.

    Raises:
        BrokenPipeError: nobody reads it any more, which is no loss.
    """
    try:
        return output.write(data), None
    except BrokenPipeError:
        raise
    except OSError as error:
        return "", Loss(output.target, error.strerror or str(error), keep(output, data))


def keep(output: Output, data: bytes) -> Path | None:
    """Write ``data`` to a new folder in any place that can be written; where it is."""
    name = "answer" if not output.is_file else Path(output.target).name
    for parent in (Path(tempfile.gettempdir()), caches(), Path.home(), Path.cwd()):
        try:
            parent.mkdir(parents=True, exist_ok=True)
            folder = Path(tempfile.mkdtemp(prefix="stripe-kept-", dir=parent))
        except OSError:
            continue
        try:
            replace_file(folder / name, data)
        except OSError:
            folder.rmdir()
            continue
        return folder / name
    return None


def complain(losses: list[Loss]) -> None:
    """Say what could not be written; to be called when all else is done.

    Raises:
        UsageError: ``cannot-write``, if there is any loss.
    """
    if not losses:
        return
    said, hints = [], []
    for loss in losses:
        what = "Standard output" if descriptor(loss.target) == 1 else f"The file {loss.target!r}"
        said.append(f"{what} cannot be written: {loss.reason.rstrip('.')}.")
        if loss.kept is None:
            hints.append("It could be kept nowhere else either: make room, and run this again.")
        else:
            hints.append(f"What belongs there was kept: {loss.kept}")
    raise UsageError("cannot-write", " ".join(said), "\n".join(hints))


def _write_out(data: bytes) -> None:
    """Write a whole document to standard output, as it is whatever the terminal is set to."""
    sys.stdout.flush()
    try:
        binary = sys.stdout.buffer
    except AttributeError:
        sys.stdout.write(data.decode("utf-8", "replace"))  # a stream of the caller's, for text only
        return
    binary.write(data)
    binary.flush()


def _write_all(number: int, data: bytes) -> None:
    rest = memoryview(data)
    while rest:
        rest = rest[os.write(number, rest) :]


def _stamp(path: Path) -> Stamp:
    try:
        status = path.stat()
    except OSError:
        return None
    return status.st_dev, status.st_ino, status.st_size, status.st_mtime_ns
