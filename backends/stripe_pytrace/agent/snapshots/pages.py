"""Large pages for memory that many children share: a fork copies a table entry for each page.

Only where Linux can make them of pages that are in use (6.1 and later), and at once.
"""

from __future__ import annotations

from ..process.descriptors import LowNumbersTaken

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

MADV_COLLAPSE = 25
LARGE = 1 << 21


def advise() -> Any:
    """The system call, where there is one."""
    try:
        with LowNumbersTaken():
            import ctypes

        function = ctypes.CDLL(None).madvise
        function.argtypes = [ctypes.c_void_p, ctypes.c_size_t, ctypes.c_int]
    except (ImportError, OSError, AttributeError):
        return None
    return function


ADVISE = advise()  # found at once, as in the server


def collapse() -> None:
    """Have large pages where memory of this process is in one piece of that size."""
    if ADVISE is None:
        return
    try:
        with open("/proc/self/maps", "rb") as stream:
            lines = stream.read().splitlines()
    except OSError:
        return
    for line in lines:
        bounds, rights, _, _, number, *name = line.split(None, 5)
        if number != b"0" or rights != b"rw-p" or (name and name[0] != b"[heap]"):
            continue
        first, last = (int(each, 16) for each in bounds.split(b"-"))
        first = (first + LARGE - 1) // LARGE * LARGE
        last = last // LARGE * LARGE
        if first < last:
            ADVISE(first, last - first, MADV_COLLAPSE)
