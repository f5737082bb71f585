"""Undoing what a run leaves behind: processes, and what it did to the world.

The engine becomes the parent of what the program's children leave (a *subreaper*), so that
whatever has it for a parent after a run was started by the program.
"""

import ctypes
import os
import signal

from .process_guard import PR_SET_CHILD_SUBREAPER, WARDEN, load

ENDING = (signal.SIGTERM, signal.SIGINT, signal.SIGHUP, signal.SIGQUIT)
BEFORE = {number: signal.getsignal(number) for number in ENDING}
"""How they were dealt with when this began, which is what the program expects."""


class Leftovers:
    """``orphans`` is the path of what ends all that a process has left behind."""

    def __init__(self, orphans):
        self.end = load(orphans)["bury"]
        self.warden = find_warden()
        self.directory = os.getcwd()
        # Number 1 of the program's own process namespace: nothing can end it from inside, but by
        # a signal that it takes.
        if os.getpid() == 1:
            for number in ENDING:
                signal.signal(number, signal.SIG_IGN)
        ctypes.CDLL(None).prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)

    def renew(self):
        """Undo what the run did outside of its scratch copy; whether it did anything."""
        if self.warden is None or not self.warden.renew():
            return False
        os.chdir(self.directory)  # another one may stand there now
        return True


def find_warden():
    """Who undoes what a run did to the world; None without walls, or where nothing can be done."""
    told = os.environ.get(WARDEN)
    if not told:
        return None
    path = told.split(",", 2)[2]
    return load(path)["Warden"]()
