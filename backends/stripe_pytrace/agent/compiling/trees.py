"""Going through syntax trees, quickly: each file of the program is gone through several times.

And what else :mod:`ast` does for us, whose import takes as long as a fifth of the agent's.  The
classes of nodes are those of ``_ast``.
"""

from __future__ import annotations

import _ast as ast

TYPE_CHECKING = False  # typing takes as long to import as much of the agent
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any


def parse(source: str | bytes, filename: str = "<unknown>", mode: str = "exec") -> Any:
    """Like ``ast.parse``."""
    return compile(source, filename, mode, ast.PyCF_ONLY_AST, dont_inherit=True)


def children(tree: ast.AST, without: str = "") -> list[ast.AST]:
    """What ``ast.iter_child_nodes`` tells, in half the time; not of the field ``without``."""
    found: list[ast.AST] = []
    for name in tree._fields:
        value = None if name == without else getattr(tree, name, None)
        if isinstance(value, list):
            found += [each for each in value if isinstance(each, ast.AST)]
        elif isinstance(value, ast.AST):
            found.append(value)
    return found


def walk(tree: ast.AST) -> Iterator[ast.AST]:
    """Like ``ast.walk``, which imports something at each call: the program might notice."""
    pending = [tree]
    while pending:
        node = pending.pop()
        yield node
        pending += children(node)


def own(function: Any) -> Iterator[ast.AST]:
    """What is executed by calls of a function: not what is in functions and classes inside it."""
    pending: list[ast.AST] = list(function.body)
    while pending:
        node = pending.pop()
        yield node
        if not isinstance(node, _OTHERS):
            pending += children(node)


_OTHERS = ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda, ast.ClassDef


def fields(tree: ast.AST) -> Iterator[tuple[str, Any]]:
    """Like ``ast.iter_fields``."""
    for name in tree._fields:
        if hasattr(tree, name):
            yield name, getattr(tree, name)


def copy_location[T: ast.AST](new: T, old: ast.AST) -> T:
    """Like ``ast.copy_location``."""
    for name in new._attributes:
        if (value := getattr(old, name, None)) is not None:
            setattr(new, name, value)
    return new


def fix_missing_locations(tree: ast.AST) -> None:
    """Like ``ast.fix_missing_locations``."""
    pending: list[tuple[ast.AST, tuple[int, int, int, int]]] = [(tree, (1, 0, 1, 0))]
    while pending:
        node, place = pending.pop()
        if "lineno" in node._attributes:
            each: Any = node
            if not hasattr(each, "lineno"):
                each.lineno = place[0]
            if not hasattr(each, "col_offset"):
                each.col_offset = place[1]
            if getattr(each, "end_lineno", None) is None:
                each.end_lineno = place[2]
            if getattr(each, "end_col_offset", None) is None:
                each.end_col_offset = place[3]
            place = each.lineno, each.col_offset, each.end_lineno, each.end_col_offset
        pending += [(child, place) for child in children(node)]


def const(value: Any) -> ast.Constant:
    return ast.Constant(value)


def call(function: complex, *arguments: ast.expr) -> ast.Call:
    return ast.Call(const(function), list(arguments), [])


def at(place: ast.AST, tree: Any) -> Any:
    """Give every new node below ``tree`` the position where ``place`` starts."""
    line, column = getattr(place, "lineno", 1), getattr(place, "col_offset", 0)
    if isinstance(place, ast.ExceptHandler) and place.type is not None:
        line, column = place.type.lineno, place.type.col_offset
    stack = [tree]
    while stack:
        node = stack.pop()
        if hasattr(node, "lineno"):
            continue
        if isinstance(node, (ast.stmt, ast.expr, ast.ExceptHandler, ast.pattern)):
            node.lineno = node.end_lineno = line
            node.col_offset = node.end_col_offset = column
        stack += children(node)
    return tree
