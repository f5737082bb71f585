"""Launchers for commands that look at a scratch directory, one for each such directory.

To put up walls takes longer than most of these commands, so a launcher is kept until its directory
goes away (:func:`end_below`), or this process ends.
"""

from __future__ import annotations

import atexit
import os
import threading
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

from stripe.sandbox.commands import CommandPlace, Runner, limits_explained
from stripe.sandbox.folders import Folder
from stripe.sandbox.overlaid import shown_in
from stripe.sandbox.scratch import Scratch
from stripe.sandbox.walls import Layer, Walls

type _Identity = tuple[int, int]


class Outlook:
    """Where commands run that look at ``directory``, and can write there and in a TMPDIR only.

    ``folder`` has files for them to read; what they print goes to ``said``.
    """

    def __init__(self, directory: Path, layer: Layer) -> None:
        self.directory = directory
        self.identity = _identity(directory)
        self.lock = threading.Lock()
        with ExitStack() as stack:
            scratch = Scratch()
            stack.callback(scratch.close)
            self.folder = root = scratch.path
            self._home, self._tmp = (Folder(path) for path in (root / "home", root / "home/tmp"))
            for folder in (self._home, self._tmp):
                stack.callback(folder.close)
            self.said = os.open(root / "said", os.O_RDWR | os.O_CREAT | os.O_APPEND, 0o600)
            stack.callback(os.close, self.said)
            shown = shown_in(directory)
            real = os.path.realpath(shown or directory)
            work = Path(real) if shown is None else directory
            walls = Walls(
                layer, root, self._home.path, root / "room", work, real, overlaid=shown is not None
            )
            inside = shown or directory
            environment = {
                b"STRIPE_DIRECTORY": os.fsencode(inside),
                b"PWD": os.fsencode(inside),
                b"TMPDIR": os.fsencode(self._tmp.path),
            }
            place = CommandPlace(inside, os.environb | environment, None, self.said, self.said)
            self.runner = Runner(walls, place)
            stack.callback(self.runner.close)
            self.close = stack.pop_all().close

    def clear(self) -> None:
        """Forget what the last command has left and said."""
        self._home.clear(but=(self._tmp.path.name,))
        self._tmp.clear()
        os.ftruncate(self.said, 0)


_LOCK = threading.Lock()
_FOUND: dict[Path, Outlook] = {}
_OWNER = os.getpid()


@contextmanager
def outlook(directory: Path, layer: Layer) -> Iterator[Outlook]:
    """The one of ``directory``, for one command at a time.

    Raises:
        UsageError: ``system-limit``.
    """
    if shown_in(directory) is not None:  # what it shows is mounted anew for each run
        with limits_explained():
            alone = Outlook(directory, layer)
        try:
            yield alone
        finally:
            alone.close()
        return
    with _LOCK, limits_explained():
        _forget_if_forked()
        found = _FOUND.get(directory)
        if found is not None and found.identity != _identity(directory):
            _FOUND.pop(directory).close()  # what it shows is another one, that is gone
            found = None
        if found is None:
            if not _FOUND:
                atexit.unregister(_end_all)
                atexit.register(_end_all)
            found = _FOUND[directory] = Outlook(directory, layer)
    with found.lock:
        found.clear()
        yield found


def end_below(folder: Path) -> None:
    """End those of directories in ``folder``, which is to be removed."""
    with _LOCK:
        _forget_if_forked()
        gone = [path for path in _FOUND if path.is_relative_to(folder)]
        ended = [_FOUND.pop(path) for path in gone]
    for each in ended:
        each.close()


def _end_all() -> None:
    """End all of them."""
    end_below(Path("/"))


def _forget_if_forked() -> None:
    """In a fork of the process that started them they are not ours."""
    global _OWNER
    if os.getpid() != _OWNER:
        _OWNER = os.getpid()
        _FOUND.clear()


def _identity(path: Path) -> _Identity:
    found = os.stat(path)
    return found.st_dev, found.st_ino
