"""The log of a recording on its way to files, where memory must not hold all of it.

The files are opened before the program runs, at descriptors that no program comes to see by chance.
There are several, for each may grow only as far as any file that the program writes.
"""

from __future__ import annotations

import fcntl
import os

from ..process.natives import array

TYPE_CHECKING = False  # typing takes as long to import as much of the agent
if TYPE_CHECKING:
    from collections.abc import Callable

MOST = 1 << 16
"""Entries of a log that are held at a time."""

FILES = 32
FIRST_DESCRIPTOR = 200


class Spill:
    """Files ``0``, ``1``, ... in a folder, of at most ``size`` bytes each.

    ``full`` is called when there is no room left, and must end the process.
    """

    def __init__(self, path: str, size: int, full: Callable[[], object]) -> None:
        self._full = full
        os.makedirs(path, exist_ok=True)
        self._left = self._size = size // 4 * 4
        self._descriptors: list[int] = []
        for number in range(FILES):
            opened = os.open(f"{path}/{number}", os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
            self._descriptors.append(fcntl.fcntl(opened, fcntl.F_DUPFD_CLOEXEC, FIRST_DESCRIPTOR))
            os.close(opened)

    def noting(self, log: list[int]) -> Callable[[int], object]:
        """What notes a site in the log."""
        append = log.append
        most = MOST

        def note(site: int) -> None:
            append(site)
            if len(log) > most:
                self.take(log[:-1])
                del log[:-1]  # the last one says where control is

        return note

    def take(self, log: list[int]) -> None:
        """Write entries."""
        data = memoryview(array("i", log).tobytes())
        while data and self._descriptors:
            written = os.write(self._descriptors[0], data[: self._left])
            data = data[written:]
            self._left -= written
            if not self._left:
                self._left = self._size
                del self._descriptors[0]
        if data:
            self._full()
