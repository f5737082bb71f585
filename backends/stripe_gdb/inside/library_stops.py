"""Breakpoints of gdb's in shared libraries: it has them only while the libraries are mapped.

gdb itself is told not to look for libraries.  So a breakpoint of ours is where the dynamic linker
tells of changes (``linker.py``); where others have to change with that, the program stops, as this
cannot be done while gdb goes through them.
"""

import os

import gdb

from .linker import Elsewhere, Libraries, linker_base


class Notice(gdb.Breakpoint):
    """A breakpoint at the function that the dynamic linker calls for debuggers."""

    def stop(self):
        try:
            return self.stops.linked()
        except Exception as error:  # gdb would only print it
            self.stops.engine.our_fault = error
            return True


class LibraryStops:
    """Those of an engine; ``changed``: the libraries that are mapped are others than before."""

    def __init__(self, engine, job):
        self.engine = engine
        self.libraries = Libraries(job)
        self._linker = None  # where it is mapped, once that is known
        self._notice = None
        self._mapped = self._mapping = []
        for each in job["libraries"]:
            # By its descriptor: no path is written as a command, whatever is in it.
            opened = os.open(each["paths"][1], os.O_RDONLY | os.O_CLOEXEC)
            name = f"/proc/self/fd/{opened}"
            gdb.execute(f"add-symbol-file {name} -o {each['bias']}", to_string=True)

    @property
    def changed(self):
        return self._mapping is not self._mapped

    def begin(self, job):
        """A run begins: nothing is mapped yet, and somebody wants to know what will be, or not."""
        watching = self.engine.watching
        if watching and self._notice is None:
            self.engine.start("starti", job)
            self._linker = linker_base(gdb.selected_inferior().pid)
            gdb.execute("kill", to_string=True)
            self._notice = Notice(f"*{self.libraries.notice(self._linker)}", internal=True)
            self._notice.silent = True
            self._notice.stops = self
        elif self._notice is not None and self._notice.enabled != watching:
            self._notice.enabled = watching
        self.withdraw()

    def withdraw(self):
        """Have no breakpoints in libraries."""
        for number in range(len(self.libraries.all)):
            self._have(number, False)
        self._mapped = self._mapping = []

    def linked(self):
        """The dynamic linker tells of a change; whether the program has to stop."""
        process, read = gdb.selected_inferior().pid, self.engine.program.read
        try:
            present = self.libraries.present(process, self._linker, read, self._mapped)
        except Elsewhere as error:
            strategy = self.engine.strategy
            strategy.ended, strategy.detail = "diverged", str(error)
            return True
        if present != self._mapped:
            self._mapping = present
        return self.changed

    def follow(self):
        """Have breakpoints in the libraries that are mapped, and in no others."""
        before, self._mapped = self._mapped, self._mapping
        for number in before:
            if number not in self._mapped:
                self._have(number, False)
        for number in self._mapped:
            if number not in before:
                low, high = self.libraries.all[number]["image"]
                self.engine.alarms.set(range(low, high).__contains__)
                self._have(number, True)

    def elsewhere(self, address):
        """Whether an address is in no library."""
        images = (each["image"] for each in self.libraries.all)
        return not any(low <= address < high for low, high in images)

    def _have(self, library, there):
        stops = self.engine.stops
        for block in range(*self.libraries.all[library]["blocks"]):
            if block in stops and stops[block].enabled != there:
                stops[block].enabled = there
