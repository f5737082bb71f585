"""Variables of inner blocks: where they are, and the code in which they are alive.

A variable of a loop's body begins anew with each round.  Replays fill it then
(``inside/scopes.py``), as they fill a frame.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from typing import Any

from elftools.common.exceptions import DWARFError, ELFError

from stripe_gdb.elf import Executable
from stripe_gdb.variables import LOCAL, Variable, address_ranges, variables_of

CALL_FRAME_CFA = 0x9C
INNER = "DW_TAG_lexical_block"
TOO_LATE = "rustc"
"""The compiler whose scopes begin behind what initialises their variables."""

type Scope = tuple[list[tuple[int, int]], list[tuple[int, int]]]
"""Ranges of code (from, up to), and variables (offset from the frame, bytes)."""


def inner_scopes(modules: Iterable[Executable], functions: Collection[int]) -> list[Scope]:
    """The inner blocks with variables of functions, which are told by their addresses.

    None if the debug information is not understood.
    """
    try:
        return [scope for module in modules for scope in _scopes(module, functions)]
    except (ELFError, DWARFError, LookupError, ValueError, AttributeError):
        return []


def _scopes(module: Executable, functions: Collection[int]) -> Iterator[Scope]:
    return (
        scope
        for unit in module.units
        if unit.rows and TOO_LATE not in unit.producer
        for entry in unit.entries.get_top_DIE().iter_children()
        if entry.tag == "DW_TAG_subprogram" and _told_from_cfa(entry)
        if any(low in functions for low, _ in address_ranges(entry, module.bias))
        for scope in _inside(entry, module.bias)
    )


def _told_from_cfa(function: Any) -> bool:
    """Whether offsets in the frame count from the canonical frame address."""
    base = function.attributes.get("DW_AT_frame_base")
    return base is not None and list(base.value) == [CALL_FRAME_CFA]


def _inside(entry: Any, bias: int) -> Iterator[Scope]:
    for child in entry.iter_children():
        if child.tag == INNER:
            places = [_place(each) for each in variables_of(child, bias).values()]
            variables = [place for place in places if place is not None]
            if variables:
                yield list(address_ranges(child, bias)), variables
            yield from _inside(child, bias)


def _place(variable: Variable) -> tuple[int, int] | None:
    """Offset and size of a variable in the frame itself."""
    if len(variable.place) != 1 or variable.place[0][0] != LOCAL or not variable.type.size:
        return None
    return variable.place[0][1], variable.type.size
