"""Blocks: the pieces of machine code that are statements, and the only places to stop or jump to.

A block is a maximal unbroken range of code that the line table gives to one line of one file.
Rows within it are in the middle of an expression: jumping there would find registers empty.
The header of a ``for`` statement has two blocks (initialisation; increment and condition).
A loop that stands on one line is one block, unless its rounds are asked for.

In each function, the *prologue* (up to the table's second row) builds the frame, and the
*epilogue* (what ends in the ``ret`` instruction) takes it down: they belong to the call itself
and are no statements.
"""

from __future__ import annotations

import bisect
import itertools
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from stripe_gdb.elf import Executable, Function, Row
from stripe_gdb.tracer.successors import LONGEST, instruction

MANY_BLOCKS = 300
"""From here on it pays to find out first which functions run."""

PADDING = b"\x90\xcc\x00"


@dataclass(frozen=True, slots=True)
class Block:
    """``function``: the number of the block that is its function's entry."""

    address: int
    file: str
    line: int
    function: int
    entry: bool
    epilogue: bool


@dataclass(slots=True)
class Table:
    """The blocks of modules, one after the other, by address; functions by their entry block.

    A *module* is an object file in the program's memory: the program itself, which is the first,
    or a shared library.  ``spans`` are the blocks of each: the first, and the one behind the last.
    """

    modules: Sequence[Executable]
    spans: list[tuple[int, int]]
    blocks: list[Block]
    functions: dict[int, Function]

    def code(self, low: int, high: int) -> bytes:
        """The machine code from ``low`` up to ``high``."""
        return next(filter(None, (each.code(low, high) for each in self.modules)), b"")


def find_blocks(
    modules: Sequence[Executable],
    wants: Callable[[str], bool],
    text: Callable[[str, int], str],
    *,
    rounds: bool = False,
) -> Table:
    """The blocks in functions that ``wants`` says are the user's, by the file they begin in.

    ``text`` gives a line of a file, or ``""``.  ``rounds``: a block begins where a round of a loop
    does, also within a line.  No expression is open there in a program that is not optimised.
    """
    table = Table(modules, [], [], {})
    for module in modules:
        first = len(table.blocks)
        _add_module(table, module, wants, text, rounds=rounds)
        table.spans.append((first, len(table.blocks)))
    return table


def _add_module(
    table: Table,
    program: Executable,
    wants: Callable[[str], bool],
    text: Callable[[str, int], str],
    *,
    rounds: bool,
) -> None:
    by_function: dict[Function, list[Row]] = {}
    lows = [function.low for function in program.functions]
    for row in itertools.chain.from_iterable(unit.rows for unit in program.units):
        place = bisect.bisect_right(lows, row.address) - 1
        if row.line and place >= 0 and row.address < program.functions[place].high:
            by_function.setdefault(program.functions[place], []).append(row)
    for function in sorted(by_function, key=lambda function: function.low):
        rows = _distinct(by_function[function])
        if rows[0].address == function.low and wants(rows[0].file):
            _add(table, program, function, rows, wants, text, rounds=rounds)


def _distinct(rows: list[Row]) -> list[Row]:
    """One row for each address: the last one, as those before have no code."""
    latest = {row.address: row for row in rows}
    return [latest[address] for address in sorted(latest)]


def _add(
    table: Table,
    program: Executable,
    function: Function,
    rows: list[Row],
    wants: Callable[[str], bool],
    text: Callable[[str, int], str],
    *,
    rounds: bool,
) -> None:
    entry = len(table.blocks)
    table.functions[entry] = function
    first = rows[0]
    table.blocks.append(Block(first.address, first.file, first.line, entry, True, False))
    if len(rows) == 1:
        return
    starts = [rows[1]]
    heads = _heads(program, function) if rounds else frozenset()
    for before, row in itertools.pairwise(rows[1:]):
        if (row.file, row.line) != (before.file, before.line) or row.address in heads:
            starts.append(row)
    last = starts[-1]
    has_epilogue = _ends_in_return(program.code(rows[-1].address, function.high))
    if has_epilogue and rows[-1] is not last and not text(last.file, last.line).startswith("}"):
        # `return x; }`: the statement is a block, and the end of the function another.
        starts.append(rows[-1])
    ends = [row.address for row in starts[1:]] + [function.high]
    lines = {row.address: (row.file, row.line) for row in starts}
    for row, end in zip(starts, ends, strict=True):
        epilogue = has_epilogue and row is starts[-1]
        target = _only_jump(program.code(row.address, end), row.address)
        if target is not None and lines.get(target) == (row.file, row.line):
            continue  # `while (c)`: the way to the condition, which is a block of the same line
        # What a header outside of the user's sources inlines is no statement of theirs.
        if epilogue or wants(row.file):
            table.blocks.append(Block(row.address, row.file, row.line, entry, False, epilogue))


def _heads(program: Executable, function: Function) -> frozenset[int]:
    """Where a jump leads back to in a function, as far as its instructions are known."""
    code = program.code(function.low, function.high)
    found, at = set(), 0
    while at < len(code) and (each := instruction(code[at : at + LONGEST])) is not None:
        at += each.size
        if each.jump is not None and each.jump < 0:
            found.add(function.low + at + each.jump)
    return frozenset(found)


def _only_jump(code: bytes, address: int) -> int | None:
    """Where machine code goes that is nothing but one unconditional jump."""
    for opcode, size in ((0xEB, 1), (0xE9, 4)):
        if len(code) == 1 + size and code[0] == opcode:
            return address + len(code) + int.from_bytes(code[1:], "little", signed=True)
    return None


def _ends_in_return(code: bytes) -> bool:
    """Whether machine code has a return as its last instruction."""
    code = code.rstrip(PADDING)
    return bool(code) and (code[-1] == 0xC3 or (len(code) > 2 and code[-3] == 0xC2))
