"""How a program died, and where in its machine code: one statement can fail in several ways.

``strcmp(a->name, b)`` dies in the C library if the name is null or leads nowhere, and of an
instruction of its own if ``a`` does: four failures of one event.
"""

import os
import signal
import struct

SIZE_OF_SIGINFO = 128
"""Bytes of the kernel's ``siginfo_t``."""

NEAR = 1 << 16
"""Up to there an address is that of a part of what a null pointer should have led to."""


def whereabouts(information, process, address, job):
    """How an instruction at an address failed, as text that is the same if it does so again.

    In a library any instruction counts: which one it is depends on how long texts are, and where
    they begin, unless it has blocks.  ``information`` is the kernel's ``siginfo_t``, ``job`` what
    the host says of program and libraries.
    Empty if no instruction failed, but somebody sent the signal.
    """
    number, code, target = struct.unpack_from("=i4xi4xQ", information)
    if code <= 0:
        return ""
    found = f"{code} at {_place(process, address, job)}"
    if number in (signal.SIGSEGV, signal.SIGBUS):
        found += " near null" * (target < NEAR)
    return found


def _place(process, address, job):
    try:
        libraries = job["libraries"]
        starts = {path: each["start"] for each in libraries for path in each["paths"]}
        program = os.readlink(f"/proc/{process}/exe")
        with open(f"/proc/{process}/maps", encoding="utf-8", errors="surrogateescape") as lines:
            for line in lines:
                span, *_, name = [*line.rstrip("\n").split(None, 5), "", ""][:6]
                low, high = (int(each, 16) for each in span.split("-"))
                if low <= address < high:
                    if name == program:
                        return hex(address - job["bias"])
                    return os.path.basename(name) + (
                        hex(address - starts[name]) if name in starts else ""
                    )
    except OSError:
        return ""
    return "nowhere"
