"""Mutation operators for omissions: of a copy, a keyword, a sign, what the other one gets.

Each is a mistake that has a name among those who read code: two names for one list, an argument
that is not passed on, an empty case, a part of what was read that stays, a difference of parts for
the part of a difference.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import Any

from ..compiling import trees
from .expression_operators import Change, Names
from .facts import NUMBERS, last_name, makes_set

MOST_SETS = 3
MOST_KEYWORDS = 4
MOST_OTHERS = 3
MOST_WORDS = 6
_HELD = (ast.Name, ast.Attribute, ast.Subscript)


def expressions(node: Any, parent: Any, field: str, names: Names) -> Iterator[Change]:
    """Of an expression that is read."""
    if not isinstance(getattr(node, "ctx", None) or ast.Load(), ast.Load) or field == "func":
        return
    if isinstance(node, ast.Call):
        yield from _keywords(node, names)
        yield from _some(node)
    if isinstance(node, ast.Constant):
        yield from _words(node, parent, names)
        return
    if isinstance(node, ast.BinOp):
        yield from _parts(node)
    text = ast.unparse(node)
    yield from _shared(node, parent, field, names, text)
    yield from _rest(node, parent, names, text)
    yield from _signs(node, parent, names, text)
    yield from _sets(node, parent, field, names, text)
    if (
        isinstance(parent, ast.Assign)
        and isinstance(node, ast.Call | ast.Attribute | ast.Name)
        and ast.unparse(parent.targets[0]) in names.facts.nothing
    ):
        yield Change("default", 3, f"{text} or None")


def _keywords(node: ast.Call, names: Names) -> Iterator[Change]:
    """What other calls pass on, or may be passed on by the same name, is passed on here, too."""
    if not isinstance(node.func, ast.Name | ast.Attribute):
        return
    if any(each.arg is None for each in node.keywords) or any(
        isinstance(each, ast.Starred) for each in node.args
    ):
        return
    name = last_name(node.func)
    passed = {each.arg for each in node.keywords}
    known = {*names.variables, "self", "cls"}
    found: dict[str, None] = {}
    for word, value in names.calls.keywords.get(name, {}).items():
        tree = ast.parse(value, mode="eval")
        own = {each.id for each in trees.walk(tree) if isinstance(each, ast.Name)}
        if word not in passed and {each for each in own if each.islower()} <= known:
            found[f"{word}={value}"] = None
    for word, place in names.calls.defaults.get(name, {}).items():
        if word not in passed and place >= len(node.args):
            if word in names.variables:
                found[f"{word}={word}"] = None
            for attribute in (word, f"_{word}"):
                if attribute in names.attributes.get("self", ()):
                    found[f"{word}=self.{attribute}"] = None
    text = ast.unparse(node)
    between = ", " if node.args or node.keywords else ""
    for more in list(found)[:MOST_KEYWORDS]:
        yield Change("argument forgotten", 2, f"{text[:-1]}{between}{more})")


def _some(node: ast.Call) -> Iterator[Change]:
    """All of nothing is true; and some are not all."""
    if isinstance(node.func, ast.Name) and len(node.args) == 1 and not node.keywords:
        value = ast.unparse(node.args[0])
        if node.func.id == "all":
            if isinstance(node.args[0], _HELD):
                yield Change("empty case", 3, f"({value} and all({value}))")
            yield Change("some", 3, f"(all({value}) or not any({value}))")
        elif node.func.id == "any":
            yield Change("some", 3, f"(any({value}) and not all({value}))")
        elif node.func.id in ("max", "min", "sum") and isinstance(node.args[0], _HELD):
            yield Change("empty case", 3, f"({ast.unparse(node)} if {value} else 0)")


def _words(node: ast.Constant, parent: Any, names: Names) -> Iterator[Change]:
    """Another word that the file compares with."""
    if type(node.value) is str and isinstance(parent, ast.Compare | ast.Subscript):
        others = [each for each in names.words if each != repr(node.value)]
        for other in others[:MOST_WORDS]:
            yield Change("string", 2, other)


def _parts(node: ast.BinOp) -> Iterator[Change]:
    """The part of a difference; what is counted from one."""
    left, right = node.left, node.right
    if isinstance(node.op, ast.Sub):
        if (
            isinstance(left, ast.Attribute)
            and isinstance(right, ast.Attribute)
            and left.attr == right.attr
        ):
            both = f"({ast.unparse(left.value)} - {ast.unparse(right.value)}).{left.attr}"
            yield Change("formula", 2, both)
            yield Change("formula", 2, f"{both}s")
    elif isinstance(node.op, ast.Mod) and not isinstance(left, ast.Constant | ast.JoinedStr):
        one = ast.unparse(ast.BinOp(left, ast.Sub(), ast.Constant(1)))
        yield Change("off by one", 2, f"({one}) % {_operand(right)} + 1")


def _operand(node: Any) -> str:
    text = ast.unparse(node)
    return text if isinstance(node, ast.Constant | ast.Call | ast.Name) else f"({text})"


def _shared(node: Any, parent: Any, field: str, names: Names, text: str) -> Iterator[Change]:
    """Two names for what one of them alters: a list of its own is meant."""
    altered = names.facts.altered
    if not isinstance(node, _HELD):
        return
    if isinstance(parent, ast.Assign):
        if text in altered or any(ast.unparse(each) in altered for each in parent.targets):
            yield Change("shared", 1, f"{text}.copy()")
            yield Change("shared", 2, f"list({text})")
    elif text in altered:
        if isinstance(parent, ast.For) and field == "iter":
            yield Change("shared", 1, f"list({text})")
        elif isinstance(parent, ast.Return | ast.Tuple | ast.Dict | ast.Yield) or (
            isinstance(parent, ast.Call) and field == "args"
        ):
            yield Change("shared", 2, f"{text}.copy()")


def _rest(node: Any, parent: Any, names: Names, text: str) -> Iterator[Change]:
    """What is behind the first sign, which is asked about; or before the last."""
    if isinstance(node, _HELD) and isinstance(parent, ast.Assign | ast.Call | ast.Return | ast.For):
        if text in names.facts.heads:
            yield Change("slice", 2, f"{text}[1:]")
        if text in names.facts.tails:
            yield Change("slice", 2, f"{text}[:-1]")


def _signs(node: Any, parent: Any, names: Names, text: str) -> Iterator[Change]:
    """A sign, or a factor that the class has elsewhere."""
    if not isinstance(parent, ast.Assign | ast.AugAssign | ast.Return | ast.BinOp | ast.Call):
        return
    if isinstance(node, ast.Name):
        held = bool(names.values.get(node.id)) and names.numeric(node.id)
    elif isinstance(node, ast.Call):
        held = isinstance(node.func, ast.Name) and node.func.id in NUMBERS
    else:
        held = isinstance(node, ast.BinOp) and not isinstance(node.op, ast.Mod)
        held = held and not isinstance(parent, ast.BinOp)
    if held:
        short = isinstance(node, ast.Name | ast.Call)
        yield Change("sign", 2, f"-{text}" if short else f"-({text})")
        if isinstance(node, ast.Name):
            yield Change("sign", 3, f"abs({text})")
        if isinstance(parent, ast.Assign | ast.AugAssign | ast.Return):
            for factor in names.facts.factors:
                if factor not in text:
                    yield Change("factor", 3, f"{text if short else f'({text})'} * {factor}")


def _sets(node: Any, parent: Any, field: str, names: Names, text: str) -> Iterator[Change]:
    """Without what another set has; with it; what both have."""
    if not makes_set(node) and text not in names.facts.sets:
        return
    if isinstance(parent, ast.Assign | ast.Return | ast.Call | ast.Compare) or field == "iter":
        for other in [each for each in names.facts.sets if each != text][:MOST_SETS]:
            if isinstance(parent, ast.Assign) and other == ast.unparse(parent.targets[0]):
                continue
            for sign in "-&|":
                yield Change("sets", 3, f"{text} {sign} {other}")


def statements(node: Any, parent: Any, field: str, names: Names) -> Iterator[Change]:
    """Of a statement: what is told is whether, and what is meant is what."""
    test = getattr(parent, "test", None) if field == "body" else None
    if not isinstance(parent, ast.If) or not isinstance(test, (ast.Call, ast.BoolOp, *_HELD)):
        return
    value = getattr(node, "value", None)
    if isinstance(value, ast.Constant) and value.value is True:
        what = ast.unparse(test)
        if isinstance(node, ast.Assign) and len(node.targets) == 1:
            yield Change("lost result", 2, f"{ast.unparse(node.targets[0])} = {what}")
        elif isinstance(node, ast.Return):
            yield Change("lost result", 2, f"return {what}")


def before(node: Any, names: Names) -> Iterator[Change]:
    """What is done with one is done with another one like it."""
    if not isinstance(node, ast.Assign) or len(node.targets) != 1:
        return
    target = node.targets[0]
    if not isinstance(target, ast.Name) or isinstance(node.value, ast.BinOp):
        return
    if target.id not in {each.id for each in trees.walk(node.value) if isinstance(each, ast.Name)}:
        return
    count = 0
    for other in names.variables:
        if other != target.id and names.alike(target.id, other) and count < MOST_OTHERS:
            count += 1
            yield Change("the other one, too", 3, _renamed(node, target.id, other))


def _renamed(node: Any, old: str, new: str) -> str:
    fresh = ast.parse(ast.unparse(node))
    for each in trees.walk(fresh):
        if isinstance(each, ast.Name) and each.id == old:
            each.id = new
    return ast.unparse(fresh)


def taken(parent: Any, field: str) -> Iterator[Change]:
    """At the end of a case that asks how something begins or ends: that is taken away."""
    test = getattr(parent, "test", None) if field == "body" else None
    if not isinstance(parent, ast.If):
        return
    for part in test.values if isinstance(test, ast.BoolOp) else [test]:
        if (
            isinstance(part, ast.Call)
            and isinstance(part.func, ast.Attribute)
            and len(part.args) == 1
            and part.func.attr in ("startswith", "endswith")
            and isinstance(part.func.value, ast.Name | ast.Attribute)
        ):
            held, what = ast.unparse(part.func.value), ast.unparse(part.args[0])
            end = "prefix" if part.func.attr == "startswith" else "suffix"
            yield Change("taken away", 3, f"{held} = {held}.remove{end}({what})")
        elif (
            isinstance(part, ast.Compare)
            and isinstance(part.left, ast.Subscript)
            and isinstance(part.left.value, ast.Name | ast.Attribute)
            and isinstance(part.ops[0], ast.Eq | ast.In)
        ):
            held, index = ast.unparse(part.left.value), ast.unparse(part.left.slice)
            if index in ("0", "-1"):
                rest = "1:" if index == "0" else ":-1"
                yield Change("taken away", 3, f"{held} = {held}[{rest}]")


def behind(loop: Any) -> Iterator[Change]:
    """Behind a loop: what it keeps in a case is kept once more, if there is any; what is left."""
    if not isinstance(loop, ast.For | ast.While):
        return
    found: dict[str, None] = {}
    target = ""
    for each in trees.walk(loop):
        if (
            isinstance(each, ast.Expr)
            and isinstance(each.value, ast.Call)
            and isinstance(each.value.func, ast.Attribute)
            and each.value.func.attr in ("append", "add")
            and len(each.value.args) == 1
        ):
            target = ast.unparse(each.value.func.value)
            inner = [one for one in trees.walk(each.value.args[0]) if isinstance(one, ast.Name)]
            if each not in loop.body and inner:
                first = inner[-1].id
                found[f"if {first}:\n    {ast.unparse(each)}"] = None
        elif isinstance(each, ast.Expr) and isinstance(each.value, ast.Yield):
            value = each.value.value
            if each not in loop.body and isinstance(value, ast.Name):
                found[f"if {value.id}:\n    yield {value.id}"] = None
    if isinstance(loop, ast.While) and target:
        for part in loop.test.values if isinstance(loop.test, ast.BoolOp) else ():
            if (
                isinstance(part, ast.Compare)
                and isinstance(part.ops[0], ast.Lt)
                and isinstance(right := part.comparators[0], ast.Call)
                and ast.unparse(right.func) == "len"
            ):
                rest = f"{ast.unparse(right.args[0])}[{ast.unparse(part.left)}:]"
                found[f"{target}.extend({rest})"] = None
    for text in list(found)[:MOST_OTHERS]:
        yield Change("what is left", 4, text)
