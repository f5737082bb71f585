"""A delta as a change of the file's text, for people; it means what the changed tree means."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import Any

from .deltas import AFTER, BEFORE, REPLACE, SWAP, TOGETHER, Parsed


def rewritten(file: Parsed, number: int, how: str, text: str) -> str | None:
    """The file after the change; ``None`` if it cannot be written by changing that place alone."""
    wanted_file = Parsed(file.path, file.source)
    wanted_file.apply(number, how, text)
    wanted = ast.dump(wanted_file.tree)
    for attempt in _attempts(file, number, how, text):
        try:
            if ast.dump(ast.parse(attempt)) == wanted:
                return attempt.decode("utf-8", "replace")
        except SyntaxError:
            continue
    return None


def _attempts(file: Parsed, number: int, how: str, text: str) -> Iterator[bytes]:
    node: Any = file.nodes[number]
    lines = file.source.splitlines(keepends=True)
    starts = [0]
    for line in lines:
        starts.append(starts[-1] + len(line))
    begin: int = starts[node.lineno - 1] + node.col_offset
    end = starts[node.end_lineno - 1] + node.end_col_offset
    source = file.source
    if not isinstance(node, ast.stmt):
        for form in (text, f"({text})"):
            yield source[:begin] + form.encode() + source[end:]
        return
    prefix = lines[node.lineno - 1][: node.col_offset]
    if prefix.strip():
        return  # another statement is before it in its line
    indented = text.replace("\n", "\n" + prefix.decode()).rstrip().encode()
    begin -= len(prefix)
    if how == REPLACE:
        yield source[:begin] + prefix + indented + source[end:]
        return
    rest = source[end:]
    cut = rest.find(b"\n") + 1 or len(rest)
    if how == BEFORE:
        yield source[:begin] + prefix + indented + b"\n" + source[begin:]
    elif how == AFTER:
        head = source[: end + cut]
        yield (
            head + (b"" if head.endswith(b"\n") else b"\n") + prefix + indented + b"\n" + rest[cut:]
        )
    elif how == SWAP or how in TOGETHER:
        parent, field, _ = file.place[node]
        block = getattr(parent, field)
        later: Any = block[block.index(node) + TOGETHER.get(how, 2) - 1]
        if how in TOGETHER:
            end = starts[later.end_lineno - 1] + later.end_col_offset
            yield source[:begin] + prefix + indented + source[end:]
            return
        first, last = starts[later.lineno - 1], starts[later.end_lineno or later.lineno]
        middle = starts[int(node.end_lineno or 0)]
        moved = source[first:last]
        moved += b"" if moved.endswith(b"\n") else b"\n"
        yield source[:begin] + moved + source[begin:middle] + source[middle:first] + source[last:]
