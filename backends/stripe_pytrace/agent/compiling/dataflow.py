"""What each statement reads and writes, from the source alone.

This proposes where a search begins; it never decides what the search answers.  So it may be
wrong (aliases, ``exec``, ``setattr`` are not followed), but it must be cheap.  The form of a
location is described at ``stripe.trace.Statement``.
"""

from __future__ import annotations

import _ast as ast

from .annotations import are_deferred, evaluated
from .compiler_warnings import CompilerWarnings
from .effects import Effects, Flow
from .namespaces import FUNCTIONS, Scope
from .trees import parse, walk

TYPE_CHECKING = False  # typing takes as long to import as much of the agent
if TYPE_CHECKING:
    from typing import Any


def flows(source: str | bytes) -> list[Flow]:
    """Reads and writes of every node of a file, in the order in which nodes are numbered."""
    tree = parse(source)
    found: list[Flow] = []
    scope = Scope(tree, "<module>", None)
    through = _Walk(found, are_deferred(tree))
    through.block(tree.body, scope)
    through.annotations(tree, scope)
    return found


def safe_flows(source: str | bytes) -> list[Flow]:
    """The same; nothing where that cannot be told."""
    try:
        with CompilerWarnings():  # they were shown when the program was compiled
            return flows(source)
    except (SyntaxError, RecursionError, MemoryError):
        return []


class _Walk:
    """Goes through statements in source order, as the instrumenter does."""

    def __init__(self, found: list[Flow], deferred: bool) -> None:
        self.found = found
        self.deferred = deferred

    def block(self, body: list[Any], scope: Scope) -> None:
        for statement in body:
            self.statement(statement, scope)

    def statement(self, tree: Any, scope: Scope) -> None:
        self.found.append(Effects(scope).of(tree))
        inner = scope
        if isinstance(tree, FUNCTIONS):
            self.annotations(tree, scope)
        if isinstance(tree, (*FUNCTIONS, ast.ClassDef)):
            prefix = "" if scope.outer is None else scope.name + "."
            inner = Scope(tree, prefix + tree.name, scope)
            share_names(tree.body, inner)
        for block in ("body", "handlers", "orelse", "finalbody"):
            inside = getattr(tree, block, None)
            if isinstance(inside, list):
                self.block(inside, inner)
        for case in getattr(tree, "cases", ()):
            self.block(case.body, inner)
        if isinstance(tree, ast.ClassDef):
            self.annotations(tree, inner)

    def annotations(self, tree: Any, scope: Scope) -> None:
        """Those that are evaluated by a function of their own."""
        if self.deferred:
            for holder, field in evaluated(tree):
                self.found.append(Effects(scope).of(ast.Expr(getattr(holder, field))))


def share_names(body: list[Any], scope: Scope) -> None:
    """Tell ``scope`` which of its names functions in ``body`` use."""
    if scope.outer is None:
        return
    for statement in body:
        for node in walk(statement):
            if isinstance(node, (*FUNCTIONS, ast.ClassDef)):
                inner = Scope(node, "", scope)
                for each in walk(node):
                    if isinstance(each, ast.Name) and each.id not in inner.bound:
                        scope.share(each.id)
