"""Mutation operators of indentation: a statement is one too far in, or not far enough."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import Any

from .expression_operators import Change

COMPOUND = (ast.For, ast.While, ast.If)


def outwards(node: Any) -> Iterator[Change]:
    """The last statement of a loop or case behind it."""
    if isinstance(node, COMPOUND):
        *before, last = _end(node)
        if before:
            yield _moved(_with_end(node, before) + "\n" + ast.unparse(last), last)


def inwards(node: Any, later: Any) -> Iterator[Change]:
    """The statement behind a loop or case as the last one in it."""
    if isinstance(node, COMPOUND) and not (isinstance(node, ast.For | ast.While) and node.orelse):
        yield _moved(_with_end(node, [*_end(node), later]), later)


def _moved(text: str, statement: Any) -> Change:
    return Change("indentation", 3, text, statement.lineno)


def _end(node: Any) -> list[Any]:
    """The block that ends last: of several cases that of the last one."""
    while _goes_on(node):
        node = node.orelse[0]
    block: list[Any] = node.orelse or node.body
    return block


def _goes_on(node: Any) -> bool:
    """Whether what else there is begins with another condition: `elif`."""
    rest = node.orelse
    return isinstance(node, ast.If) and len(rest) == 1 and isinstance(rest[0], ast.If)


def _with_end(node: Any, block: list[Any]) -> str:
    """The text of a loop or case that ends with another block."""
    field = "orelse" if node.orelse else "body"
    if _goes_on(node):
        block = ast.parse(_with_end(node.orelse[0], block)).body
    changed = type(node)(**{**dict(ast.iter_fields(node)), field: block})
    return ast.unparse(ast.copy_location(changed, node))
