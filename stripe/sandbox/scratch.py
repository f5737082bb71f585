"""Folders for scratch copies, which are gone when we are, however we end."""

from __future__ import annotations

import atexit
import fcntl
import os
import re
import stat
import subprocess
import tempfile
import time
from contextlib import suppress
from pathlib import Path

from stripe.sandbox.termination import await_end

# Reads until we are gone or say that it is over.  Who writes in the folder may take longer to end:
# the guard of walls has patience of its own, and a busy machine takes its time.
_CLEANER = """
trap '' INT TERM HUP
read -r _
left=300
while [ -e "$0" ] && [ $left -gt 0 ]; do
    chmod -R u+rwX -- "$0"
    rm -rf -- "$0" && exit 0
    sleep 0.2
    left=$((left - 1))
done
"""

_WAIT_SECONDS = 5.0
"""We do not wait longer for a folder to go: who removes it goes on without us."""

_NAME = re.compile(r"stripe-[0-9a-f]{16}")

_OLD_SECONDS = 3600.0
"""A folder that nobody holds on to for so long belongs to nobody, not even to a STRIPE of before,
which did not hold on to any."""

_swept: set[str] = set()


def is_special(path: str | Path) -> bool:
    """Whether it is in a folder that walls replace by one of their own."""
    return any(Path(path).is_relative_to(each) for each in ("/dev", "/proc", "/sys"))


class Scratch:
    """A folder that nobody else can look into or guess the name of: ``path``.

    ``place`` is where to make it, if not where temporary files go.  :meth:`close` it when it is no
    longer needed; if this process ends before, a small process removes it and all that is in it.
    Where that was killed as well, or the power failed, the next process that makes one there does.

    Raises :class:`OSError`.
    """

    def __init__(self, place: str | None = None) -> None:
        # realpath, so that it is what os.getcwd() says there.
        folder = os.path.realpath(place or tempfile.gettempdir())
        if is_special(folder):
            folder = "/var/tmp"
        self.path = Path(folder, f"stripe-{os.urandom(8).hex()}")
        self._owner = os.getpid()
        # First, so that there is no moment at which nobody would remove the folder.
        self._cleaner = _start_cleaner(self.path)
        self._held = -1
        # Whoever is interrupted on the way to closing it leaves that to us: the cleaner may have
        # been killed, and another one is started only by who closes it.
        atexit.register(self.close)
        try:
            os.mkdir(self.path, 0o700)
            self._held = os.open(self.path, os.O_RDONLY | os.O_DIRECTORY)
            with suppress(OSError):
                fcntl.flock(self._held, fcntl.LOCK_EX)
            if folder not in _swept:
                _swept.add(folder)
                _sweep(folder)
        except BaseException:
            self.close()
            raise

    def close(self) -> None:
        """Have what is left of it removed; harmless when called again, or in a fork."""
        if os.getpid() != self._owner:
            return
        atexit.unregister(self.close)
        stream = self._cleaner.stdin
        if stream is None or stream.closed:
            return
        if not self._is_cleaner_late() and self.path.is_dir():  # somebody has killed the cleaner
            self._cleaner = _start_cleaner(self.path)
            self._is_cleaner_late()
        if self._held >= 0:
            os.close(self._held)

    def _is_cleaner_late(self) -> bool:
        """Tell the cleaner that it is over; whether it is still at it after a while."""
        assert self._cleaner.stdin is not None
        self._cleaner.stdin.close()
        try:
            await_end(self._cleaner, _WAIT_SECONDS)
        except subprocess.TimeoutExpired:
            return True
        return False


def _start_cleaner(path: Path) -> subprocess.Popen[bytes]:
    return subprocess.Popen(
        ["/bin/sh", "-c", _CLEANER, str(path)],
        stdin=subprocess.PIPE,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        cwd="/",
        start_new_session=True,
    )


def _sweep(folder: str) -> None:
    """Remove what others had to leave."""
    with suppress(OSError), os.scandir(folder) as entries:
        for entry in entries:
            if not _NAME.fullmatch(entry.name):
                continue
            with suppress(OSError):
                found = entry.stat(follow_symlinks=False)
                old = time.time() - found.st_mtime > _OLD_SECONDS
                if not (old and stat.S_ISDIR(found.st_mode) and found.st_uid == os.getuid()):
                    continue
                held = os.open(entry.path, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW)
                try:
                    fcntl.flock(held, fcntl.LOCK_EX | fcntl.LOCK_NB)
                    from stripe.sandbox.inside.removal import remove  # lazy

                    remove(entry.path)
                finally:
                    os.close(held)
