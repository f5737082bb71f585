"""Names for people, for the symbols of C++, as the library of C++ tells them."""

from __future__ import annotations

import ctypes
from collections.abc import Mapping

from ..inside.demangler import is_rust, short

LIBRARY = "libstdc++.so.6"


def names(symbols: Mapping[str, str]) -> dict[str, str] | None:
    """The names of functions, without parameters, by the keys of their symbols.

    ``None`` where a gdb has to be asked: for Rust, or where there is no such library.
    """
    if any(map(is_rust, symbols.values())):
        return None
    try:
        library = ctypes.CDLL(LIBRARY)
        demangle = library.__cxa_demangle
    except (OSError, AttributeError):
        return None
    demangle.restype = ctypes.c_void_p
    demangle.argtypes = (ctypes.c_char_p, ctypes.c_void_p, ctypes.c_void_p, ctypes.c_void_p)
    return {key: _name(demangle, each) for key, each in symbols.items()}


def _name(demangle: ctypes._NamedFuncPointer, symbol: str) -> str:
    if not symbol.startswith("_Z"):
        return symbol
    place = demangle(symbol.encode(), None, None, None)
    if place is None:
        return symbol
    said = ctypes.string_at(place).decode("utf-8", "replace")
    ctypes.CDLL(None).free(ctypes.c_void_p(place))
    name: str = short(said)
    return name
