"""Where a function says that it returns."""

from __future__ import annotations

import ast

TYPE_CHECKING = False  # typing takes as long to import as much of the agent
if TYPE_CHECKING:
    from collections.abc import Iterator

Block = list[ast.stmt]


def returns(body: Block) -> Iterator[ast.Return]:
    """The ``return`` statements of a function."""
    pending: list[ast.AST] = list(body)
    while pending:
        tree = pending.pop()
        if isinstance(tree, ast.Return):
            yield tree
        elif not isinstance(tree, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.expr)):
            pending.extend(ast.iter_child_nodes(tree))


def returns_plainly(body: Block) -> bool:
    """Whether no ``return`` of a function stands within ``try`` or ``with``."""
    pending: list[ast.AST] = list(body)
    while pending:
        tree = pending.pop()
        if isinstance(tree, (ast.Try, ast.TryStar, ast.With)):
            if any(True for _ in returns([tree])):
                return False
        elif not isinstance(tree, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.expr)):
            pending.extend(ast.iter_child_nodes(tree))
    return True
