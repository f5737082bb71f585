"""The code of shared libraries: breakpoints are put into it when the dynamic linker has mapped it.

A breakpoint is where the linker tells of changes, too (``inside/linker.py``): it is put into the
linker's code as into a library's.  No functions of libraries are copied: what calls and what is
called would be too far from the page of data of the gates.
"""

from __future__ import annotations

import os
from collections.abc import Collection, Mapping
from typing import Any

from ..inside.linker import Libraries, linker_base
from .layout import Code
from .process import Process

LINKER = -1
"""The number of the dynamic linker, among shared libraries."""


class LibraryCode:
    """Those of an engine; ``libraries`` are what the host knows of them."""

    def __init__(self, job: Mapping[str, Any]) -> None:
        self.libraries = Libraries(job)
        self._linker: dict[str, int] = job["linker"]
        self._codes: dict[int, Code] = {}

    def arm(self, addresses: Collection[int]) -> list[int]:
        """Have breakpoints at those addresses that are in libraries; the others, in order."""
        others = set(addresses)
        self._codes.clear()
        for number, library in enumerate(self.libraries.all):
            low, high = library["image"]
            own = sorted(each for each in addresses if low <= each < high)
            self._codes[number] = Code(own, gap=gap(number))
            others.difference_update(own)
        return sorted(others)

    def listen(self, process: Process) -> None:
        """Have a breakpoint where the linker, in a new process, tells of changes."""
        notice = process.notice = self.libraries.notice(linker_base(process.number))
        code = self._codes.get(LINKER)
        if code is None or code.addresses != [notice]:
            code = self._codes[LINKER] = Code([notice], gap=gap(LINKER))
        self._put(process, LINKER)

    def passes(self, process: Process) -> bool:
        """Whether it stops where the linker tells of a change: breakpoints are changed with that.

        Raises :class:`~stripe_gdb.inside.linker.Elsewhere`.
        """
        if not process.notice or process.registers.rip != process.notice + 1:
            return False
        process.registers.rip = process.notice
        process.store_registers()

        def read(address: int, size: int) -> bytes:
            return os.pread(process.memory, size, address)

        now = [number for number in process.libraries if number != LINKER]
        base = process.notice - self._linker["notice"]
        present = self.libraries.present(process.number, base, read, now)
        for number in now:
            if number not in present:
                process.forget(number)
        for number in present:
            if number not in now:
                self._put(process, number)
        return True

    def _put(self, process: Process, number: int) -> None:
        process.libraries[number] = self._codes[number]
        process.lay_out(self._codes[number])


def gap(number: int) -> int:
    """How far below a shared library the area for its detours is; each has its own."""
    return (1 << 30) + (number + 2 << 24)
