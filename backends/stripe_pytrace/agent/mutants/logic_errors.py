"""Mutation operators for logic errors: of order, of a case, of a formula.

What a function lacks is often like something that it has: statements are copied from elsewhere in
it, and numbers of it are added to formulas.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence
from typing import Any

from ..compiling import trees
from .deltas import FUNCTIONS
from .expression_operators import Change, Names

MOST_COPIES = 10
MOST_OPERANDS = 4
MOST_EXCHANGED = 6
UNITS = (60, 100, 1000, 12, 24)
"""What units differ by, but for 10, which small changes of constants have."""
NORMALIZING = ("lower", "upper", "strip")
MUTATORS = (
    *("add", "append", "appendleft", "clear", "discard", "extend", "insert", "pop", "popitem"),
    *("popleft", "push", "remove", "reverse", "setdefault", "sort", "update"),
)
_MADE = ("list", "tuple", "set", "frozenset", "dict")
_SEVERAL = (ast.For, ast.comprehension)
_HELD = (ast.Name, ast.Attribute, ast.Subscript, ast.Call)


def expressions(node: Any, parent: Any, field: str, names: Names) -> Iterator[Change]:
    """What an expression may be wrapped in, or combined with."""
    if not isinstance(getattr(node, "ctx", None) or ast.Load(), ast.Load):
        return
    text = ast.unparse(node)
    if isinstance(node, ast.Constant):
        if type(node.value) is int and not isinstance(parent, ast.UnaryOp):
            yield from _units(node.value)
            for name in names.variables[: 2 * MOST_OPERANDS]:
                if names.numeric(name):
                    yield Change("variable", 2, name)
        return
    if isinstance(node, ast.Compare):
        yield from _compared(node, text)
        return
    if isinstance(node, ast.BinOp):
        yield from _computed(node, text)
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
        yield from _arguments(node, names)
        if node.func.id == "len":
            for name in names.variables[: 2 * MOST_OPERANDS]:
                if names.numeric(name) and names.values.get(name):
                    yield Change("variable", 2, name)
    for other in _swapped(node):
        yield Change("operands swapped", 2, ast.unparse(other))
    if isinstance(node, ast.Subscript):
        value, index = ast.unparse(node.value), ast.unparse(node.slice)
        if isinstance(node.slice, ast.Constant | ast.UnaryOp):
            for word in ("max", "min"):
                yield Change("function", 2, f"{word}({value})")
        if not isinstance(node.slice, ast.Slice | ast.Tuple):
            yield Change("default", 3, f"{value}.get({index}, 0)")
    yield from _wrapped(node, parent, field, text)
    yield from _of_texts(node, parent, names, text)
    yield from _taken(node)
    yield from _combined(node, parent, field, names, text)


def _compared(node: ast.Compare, text: str) -> Iterator[Change]:
    """A comparison has a lower bound as well, or its left side is taken for a truth value."""
    if len(node.ops) == 1 and isinstance(node.ops[0], ast.Lt | ast.LtE):
        yield Change("comparison", 2, f"0 <= {text}")
    elif isinstance(node.ops[0], ast.Eq) and isinstance(node.comparators[0], ast.Constant):
        yield Change("comparison", 2, _plain(f"not ({ast.unparse(node.left)})"))


def _computed(node: ast.BinOp, text: str) -> Iterator[Change]:
    """A quotient is rounded upwards, a difference has no sign, a sum is one of its parts."""
    left, right = ast.unparse(node.left), ast.unparse(node.right)
    if isinstance(node.op, ast.FloorDiv):
        yield Change("rounding", 2, _plain(f"-(-({left}) // ({right}))"))
    elif isinstance(node.op, ast.Sub):
        yield Change("rounding", 2, f"abs({text})")
    elif isinstance(node.op, ast.Add) and not isinstance(node.left, ast.Constant):
        for word in ("max", "min"):
            yield Change("operator", 2, f"{word}({left}, {right})")


def _units(value: int) -> Iterator[Change]:
    """A number in another unit."""
    if value > 1:
        for unit in UNITS:
            yield Change("unit", 3, repr(value * unit))
            if value > unit and value % unit == 0:
                yield Change("unit", 3, repr(value // unit))


def _swapped(node: Any) -> Iterator[ast.expr]:
    """A display, or a formatted string, of which two neighbours have changed places."""
    if isinstance(node, ast.Tuple | ast.List):
        yield from (type(node)(items, node.ctx) for items in _exchanged(node.elts))
    elif isinstance(node, ast.JoinedStr):
        yield from map(ast.JoinedStr, _exchanged(node.values))
    elif isinstance(node, ast.Dict):
        yield from (ast.Dict(node.keys, items) for items in _exchanged(node.values))


def _exchanged(items: Sequence[Any]) -> Iterator[list[Any]]:
    """Two neighbours have changed places."""
    for index in range(min(len(items) - 1, MOST_EXCHANGED)):
        one, other = items[index : index + 2]
        if ast.dump(one) != ast.dump(other):
            yield [*items[:index], other, one, *items[index + 2 :]]


def _plain(text: str) -> str:
    """Without the brackets that it does not need; as it is if it is no expression (`*args`).

    What is none is refused when it is tried, and costs itself only.
    """
    try:
        return ast.unparse(ast.parse(text, mode="eval").body)
    except SyntaxError:
        return text


def _arguments(node: ast.Call, names: Names) -> Iterator[Change]:
    """Two values by another function; an argument that a function of the file takes as well."""
    name = ast.unparse(node.func)
    if name in ("max", "min") and len(node.args) == 2 and not node.keywords:
        left, right = map(ast.unparse, node.args)
        yield Change("operand", 2, left)
        yield Change("operand", 2, right)
        yield Change("operator", 2, _plain(f"({left}) + ({right})"))
    if name == "sorted" and node.keywords and all(each.arg != "reverse" for each in node.keywords):
        yield Change("order", 2, f"{ast.unparse(node)[:-1]}, reverse=True)")
    if name == "isinstance" and len(node.args) == 2 and not isinstance(node.args[1], ast.Tuple):
        held, kind = map(ast.unparse, node.args)
        # True is a number, and a datetime a date.
        yield Change("type", 3, f"type({held}) is {kind}")
    if name in _MADE and len(node.args) == 1:
        for other in [each for each in names.variables if names.kinds(each) == {"other"}]:
            yield Change("type", 3, f"type({other})({ast.unparse(node.args[0])})")
    if name == "enumerate" and len(node.args) == 1 and not node.keywords:
        yield Change("off by one", 1, f"enumerate({ast.unparse(node.args[0])}, 1)")
    if len(node.args) + len(node.keywords) < names.functions.get(name, 0):
        for other in names.variables[:MOST_OPERANDS]:
            args = [*map(ast.unparse, node.args), other]
            yield Change("argument", 3, f"{name}({', '.join(args)})")


def _wrapped(node: Any, parent: Any, field: str, text: str) -> Iterator[Change]:
    if not isinstance(node, _HELD):
        return
    alone = isinstance(parent, ast.Return | ast.Assign | ast.Tuple)
    argument = isinstance(parent, ast.Call) and field == "args"
    if isinstance(parent, _SEVERAL) and field == "iter":
        yield Change("order", 2, f"reversed(list({text}))")
        yield Change("order", 3, f"sorted({text})")
        yield Change("copy", 3, f"list({text})")
    elif alone or argument:
        if not isinstance(node, ast.Call) or argument or isinstance(parent, ast.Tuple):
            yield Change("order", 3, f"{text}[::-1]")
        if not isinstance(node, ast.Call):
            yield Change("copy", 3, f"{text}.copy()")
            yield Change("order", 3, f"sorted({text})")
        yield Change("conversion", 3, f"int({text} or 0)")
        yield Change("conversion", 3, f"str({text})")
    elif isinstance(parent, ast.comprehension | ast.ListComp | ast.GeneratorExp | ast.Compare):
        yield Change("conversion", 3, f"int({text} or 0)")
        yield Change("conversion", 3, f"str({text})")


def _of_texts(node: Any, parent: Any, names: Names, text: str) -> Iterator[Change]:
    """A text as it is to be compared; signs that are taken from its ends only; a part of it."""
    part = isinstance(parent, ast.GeneratorExp | ast.ListComp | ast.SetComp)
    if isinstance(node, ast.Name) and (
        # What runs over the parts of a text is not seen.
        (part and node.id not in names.values)
        or (names.textual(node.id) and (part or isinstance(parent, ast.Call)))
    ):
        yield Change("conversion", 3, f"int({text}) if {text}.isdigit() else {text}")
    if isinstance(node, ast.Name) and names.textual(node.id):
        for method in NORMALIZING:
            yield Change("normalized", 3, f"{text}.{method}()")
        if isinstance(parent, ast.Return | ast.Assign | ast.BinOp):
            for sign in names.texts:
                yield Change("formula", 3, f"{text} + {sign}")
                yield Change("formula", 3, f"{sign} + {text}")
                if not isinstance(parent, ast.BinOp):
                    yield Change("default", 3, f"{text} or {sign}")
        if isinstance(parent, ast.BinOp | ast.Call | ast.Return | ast.Assign):
            yield Change("slice", 3, f"{text}[1:]")
            yield Change("slice", 3, f"{text}[:-1]")
    elif isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.args:
        held, signs = ast.unparse(node.func.value), ast.unparse(node.args[0])
        if node.func.attr in ("strip", "lstrip", "rstrip") and len(node.args) == 1:
            yield Change("signs", 2, f"{held}.replace({signs}, '')")
        elif node.func.attr == "replace":
            yield Change("signs", 2, f"{held}.strip({signs})")


def _taken(node: Any) -> Iterator[Change]:
    """An item that is taken away, or only looked at."""
    if isinstance(node, ast.Subscript) and isinstance(node.slice, ast.Constant | ast.UnaryOp):
        index = ast.unparse(node.slice)
        yield Change("item", 2, f"{ast.unparse(node.value)}.pop({'' if index == '-1' else index})")
    elif (
        isinstance(node, ast.Call)
        and isinstance(node.func, ast.Attribute)
        and node.func.attr == "pop"
        and len(node.args) < 2
    ):
        index = ast.unparse(node.args[0]) if node.args else "-1"
        yield Change("item", 2, f"{ast.unparse(node.func.value)}[{index}]")


def _combined(node: Any, parent: Any, field: str, names: Names, text: str) -> Iterator[Change]:
    """Another number of the function added, or taken away: part of a formula that is missing."""
    held = isinstance(node, ast.Name | ast.Attribute | ast.BinOp | ast.Call)
    if not held or not (
        isinstance(
            parent, ast.Assign | ast.AugAssign | ast.Return | ast.Compare | ast.Tuple | ast.keyword
        )
        or (isinstance(node, ast.Name) and isinstance(parent, ast.BinOp | ast.Slice))
        or (isinstance(parent, ast.Call) and field == "args")
    ):
        return
    if isinstance(node, ast.Name) and not names.numeric(node.id):
        return
    for number in names.numbers:
        if not isinstance(node, ast.Name):
            yield Change("unit", 3, _plain(f"({text}) * {number}"))
        if isinstance(node, ast.Name) and names.values.get(node.id):
            yield Change("formula", 3, f"{text} + {number}")
            yield Change("formula", 3, f"{text} - {number}")
            yield Change("formula", 3, f"{number} - {text}")
    if isinstance(parent, ast.BinOp | ast.Slice) and isinstance(node, ast.Name):
        return
    others = [each for each in names.variables if each != text and names.values.get(each)]
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Add):
        used = {each.id for each in trees.walk(node) if isinstance(each, ast.Name)}
        for other in [each for each in others if "[]" in names.values[each]][:MOST_OPERANDS]:
            if other not in used:
                yield Change("formula", 3, f"{text} + {other}")
    for other in [each for each in others if names.numeric(each)][:MOST_OPERANDS]:
        yield Change("formula", 3, _plain(f"({text}) + {other}"))
        yield Change("formula", 3, _plain(f"({text}) - {other}"))
        yield Change("formula", 4, f"max({text}, {other})")
        yield Change("formula", 4, f"min({text}, {other})")


def statements(node: Any) -> Iterator[Change]:
    """Statements in another order, and what is assigned of two."""
    if isinstance(node, ast.Assign) and len(node.targets) == 1:
        target, value = ast.unparse(node.targets[0]), ast.unparse(node.value)
        if isinstance(node.targets[0], ast.Subscript):
            held, index = (
                ast.unparse(getattr(node.targets[0], each)) for each in ("value", "slice")
            )
            added = _plain(f"{held}.get({index}, 0) + ({value})")
            yield Change("operator", 2, f"{target} = {added}")
            yield Change("default", 3, f"{held}.setdefault({index}, {value})")
        if not isinstance(node.targets[0], ast.Tuple) and target not in value:
            for word in ("max", "min"):
                yield Change("operator", 3, f"{target} = {word}({target}, {value})")
        elif isinstance(node.targets[0], ast.Tuple):
            for items in _exchanged(node.targets[0].elts):
                swapped = ast.unparse(ast.Tuple(items, ast.Store()))
                yield Change("operands swapped", 2, f"{swapped} = {value}")
    elif isinstance(node, ast.Expr) and isinstance(node.value, ast.Call):
        yield from _results(node.value)
    elif isinstance(node, ast.If):
        yield from _cases(node)
    elif (
        isinstance(node, ast.For)
        and not node.orelse
        and len(node.body) == 1
        and isinstance(inner := node.body[0], ast.For)
        and not inner.orelse
    ):
        yield Change("order", 2, _loop(inner, [ast.parse(_loop(node, inner.body)).body[0]]))


def _results(call: ast.Call) -> Iterator[Change]:
    """What a method returns is kept; what is there already is replaced."""
    if not isinstance(call.func, ast.Attribute):
        return
    held = ast.unparse(call.func.value)
    if isinstance(call.func.value, ast.Name) and call.func.attr not in MUTATORS:
        yield Change("lost result", 2, f"{held} = {ast.unparse(call)}")
    elif call.func.attr == "setdefault" and len(call.args) == 2:
        key, value = map(ast.unparse, call.args)
        yield Change("default", 2, f"{held}[{key}] = {value}")


def _cases(node: ast.If) -> Iterator[Change]:
    """Two cases that are asked about in the other order; a statement that belongs to no case."""
    test = ast.unparse(node.test)
    if len(node.orelse) == 1 and isinstance(other := node.orelse[0], ast.If):
        second = _block(f"elif {test}", node.body)
        rest = _block("else", other.orelse) if other.orelse else ""
        yield Change(
            "order", 2, _block(f"if {ast.unparse(other.test)}", other.body) + second + rest
        )
    if len(node.body) > 1 and not node.orelse:
        yield Change("order", 3, ast.unparse(node.body[0]) + "\n" + _block(f"if {test}",
                     node.body[1:]))  # fmt: skip


def _loop(node: ast.For, body: Sequence[Any]) -> str:
    return _block(f"for {ast.unparse(node.target)} in {ast.unparse(node.iter)}", body)


def _block(head: str, body: Sequence[Any]) -> str:
    inner = "\n".join(map(ast.unparse, body)).replace("\n", "\n    ")
    return f"{head}:\n    {inner}\n"


def copies(scope: Any) -> list[str]:
    """Statements of a function that may be missing elsewhere in it, if they are short."""
    found: dict[str, None] = {}
    for node in trees.walk(scope) if isinstance(scope, FUNCTIONS) else ():
        fresh = isinstance(getattr(node, "value", None), ast.List | ast.Dict)
        if isinstance(node, ast.AugAssign | ast.Assign) and not fresh:
            found[ast.unparse(node)] = None
        elif isinstance(node, ast.Call):
            name = getattr(node.func, "attr", None) or getattr(node.func, "id", None)
            if name in MUTATORS:
                found[ast.unparse(node)] = None
    for node in trees.walk(scope) if isinstance(scope, FUNCTIONS) else ():
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Call):
            found[ast.unparse(node)] = None
    return [each for each in found if "\n" not in each][:MOST_COPIES]
