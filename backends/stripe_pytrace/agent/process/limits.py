"""Limits of one run of the program."""

from __future__ import annotations

import _signal as signal  # type: ignore[import-not-found]  # signal imports more than all else here

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

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


def with_output(size: int, action: Callable[[], object]) -> bool:
    """Do something of ours for which a file may have so many bytes; whether that can be."""
    if resource is None:
        return False  # type: ignore[unreachable]
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    if hard != resource.RLIM_INFINITY and hard < size:
        return False
    resource.setrlimit(resource.RLIMIT_FSIZE, (hard, hard))
    try:
        action()
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
    return True


def _limit(which: int, value: int) -> None:
    _, hard = resource.getrlimit(which)
    if hard != resource.RLIM_INFINITY:
        value = min(value, hard)
    resource.setrlimit(which, (value, hard))
