"""The replay of the paper, as a debugger is driven by hand: the driver counts stops.

For each recorded event in turn: kept, the program runs to its next statement, wherever that
is; dropped, the program counter is moved to the statement of the next recorded event (Cleve &
Zeller 2000, section 3).  A kept condition really decides.
"""

from .stack import NONE


class Stepper:
    """``path`` holds the block of each recorded event, ``kept`` the numbers of kept events.

    ``exhausted``: the program came to the end of the trace, and not to its own before.
    """

    def __init__(self, job, program):
        self.path = job["path"]
        self.kept = frozenset(job["kept"])
        self.program = program
        self.time = 0
        self.ended = None
        self.detail = ""
        self.values = {}

    @property
    def exhausted(self):
        return self.time >= len(self.path)

    def hit(self, stop):
        """One statement is about to run."""
        if self.exhausted:
            self.ended = "diverged"
            return True
        here, target = stop.block, NONE
        while self.time not in self.kept:
            self.time += 1
            if self.exhausted:
                self.ended = "diverged"
                return True
            target = self.path[self.time]
        self.time += 1
        if target not in (NONE, here):
            self.program.set("rip", self.program.addresses[target])
        return False

    def innermost(self):
        return NONE
