"""CPython, version by version: its bytecode, its flags, what ``sys.monitoring`` has.

Nothing else in STRIPE asks which version it runs on, or knows an instruction by name.  A new
version gets its row here, and what it does otherwise than the one before.
"""

from __future__ import annotations

import sys
from itertools import islice
from types import CodeType

from ..process.descriptors import LowNumbersTaken

TYPE_CHECKING = False  # typing takes as long to import as much of the agent
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from typing import Any

try:  # ``dis`` and ``opcode`` import what takes longer than these tables
    from _opcode_metadata import opmap  # type: ignore[import-not-found]
except ImportError:
    from opcode import opmap  # before 3.13

Place = tuple[int | None, int | None, int | None, int | None]
"""Where something stands in a source: first line, last line, first column, last column."""


class Version:
    """What we need to know of a version of CPython.

    ``fetching`` are the instructions that fetch a loop's next item, ``exhausted`` those at which
    StopIteration tells that there is none; an ``async for`` ends at ``async_end``.  A function
    starts at ``start``.  ``by_tool`` are the functions of ``sys.monitoring`` that take the number
    of a tool, but for those that take or free one.  ``deferred``: annotations are evaluated when
    they are asked for.  ``asked`` is the name that asking for a class's annotations leaves in the
    class, also where there are none.  ``laziness`` are the bits of the argument of IMPORT_NAME that
    tell how lazy it is.  ``write_through``: what is put into ``frame.f_locals`` is in the frame.
    """

    fetching = ("FOR_ITER", "GET_ANEXT")
    exhausted = ("FOR_ITER", "SEND")
    async_end = "END_ASYNC_FOR"
    start = "RESUME"

    def __init__(
        self,
        number: tuple[int, int],
        *,
        by_tool: tuple[str, ...] = (
            "get_events", "set_events", "get_local_events", "set_local_events",
        ),
        deferred: bool = False,
        asked: str = "__annotations__",
        laziness: int = 0,
        write_through: bool = True,
    ) -> None:  # fmt: skip
        self.number = number
        self.by_tool = by_tool
        self.deferred = deferred
        self.asked = asked
        self.laziness = laziness
        self.write_through = write_through

    def __str__(self) -> str:
        return ".".join(map(str, self.number))


_12 = Version((3, 12), write_through=False)
_13 = Version((3, 13))
_14 = Version(
    (3, 14),
    by_tool=(*_13.by_tool, "clear_tool_id"),
    deferred=True,
    asked="__annotations_cache__",
)
_15 = Version((3, 15), by_tool=_14.by_tool, deferred=_14.deferred, asked=_14.asked, laziness=0b11)

VERSIONS = (_12, _13, _14, _15)
OLDEST, NEWEST = VERSIONS[0], VERSIONS[-1]


def version(number: tuple[int, int]) -> Version:
    """The row of a version; of one that we do not know, that of the nearest one we do."""
    known = [row for row in VERSIONS if row.number <= number]
    return known[-1] if known else OLDEST


HERE = version(sys.version_info[:2])
"""The row of the interpreter that runs this."""

ASYNC_FLAGS = 0x80 | 0x200  # coroutine, asynchronous generator
GENERATOR_FLAGS = 0x20 | ASYNC_FLAGS

_FETCHING = {opmap[name] for name in HERE.fetching if name in opmap}
_EXHAUSTED = {opmap[name] for name in HERE.exhausted if name in opmap}
_START: int | None = opmap.get(HERE.start)
_SUSPENDED = {opmap["YIELD_VALUE"], opmap["RESUME"]}
_ASYNC_END = opmap.get(HERE.async_end)
_IMPORT, _EXTENDED = opmap.get("IMPORT_NAME"), opmap.get("EXTENDED_ARG")


def at_exhausted(code: CodeType, offset: int) -> bool:
    """Whether StopIteration, raised at an instruction, tells a loop or ``yield from`` its end."""
    return code.co_code[offset] in _EXHAUSTED


def at_start(code: CodeType, offset: int) -> bool:
    """Whether a function that is at this instruction has executed nothing yet."""
    return code.co_code[offset] == _START


def has_started(code: CodeType, offset: int) -> bool:
    """Whether a generator, into which an exception is thrown at this instruction, had started.

    If so it stands at the ``yield`` that suspended it (3.12) or just behind (later).
    """
    return code.co_code[offset] in _SUSPENDED


def places(code: CodeType) -> Iterator[tuple[int, Place]]:
    """The instructions of ``code``: offset and place."""
    return ((2 * index, place) for index, place in enumerate(code.co_positions()))


_LOOP: CodeType = compile("for x in y: pass", "", "exec", dont_inherit=True)
ITERABLE_FAILS = any(
    _LOOP.co_code[offset] == opmap["GET_ITER"] and where[2] != 0 for offset, where in places(_LOOP)
)
"""Whether tracebacks underline what cannot be iterated over (from 3.13 on), or the whole loop."""


def place(code: CodeType, offset: int) -> Place:
    """Where the instruction at ``offset`` stands."""
    return next(islice(code.co_positions(), offset // 2, None), (None, None, None, None))


def async_headers(code: CodeType) -> list[range]:
    """The offsets of instructions whose StopAsyncIteration ends an ``async for``."""
    codes = code.co_code
    return [covered for covered, target in handlers(code) if codes[target] == _ASYNC_END]


def handlers(code: CodeType) -> list[tuple[range, int]]:
    """The exception table: which instructions are covered, and where an exception of theirs leads.

    Numbers of six bits a byte, the highest ones first; the seventh says that there are more, and
    the eighth that an entry begins: start, length and target, in instructions, and more.
    """
    found: list[tuple[range, int]] = []
    entry: list[int] = []
    more = False
    for byte in code.co_exceptiontable:
        if more:
            entry[-1] = entry[-1] << 6 | byte & 0x3F
        else:
            if byte & 0x80:
                entry = []
            entry.append(byte & 0x3F)
        more = bool(byte & 0x40)
        if len(entry) == 3 and not more:
            start, length, target = (2 * each for each in entry)
            found.append((range(start, start + length), target))
    return found


def fetch_offsets(code: CodeType, fetches: dict[tuple[int, int, int, int], int]) -> dict[int, int]:
    """Maps the offsets a loop jumps back to for its next item to the FETCH sites."""
    # What ``dis`` tells of each instruction takes longer than all else that is done to a file.
    codes = code.co_code[::2]
    fetching = [index for index, each in enumerate(codes) if each in _FETCHING]
    if not fetching or not fetches:
        return {}
    found: dict[int, int] = {}
    positions = list(code.co_positions())
    for index in fetching:
        site = fetches.get(positions[index])  # type: ignore[arg-type]
        if site is None:
            continue
        found[2 * index] = site
        first = index
        while first and codes[first - 1] == _EXTENDED:
            first -= 1
        found[2 * first] = site
    return found


def as_lazy(code: CodeType, plain: CodeType) -> CodeType:
    """Make the imports of a module as lazy as those of its ``plain`` code.

    Ours may stand within a ``try``, where an import never is lazy, and must not be called so.
    """
    found = {place: plain.co_code[offset + 1] for offset, place in _imports(plain)}
    instructions = bytearray(code.co_code)
    for offset, place in _imports(code):
        if place in found:
            instructions[offset + 1] &= ~HERE.laziness
            instructions[offset + 1] |= found[place] & HERE.laziness
    return code.replace(co_code=bytes(instructions))


def _imports(code: CodeType) -> Iterator[tuple[int, Place]]:
    codes = code.co_code
    return ((offset, place) for offset, place in places(code) if codes[offset] == _IMPORT)


def locals_writer() -> Callable[[Any, dict[str, Any]], None]:
    """What sets local variables of a frame; nobody can delete them on every version."""
    flush: Callable[[Any], object] = bool
    if not HERE.write_through:
        with LowNumbersTaken():
            import ctypes

        to_fast = ctypes.pythonapi.PyFrame_LocalsToFast
        flush = lambda frame: to_fast(ctypes.py_object(frame), ctypes.c_int(0))  # noqa: E731

    def write(frame: Any, values: dict[str, Any]) -> None:
        inside = frame.f_locals
        for name, value in values.items():
            if name not in inside or inside[name] is not value:
                inside[name] = value
        flush(frame)

    return write


def was_asked(each: type[Any]) -> bool:
    """Whether somebody asked for a class's annotations."""
    return HERE.asked in vars(each)


def forget_annotations(each: Any) -> None:
    """Make a class as it was before somebody asked for its annotations."""
    annotate = vars(each).get("__annotate_func__")
    if annotate is None:
        del each.__annotations__
    else:
        each.__annotate__ = annotate  # deleting them would take this away, too
