"""The source text of a statement, where several share a line or its line is all that is known."""

from __future__ import annotations

import re
from bisect import bisect_right
from functools import lru_cache

from stripe.trace.model import Statement, Trace

_TOKEN = re.compile(
    r"""//.*|/\*.*?(?:\*/|$)|"(?:\\.|[^"\\])*"|'(?:\\.[^']*|[^'\\])'|\b(?:while|for|loop)\b|."""
)
"""Of C, C++ and Rust; what is no word of a loop goes by characters."""


class StatementTexts:
    """The first line of each statement of a trace, without its neighbours on that line."""

    def __init__(self, trace: Trace) -> None:
        self._trace = trace
        self._lines = [file.lines for file in trace.files]
        self._columns: dict[tuple[int, int], list[int]] = {}
        for statement in trace.statements:
            place = statement.file, statement.line
            self._columns.setdefault(place, []).append(statement.column)
        for columns in self._columns.values():
            columns.sort()

    def line(self, statement: Statement) -> str:
        """Its whole first line; empty where the file's text is not known that far."""
        lines = self._lines[statement.file]
        return lines[statement.line - 1] if statement.line <= len(lines) else ""

    def own(self, statement: Statement) -> str:
        """The part of its first line from its column up to the next statement."""
        columns = self._columns[statement.file, statement.line]
        after = bisect_right(columns, statement.column)
        stop = columns[after] if after < len(columns) else None
        return columns_of(self.line(statement), statement.column, stop).strip().removesuffix(";")


def columns_of(line: str, start: int, stop: int | None) -> str:
    """The part of a line between two columns, which count bytes of UTF-8."""
    if line.isascii():
        return line[start:stop]  # a generated line may be long, and have thousands of statements
    return _encoded(line)[start:stop].decode("utf-8", "replace")


@lru_cache(maxsize=16)
def _encoded(line: str) -> bytes:
    return line.encode()


def only_loop(line: str) -> str:
    """The header of the only loop in a line of machine code's source; else the whole line.

    Debug information has columns of instructions, not of statements.
    """
    tokens = _TOKEN.findall(line)
    starts = [place for place, token in enumerate(tokens) if token in ("while", "for", "loop")]
    if len(starts) != 1:
        return line
    depth, found = 0, ""
    for token in tokens[starts[0] :]:
        if token == "{" and not depth:  # Rust has no parentheses there
            break
        found += token
        depth += (token == "(") - (token == ")")
        if token == ")" and not depth:
            break
    return found.strip()
