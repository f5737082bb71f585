"""Statements in a row, through which control goes in one go: they are reported at once."""

from __future__ import annotations

import _ast as ast

from .trees import children, walk

TYPE_CHECKING = False  # typing takes as long to import as much of the agent
if TYPE_CHECKING:
    from collections.abc import Container

Block = list[ast.stmt]
COMPUTING = (
    ast.Assign, ast.AugAssign, ast.AnnAssign, ast.Assert, ast.Delete, ast.Expr, ast.Pass,
    ast.Return,
)  # fmt: skip
SUSPENDING = (ast.Await, ast.Yield, ast.YieldFrom)
SCOPES = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.Lambda)


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


def suspends(body: Block) -> bool:
    """Whether what a function or block executes itself may suspend it."""
    pending: list[ast.AST] = list(body)
    while pending:
        node = pending.pop()
        if isinstance(node, (*SUSPENDING, ast.AsyncFor, ast.AsyncWith)):
            return True
        if isinstance(node, ast.comprehension) and node.is_async:
            return True
        scope = isinstance(node, SCOPES)  # of which only decorators, defaults and bases count
        pending += children(node, without="body" if scope else "")
    return False


def is_constant(tree: ast.stmt) -> bool:
    return isinstance(tree, ast.Expr) and isinstance(tree.value, ast.Constant)
