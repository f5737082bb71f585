"""Where control may go from each block, read from the machine code.

It says what ``inside/control.py`` has a gdb say, without starting one.  The instructions known here
are nearly all that compilers make when they do not optimise; for code with others a gdb is asked.
"""

from __future__ import annotations

import struct
from bisect import bisect_right
from collections.abc import Callable, Iterable, Sequence
from typing import NamedTuple

from .displaced_instructions import PREFIXES, length, operand

LONGEST = 16
"""No instruction has more bytes."""

STRINGS = frozenset([*range(0xA4, 0xA8), *range(0xAA, 0xB0)])
"""Copying, filling and comparing memory, once or repeatedly."""

SYSTEM = frozenset([0x05, 0xA2])
"""After 0x0F: system calls, and what the processor is."""


class Instruction(NamedTuple):
    """Its ``size``, whether control may go on behind it, and where it may jump to, from there."""

    size: int
    falls: bool = True
    jump: int | None = None


def instruction(code: bytes) -> Instruction | None:
    """The instruction that ``code`` begins with; ``None`` if it is not known."""
    try:
        return _instruction(code)
    except (struct.error, IndexError):
        return None  # cut off


def _instruction(code: bytes) -> Instruction | None:
    first, second = code[0], code[1] if len(code) > 1 else 0
    if first in (0xE8, 0xE9):
        (to,) = struct.unpack_from("<i", code, 1)
        return Instruction(5) if first == 0xE8 else Instruction(5, False, to)
    if first == 0xEB or first & 0xF0 == 0x70:
        (to,) = struct.unpack_from("<b", code, 1)
        return Instruction(2, first != 0xEB, to)
    if first == 0x0F and second & 0xF0 == 0x80:
        return Instruction(6, True, *struct.unpack_from("<i", code, 2))
    if first in (0xC3, 0xF4) or (first, second) == (0x0F, 0x0B):
        return Instruction(1 if first != 0x0F else 2, False)
    if first == 0x0F and second in SYSTEM:
        return Instruction(2)
    at = 0
    while code[at] in PREFIXES:
        at += 1
    if code[at] == 0xC3:
        return None  # a return that disassemblers do not call so
    wide = at + (code[at] & 0xF0 == 0x40)
    if code[wide] in STRINGS:
        return Instruction(wide + 1)
    indirect = _indirect(code)
    if indirect is not None:
        return indirect
    known = length(code)
    return None if known is None else Instruction(known[0])


def _indirect(code: bytes) -> Instruction | None:
    """A call or a jump to where a register or memory says."""
    unchecked = code[0] == 0x3E  # as compilers have it in front of jumps through tables
    at = int(unchecked)
    at += code[at] & 0xF0 == 0x40
    if code[at] != 0xFF:
        return None
    kind = code[at + 1] >> 3 & 7
    if kind == 4 or (kind == 2 and not unchecked):
        return Instruction(operand(code, at + 1)[0], kind == 2)
    return None


def edges(
    code: Callable[[int, int], bytes],
    blocks: Sequence[Sequence[int]],
    functions: Iterable[tuple[int, int]],
) -> list[tuple[int, int]] | None:
    """Pairs of blocks (from, to), for functions given as entry block and size in bytes.

    Falling through, jumping and branching count; calls come back.  ``code`` gives the bytes between
    two addresses; the ``blocks`` begin with their addresses and their functions' entry blocks.
    ``None``: there are instructions that are not known here.
    """
    inside: dict[int, list[tuple[int, int]]] = {}
    for number, block in enumerate(blocks):
        inside.setdefault(block[1], []).append((block[0], number))
    found: set[tuple[int, int]] = set()
    for entry, size in functions:
        low = blocks[entry][0]
        text = code(low, low + size)
        if len(text) < size or not _follow(text, low, sorted(inside[entry]), found):
            return None
    return sorted(found)


def _follow(
    text: bytes, low: int, own: Sequence[tuple[int, int]], found: set[tuple[int, int]]
) -> bool:
    """Add the edges of one function, whose blocks are its ``own``; whether all of it is known."""
    starts = [address - low for address, _ in own]
    at, before = 0, None
    while at < len(text):
        each = instruction(text[at : at + LONGEST])
        if each is None:
            return False
        start, here = starts[place := bisect_right(starts, at) - 1], own[place][1]
        if before is not None and (before != here or at == start):
            found.add((before, here))
        behind = at + each.size
        before = here if each.falls else None
        if each.jump is not None and 0 <= behind + each.jump < len(text):
            target = behind + each.jump
            start, to = starts[place := bisect_right(starts, target) - 1], own[place][1]
            # A jump inside a block does not leave it, unless it begins anew.
            if to != here or target == start:
                found.add((here, to))
        at = behind
    return True
