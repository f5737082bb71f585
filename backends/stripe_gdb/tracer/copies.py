"""Copies of functions, with a gate in front of each block instead of a breakpoint in it.

All of a function is laid out anew, each instruction once; what is relative to the program counter
is adjusted.  Calls go to copies, too, so what is returned to is a copy; a call by address comes to
the original, which begins with a jump.  Where a jump leads that is made from a table is looked up:
each place of the original has its place in the copy.

A function with an instruction that is not known here is not copied: breakpoints are in it.
"""

from __future__ import annotations

import struct
from bisect import bisect_right
from collections.abc import Mapping

from . import hooks
from .displaced_instructions import length, operand

CALL, JUMP, BRANCH, PLAIN, COMPUTED = range(5)
GATE = 19
"""Bytes of a gate.  The last one is a breakpoint, and the block follows."""

ENTRY = 5
"""Bytes of the jump that the original begins with."""

STRINGS = frozenset(b"\xa4\xa5\xa6\xa7\xaa\xab\xac\xad\xae\xaf")
LONGEST = 16
RESULT = 31
NOTRACK = 0x3E
STORE_RAX, STORE_RCX = b"\x48\x89\x05", b"\x48\x89\x0d"
LOAD_RAX, LOAD_RCX, LEA_RCX = b"\x48\x8b\x05", b"\x48\x8b\x0d", b"\x48\x8d\x0d"
JUMP_TO = b"\xff\x25"


class Unknown(Exception):
    """The function cannot be copied."""


def decode(code: bytes, here: int) -> tuple[int, int, int]:
    """The first instruction: its size, its kind, and where it goes, or its relative operand.

    Raises Unknown.
    """
    first = code[0]
    if first in (0xE8, 0xE9):
        return 5, CALL if first == 0xE8 else JUMP, here + 5 + struct.unpack_from("<i", code, 1)[0]
    if first == 0xEB or first & 0xF0 == 0x70:
        target = here + 2 + struct.unpack_from("<b", code, 1)[0]
        return 2, JUMP if first == 0xEB else BRANCH, target
    if first == 0x0F and code[1] & 0xF0 == 0x80:
        return 6, BRANCH, here + 6 + struct.unpack_from("<i", code, 2)[0]
    at = 0
    if first in (0xF2, 0xF3) and (code[1] in STRINGS or (code[1] == 0x48 and code[2] in STRINGS)):
        return (2 if code[1] in STRINGS else 3), PLAIN, 0
    if first in STRINGS or (first == 0x48 and code[1] in STRINGS):
        return (1 if first in STRINGS else 2), PLAIN, 0
    if first == 0xF4 or code[:2] == b"\x0f\x0b":
        return (1 if first == 0xF4 else 2), PLAIN, 0
    at += first == NOTRACK
    at += code[at] & 0xF0 == 0x40
    if code[at] == 0xFF and code[at + 1] >> 3 & 7 in (2, 4):
        end, relative = operand(code, at + 1)
        return end, PLAIN if code[at + 1] >> 3 & 7 == 2 else COMPUTED, relative
    known = length(code)
    if known is None:
        raise Unknown
    return known[0], PLAIN, known[1]


def relative(make: bytes, here: int, to: int) -> bytes:
    """Code that ends with a distance of four bytes to somewhere.  Raises Unknown."""
    try:
        return make + struct.pack("<i", to - (here + len(make) + 4))
    except struct.error:
        raise Unknown from None


class Row:
    """Code that is being laid out from ``start`` on; ``data`` is the page of data of the gates."""

    def __init__(self, start: int, data: int) -> None:
        self.start = start
        self.data = data
        self.made = bytearray()

    @property
    def here(self) -> int:
        return self.start + len(self.made)

    def add(self, code: bytes) -> None:
        self.made += code

    def to(self, make: bytes, place: int) -> None:
        """Code with the distance to a place at its end."""
        self.made += relative(make, self.here, place)

    def word(self, make: bytes, word: int) -> None:
        """Code about a word of the page of data."""
        self.to(make, self.data + word)


class Copy:
    """One function: ``blocks`` are the numbers of its blocks by address.

    Raises Unknown.
    """

    def __init__(self, code: bytes, low: int, high: int, blocks: Mapping[int, int]) -> None:
        self.low = low
        self.size = high - low
        self.blocks = blocks
        self.code: list[tuple[int, bytes, int, int]] = []
        self.places: dict[int, int] = {}
        self.gates: dict[int, int] = {}
        self.computed: list[tuple[int, int]] = []
        at, place = low, 0
        while at < high:
            try:
                size, kind, where = decode(code[at - low : at - low + LONGEST + 8], at)
            except (IndexError, struct.error):
                raise Unknown from None
            text = code[at - low : at - low + size]
            if at + size > high:
                raise Unknown
            self.places[at] = place
            if at in blocks:
                self.gates[blocks[at]] = place
                place += GATE
            self.code.append((at, text, kind, where))
            if kind == COMPUTED:
                size_now = len(self._computed(Row(low, low), text, where, low, low))
                self.computed.append((place, place + size_now))
                place += size_now
            else:
                place += {CALL: 5, JUMP: 5, BRANCH: 6}.get(kind, size)
            at += size
        self.result = place
        self.length = place + RESULT
        inside = {where for _, _, kind, where in self.code if kind in (JUMP, BRANCH)}
        if not all(each in self.places for each in inside if low <= each < high):
            raise Unknown
        if len(self.gates) < len(blocks) or low not in blocks:
            raise Unknown

    @property
    def jumps(self) -> bool:
        """Whether there is room for a jump at the beginning of the original."""
        return not any(self.low < each < self.low + ENTRY for each in self.blocks)

    def made(self, start: int, data: int, table: int, entries: Mapping[int, int]) -> bytes:
        """The copy, laid out from ``start`` on.  Raises Unknown.

        ``table`` is where the table of its places is, ``entries`` where copies of functions begin.
        """
        row = Row(start, data)
        for at, text, kind, where in self.code:
            number = self.blocks.get(at)
            if number is not None:
                row.word(STORE_RAX, hooks.RAX)
                row.add(b"\xb8" + struct.pack("<i", number))
                row.word(JUMP_TO, hooks.COMMON)
                row.add(b"\xcc")
            if kind in (CALL, JUMP, BRANCH):
                inner = self.places.get(where)
                to = entries.get(where, where) if inner is None else start + inner
                condition = bytes((0x0F, 0x80 | text[len(text) > 2] & 0x0F))
                row.to({CALL: b"\xe8", JUMP: b"\xe9", BRANCH: condition}[kind], to)
            elif kind == COMPUTED:
                row.add(self._computed(Row(row.here, data), text, where, at, table))
            elif where:
                row.add(_moved(text, where, at, row.here))
            else:
                row.add(text)
        row.word(LOAD_RAX, hooks.RESULT)
        row.add(b"\x48\x89\xc2")
        row.word(b"\x66\x0f\x12\x05", hooks.RESULT)
        row.word(b"\x66\x0f\x12\x0d", hooks.RESULT)
        row.to(b"\xe9", start + self.epilogue if self.epilogue else start)
        return bytes(row.made)

    def original_of(self, place: int) -> int:
        """The address of the instruction that has a place in the copy."""
        addresses, places = zip(*self.places.items(), strict=True)
        found: int = addresses[bisect_right(places, place) - 1]
        return found

    epilogue = 0
    """Where the epilogue is in the copy, behind its gate."""

    def table(self, start: int, table: int) -> bytes:
        """For each byte of the original its place in the copy, from the table on; 0: none."""
        found = [0] * self.size
        for at, place in self.places.items():
            found[at - self.low] = start + place - table
        return struct.pack(f"<{self.size}i", *found)

    def _computed(self, row: Row, text: bytes, where: int, at: int, table: int) -> bytes:
        """A jump to what a register or memory says: on to its place in the copy, if it has one."""
        row.word(STORE_RAX, hooks.RAX)
        row.word(STORE_RCX, hooks.RCX)
        first = int(text[0] == NOTRACK)
        prefix = text[first] if text[first] & 0xF0 == 0x40 else 0x40
        first += text[first] & 0xF0 == 0x40
        # The same operand, of a `mov rax, ...`
        load = bytes((prefix & 0xFB | 8, 0x8B, text[first + 1] & 0xC7)) + text[first + 2 :]
        if where:
            load = _moved(load, where - first + 1, at + len(text) - len(load), row.here)
        row.add(load)
        row.to(LEA_RCX, self.low)
        row.add(b"\x48\x29\xc8\x48\x3d" + struct.pack("<i", self.size))  # sub rax, rcx; cmp rax
        row.add(b"\x73\x2d")  # jae: not in this function
        row.to(LEA_RCX, table)
        row.add(b"\x48\x63\x04\x81\x85\xc0")  # movsxd rax, [rcx + rax * 4]; test eax, eax
        row.add(b"\x74\x1e")  # je: not an instruction
        row.add(b"\x48\x01\xc8")  # add rax, rcx
        row.word(STORE_RAX, hooks.TARGET)
        row.word(LOAD_RAX, hooks.RAX)
        row.word(LOAD_RCX, hooks.RCX)
        row.word(JUMP_TO, hooks.TARGET)
        row.word(LOAD_RAX, hooks.RAX)
        row.word(LOAD_RCX, hooks.RCX)
        row.add(_moved(text, where, at, row.here) if where else text)
        return bytes(row.made)


def _moved(text: bytes, place: int, old: int, new: int) -> bytes:
    """An instruction with a relative operand at ``place`` in it, at another address."""
    made = bytearray(text)
    try:
        struct.pack_into("<i", made, place, struct.unpack_from("<i", made, place)[0] + old - new)
    except struct.error:
        raise Unknown from None
    return bytes(made)
