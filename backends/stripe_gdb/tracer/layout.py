"""What is put into the program's memory: breakpoints, detours around them, copies with gates."""

from __future__ import annotations

import os
import struct
from array import array
from bisect import bisect_right
from collections.abc import Mapping, Sequence
from operator import itemgetter

from . import hooks
from .copies import ENTRY, GATE, Copy, Unknown, relative
from .displaced_instructions import SIZE, detour

PAGE, MEGABYTE = hooks.PAGE, 1 << 20
BREAKPOINT = b"\xcc"

type Function = tuple[int, int, Mapping[int, int], int]


class Ranges:
    """Disjoint ranges of addresses."""

    def __init__(self) -> None:
        self._ranges: list[tuple[int, int]] = []
        self._lows: list[int] = []

    def add(self, low: int, high: int) -> None:
        """One more; :meth:`settle` when there are all."""
        self._ranges.append((low, high))

    def settle(self) -> None:
        """Be ready to be asked."""
        self._ranges.sort()
        self._lows = [low for low, _ in self._ranges]

    def __contains__(self, address: int) -> bool:
        place = bisect_right(self._lows, address) - 1
        return place >= 0 and address < self._ranges[place][1]


class Code:
    """A module's code with breakpoints at ``addresses``, and detours around them.

    These, and copies, are in an *area* below the code, so that relative operands reach: ``gap``
    bytes below, for where libraries are the kernel maps the next ones right below.

    Of ``functions`` (from, to, blocks by address, the epilogue's block or -1) there are copies
    where that can be: then :attr:`gates` has the block of each gate's breakpoint.
    """

    def __init__(
        self,
        addresses: Sequence[int],
        functions: Sequence[Function] = (),
        blocks: int = 0,
        gap: int = 0,
    ) -> None:
        self.addresses = addresses
        self.gap = gap
        self.low = min(addresses, default=0)
        self.size = max(addresses, default=0) + 1 - self.low
        self.original = self.patched = self.stepped = b""
        self._functions = functions
        self._blocks = blocks
        self.area = range(0)
        self.detours: dict[int, int] = {}
        self.block_of: dict[int, int] = {}
        self._copied: list[tuple[int, Copy]] = []
        self.gates: dict[int, int] = {}
        self.results: dict[int, int] = {}
        self.fragile = Ranges()
        self.filling = -1  # the instruction that fills memory
        self.laid_out = b""

    def read(self, memory: int) -> None:
        """Learn what is there; the same in each run."""
        self.original = os.pread(memory, self.size, self.low)
        patched = bytearray(self.original)
        for address in self.addresses:
            patched[address - self.low] = BREAKPOINT[0]
        self.stepped = bytes(patched)
        copies = self._copies(memory)
        try:
            made = self._lay_out(copies, patched)
        except Unknown:  # too far away
            for table in (self.gates, self.detours, self.block_of, self.results):
                table.clear()
            self._copied.clear()
            self.fragile = Ranges()
            self.filling = -1
            patched = bytearray(self.stepped)
            made = self._lay_out((), patched)
        for address in self.addresses:
            if address in self.detours:
                continue
            there = self.area.start + len(made)
            one = detour(os.pread(memory, 16, address), address, there)
            if one is not None:
                made += one.ljust(SIZE, b"\0")
                self.detours[address] = there
                self.block_of[there] = address
                self.fragile.add(there, there + SIZE)
        self.fragile.settle()
        self.patched, self.laid_out = bytes(patched), bytes(made)

    def __contains__(self, address: int) -> bool:
        """Whether an instruction is in the area, or has a breakpoint."""
        if address in self.area:
            return True
        place = bisect_right(self.addresses, address) - 1
        return place >= 0 and self.addresses[place] == address

    def original_of(self, address: int) -> int:
        """Where an instruction is in the program, of which a copy is run."""
        if address not in self.area:
            return address
        place = bisect_right(self._copied, address, key=itemgetter(0)) - 1
        start, copy = self._copied[place] if place >= 0 else (0, None)
        if copy is not None and address < start + copy.length:
            return copy.original_of(address - start)
        return self.block_of.get(address, address)

    def _copies(self, memory: int) -> list[Copy]:
        """The functions that can be copied."""
        found = []
        for low, high, blocks, epilogue in self._functions:
            try:
                copy = Copy(os.pread(memory, high - low, low), low, high, blocks)
            except Unknown:
                continue
            copy.epilogue = copy.gates[epilogue] + GATE if epilogue >= 0 else 0
            found.append(copy)
        return found

    def _lay_out(self, copies: Sequence[Copy], patched: bytearray) -> bytearray:
        """The area without the detours; the originals' beginnings are changed, too."""
        tables = 2 * PAGE, 2 * PAGE + 8 * self._blocks
        size = tables[1] + 4 * self._blocks if copies else 0
        places = []
        for copy in copies:
            table = size
            size += 4 * copy.size if copy.computed else 0
            places.append((size, table))
            size += copy.length
        needed = -(-(size + SIZE * len(self.addresses)) // PAGE) * PAGE
        # Below a program is nothing, and above it is its heap.
        end = (self.low - self.gap) >> 20 << 20
        start = end - (-(-needed // MEGABYTE) * MEGABYTE)
        if start < MEGABYTE and copies:
            raise Unknown
        self.area = range(start, start + needed)
        if not copies:
            return bytearray()
        made = bytearray(size)
        made[PAGE : PAGE + len(hooks.ROUTINES)] = hooks.ROUTINES
        self.filling = start + hooks.FILLING
        stops, functions = array("q", [0]) * self._blocks, array("i", [hooks.ENTRY]) * self._blocks
        entries = {copy.low: start + place for copy, (place, _) in zip(copies, places, strict=True)}
        for copy, (place, table) in zip(copies, places, strict=True):
            here = start + place
            self._copied.append((here, copy))
            made[place : place + copy.length] = copy.made(here, start, start + table, entries)
            if copy.computed:
                made[table:place] = copy.table(here, start + table)
            owner = copy.blocks[copy.low]
            for address, number in copy.blocks.items():
                gate = here + copy.gates[number]
                stops[number] = gate + GATE - 1
                if number != owner:
                    functions[number] = owner
                self.gates[gate + GATE - 1] = number
                self.detours[address] = gate + GATE
                self.block_of[gate + GATE] = address
                self.fragile.add(gate + 1, gate + GATE - 1)
            for first, last in copy.computed:
                self.fragile.add(here + first + 1, here + last)
            if copy.epilogue:
                self.results[owner] = here + copy.result
            at = copy.low - self.low
            if copy.jumps and at + ENTRY <= self.size:
                patched[at : at + ENTRY] = relative(b"\xe9", copy.low, here)
        made[tables[0] : tables[0] + 8 * self._blocks] = stops.tobytes()
        made[tables[1] : tables[1] + 4 * self._blocks] = functions.tobytes()
        self.fragile.add(start + PAGE, start + PAGE + len(hooks.ROUTINES))
        for word, value in (
            (hooks.COMMON, start + hooks.TRAP),
            (hooks.STOPS, start + tables[0]),
            (hooks.FUNCTIONS, start + tables[1]),
            (hooks.SLOTS, hooks.SLOTS_AT),
            (hooks.FILLS, hooks.FILLS_AT),
            (hooks.POISON, hooks.POISON_AT),
        ):
            struct.pack_into("<Q", made, word, value)
        return made
