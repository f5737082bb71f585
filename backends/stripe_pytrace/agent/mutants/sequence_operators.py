"""Mutation operators of sequences: which part, how long, and what an empty one has in it."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import Any

from .expression_operators import Change, Names

MOST_OTHERS = 2
_PARENTS = (ast.Assign, ast.BinOp, ast.Call, ast.For, ast.Return, ast.Starred, ast.comprehension)
_COUNTING = (ast.BinOp, ast.Call, ast.Compare, ast.Return, ast.Slice, ast.Subscript)


def sequences(node: Any, parent: Any, field: str, names: Names) -> Iterator[Change]:
    """The changes of one expression."""
    if not isinstance(getattr(node, "ctx", None) or ast.Load(), ast.Load):
        return
    if isinstance(node, ast.List):
        yield from _displayed(node)
    elif isinstance(node, ast.Name) and node.id in names.sequences:
        if isinstance(parent, _PARENTS) and field != "func":
            yield from _parts(node.id, names)
        if isinstance(parent, ast.BinOp | ast.Compare | ast.Slice):
            yield Change("length", 3, f"len({node.id})")
    elif isinstance(parent, _COUNTING) and field != "func" and _counts(node, names):
        for other in list(names.sequences)[:MOST_OTHERS]:
            yield Change("length", 3, f"len({other})")


def _displayed(node: ast.List) -> Iterator[Change]:
    """A list that begins with something in it; what is in a list of its own, or in none."""
    if not node.elts:
        for text in ("[[]]", "[0]", "['']", "[None]"):
            yield Change("display", 2, text)
    elif len(node.elts) == 1 and not isinstance(node.elts[0], ast.Starred):
        yield Change("display", 2, ast.unparse(node.elts[0]))
        yield Change("display", 2, f"[{ast.unparse(node)}]")


def _parts(name: str, names: Names) -> Iterator[Change]:
    """A part of what it has, by its ends or by a number that the function knows."""
    if names.sequences[name] in ("list", "tuple"):  # of texts they are offered already
        yield Change("slice", 3, f"{name}[1:]")
        yield Change("slice", 3, f"{name}[:-1]")
    numbers = [each for each in names.variables if "number" in names.kinds(each)]
    for other in numbers[:MOST_OTHERS]:
        yield Change("slice", 3, f"{name}[{other}:]")
        yield Change("slice", 3, f"{name}[:{other}]")


def _counts(node: Any, names: Names) -> bool:
    """Whether it is a number as it stands there, or was seen to hold one."""
    if isinstance(node, ast.Constant):
        return type(node.value) is int
    return isinstance(node, ast.Name) and "number" in names.kinds(node.id)
