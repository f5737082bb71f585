"""Where a seeded fault is in a counting copy, and what a slice makes of its statement."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence

from stripe.reduce import CriticalSlice
from stripe.trace import Trace

Patch = tuple[str, int, str]
"""A file, the number of a line, and what that line becomes."""


def patched(text: str, patch: Patch) -> str:
    lines = text.splitlines()
    lines[patch[1] - 1] = patch[2]
    return "\n".join(lines) + "\n"


def became(original: str, patch: Patch, trace: Trace, found: CriticalSlice) -> str:
    """What a slice makes of the seeded statement; ``original`` is the text before it was patched.

    ``kept``, ``marked`` (it decided that kept events ran), ``left out`` or ``not executed``.
    """
    index = number_of(patched(original, patch), patch[1])
    for number, file in enumerate(trace.files):
        if file.path.endswith(patch[0]):
            place = list(statements(file.text))[index]
            seeded = {
                statement.id
                for statement in trace.statements
                if (statement.file, statement.line, statement.column)
                == (number, place.lineno, place.col_offset)
            }
            if executing(trace, seeded, found.events):
                return "kept"
            if executing(trace, seeded, found.governing):
                return "marked"
            return "left out" if executing(trace, seeded, range(len(trace))) else "not executed"
    return "not executed"


def executing(trace: Trace, seeded: set[int], events: Sequence[int]) -> bool:
    return any(trace.statement[event] in seeded for event in events)


def number_of(text: str, line: int) -> int:
    """Which of the statements of a text is on a line: the innermost one there."""
    there = [
        (each.lineno, index)
        for index, each in enumerate(statements(text))
        if each.lineno <= line <= (each.end_lineno or each.lineno)
    ]
    return max(there)[1]


def statements(text: str) -> Iterator[ast.stmt]:
    """In an order that does not change as the text is rewritten."""
    return (node for node in ast.walk(ast.parse(text)) if isinstance(node, ast.stmt))
