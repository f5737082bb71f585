"""A template: the program, stopped before its first instruction, from which each run is forked.

Starting a program and binding its libraries takes longer than most tests.  A fork has the same
memory, the same parent and a process group of its own; the thread it has knows its new number.
What it shares with the template, the open files 0 to 2, is put back before each run, and its locks
of them are given up after it.
"""

from __future__ import annotations

import fcntl
import os
import signal
import struct
from collections.abc import Callable

from . import system
from .layout import BREAKPOINT
from .process import BREAKPOINT_HIT, Process

CLONE_CALL = 56
CLONE_PARENT, CHILD_CLEARTID, CHILD_SETTID = 0x8000, 0x200000, 0x1000000
THREAD_NUMBER = 0x2D0
"""Where the GNU C library keeps the number of a thread, behind ``fs``."""

UNLOCKED = struct.pack("hhqqi4x", fcntl.F_UNLCK, os.SEEK_SET, 0, 0, 0)
"""``struct flock``: nothing of the file."""


class Template:
    """Made from a process that is at its beginning; :attr:`process` forks."""

    def __init__(self, process: Process) -> None:
        self.process = process
        self.beginning = bytes(process.load_registers())
        self.files: list[int] = []
        self.flags = []
        try:
            for number in range(3):
                self.files.append(system.descriptor_of(process.number, number))
                self.flags.append(fcntl.fcntl(self.files[-1], fcntl.F_GETFL))
        except OSError:
            self.close()
            raise
        self._watched = [f"/proc/{process.number}/{name}" for name in ("cwd", "exe")]

    @property
    def outdated(self) -> bool:
        """Whether something of it was removed, and is another one now."""
        found = [*map(os.fstat, self.files), *map(os.stat, self._watched)]
        return any(each.st_nlink == 0 for each in found)

    def fork(self) -> Process:
        """A process at its beginning."""
        for file, flags in zip(self.files, self.flags, strict=True):
            fcntl.fcntl(file, fcntl.F_SETFL, flags)
            os.lseek(file, 0, os.SEEK_SET)
        for file in self.files[1:]:
            os.ftruncate(file, 0)
        return fork(self.process, self.beginning)

    def unlock(self) -> None:
        """Give up the locks of a run that has ended: it shared them, others would wait for them."""
        for file in self.files:
            fcntl.flock(file, fcntl.LOCK_UN)
            fcntl.fcntl(file, fcntl.F_OFD_SETLK, UNLOCKED)

    def close(self) -> None:
        """End it."""
        self.process.kill()
        for file in self.files:
            os.close(file)
        self.files = []


def fork(old: Process, registers: bytes) -> Process:
    """A process like this one, at the place that the registers say; it gets these as well."""
    how = CLONE_PARENT | CHILD_SETTID | CHILD_CLEARTID | signal.SIGCHLD
    old.put_registers(registers)
    old.prepare_call(CLONE_CALL, how, 0, 0, old.registers.fs_base + THREAD_NUMBER, 0)
    old.resume(system.STEP)
    if old.wait() >> 16 != system.FORK:
        raise OSError("the process does not fork")
    new = old.fork(system.event_message(old.number))
    old.resume(system.STEP)
    old.wait()
    new.wait()
    for each in (old, new):
        each.put_registers(registers)
        each.store_registers()
    os.setpgid(new.number, new.number)
    return new


def make_template(
    process: Process, pass_linker: Callable[[Process], int | None]
) -> Template | None:
    """A template of a process that was just launched; ``None``, and its end, if it cannot be one.

    ``pass_linker`` sees to shared libraries where the linker tells of them: the signal to deliver.

    What would be shared with forks must not be there: files opened, memory shared or threads
    started by libraries before the program begins; nor must any traced code run by then.
    """
    entry = process.entry()
    first = os.pread(process.memory, 1, entry)
    process.write(entry, BREAKPOINT)
    deliver: int | None = 0
    while deliver is not None:
        process.resume(system.CONT, deliver)
        suits = process.wait() == BREAKPOINT_HIT
        registers = process.load_registers()
        deliver = pass_linker(process) if suits else None
    number = os.pread(process.memory, 4, registers.fs_base + THREAD_NUMBER) if suits else b""
    if (
        suits
        and registers.rip == entry + 1
        and first != BREAKPOINT
        and number == struct.pack("<i", process.number)
        and sorted(os.listdir(f"/proc/{process.number}/fd")) == ["0", "1", "2"]
        and len(os.listdir(f"/proc/{process.number}/task")) == 1
        and not any(access.endswith("s") for _, _, access, _ in process.mappings())
    ):
        process.write(entry, first)
        registers.rip = entry
        process.store_registers()
        try:
            return Template(process)
        except OSError:
            return None  # the kernel cannot share descriptors
    process.kill()
    return None
