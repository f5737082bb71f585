"""Fewer variables in a Python program: values in their place, and one for two.

Both are guesses, as all that is tried: names and scopes are read as far as it takes to guess well.
Modules, functions and classes are scopes here, all else belongs to the one around it.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from stripe.dd import Configuration
from stripe.units.model import Beside
from stripe.units.python_edits import Replacement, edited, replaced, weight
from stripe.units.python_text import INVALID, written

type _Name = ast.Name | ast.arg
type _Spans = dict[str, tuple[int, int]]
"""The first and the last line of names."""

_MANY = 30
"""Of more variables, no two become one."""


# --- names in scopes ------------------------------------------------------------------------------


@dataclass(slots=True)
class _Scope:
    """A module, a function or a class."""

    is_class: bool
    names: list[_Name] = field(default_factory=list)
    """In the order in which they are used; those within it too, if they are not bound there."""
    outer: set[str] = field(default_factory=set)
    """Bound here, but not variables of it."""

    def spans(self) -> _Spans:
        """On which line each name stands first and last."""
        found: _Spans = {}
        for name in self.names:
            first, last = found.get(_text(name), (name.lineno, name.lineno))
            found[_text(name)] = min(first, name.lineno), max(last, name.lineno)
        return found


def _text(name: _Name) -> str:
    return name.id if isinstance(name, ast.Name) else name.arg


def _is_bound(name: _Name) -> bool:
    return isinstance(name, ast.arg) or not isinstance(name.ctx, ast.Load)


def _scopes(tree: ast.Module) -> list[_Scope]:
    """The scopes of a program, the inner ones first."""
    found: list[_Scope] = []

    def read(node: ast.AST, scope: _Scope) -> None:
        match node:
            case ast.Name() | ast.arg():
                scope.names.append(node)
            case ast.Global() | ast.Nonlocal():
                scope.outer.update(node.names)
            case ast.FunctionDef() | ast.AsyncFunctionDef() | ast.ClassDef():
                inner = _Scope(isinstance(node, ast.ClassDef))
                for each in _in_order(node):
                    read(each, inner)
                found.append(inner)
                bound = {_text(name) for name in inner.names if _is_bound(name)} - inner.outer
                scope.names += [name for name in inner.names if _text(name) not in bound]
                return
        for each in _in_order(node):
            read(each, scope)

    module = _Scope(False)
    read(tree, module)
    return [*found, module]


def _in_order(node: ast.AST) -> Iterator[ast.AST]:
    """What is in a node: a value before what it is assigned to."""
    match node:
        case ast.Assign() | ast.AugAssign() | ast.AnnAssign() | ast.NamedExpr() if node.value:
            yield node.value
            yield from (each for each in ast.iter_child_nodes(node) if each is not node.value)
        case ast.For() | ast.AsyncFor() | ast.comprehension():
            yield node.iter
            yield from (each for each in ast.iter_child_nodes(node) if each is not node.iter)
        case _:
            yield from ast.iter_child_nodes(node)


# --- values in the place of variables -------------------------------------------------------------


class Inlined(Beside):
    """Assignments that stay; in place of one that goes, its value is where the variable was."""

    def __init__(self, source: bytes) -> None:
        self._source = source

    def __reduce__(self) -> tuple[Any, ...]:
        return Inlined, (self._source,)

    @cached_property
    def _tree(self) -> ast.Module:
        return ast.parse(self._source)

    @cached_property
    def _uses(self) -> list[tuple[ast.Assign, list[_Name]]]:
        """Assignments to a variable, each with where it is used up to the next one."""
        uses: dict[_Name, list[_Name]] = {}
        for scope in _scopes(self._tree):
            last: dict[str, list[_Name]] = {}
            for name in scope.names:
                if _is_bound(name):
                    last[_text(name)] = uses[name] = []
                else:
                    last.get(_text(name), []).append(name)
        return [
            (node, uses[node.targets[0]])
            for node in ast.walk(self._tree)
            if isinstance(node, ast.Assign)
            and isinstance(node.targets[0], ast.Name)
            and len(node.targets) == 1
            and _is_lighter(node, len(uses[node.targets[0]]))
        ]

    def __len__(self) -> int:
        return len(self._uses)

    def render(self, configuration: Configuration[int]) -> bytes:
        kept = set(configuration)
        edits: dict[ast.AST, Replacement] = {}
        for unit, (statement, uses) in enumerate(self._uses):
            if unit not in kept:
                value = replaced(statement.value, edits)
                edits |= {statement: []} | dict.fromkeys(uses, value)
        if not edits:
            return self._source
        smaller = edited(self._tree, edits)
        text = written(smaller) if weight(smaller) < weight(self._tree) else None
        return INVALID if text is None else text


def _is_lighter(statement: ast.Assign, uses: int) -> bool:
    """Whether there is less of the program without it."""
    value = weight(statement.value)
    return uses > 0 and uses * (value - weight(ast.Name(""))) < weight(statement)


# --- one variable for two -------------------------------------------------------------------------


def variables(source: bytes) -> list[str]:
    """The names that one may choose freely, the shortest first; none if there are many."""
    tree = ast.parse(source)
    free: dict[str, None] = {}
    others = {"self", "cls", "_"}
    for scope in _scopes(tree):
        bound = [_text(name) for name in scope.names if _is_bound(name)]
        if scope.is_class:
            others.update(bound)  # attributes
        free.update(dict.fromkeys(bound))
    for node in ast.walk(tree):
        match node:
            case ast.FunctionDef() | ast.AsyncFunctionDef() | ast.ClassDef():
                others.add(node.name)
            case ast.alias():
                others.add(node.asname or node.name.partition(".")[0])
            case ast.ExceptHandler() | ast.MatchAs() | ast.MatchStar() if node.name:
                others.add(node.name)
            case ast.MatchMapping(rest=str(name)):
                others.add(name)
    names = [name for name in free if name not in others and not name.startswith("__")]
    return sorted(names, key=len) if len(names) <= _MANY else []


class Unified(Beside):
    """Variables that keep their name; one that does not has that of another from then on.

    Only two are tried of which in each scope the one ends before the other begins: what is left is
    to be read, as ``for text in text`` cannot be.
    """

    def __init__(self, source: bytes, name: str) -> None:
        self._source = source
        self._name = name

    def __reduce__(self) -> tuple[Any, ...]:
        return Unified, (self._source, self._name)

    @cached_property
    def _tree(self) -> ast.Module:
        return ast.parse(self._source)

    @cached_property
    def _others(self) -> list[str]:
        names = variables(self._source)
        if self._name not in names:
            return []
        spans = [scope.spans() for scope in _scopes(self._tree)]
        later = names[names.index(self._name) + 1 :]
        return [other for other in later if not any(_meet(s, self._name, other) for s in spans)]

    def __len__(self) -> int:
        return len(self._others)

    def render(self, configuration: Configuration[int]) -> bytes:
        kept = set(configuration)
        gone = {other for unit, other in enumerate(self._others) if unit not in kept}
        if not gone:
            return self._source
        tree = ast.parse(self._source)
        for node in ast.walk(tree):
            for key, value in ast.iter_fields(node):
                if key in ("id", "arg") and value in gone:
                    setattr(node, key, self._name)
                elif isinstance(node, ast.Global | ast.Nonlocal):
                    node.names = [self._name if each in gone else each for each in node.names]
        text = written(tree)
        return INVALID if text is None else text


def _meet(spans: _Spans, one: str, other: str) -> bool:
    """Whether one name stands on or between lines of the other."""
    if one not in spans or other not in spans:
        return False
    return spans[one][0] <= spans[other][1] and spans[other][0] <= spans[one][1]
