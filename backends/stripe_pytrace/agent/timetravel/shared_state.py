"""What all forks of a process share, so that none of them finds it as it was at its moment."""

from __future__ import annotations

import os
import stat

from ..process.descriptors import FIRST_OF_LIBRARIES
from ..snapshots.fork_point import is_read_alone, open_files, shared_memory


class SharedState:
    """Knows what was there when the run began, which is ours.

    Files that are read, and folders, are none: each process opens them anew.  Event loops are
    told by what they wait for: asyncio forgets in a fork which one runs, so none goes on there.
    """

    def __init__(self) -> None:
        self._files, self._mapped = open_files(), shared_memory()

    def found(self) -> str:
        """The first of what the program has by now, in words; empty: nothing."""
        if shared_memory() - self._mapped:
            return "shared memory"
        rows = [each.partition(" ") for each in open_files() - self._files]
        for number, file in sorted((int(name), file) for name, _, file in rows):
            if number >= FIRST_OF_LIBRARIES or is_read_alone(number):
                continue
            if not stat.S_ISDIR(os.fstat(number).st_mode):
                kind, _, which = file.partition(":[")
                return which.rstrip("]") if kind == "anon_inode" else kind
        return ""
