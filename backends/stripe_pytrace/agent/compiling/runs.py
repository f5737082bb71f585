"""Statements in a row, through which control goes in one go: they are reported at once."""

from __future__ import annotations

import _ast as ast

from .trees import walk

TYPE_CHECKING = False  # typing takes as long to import as much of the agent
if TYPE_CHECKING:
    from collections.abc import Container

Block = list[ast.stmt]
COMPUTING = (
    ast.Assign, ast.AugAssign, ast.AnnAssign, ast.Assert, ast.Delete, ast.Expr, ast.Pass,
    ast.Return,
)  # fmt: skip
SUSPENDING = (ast.Await, ast.Yield, ast.YieldFrom)


def run_lengths(body: Block, probed: Container[int]) -> list[int]:
    """For each statement of a block, how many are reported with it: itself and the following
    ones through which control goes in one go, or none if one before reports it.
    """
    lengths: list[int] = []
    first = -1
    for number, statement in enumerate(body):
        if statement.lineno in probed or not computes(statement) or calls(statement):
            lengths.append(1)
            first = -1
        elif first < 0:
            lengths.append(1)
            first = number
        else:
            lengths.append(0)
            lengths[first] += 1
        if isinstance(statement, ast.Return):
            first = -1  # what follows is never reached
    return lengths


def computes(tree: ast.stmt) -> bool:
    """Whether control goes through the statement in one go: it neither suspends nor jumps."""
    if not isinstance(tree, COMPUTING) or is_constant(tree):
        return False
    return not any(isinstance(node, SUSPENDING) for node in walk(tree))


def calls(tree: ast.stmt) -> bool:
    """Whether the statement says that it calls: what is called needs to be told where it is."""
    return any(isinstance(node, ast.Call) for node in walk(tree))


def is_constant(tree: ast.stmt) -> bool:
    return isinstance(tree, ast.Expr) and isinstance(tree.value, ast.Constant)
