"""The blocks of the heap, from the headers that glibc has in front of each.

No breakpoint is needed for that, nor what gdb knows of the C library.  A block is as long as the
library lets the program use it: up to 15 bytes more than what was asked for, and 24 at least. These
are part of the state: what a program finds that reads a little too far is there.

A header tells whether the block before is in use.  Of small blocks that were freed the library
keeps some that look used, unless it is told not to; and large ones it maps one by one, unless...
"""

import struct

TUNABLES = "glibc.malloc.tcache_count=0:glibc.malloc.mxfast=0:glibc.malloc.mmap_max=0"
"""What the program needs in GLIBC_TUNABLES, for all blocks to be found and freed ones known."""

HEADER = 16
USED_BEFORE, FLAGS = 1, 7
LEAST = 32


BEFORE = 1 << 13
"""Bytes that may lie before the first block: a program without shared libraries has some there."""


def blocks(data, low):
    """The blocks in a heap: address, bytes, and whether it is in use; by address.

    ``data`` is all of it, from ``low`` on.  None of the blocks if it does not look like a heap of
    glibc's, in which one block follows another up to the end.
    """
    for start in range(0, min(BEFORE, len(data)), HEADER):
        found = _walk(data, start)
        if found is not None:
            return [(low + place, size, used) for place, size, used in found]
    return []


def _walk(data, place):
    found = []
    end = len(data)
    while place + HEADER <= end:
        (word,) = struct.unpack_from("<Q", data, place + 8)
        size = word & ~FLAGS
        if found:
            found[-1][2] = bool(word & USED_BEFORE)
        if size < LEAST or size % HEADER or place + size > end:
            return None
        if place + size == end:  # what is left, to be handed out
            return found
        found.append([place + HEADER, size - 8, True])
        place += size
    return None
