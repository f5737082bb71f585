"""Folders for scratch copies, which are gone when we are, however we end."""

from __future__ import annotations

import os
import secrets
import subprocess
import tempfile
from contextlib import suppress
from pathlib import Path

# Reads until we are gone or say that it is over.  Who writes in the folder ends at the same time.
_CLEANER = """
trap '' INT TERM HUP
read -r _
for again in 1 2 3 4 5; do
    [ -e "$0" ] || exit 0
    chmod -R u+rwX -- "$0"
    rm -rf -- "$0" && exit 0
    sleep 0.2
done
"""


def is_special(path: str | Path) -> bool:
    """Whether it is in a folder that walls replace by one of their own."""
    return any(Path(path).is_relative_to(each) for each in ("/dev", "/proc", "/sys"))


class Scratch:
    """A folder that nobody else can look into or guess the name of: ``path``.

    ``place`` is where to make it, if not where temporary files go.  :meth:`close` it when it is
    empty or removed; if this process ends before, a small process removes it and all that is in it.

    Raises :class:`OSError`.
    """

    def __init__(self, place: str | None = None) -> None:
        # realpath, so that it is what os.getcwd() says there.
        folder = os.path.realpath(place or tempfile.gettempdir())
        if is_special(folder):
            folder = "/var/tmp"
        self.path = Path(folder, f"stripe-{secrets.token_hex(8)}")
        # First, so that there is no moment at which nobody would remove the folder.
        self._cleaner = subprocess.Popen(
            ["/bin/sh", "-c", _CLEANER, str(self.path)],
            stdin=subprocess.PIPE,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            cwd="/",
            start_new_session=True,
        )
        try:
            os.mkdir(self.path, 0o700)
        except BaseException:
            self.close()
            raise

    def close(self) -> None:
        """Have what is left of it removed."""
        stream = self._cleaner.stdin
        if stream is not None and not stream.closed:
            stream.close()
            self._cleaner.wait()
            if self.path.is_dir():  # somebody has killed the cleaner
                from stripe.sandbox.inside.tree import remove

                with suppress(OSError):
                    remove(str(self.path))
