"""Where control may go from each block: the branches of the machine code."""

import bisect

import gdb

ENDING = frozenset(("jmp", "jmpq", "notrack", "bnd", "ret", "retq", "hlt", "ud2"))
"""Instructions that control does not fall through."""


def edges(program, functions, moved):
    """Pairs of blocks (from, to), for functions given as entry block and size in bytes.

    Falling through, jumping and branching count; calls come back.  Where a jump leads through
    a table (``switch``) is not known here: the recorded run shows some of it.  ``moved`` is how far
    from its place in memory gdb takes the program to be.
    """
    found = set()
    architecture = gdb.selected_inferior().architecture()
    for entry, size in functions:
        own = sorted(
            (block[0] + (moved if block[0] in program.image else 0), number)
            for number, block in enumerate(program.blocks)
            if block[1] == entry
        )
        starts = [address for address, _ in own]
        low = own[0][0]
        high = low + size
        before = None
        for instruction in architecture.disassemble(low, high - 1):
            start, here = own[bisect.bisect_right(starts, instruction["addr"]) - 1]
            if before is not None and (before != here or instruction["addr"] == start):
                found.add((before, here))
            words = instruction["asm"].split()
            before = None if words[0] in ENDING else here
            target = jump_target(words)
            if target is not None and low <= target < high:
                start, to = own[bisect.bisect_right(starts, target) - 1]
                # A jump inside a block does not leave it, unless it begins anew.
                if to != here or target == start:
                    found.add((here, to))
    return sorted(found)


def comes_back(start, stops):
    """Whether control may come from ``start`` back to it without passing another of ``stops``.

    Also if it may leave the function before that, or jump who knows where: what then happens is
    not followed.
    """
    architecture = gdb.selected_inferior().architecture()
    seen, todo = set(), [start]
    while todo:
        address = todo.pop()
        (instruction,) = architecture.disassemble(address, count=1)
        words = instruction["asm"].split()
        target = jump_target(words)
        following = [] if words[0] in ENDING else [address + instruction["length"]]
        if target is not None:
            following.append(target)
        if not following or start in following:
            return True
        fresh = [each for each in following if each not in stops and each not in seen]
        seen.update(fresh)
        todo += fresh
    return False


def jump_target(words):
    """The address a jump instruction names."""
    if words[0] in ("notrack", "bnd"):
        words = words[1:]
    if len(words) > 1 and words[0].startswith("j") and words[1].startswith("0x"):
        return int(words[1], 16)
    return None
