"""Ending the processes a run leaves behind.

gdb becomes the parent of what the program's children leave (a *subreaper*), so that whatever
has gdb for a parent after a run was started by the program.
"""

import ctypes
import os
import signal

from .keeper import PR_SET_CHILD_SUBREAPER, own_children


class Leftovers:
    """Looks at the process table only if the program has ever started a process."""

    def __init__(self):
        ctypes.CDLL(None).prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)

    def end(self):
        """Kill all children of gdb, and theirs; how many there were."""
        count = 0
        for _ in range(100):
            children = own_children()
            if not children:
                break
            for child in children:
                try:
                    os.kill(child, signal.SIGKILL)
                    count += 1
                except OSError:
                    pass
                try:
                    os.waitpid(child, 0)
                except OSError:
                    pass
        return count
