"""Put objects into compiled code: what sites call, and who each tracked function is."""

from __future__ import annotations

import dis
from collections.abc import Callable
from types import CodeType
from typing import Any

ASYNC_FLAGS = 0x80 | 0x200  # coroutine, asynchronous generator
GENERATOR_FLAGS = 0x20 | ASYNC_FLAGS


class Function:
    """A tracked code object: a function, class body or module of the user's code.

    ``fetches`` maps the offsets its loops jump back to for an item to FETCH sites;
    ``async_headers`` are the offsets from which an exhausted ``async for`` is left.
    """

    __slots__ = ("async_headers", "code", "fetches", "generator", "number")

    def __init__(self, code: CodeType, number: int, fetches: dict[int, int]) -> None:
        self.code = code
        self.number = number
        self.generator = bool(code.co_flags & GENERATOR_FLAGS)
        self.fetches = fetches
        self.async_headers = async_headers(code) if code.co_flags & ASYNC_FLAGS else []


def key_of(code: CodeType) -> tuple[int, str]:
    """First line and name: what tells the functions of a file apart."""
    return (0 if code.co_name == "<module>" else code.co_firstlineno, code.co_name)


def link(
    code: CodeType,
    constants: dict[complex, Any],
    describe: Callable[[CodeType], Function | None],
) -> CodeType:
    """Replace the placeholders among the constants of ``code`` by the objects they stand for.

    The compiler accepts no arbitrary object as a constant, but code objects do.
    Placeholders are complex numbers no program contains: the optimizer cannot fold a call
    or subscript of one.  A tracked function becomes the last constant of its code.
    """
    linked = [
        link(constant, constants, describe)
        if isinstance(constant, CodeType)
        else constants.get(constant, constant)
        if type(constant) is complex
        else constant
        for constant in code.co_consts
    ]
    function = describe(code)
    if function is not None:
        linked.append(function)
    code = code.replace(co_consts=tuple(linked))
    if function is not None:
        function.code = code
    return code


def async_headers(code: CodeType) -> list[range]:
    """The offsets of instructions whose StopAsyncIteration ends an ``async for``."""
    ends = {each.offset for each in dis.get_instructions(code) if each.opname == "END_ASYNC_FOR"}
    entries = dis.Bytecode(code).exception_entries  # type: ignore[attr-defined]
    return [range(each.start, each.end) for each in entries if each.target in ends]


def fetch_offsets(code: CodeType, fetches: dict[tuple[int, int, int, int], int]) -> dict[int, int]:
    """Maps the offsets a loop jumps back to for its next item to the FETCH sites."""
    found: dict[int, int] = {}
    prefix: int | None = None
    for instruction in dis.get_instructions(code):
        if instruction.opname == "EXTENDED_ARG":
            prefix = instruction.offset if prefix is None else prefix
            continue
        if instruction.opname in ("FOR_ITER", "GET_ANEXT") and instruction.positions is not None:
            p = instruction.positions
            key = (p.lineno, p.end_lineno, p.col_offset, p.end_col_offset)
            site = fetches.get(key)  # type: ignore[arg-type]
            if site is not None:
                found[instruction.offset] = site
                if prefix is not None:
                    found[prefix] = site
        prefix = None
    return found
