"""What each statement reads and writes, from the source alone.

This proposes where a search begins; it never decides what the search answers.  So it may be
wrong (aliases, ``exec``, ``setattr`` are not followed), but it must be cheap.  The form of a
location is described at ``stripe.trace.Statement``.
"""

from __future__ import annotations

import ast
from typing import Any

from .effects import Effects, Flow
from .namespaces import FUNCTIONS, Scope


def flows(source: str | bytes) -> list[Flow]:
    """Reads and writes of every node of a file, in the order in which nodes are numbered."""
    tree = ast.parse(source)
    found: list[Flow] = []
    _Walk(found).block(tree.body, Scope(tree, "<module>", None))
    return found


class _Walk:
    """Goes through statements in source order, as the instrumenter does."""

    def __init__(self, found: list[Flow]) -> None:
        self.found = found

    def block(self, body: list[Any], scope: Scope) -> None:
        share_names(body, scope)
        for statement in body:
            self.statement(statement, scope)

    def statement(self, tree: Any, scope: Scope) -> None:
        self.found.append(Effects(scope).of(tree))
        inner = scope
        if isinstance(tree, (*FUNCTIONS, ast.ClassDef)):
            prefix = "" if scope.outer is None else scope.name + "."
            inner = Scope(tree, prefix + tree.name, scope)
        for block in ("body", "handlers", "orelse", "finalbody"):
            inside = getattr(tree, block, None)
            if isinstance(inside, list):
                self.block(inside, inner)
        for case in getattr(tree, "cases", ()):
            self.block(case.body, inner)


def share_names(body: list[Any], scope: Scope) -> None:
    """Tell ``scope`` which of its names functions in ``body`` use."""
    if scope.outer is None:
        return
    for statement in body:
        for node in ast.walk(statement):
            if isinstance(node, (*FUNCTIONS, ast.ClassDef)):
                inner = Scope(node, "", scope)
                for each in ast.walk(node):
                    if isinstance(each, ast.Name) and each.id not in inner.bound:
                        scope.share(each.id)
