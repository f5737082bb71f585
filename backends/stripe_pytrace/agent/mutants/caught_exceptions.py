"""Mutation operators of handlers: they catch an exception that they were not written for."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import Any

from .expression_operators import Change

COMMON = (
    *("TypeError", "ValueError", "KeyError", "IndexError", "AttributeError"),
    *("OverflowError", "OSError"),
)
"""What is raised by what was given, and easily forgotten beside another one of them."""


def wider(node: Any) -> Iterator[Change]:
    """Another one as well, or all."""
    own = list(map(ast.unparse, node.elts)) if isinstance(node, ast.Tuple) else [ast.unparse(node)]
    if not {"Exception", "BaseException"}.isdisjoint(own):
        return
    for name in COMMON:
        if name not in own:
            yield Change("exception", 2, f"({', '.join([*own, name])})")
    yield Change("exception", 3, "Exception")
