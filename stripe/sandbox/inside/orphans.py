"""Ending what a process has started, and all that this has left behind.

For number 1 of a process namespace, or for a *subreaper*: what loses its parent becomes its child.

Standard library only, and for old Pythons, too: it is loaded, by its path, by all that ends runs,
behind walls or not, also within gdb.
"""

import os
import signal
import time

PATIENCE = 1000
"""Milliseconds to wait for processes that we may not end."""


def kill(process):
    """Kill a process; minus its number: its group; -1: all there is, in a namespace of our own."""
    try:
        os.kill(process, signal.SIGKILL)
    except (ProcessLookupError, PermissionError):
        pass


def bury(group=None):
    """End and reap all our children, and what thereby becomes our child; how many there were.

    ``group``: a process group that is ended first, in which they are likely to be.
    """
    first = os.getpid() == 1
    if group is not None:
        kill(-group)
    if first:
        kill(-1)  # in any session, at once, however fast it forks
    count = 0
    for _ in range(PATIENCE):
        try:
            while os.waitpid(-1, 0 if first else os.WNOHANG)[0]:
                count += 1
        except ChildProcessError:
            return count
        for child in children():
            kill(-child)  # it leads a session, if it is one that we have started
            kill(child)
        time.sleep(0.001)
    return count


def children():
    """Our children, and what became ours by losing its parent, as far as the system tells."""
    me, found = os.getpid(), []
    for name in os.listdir("/proc"):
        if name.isdigit():
            try:
                with open(f"/proc/{name}/stat", "rb") as stream:
                    parent = int(stream.read().rpartition(b")")[2].split()[1])
            except (OSError, IndexError, ValueError):
                continue
            if parent == me:
                found.append(int(name))
    return found
