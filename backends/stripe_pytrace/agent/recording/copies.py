"""Copies that a program makes of its code as bytes: of the code as it was written.

Instrumented code holds objects that only this process can have.  So ``marshal`` is given, in its
place, what compiling the plain source gives; such a copy runs in full, and is not traced.
"""

from __future__ import annotations

import marshal
from types import CodeType

from ..compiling.code import Sources, UserFile
from ..compiling.compiler_warnings import CompilerWarnings
from ..values.content import FROZENDICT
from .monitor import tracked

TYPE_CHECKING = False  # typing takes as long to import as much of the agent
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from typing import Any


def install(sources: Sources) -> None:
    """Have ``marshal`` see the plain code of traced functions."""
    plain = PlainCode(sources)
    module: Any = marshal
    for name in ("dumps", "dump"):
        setattr(module, name, seeing_plain(getattr(module, name), plain))


def seeing_plain(function: Callable[..., Any], plain: PlainCode) -> Callable[..., Any]:
    def marshalled(value: Any, *arguments: Any, **options: Any) -> Any:
        # Only values that it refuses can hold code of ours; it writes nothing of them.
        try:
            return function(value, *arguments, **options)
        except ValueError:
            same = plain.of(value)
            if same is value:
                raise
        return function(same, *arguments, **options)

    marshalled.__name__ = marshalled.__qualname__ = function.__name__
    return marshalled


class PlainCode:
    """The plain code of traced functions, by their numbers, compiled when asked for."""

    def __init__(self, sources: Sources) -> None:
        self._sources = sources
        self._codes: dict[int, CodeType] = {}

    def of(self, value: Any) -> Any:
        """``value`` with plain code in it; itself, if there is no other."""
        kind = type(value)
        if kind is CodeType:
            return self._code(value)
        if kind in (list, tuple, set, frozenset):
            items = [self.of(each) for each in value]
            return value if all(map(is_same, items, value)) else kind(items)
        if kind is dict or kind is FROZENDICT:
            pairs = [(self.of(key), self.of(each)) for key, each in value.items()]
            held = [*value, *value.values()]
            new = [key for key, _ in pairs] + [each for _, each in pairs]
            return value if all(map(is_same, new, held)) else kind(pairs)
        return value

    def _code(self, code: CodeType) -> CodeType:
        function = tracked(code)
        if function is None:
            return code
        if function.number not in self._codes:
            for file in self._sources.files:
                if function in file.tracked:
                    self._codes |= plain_codes(file)
        plain = self._codes.get(function.number)
        if plain is None:
            return code
        return plain.replace(
            co_name=code.co_name,
            co_qualname=code.co_qualname,
            co_filename=code.co_filename,
            co_firstlineno=code.co_firstlineno,
        )


def is_same(one: Any, other: Any) -> bool:
    return one is other


def plain_codes(file: UserFile) -> dict[int, CodeType]:
    """The code of a file's functions as it is without us, by their numbers."""
    with CompilerWarnings():  # they were shown when the program was compiled
        module = compile(file.source, file.path, "exec", dont_inherit=True)
    numbered = ((file.number_of(code), code) for code in nested(module))
    return {number: code for number, code in numbered if number is not None}


def nested(code: CodeType) -> Iterator[CodeType]:
    """A code object and all that are in it."""
    yield code
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield from nested(constant)
