"""The memory map: which places a pointer may lead to (Why Programs Fail, A.2.7).

These are the variables of the frames on the stack and of the program's files, the blocks of the
heap that are in use, what ``main`` was given, and constant text.  All else is garbage: a pointer
to it is told to be invalid, and never followed.
"""

from bisect import bisect_right

import gdb

from .heap import blocks

PAGE = 4096


class Unreadable(Exception):
    """Memory that is not there."""


class Area:
    """A piece of memory: ``kind`` is ``object`` (a variable), ``heap``, ``given`` or ``text``.

    ``layout``: of what is in it; of a heap block that of the first pointer that leads to it.
    """

    __slots__ = ("high", "kind", "layout", "low", "used")

    def __init__(self, kind, low, high, layout=None, used=True):
        self.kind = kind
        self.low = low
        self.high = high
        self.layout = layout
        self.used = used


class MemoryMap:
    """All of them.  ``sizes`` are those of blocks, by address, that an alteration has made."""

    def __init__(self, sizes):
        self._pages = {}
        self._inferior = gdb.selected_inferior()
        self._objects = []
        self._heap = []
        self.files = []
        self._stack = 0, 0
        self._rest = []
        for low, high, rights, name in mappings(self._inferior.pid):
            if name == "[heap]":
                data = self._inferior.read_memory(low, high - low).tobytes()
                self._heap = [
                    Area("heap", address, address + min(size, sizes.get(address, size)), None, used)
                    for address, size, used in blocks(data, low)
                ]
            elif name.startswith("/"):
                self.files.append((low, high, name))
                if "r" in rights:
                    self._rest.append(Area("text", low, high))
            elif name == "[stack]":
                self._stack = low, high
        self._starts = [area.low for area in self._heap]

    def settle(self, objects):
        """Know the variables (address and layout); above those of ``main`` is what it was given."""
        found = {}
        for low, layout in objects:
            if low not in found or found[low].layout.size < layout.size:
                found[low] = Area("object", low, low + layout.size, layout)
        self._objects = [found[low] for low in sorted(found)]
        self._lows = sorted(found)
        low, high = self._stack
        highest = max((area.high for area in self._objects if low <= area.low < high), default=high)
        self._rest.append(Area("given", highest, high))

    def find(self, address):
        """The area that an address is in; None if a pointer must not lead there."""
        for lows, areas in ((self._lows, self._objects), (self._starts, self._heap)):
            place = bisect_right(lows, address) - 1
            if place >= 0 and address < areas[place].high:
                return areas[place] if areas[place].used else None
        return next((area for area in self._rest if area.low <= address < area.high), None)

    def ending(self, address):
        """The area that ends where another or none begins: a pointer may be one past its end."""
        area = self.find(address - 1)
        return area if area and area.high == address and area.kind in ("object", "heap") else None

    def read(self, address, size):
        """Bytes; raises Unreadable."""
        start = address % PAGE
        page = self._page(address - start)
        if start + size <= PAGE:
            return page[start : start + size]
        found = [page[start:]]
        for number in range(address - start + PAGE, address + size, PAGE):
            found.append(self._page(number))
        return b"".join(found)[:size]

    def _page(self, address):
        page = self._pages.get(address)
        if page is None:
            try:
                page = self._inferior.read_memory(address, PAGE).tobytes()
            except (gdb.error, OverflowError, ValueError):
                raise Unreadable from None
            self._pages[address] = page
        return page

    def beginning(self, area, address):
        """Where the text begins that an address is in: behind the zero before."""
        while address > area.low:
            low = max(area.low, address - PAGE)
            found = self.read(low, address - low).rfind(b"\0")
            if found >= 0:
                return low + found + 1
            address = low
        return address

    def text(self, address, most):
        """Bytes up to a zero, no more than ``most``; None if there is none so soon."""
        found = b""
        while len(found) < most:
            here = address + len(found)
            piece = self.read(here, min(PAGE - here % PAGE, most - len(found)))
            end = piece.find(b"\0")
            if end >= 0:
                return found + piece[:end]
            found += piece
        return None


def mappings(process):
    """What the kernel has mapped where: from, up to, rights, name."""
    with open(f"/proc/{process}/maps", encoding="utf-8", errors="surrogateescape") as stream:
        for line in stream:
            places, rights, *rest = line.rstrip("\n").split(None, 5)
            low, _, high = places.partition("-")
            yield int(low, 16), int(high, 16), rights, rest[3] if len(rest) > 3 else ""
