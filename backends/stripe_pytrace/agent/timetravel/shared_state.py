"""What all forks of a process share, so that none of them finds it as it was at its moment."""

from __future__ import annotations

import os
import stat
import sys

from ..process.descriptors import FIRST_OF_LIBRARIES
from ..snapshots.fork_point import is_read_alone, open_files, shared_memory


class SharedState:
    """Knows what was there when the run began, which is ours.

    Files that are read, and folders, are none: each process opens them anew.
    """

    def __init__(self) -> None:
        self._files, self._mapped = open_files(), shared_memory()

    def found(self) -> str:
        """The first of what the program has by now, in words; empty: nothing."""
        if shared_memory() - self._mapped:
            return "shared memory"
        loop = _of_event_loop()
        for each in sorted(open_files() - self._files):
            name, _, file = each.partition(" ")
            number = int(name)
            if number in loop or number >= FIRST_OF_LIBRARIES or is_read_alone(number):
                continue
            if not stat.S_ISDIR(os.fstat(number).st_mode):
                return file.partition(":")[0] if file.endswith("]") else file
        return ""


def _of_event_loop() -> set[int]:
    """The descriptors by which asyncio's loop that runs is woken up: by signals, and threads."""
    module = sys.modules.get("_asyncio")
    loop = module and module._get_running_loop()
    parts = (getattr(loop, name, None) for name in ("_selector", "_ssock", "_csock"))
    return {part.fileno() for part in parts if part is not None}
