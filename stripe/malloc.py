"""Memory that is freed goes back to the system, where much is in use."""

from __future__ import annotations

from contextlib import suppress

MMAP_THRESHOLD = -3
"""``M_MMAP_THRESHOLD`` of ``malloc.h``."""

LARGE = 1 << 20
"""Bytes from which on a piece of memory is one of its own."""


def give_back() -> None:
    """From now on, have large pieces of memory given back as soon as they are free.

    The C library of GNU takes them from one heap once pieces of that size have been freed before:
    columns of millions of numbers then leave gaps, in which others do not fit.  Other libraries go
    on as they do.
    """
    with suppress(ImportError, OSError, AttributeError):
        import ctypes  # here: hardly any command needs it

        ctypes.CDLL(None).mallopt(MMAP_THRESHOLD, LARGE)
