"""Annotations that are evaluated where somebody asks for them, as all are since 3.14.

A function, a class and a module have a function of their own for theirs, ``__annotate__``.  Each
annotation that computes something is an event of it.  Which there are can differ from call to
call (in a class, those of the statements that control has come to), so a site tells its number.
"""

from __future__ import annotations

import _ast as ast

from .versions import HERE

TYPE_CHECKING = False  # typing takes as long to import as much of the agent
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

NAME = "__annotate__"
FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)
type Holder = tuple[Any, str]
"""The node that has an annotation, and the name of the field with it."""


def are_deferred(tree: ast.Module) -> bool:
    """Whether this file's annotations are evaluated late: else with their statement, or never."""
    return HERE.deferred and not any(
        isinstance(each, ast.ImportFrom)
        and each.module == "__future__"
        and any(alias.name == "annotations" for alias in each.names)
        for each in tree.body
    )


def evaluated(tree: Any) -> list[Holder]:
    """The annotations of a function, a class or a module, as they are evaluated."""
    found = of_arguments(tree) if isinstance(tree, FUNCTIONS) else of_statements(tree.body)
    return [each for each in found if computes(getattr(*each))]


def of_arguments(tree: Any) -> Iterator[Holder]:
    given = tree.args
    every = [*given.posonlyargs, *given.args, given.vararg, *given.kwonlyargs, given.kwarg]
    yield from ((each, "annotation") for each in every if each is not None)
    yield tree, "returns"


def of_statements(body: list[Any]) -> Iterator[Holder]:
    for tree in body:
        if isinstance(tree, ast.AnnAssign):
            if tree.simple:
                yield tree, "annotation"
        elif not isinstance(tree, (*FUNCTIONS, ast.ClassDef)):
            for block in ("body", "handlers", "orelse", "finalbody", "cases"):
                inside = getattr(tree, block, None)
                if isinstance(inside, list):
                    yield from of_statements(inside)


def computes(annotation: Any) -> bool:
    """Whether there is anything to leave out."""
    return annotation is not None and not isinstance(annotation, (ast.Constant, ast.Starred))
