"""Breakpoints that are not expected to be hit: at functions that the recorded run never called.

A breakpoint of gdb's costs at every stop, hit or not.  These are written into the memory of each
new process, and gdb knows nothing of them: to it the program stops there for no reason.
"""

import os

import gdb

BREAKPOINT = 0xCC


class Called:
    """What stands for a breakpoint there."""

    __slots__ = ("block", "entry", "epilogue", "function")


class Alarms:
    """The alarms of an engine, by address."""

    def __init__(self):
        self.stops = {}
        self.before = {}

    def at(self, stops):
        """Have alarms at these addresses, in processes to come."""
        self.stops = stops
        self.before = {}

    def set(self, wanted):
        """Put those at ``wanted`` addresses into the memory of the process, which stops."""
        stops = [address for address in self.stops if wanted(address)]
        if not stops:
            return
        process = gdb.selected_inferior()
        low, high = min(stops), max(stops) + 1
        try:
            memory = os.open(f"/proc/{process.pid}/mem", os.O_RDWR)
        except OSError:  # Landlock; gdb then uses ptrace
            for address in stops:
                self.before[address] = bytes(process.read_memory(address, 1))[0]
                process.write_memory(address, bytes((BREAKPOINT,)))
            return
        try:
            # Not through gdb, which would show what is below breakpoints of its own.
            code = bytearray(os.pread(memory, high - low, low))
            for address in stops:
                self.before[address] = code[address - low]
                code[address - low] = BREAKPOINT
            os.pwrite(memory, code, low)
        finally:
            os.close(memory)

    def here(self):
        """What stands for the alarm that the program stops at, if it does."""
        return self.stops.get(int(gdb.parse_and_eval("$pc")) - 1)

    def hit(self):
        """The same; it is taken away, and the program is before the instruction there."""
        stop = self.here()
        if stop is not None:
            here = int(gdb.parse_and_eval("$pc")) - 1
            gdb.selected_inferior().write_memory(here, bytes((self.before[here],)))
            gdb.execute(f"set $pc = {here}", to_string=True)
        return stop

    def step_past(self, stop):
        """Have the thread that stops go past an alarm that was taken away, and put that back."""
        here = next(address for address, each in self.stops.items() if each is stop)
        gdb.execute("set scheduler-locking on", to_string=True)
        try:
            gdb.execute("stepi", to_string=True)
        finally:
            gdb.execute("set scheduler-locking off", to_string=True)
        gdb.selected_inferior().write_memory(here, bytes((BREAKPOINT,)))
