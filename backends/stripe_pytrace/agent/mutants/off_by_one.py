"""Mutation operators for what is off by one in two places, or a statement two places too far."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import Any

from ..compiling import trees
from .expression_operators import Change

MOST_SHIFTS = 6
SIMPLE = (ast.Assign, ast.AugAssign, ast.Return, ast.Expr)
_STEPS = (ast.Mod, ast.FloorDiv)


def twice(node: Any, later: Any) -> Iterator[Change]:
    """A statement and the next one, each with a number of it larger or smaller by one."""
    if not isinstance(node, SIMPLE) or not isinstance(later, SIMPLE):
        return
    if _names(node).isdisjoint(_names(later)) or not (_counts(node) and _counts(later)):
        return
    for one in _shifted(node):
        for other in _shifted(later):
            yield Change("off by one twice", 4, f"{one}\n{other}")


def moved(first: Any, second: Any, third: Any) -> Iterator[Change]:
    """The first of three statements behind the others, and the last one before them."""
    if any(isinstance(each, ast.Return) for each in (first, second, third)):
        return
    one, two, three = (ast.unparse(each) for each in (first, second, third))
    yield Change("order", 4, f"{two}\n{three}\n{one}", first.lineno)
    yield Change("order", 4, f"{three}\n{one}\n{two}", third.lineno)


def ends(node: Any) -> Iterator[Change]:
    """Both ends of a slice or a range by one."""
    if isinstance(node, ast.Subscript) and isinstance(node.slice, ast.Slice):
        part = node.slice
        if part.lower is not None and part.upper is not None and part.step is None:
            held = ast.unparse(node.value)
            for sign in "+-":
                low, high = (_by_one(each, sign) for each in (part.lower, part.upper))
                yield Change("off by one twice", 2, f"{held}[{low}:{high}]")
    elif isinstance(node, ast.Call) and ast.unparse(node.func) == "range" and len(node.args) == 2:
        for sign in "+-":
            low, high = (_by_one(each, sign) for each in node.args)
            yield Change("off by one twice", 2, f"range({low}, {high})")
        one, other = node.args
        yield Change("off by one twice", 3, f"range({_by_one(one, '-')}, {_by_one(other, '+')})")
        yield Change("off by one twice", 3, f"range({_by_one(one, '+')}, {_by_one(other, '-')})")


def _by_one(node: Any, sign: str) -> str:
    """An expression more or less by one, as people write it."""
    step = 1 if sign == "+" else -1
    if isinstance(node, ast.Constant) and type(node.value) is int:
        return repr(node.value + step)
    if _one_more(node) and isinstance(node.op, ast.Sub if step > 0 else ast.Add):
        return ast.unparse(node.left)
    return f"{ast.unparse(node)} {sign} 1"


def _names(statement: Any) -> set[str]:
    return {each.id for each in trees.walk(statement) if isinstance(each, ast.Name)}


def _counts(statement: Any) -> bool:
    """Whether it calculates with places or numbers in which one may be too many."""
    for each in trees.walk(statement):
        if isinstance(each, ast.BinOp) and isinstance(each.op, (ast.Add, ast.Sub, *_STEPS)):
            return not isinstance(each.left, ast.JoinedStr) and not _text(each.left)
        if isinstance(each, ast.Slice):
            return True
        called = each.func if isinstance(each, ast.Call) else None
        if isinstance(called, ast.Name) and called.id in ("divmod", "range", "len"):
            return True
    return False


def _text(node: Any) -> bool:
    return isinstance(node, ast.Constant) and isinstance(node.value, str | bytes)


def _shifted(statement: Any) -> list[str]:
    """A statement with one of its numbers by one otherwise."""
    found: dict[str, None] = {}
    tree = ast.parse(ast.unparse(statement)).body[0]
    places = [
        (each, field, index)
        for each in trees.walk(tree)
        for field in each._fields
        for index, _ in _fields(each, field)
        if isinstance(each, (ast.BinOp, ast.Slice, ast.Call, ast.Subscript, *SIMPLE))
    ]
    for each, field, index in places:
        whole = getattr(each, field)
        old = whole if index < 0 else whole[index]
        fresh: list[Any] = []
        if isinstance(old, ast.Name | ast.Constant) and _may_count(each, field, old):
            for sign in "-+":
                fresh.append(ast.parse(_by_one(old, sign), mode="eval").body)
        elif _one_more(old):
            fresh.append(old.left)
        for new in fresh:
            _put(each, field, index, new)
            found[ast.unparse(tree)] = None
        _put(each, field, index, old)
    value = getattr(statement, "value", None)
    if isinstance(value, ast.BinOp) and isinstance(value.op, ast.Mod) and not _text(value.left):
        one = f"({ast.unparse(value.left)} - 1) % ({ast.unparse(value.right)}) + 1"
        _put(tree, "value", -1, ast.parse(one, mode="eval").body)
        return [ast.unparse(tree), *list(found)[: MOST_SHIFTS - 1]]
    return list(found)[:MOST_SHIFTS]


def _one_more(node: Any) -> bool:
    """Whether one is added to something, or taken from it."""
    if not isinstance(node, ast.BinOp) or not isinstance(node.op, ast.Add | ast.Sub):
        return False
    return isinstance(node.right, ast.Constant) and node.right.value == 1


def _fields(node: Any, field: str) -> Iterator[tuple[int, Any]]:
    value = getattr(node, field, None)
    if isinstance(value, list):
        yield from enumerate(value)
    elif isinstance(value, ast.AST):
        yield -1, value


def _may_count(node: Any, field: str, old: Any) -> bool:
    if isinstance(old, ast.Constant):
        # A number by which is divided is none of places.
        return type(old.value) is int and not isinstance(getattr(node, "op", None), _STEPS)
    if isinstance(node, ast.BinOp):
        return field == "left" or not isinstance(node.op, _STEPS)
    if isinstance(node, ast.Call):
        return field == "args" and ast.unparse(node.func) in (
            "divmod",
            "range",
            "chr",
            "min",
            "max",
        )
    return isinstance(node, ast.Slice) or field == "slice"


def _put(node: Any, field: str, index: int, value: Any) -> None:
    if index < 0:
        setattr(node, field, value)
    else:
        getattr(node, field)[index] = value
