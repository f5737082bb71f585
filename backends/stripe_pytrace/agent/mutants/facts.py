"""What a function does with what it names: which is altered, unused, a set; how others call."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import Any, NamedTuple

from ..compiling import trees
from .deltas import FUNCTIONS

ALTERING = frozenset(
    (
        *("add", "append", "appendleft", "clear", "discard", "extend", "insert", "pop", "popitem"),
        *("popleft", "remove", "reverse", "setdefault", "sort", "update", "difference_update"),
        *("intersection_update",),
    )
)
MOST_WORDS, LONG_WORD = 10, 12
MOST_FACTORS = 3
NUMBERS = frozenset(["len", "sum", "abs", "round", "ord"])


class Facts(NamedTuple):
    """Of a function: names and attributes, as text, that it (or its class) alters; those that it
    takes the first, or the last, item of; variables that are never read, that hold sets, that are
    ``None`` in one case, that are filled step by step; by what its class multiplies."""

    altered: frozenset[str] = frozenset()
    heads: frozenset[str] = frozenset()
    tails: frozenset[str] = frozenset()
    unread: tuple[str, ...] = ()
    sets: tuple[str, ...] = ()
    nothing: frozenset[str] = frozenset()
    filled: tuple[str, ...] = ()
    factors: tuple[str, ...] = ()
    items: tuple[str, ...] = ()


class Calls(NamedTuple):
    """Of a file: with which keywords calls are made, by what is called; parameters that have a
    default, with their place, by the name of a function, a method or a class; words that it
    compares; errors that it imports."""

    keywords: dict[str, dict[str, str]]
    defaults: dict[str, dict[str, int]]
    words: tuple[str, ...]
    errors: tuple[str, ...]


NO_CALLS = Calls({}, {}, (), ())


def facts(scope: Any, owner: Any) -> Facts:
    """Those of one function; ``owner``: what it stands in."""
    if not isinstance(scope, FUNCTIONS):
        return Facts()
    altered = set(_altered(owner if isinstance(owner, (ast.ClassDef, *FUNCTIONS)) else scope))
    heads, tails = set(), set()
    stored: dict[str, None] = {}
    read: set[str] = set()
    sets: dict[str, None] = {}
    nothing: set[str] = set()
    filled: dict[str, None] = {}
    items: dict[str, None] = {}
    for each in trees.walk(scope):
        if isinstance(each, ast.Name):
            if isinstance(each.ctx, ast.Load):
                read.add(each.id)
            else:
                stored[each.id] = None
        elif isinstance(each, ast.Subscript):
            index = ast.unparse(each.slice)
            held = ast.unparse(each.value)
            if index in ("0", ":1"):
                heads.add(held)
            elif index in ("-1", "-1:"):
                tails.add(held)
            if isinstance(each.slice, ast.Constant) and isinstance(each.value, ast.Name):
                items[ast.unparse(each)] = None
        elif isinstance(each, ast.Call) and isinstance(each.func, ast.Attribute):
            if each.func.attr == "startswith":
                heads.add(ast.unparse(each.func.value))
            elif each.func.attr == "endswith":
                tails.add(ast.unparse(each.func.value))
        elif isinstance(each, ast.Assign) and len(each.targets) == 1:
            target, value = ast.unparse(each.targets[0]), each.value
            if makes_set(value):
                sets[target] = None
            parts = [value.body, value.orelse] if isinstance(value, ast.IfExp) else [value]
            if any(isinstance(part, ast.Constant) and part.value is None for part in parts):
                nothing.add(target)
            if _empty(value) and isinstance(each.targets[0], ast.Name):
                filled[target] = None
        elif isinstance(each, ast.AnnAssign) and each.value is not None:
            target = ast.unparse(each.target)
            if _called(each.value) in ("set", "frozenset"):
                sets[target] = None
            if _empty(each.value) and isinstance(each.target, ast.Name):
                filled[target] = None
    unread = tuple(each for each in stored if each not in read and each != "_")
    return Facts(
        frozenset(altered), frozenset(heads), frozenset(tails), unread, tuple(sets),
        frozenset(nothing), tuple(filled), tuple(_factors(scope, owner))[:MOST_FACTORS],
        tuple(sorted(items))[:4],
    )  # fmt: skip


def calls(tree: Any) -> Calls:
    """Those of a file."""
    keywords: dict[str, dict[str, str]] = {}
    defaults: dict[str, dict[str, int]] = {}
    words: dict[str, int] = {}
    errors: dict[str, None] = {}
    for each in trees.walk(tree):
        if isinstance(each, ast.Call) and isinstance(each.func, ast.Name | ast.Attribute):
            name = last_name(each.func)
            for keyword in each.keywords:
                if keyword.arg is not None and len(text := ast.unparse(keyword.value)) < 40:
                    keywords.setdefault(name, {}).setdefault(keyword.arg, text)
        elif isinstance(each, ast.ClassDef):
            for method in each.body:
                if isinstance(method, FUNCTIONS):
                    name = each.name if method.name == "__init__" else method.name
                    defaults.setdefault(name, _defaults(method, 1))
        elif isinstance(each, ast.Compare | ast.Dict | ast.Tuple | ast.Set):
            for part in filter(_word, trees.children(each)):
                word = ast.unparse(part)
                words[word] = words.get(word, 0) + 1
        elif isinstance(each, ast.ImportFrom):
            for alias in each.names:
                name = alias.asname or alias.name
                if name.endswith(("Error", "Exception")):
                    errors[name] = None
    for each in trees.children(tree):
        if isinstance(each, FUNCTIONS):
            defaults.setdefault(each.name, _defaults(each, 0))
    common = sorted(words, key=lambda word: -words[word])
    return Calls(keywords, defaults, tuple(common), tuple(errors))


def last_name(called: Any) -> str:
    """What is called, without what it is of."""
    return called.attr if isinstance(called, ast.Attribute) else called.id


def makes_set(value: Any) -> bool:
    """Whether it is an expression of a set, by how it is written."""
    return isinstance(value, ast.Set | ast.SetComp) or _called(value) in ("set", "frozenset")


def own_words(scope: Any) -> list[str]:
    """Short texts of a function."""
    found: dict[str, None] = {}
    for each in trees.walk(scope) if isinstance(scope, FUNCTIONS) else ():
        if _word(each):
            found[ast.unparse(each)] = None
    return list(found)


def _word(node: Any) -> bool:
    """Whether it is a short text."""
    if not isinstance(node, ast.Constant) or type(node.value) is not str:
        return False
    return 0 < len(node.value) <= LONG_WORD


def _defaults(function: Any, bound: int) -> dict[str, int]:
    """The parameters with a default, each with its place, those by keyword only with a late one."""
    arguments = function.args
    plain = [each.arg for each in (*arguments.posonlyargs, *arguments.args)][bound:]
    first = len(plain) - len(arguments.defaults)
    found = {name: place for place, name in enumerate(plain) if place >= first}
    return found | {each.arg: 99 for each in arguments.kwonlyargs}


def _altered(around: Any) -> Iterator[str]:
    """What gets or loses items."""
    for each in trees.walk(around):
        if isinstance(each, ast.Call) and isinstance(each.func, ast.Attribute):
            if each.func.attr in ALTERING:
                yield ast.unparse(each.func.value)
        elif isinstance(each, ast.Subscript) and not isinstance(each.ctx, ast.Load):
            yield ast.unparse(each.value)
        elif isinstance(each, ast.AugAssign) and isinstance(each.op, ast.BitOr | ast.BitAnd):
            yield ast.unparse(each.target)


def _called(value: Any) -> str:
    return value.func.id if isinstance(value, ast.Call) and isinstance(value.func, ast.Name) else ""


def _empty(value: Any) -> bool:
    """Whether something begins with it: nothing in it yet, or a copy."""
    if isinstance(value, ast.Constant):
        return value.value in (0, "", 1) and value.value is not False and value.value is not True
    if isinstance(value, ast.List | ast.Dict | ast.Set):
        return not trees.children(value) or isinstance(value, ast.List)
    return _called(value) in ("list", "dict", "set", "defaultdict", "Counter", "deque")


def _factors(scope: Any, owner: Any) -> Iterator[str]:
    """By what other places of a class multiply, made of names that the function has."""
    known = {each.id for each in trees.walk(scope) if isinstance(each, ast.Name)}
    known |= {each.arg for each in trees.walk(scope) if isinstance(each, ast.arg)}
    found: dict[str, None] = {}
    for each in trees.walk(owner if isinstance(owner, ast.ClassDef) else scope):
        if isinstance(each, ast.BinOp) and isinstance(each.op, ast.Mult):
            for part in (each.left, each.right):
                if isinstance(part, ast.Subscript | ast.Attribute):
                    names = {one.id for one in trees.walk(part) if isinstance(one, ast.Name)}
                    local = {one for one in names if one[:1].islower()}
                    if local <= known:
                        found[ast.unparse(part)] = None
    yield from found
