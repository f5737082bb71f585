"""Mutation operators that insert a statement in place of `pass`, made of what the function has.

A sum that goes on, something that is kept in a list or table, an error, a method that is called:
short statements that other places of a function, a class or a file have of their own, too.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence
from typing import Any

from ..compiling import trees
from .deltas import FUNCTIONS
from .expression_operators import Names

MOST_PARTS = 6
MOST_HOLDERS = 3
MOST_ERRORS = 4
MOST_METHODS = 4
MOST_FILLINGS = 120


def fillings(scope: Any, owner: Any, tree: ast.AST, names: Names) -> list[str]:
    """What may stand there, likelier ones first; ``owner``: the class that a method is in."""
    if not isinstance(scope, FUNCTIONS):
        return []
    found = [
        *_errors(tree, names.calls.errors),
        *_kept(scope, owner, names),
        *_sums(scope, names),
        *_methods(scope, owner),
        *_changed(names),
    ]
    return list(dict.fromkeys(found))[:MOST_FILLINGS]


def _errors(tree: ast.AST, imported: Sequence[str]) -> Iterator[str]:
    """How the file raises, each kind of error once; what it imports to be raised."""
    kinds: dict[str, str] = {}
    for each in trees.walk(tree):
        if isinstance(each, ast.Raise) and each.exc is not None and each.cause is None:
            exception = each.exc.func if isinstance(each.exc, ast.Call) else each.exc
            name = ast.unparse(exception)
            if isinstance(exception, ast.Name) and name[:1].isupper():
                kinds.setdefault(name, f"raise {name}" if _plain(each.exc) else ast.unparse(each))
    for name in imported:
        kinds.setdefault(name, f"raise {name}")
    kinds.setdefault("ValueError", "raise ValueError")
    yield from list(kinds.values())[:MOST_ERRORS]


def _plain(raised: Any) -> bool:
    """Whether it says nothing but what kind it is, or a text."""
    arguments = raised.args if isinstance(raised, ast.Call) else ()
    return all(isinstance(each, ast.Constant) for each in arguments)


def _kept(scope: Any, owner: Any, names: Names) -> Iterator[str]:
    """Something is put into what was empty, or gets something elsewhere."""
    parts = _parts(names)
    for holder, kind in list(_holders(scope, owner, names).items())[:MOST_HOLDERS]:
        others = [each for each in parts if each != holder][:MOST_PARTS]
        if kind == "dict":
            for key in (*others, *names.facts.items):
                yield from (f"{holder}[{key}] = {each}" for each in others if each != key)
        else:
            yield from (f"{holder}.{kind}({each})" for each in others)


def _parts(names: Names) -> list[str]:
    """Variables, first those that are never read: something was to be done with them."""
    parts = [each for each in names.variables if each != "_"]
    return sorted(parts, key=lambda name: name not in names.facts.unread)


def _changed(names: Names) -> Iterator[str]:
    """An item is set of what may be a table, as no number or text was seen in it."""
    parts = _parts(names)
    for holder in [each for each in parts if names.kinds(each) == {"other"}][:MOST_HOLDERS]:
        others = [each for each in parts if each != holder][:MOST_PARTS]
        for key in others:
            yield from (f"{holder}[{key}] = {each}" for each in others if each != key)


def _holders(scope: Any, owner: Any, names: Names) -> dict[str, str]:
    """Lists, sets and tables of a function and its object, by what puts something into them."""
    found: dict[str, str] = {}
    around = trees.walk(owner) if isinstance(owner, ast.ClassDef) else ()
    theirs = (each for each in around if _of_object(each))
    for each in (*trees.walk(scope), *theirs):
        if isinstance(each, ast.Assign) and len(each.targets) == 1:
            made = each.value
            called = ast.unparse(made.func) if isinstance(made, ast.Call) else ""
            held = ast.unparse(each.targets[0])
            if isinstance(made, ast.List | ast.ListComp) or called in ("list", "deque"):
                found.setdefault(held, "append")
            elif isinstance(made, ast.Set) or called == "set":
                found.setdefault(held, "add")
            elif isinstance(made, ast.Dict) or called == "dict":
                found.setdefault(held, "dict")
        elif isinstance(getattr(each, "ctx", None), ast.Store) and isinstance(each, ast.Subscript):
            held = ast.unparse(each.value)
            found.setdefault(held, "dict")
    empty = {"[]": "append", "set()": "add", "{}": "dict"}
    for name in names.variables:
        for value in names.values.get(name, ()):
            if value in empty:
                found.setdefault(name, empty[value])
    return found


def _of_object(node: ast.AST) -> bool:
    """Whether an attribute is assigned."""
    return isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Attribute)


def _sums(scope: Any, names: Names) -> Iterator[str]:
    """A number or a text goes on by another one; so does an item beside one that does."""
    numbers = [each for each in names.variables if "number" in names.kinds(each)][:MOST_PARTS]
    for place in _beside(scope):
        yield from (f"{place} += {each}" for each in ["1", *numbers])
    for kind, signs, alone in (("number", "+-", "1"), ("text", "+", "")):
        own = [each for each in names.variables if kind in names.kinds(each)][:MOST_PARTS]
        for one in own:
            for sign in signs:
                others: Sequence[str] = [*([alone] if alone else []), *own]
                yield from (f"{one} {sign}= {each}" for each in others if each != one)


def _beside(scope: Any) -> list[str]:
    """Items that stand behind one to which the function adds something, or before it."""
    found: dict[str, None] = {}
    for each in trees.walk(scope):
        target = each.target if isinstance(each, ast.AugAssign) else None
        if isinstance(target, ast.Subscript) and isinstance(target.slice, ast.Constant):
            index, held = target.slice.value, ast.unparse(target.value)
            if type(index) is int:
                found.update({f"{held}[{index + 1}]": None, f"{held}[{index - 1}]": None})
    return [each for each in found if not each.endswith("[-1]")][:MOST_HOLDERS]


def _methods(scope: Any, owner: Any) -> Iterator[str]:
    """Methods of the class that need no arguments, and return nothing that would be lost."""
    if not isinstance(owner, ast.ClassDef) or not scope.args.args:
        return
    count = 0
    for each in owner.body:
        if (
            isinstance(each, ast.FunctionDef)
            and each is not scope
            and len(each.args.args) == 1
            and not each.name.startswith("__")
            and not each.decorator_list
            and count < MOST_METHODS
        ):
            count += 1
            yield f"{scope.args.args[0].arg}.{each.name}()"
