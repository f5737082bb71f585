"""The names of all errors that the sources can raise, found in their syntax trees."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Sequence
from functools import cache
from pathlib import Path

ROOT = Path(__file__).parents[2]
ROOMS = ("stripe", "backends", "plugins")
WARNING = re.compile(r"\. \[([a-z]+(?:-[a-z]+)+)\]")
"""How a text names a slug that no error has."""


@cache
def slugs() -> set[str]:
    """Each slug that an error may be made with, or that a text of the command ends with.

    An AssertionError where one cannot be told from the source: then write it out there.
    """
    files = [path for room in ROOMS for path in sorted((ROOT / room).rglob("*.py"))]
    sources = {path: list(ast.walk(ast.parse(path.read_text(encoding="utf-8")))) for path in files}
    classes = [
        node for nodes in sources.values() for node in nodes if isinstance(node, ast.ClassDef)
    ]
    errors = error_classes(classes)
    with_own_slug = {each.name for each in classes if has_init(each) and not takes_slug(each)}
    raised = {
        slug
        for path, nodes in sources.items()
        for call in made(nodes, errors, errors - with_own_slug)
        for slug in values(call.args[0], nodes, f"{path}:{call.lineno}")
    }
    texts = [
        node.value
        for nodes in sources.values()
        for node in nodes
        if isinstance(node, ast.Constant) and isinstance(node.value, str)
    ]
    return raised.union(*map(WARNING.findall, texts))


def error_classes(classes: Sequence[ast.ClassDef]) -> set[str]:
    """The classes whose first argument is a slug, and those derived from them."""
    errors: set[str] = set()
    while True:
        found = {
            each.name
            for each in classes
            if takes_slug(each) or errors & {getattr(base, "id", "") for base in each.bases}
        }
        if found == errors:
            return errors
        errors = found


def has_init(made: ast.ClassDef) -> bool:
    return any(isinstance(node, ast.FunctionDef) and node.name == "__init__" for node in made.body)


def takes_slug(made: ast.ClassDef) -> bool:
    return any(
        isinstance(node, ast.FunctionDef)
        and node.name == "__init__"
        and [each.arg for each in node.args.args[1:2]] == ["slug"]
        for node in made.body
    )


def made(nodes: Sequence[ast.AST], errors: set[str], told: set[str]) -> Iterator[ast.Call]:
    """The calls that make errors: those that are ``told`` a slug, and in a class that gives
    its own slug to its base.
    """
    others = {
        alias.asname or alias.name
        for node in nodes
        if isinstance(node, ast.ImportFrom) and not (node.module or "").startswith("stripe")
        for alias in node.names
    }
    for node in nodes:
        if isinstance(node, ast.Call) and getattr(node.func, "id", "") in told - others:
            yield node
        elif isinstance(node, ast.ClassDef) and node.name in errors and not takes_slug(node):
            for call in ast.walk(node):
                if isinstance(call, ast.Call) and ast.unparse(call.func) == "super().__init__":
                    yield call


def values(expression: ast.expr, nodes: Sequence[ast.AST], place: str) -> Iterator[str]:
    """What an argument may be; nothing for the slug of an error that is passed on."""
    if isinstance(expression, ast.Constant):
        yield str(expression.value)
    elif isinstance(expression, ast.IfExp):
        yield from values(expression.body, nodes, place)
        yield from values(expression.orelse, nodes, place)
    elif isinstance(expression, ast.Name):
        bound = list(bindings(expression.id, nodes))
        assert bound, f"{place}: the slug {expression.id} comes from nowhere in this file"
        for each in bound:
            yield from values(each, nodes, place)
    else:
        assert isinstance(expression, ast.Attribute), f"{place}: write out the slug"
        assert expression.attr == "slug", f"{place}: write out the slug"


def bindings(name: str, nodes: Sequence[ast.AST]) -> Iterator[ast.expr]:
    """What a variable is assigned, or is in turn in a loop over rows."""
    for node in nodes:
        if isinstance(node, ast.Assign):
            if name in [getattr(target, "id", "") for target in node.targets]:
                yield node.value
        elif isinstance(node, ast.For) and isinstance(node.target, ast.Tuple):
            names = [getattr(target, "id", "") for target in node.target.elts]
            if name in names and isinstance(node.iter, ast.Tuple):
                for row in node.iter.elts:
                    assert isinstance(row, ast.Tuple)
                    yield row.elts[names.index(name)]
