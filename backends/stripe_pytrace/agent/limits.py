"""Limits of one run of the program."""

from __future__ import annotations

import _signal as signal  # type: ignore[import-not-found]  # signal imports more than all else here

try:
    import resource
except ImportError:  # not on this platform
    resource = None  # type: ignore[assignment]


def apply(limits: dict[str, int]) -> None:
    """``memory`` and ``output`` in bytes; 0 is no limit.  No core files."""
    if resource is None:
        return  # type: ignore[unreachable]
    # A single byte, for with 0 the kernel still runs a program that is to take them.
    _limit(resource.RLIMIT_CORE, 1)
    if limits["memory"]:
        _limit(resource.RLIMIT_AS, limits["memory"])
    if limits["output"]:
        _limit(resource.RLIMIT_FSIZE, limits["output"])
        # Python ignores the signal, and the program might ignore the error it gets instead.
        signal.signal(signal.SIGXFSZ, signal.SIG_DFL)


def _limit(which: int, value: int) -> None:
    _, hard = resource.getrlimit(which)
    if hard != resource.RLIM_INFINITY:
        value = min(value, hard)
    resource.setrlimit(which, (value, hard))
