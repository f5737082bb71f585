"""Detours: the first instruction of a block, to be run elsewhere.

A breakpoint overwrites it.  Putting it back for a single step costs a second stop, so a copy is
laid out once, followed by a jump to what comes behind it (the kernel's uprobes do the same).
Operands relative to the program counter are adjusted.  What is not known here is stepped over.
"""

from __future__ import annotations

import struct

SIZE = 32
"""Bytes set aside for a detour; each fits."""

PREFIXES = frozenset(b"\x66\xf2\xf3\x64")
ALU = [8 * row for row in range(8)]
PLAIN = frozenset([*range(0x50, 0x60), 0x90, 0x98, 0x99, 0xC3, 0xC9])
BYTE = frozenset([0x6A, 0xA8, *range(0xB0, 0xB8), *(row + 4 for row in ALU)])
WORD = frozenset([0x68, 0xA9, *range(0xB8, 0xC0), *(row + 5 for row in ALU)])
MODRM = frozenset(
    [*(row + low for row in ALU for low in range(4)), 0x63, *range(0x84, 0x8C), 0x8D]
    + [*range(0xD0, 0xD4), *range(0xD8, 0xE0), 0xF6, 0xF7, 0xFE, 0xFF]
)
MODRM_BYTE = frozenset([0x6B, 0x80, 0x83, 0xC0, 0xC1, 0xC6])
MODRM_WORD = frozenset([0x69, 0x81, 0xC7])
TWO_BYTES = frozenset(
    [*range(0x10, 0x18), 0x1E, 0x1F, *range(0x28, 0x30), *range(0x40, 0x70), 0x7E, 0x7F]
    + [*range(0x90, 0xA0), 0xA3, 0xAF, 0xB6, 0xB7, 0xBE, 0xBF, 0xD6, 0xEF]
)
"""After 0x0F; all have a ModRM byte and no immediate value."""


def length(code: bytes) -> tuple[int, int] | None:
    """The size of the first instruction, and where its operand relative to the program counter is.

    ``None`` for what may not simply be run elsewhere, or is not known.
    """
    at, word, wide = 0, 4, False
    while code[at] in PREFIXES:
        word = 2 if code[at] == 0x66 else word
        at += 1
    if code[at] & 0xF0 == 0x40:
        wide = bool(code[at] & 8)
        at += 1
    opcode, at = code[at], at + 1
    two = opcode == 0x0F
    if two:
        opcode, at = code[at], at + 1
        if opcode not in TWO_BYTES:
            return None
    elif opcode in PLAIN:
        return at, 0
    elif opcode in BYTE:
        return at + 1, 0
    elif opcode in WORD:
        return at + (8 if wide and opcode >= 0xB8 else word), 0
    kind = code[at] >> 3 & 7
    at, relative = operand(code, at)
    immediate = 0 if two else _immediate(opcode, kind, word)
    return None if immediate is None else (at + immediate, relative)


def operand(code: bytes, at: int) -> tuple[int, int]:
    """The end of the operand whose ModRM byte is at ``at``, and where it is relative, or 0."""
    mode, low, relative = code[at] >> 6, code[at] & 7, 0
    at += 1
    if mode == 3:
        return at, relative
    if low == 4:
        low = code[at] & 7
        at += 1
    elif mode == 0 and low == 5:
        relative = at
    return at + {0: 4 if low == 5 else 0, 1: 1, 2: 4}[mode], relative


def _immediate(opcode: int, kind: int, word: int) -> int | None:
    """The size of the value behind the operand; ``None`` for what is not known, or a call."""
    if opcode in (0xFE, 0xFF) and not (kind < 2 or (kind == 6 and opcode == 0xFF)):
        return None  # calls and jumps
    if opcode in (0xC6, 0xC7) and kind:
        return None
    if opcode in MODRM_BYTE or (opcode == 0xF6 and kind < 2):
        return 1
    if opcode in MODRM_WORD or (opcode == 0xF7 and kind < 2):
        return word
    return 0 if opcode in MODRM else None


def detour(code: bytes, here: int, there: int) -> bytes | None:
    """What does at ``there`` what the instruction ``code`` begins with does at ``here``."""
    try:
        return _detour(code, here, there)
    except (struct.error, IndexError):
        return None  # too far away; cut off


def _detour(code: bytes, here: int, there: int) -> bytes | None:
    def jump(to: int, made: bytes, opcode: bytes = b"\xe9") -> bytes:
        return made + opcode + struct.pack("<i", to - (there + len(made) + len(opcode) + 4))

    if code[0] in (0xE8, 0xE9):
        behind = here + 5
        target = behind + struct.unpack_from("<i", code, 1)[0]
        if code[0] == 0xE9:
            return jump(target, b"")
        low, high = struct.unpack("<ii", struct.pack("<q", behind))
        push = b"\x68" + struct.pack("<i", low) + b"\xc7\x44\x24\x04" + struct.pack("<i", high)
        return jump(target, push)  # a call: the return address is the true one
    if code[0] == 0xEB or code[0] & 0xF0 == 0x70:
        behind = here + 2
        target = behind + struct.unpack_from("<b", code, 1)[0]
        if code[0] == 0xEB:
            return jump(target, b"")
        return jump(behind, jump(target, b"", bytes((0x0F, 0x80 | code[0] & 0x0F))))
    if code[0] == 0x0F and code[1] & 0xF0 == 0x80:
        behind = here + 6
        return jump(behind, jump(behind + struct.unpack_from("<i", code, 2)[0], b"", code[:2]))
    known = length(code)
    if known is None:
        return None
    size, relative = known
    made = bytearray(code[:size])
    if len(made) < size:
        return None
    if relative:
        operand = struct.unpack_from("<i", made, relative)[0]
        struct.pack_into("<i", made, relative, operand + here - there)
    return jump(here + size, bytes(made))
