"""Functions of the C library, without what is written in Python of :mod:`ctypes`.

To import that takes a launcher half of its time.
"""

from __future__ import annotations

from .descriptors import LowNumbersTaken

TYPE_CHECKING = False  # typing takes as long to import as much of the agent
if TYPE_CHECKING:
    from collections.abc import Callable


def function(name: str, *, alone: bool = False) -> Callable[..., int]:
    """A function of numbers, which returns an ``int``; ``alone``: no other thread runs meanwhile.

    Raises ImportError, OSError or AttributeError where it cannot be had.
    """
    with LowNumbersTaken():
        import _ctypes

    class Number(_ctypes._SimpleCData):  # type: ignore[type-arg]
        _type_ = "i"

    class Function(_ctypes.CFuncPtr):
        _flags_ = _ctypes.FUNCFLAG_CDECL | (_ctypes.FUNCFLAG_PYTHONAPI if alone else 0)
        _restype_ = Number

    try:
        found: Callable[..., int] = Function(_ctypes.dlsym(_ctypes.dlopen(None, 0), name))  # type: ignore[arg-type]
    except OSError as error:
        raise AttributeError(name) from error
    return found
