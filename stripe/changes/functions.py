"""In which function a line is: by Python's own parser, tree-sitter, or indentation."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Callable, Iterator
from typing import Any

from stripe.changes.statements import CLASS, FUNCTION, PYTHON, Statements
from stripe.units.grammars import is_installed, parser_for, suffix_of

type FunctionAt = Callable[[int], str]
"""The function that holds a line, counted from 0; "" for none."""

type _Span = tuple[int, int, str]

_HOLDING = re.compile(
    r"(?:^|_)(?:function|method|constructor|class|struct|impl|trait|interface|module|namespace|enum)"
    r"(?:_(?:definition|declaration|item|specifier|statement))?$"
)
_BEGINS = re.compile(rb"(?P<head>[A-Za-z_$][^\n({:=;]*)[({:]")
"""A line that is not indented and opens something, much as git's headings of hunks have it."""


def functions_of(path: str, content: bytes, statements: Statements | None) -> FunctionAt:
    """What tells the function of a line; spans within spans give names with dots.

    ``statements`` are those of the content, if they can be read.
    """
    spans = sorted(_spans(path, content, statements), key=lambda span: (span[0], -span[1]))
    starts = [span[0] for span in spans]

    def function_at(line: int) -> str:
        before = spans[: bisect_right(starts, line)]
        return ".".join(name for _, end, name in before if line <= end)

    return function_at


def _spans(path: str, content: bytes, statements: Statements | None) -> Iterator[_Span]:
    if statements is not None and suffix_of(path) in PYTHON:
        return (
            (each.first, each.last, each.name.rpartition(".")[2])
            for each in statements.all
            if each.kind in (FUNCTION, CLASS)
        )
    if is_installed(path):
        return _tree(parser_for(path).parse(content).root_node)
    return _headings(content)


def _tree(root: Any) -> Iterator[_Span]:
    pending = [root]
    while pending:
        node = pending.pop()
        pending += node.children
        if _HOLDING.search(node.type) and node.start_point[0] < node.end_point[0]:
            name = _name(node)
            if name:
                yield node.start_point[0], node.end_point[0], name


def _name(node: Any) -> str:
    """The name in a definition: of a C function it is within declarators."""
    while node is not None:
        name = node.child_by_field_name("name") or node.child_by_field_name("type")
        declarator = node.child_by_field_name("declarator")
        if declarator is None:
            name = name or (node if node.type.endswith("identifier") else None)
            return "" if name is None else str(name.text.decode("utf-8", "replace"))
        node = declarator
    return ""


def _headings(content: bytes) -> Iterator[_Span]:
    """From each line that is not indented to the next such."""
    lines = content.split(b"\n")
    heads = [number for number, line in enumerate(lines) if _BEGINS.match(line)]
    for number, head in enumerate(heads):
        end = heads[number + 1] - 1 if number + 1 < len(heads) else len(lines) - 1
        found = _BEGINS.match(lines[head])
        assert found is not None
        if end > head:  # else it is a declaration of one line
            yield head, end, found["head"].decode("utf-8", "replace").strip()
