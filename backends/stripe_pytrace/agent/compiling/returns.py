"""Where a function says that it returns."""

from __future__ import annotations

import _ast as ast

from .trees import children

TYPE_CHECKING = False  # typing takes as long to import as much of the agent
if TYPE_CHECKING:
    from collections.abc import Iterator

Block = list[ast.stmt]
OTHERS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.expr)


def returns(body: Block) -> Iterator[ast.Return]:
    """The ``return`` statements of a function."""
    return (tree for tree in _own(body) if isinstance(tree, ast.Return))


def returns_plainly(body: Block) -> bool:
    """Whether no ``return`` of a function stands within ``try`` or ``with``."""
    guarded = (tree for tree in _own(body) if isinstance(tree, (ast.Try, ast.TryStar, ast.With)))
    return not any(True for tree in guarded for _ in returns([tree]))


def _own(body: Block) -> Iterator[ast.AST]:
    """What a function has itself: not what is in others, or in expressions."""
    pending: list[ast.AST] = list(body)
    while pending:
        tree = pending.pop()
        yield tree
        if not isinstance(tree, OTHERS):
            pending += children(tree)
