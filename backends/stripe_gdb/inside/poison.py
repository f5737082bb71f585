"""What a replay puts where the program finds memory that nothing has written since it got it.

A statement that was left out writes nothing, so a kept one could read what happens to be there: the
frames of calls before, zeros of new pages.  So each frame is filled when its function is entered,
before it has saved anything: from below the stack pointer, which nobody may expect to keep.  The
heap is filled by the C library itself (``glibc.malloc.perturb``).

Nor does a function give its caller anything whose `return` was left out: the registers for results
are filled then.

There are several such fillings; what is the same with all of them does not depend on that memory.
They disagree on most comparisons: one is zeros; one is numbers which rise and, as pointers, lead to
memory that is there; one is numbers which fall, mostly negative, and lead nowhere.
"""

import ctypes
import struct

PERIOD = 1024
RED_ZONE = 128
"""Bytes below the stack pointer that a function may use without moving it."""

MOST = 1 << 20
"""Bytes of a frame that are filled, nearest to its caller's."""

NEGATIVE, LOW_NEGATIVE = 0xC5A5C5A5C5A5C5A5, 0x5A5A5A5AC5A5C5A5
"""Whole or in halves: no number so small that it is lost where floating numbers are added."""

STEP = 0x10001

libc = ctypes.CDLL(None, use_errno=True)


class Span(ctypes.Structure):
    """``struct iovec``."""

    _fields_ = (("base", ctypes.c_void_p), ("length", ctypes.c_size_t))


class Poison:
    """A filling; ``pointer`` is where ``room`` bytes are that nobody uses."""

    def __init__(self, number, pointer, room):
        places = range(PERIOD // 8)
        other = NEGATIVE if pointer >> 32 else LOW_NEGATIVE
        values = (
            [other - each * STEP for each in places],
            [0 for _ in places],
            [pointer + each * 16 % max(room - 15, 1) for each in places],
        )[number]
        self.result = values[0]
        self.period = struct.pack(f"<{len(values)}Q", *values)
        self.bytes = ctypes.create_string_buffer(self.period * 2, 2 * PERIOD)
        self.size = 2 * PERIOD

    def fill(self, program, low, high):
        """Fill the program's memory from one address up to another."""
        low = max(low, high - MOST)
        start = low % PERIOD
        if start + high - low > self.size:
            self.size = start + high - low
            data = self.period * (self.size // PERIOD + 1)
            self.bytes = ctypes.create_string_buffer(data, len(data))
        here = Span(ctypes.addressof(self.bytes) + start, high - low)
        there = Span(low, high - low)
        write = libc.process_vm_writev
        if write(program.pid, ctypes.byref(here), 1, ctypes.byref(there), 1, 0) == high - low:
            return
        # The lowest pages of the stack are not there yet: what is there is filled.
        if high - low > 4096:
            self.fill(program, (low + high) // 2, high)
