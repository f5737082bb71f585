"""What a change makes of one execution of its place, found out by reading alone.

An expression is *plain* if to evaluate it has no effect whatever it is given, and calls nothing of
the program's: operators on numbers and texts, comparisons, items of lists and dictionaries,
attributes that are in an object's own dictionary.  What it may do depends on what variables hold,
so that is looked at each time (``operations.py``).
"""

from __future__ import annotations

import ast
import builtins
import marshal
from collections.abc import Callable, Mapping
from types import CodeType
from typing import Any, NamedTuple

from . import operations, trees
from .operations import ATOMS

METHODS = frozenset(
    ("lower", "upper", "strip", "lstrip", "rstrip", "startswith", "endswith", "find", "rfind",
     "isdigit", "isalpha", "isalnum", "isupper", "islower", "isspace", "removeprefix",
     "removesuffix", "title", "capitalize", "casefold")
)  # fmt: skip
OPERATORS = (ast.Div, ast.FloorDiv, ast.BitAnd, ast.BitOr, ast.BitXor, ast.RShift)
ORDER = (ast.Eq, ast.NotEq, ast.Lt, ast.LtE, ast.Gt, ast.GtE)
CALLED = {
    ast.Add: "added", ast.Sub: "subtracted", ast.Lt: "less", ast.LtE: "less_or_equal",
    ast.Gt: "greater", ast.GtE: "greater_or_equal", ast.Eq: "equal", ast.NotEq: "unequal",
}  # fmt: skip

KNOWN, LOST, MISSING = "-known", "-lost", "-missing"
"""Beside the names: what has been evaluated; that a function of Python's is another; what using a
name raises."""


class Opaque(Exception):
    """An expression is not plain, whatever variables hold."""


HELPERS: dict[str, Any] = {
    "__builtins__": {},
    **{f"-{name}": getattr(operations, name) for name in (
        "atom", "truth", "length", "number", "attribute", "item", "within", "got", "method",
        "power", "instance", "text", "rounded", *CALLED.values(),
    )},
    "-slice": slice,
}  # fmt: skip
CALLS: dict[str, tuple[Any, int, int]] = {
    name: (getattr(builtins, name), least, most)
    for name, least, most in (
        ("abs", 1, 1), ("min", 2, 4), ("max", 2, 4), ("int", 1, 1), ("bool", 1, 1),
        ("float", 1, 1), ("ord", 1, 1), ("chr", 1, 1), ("divmod", 2, 2),
    )
}  # fmt: skip
HELPERS |= {f"-{name}": each for name, (each, _, _) in CALLS.items()}


class Plain:
    """Plain expressions of one function, compiled; ``own``: names that are variables of its."""

    def __init__(self, own: frozenset[str]) -> None:
        self.own = own
        self._made_of: dict[ast.expr, tuple[ast.expr, frozenset[str]] | None] = {}
        self._known: dict[ast.expr, Reading] = {}
        self._alike: dict[bytes, Reading] = {}

    def can_read(self, node: ast.expr) -> bool:
        """Whether it is plain; told sooner than how to read it, which takes the compiler."""
        if node not in self._made_of:
            names: set[str] = set()
            try:
                self._made_of[node] = self._made(node, names), frozenset(names)
            except Opaque:
                self._made_of[node] = None
        return self._made_of[node] is not None

    def reading(self, node: ast.expr) -> Reading | None:
        """How to read it; ``None`` if it is not plain."""
        if node not in self._known:
            found = self._made_of[node] if self.can_read(node) else None
            if found is None:
                return None
            made, names = found
            for each in trees.walk(made):
                if "lineno" in each._attributes:
                    each.lineno, each.col_offset = 1, 0  # type: ignore[attr-defined]
            code = compile(ast.Expression(made), "<reading>", "eval", dont_inherit=True)
            one = Reading(code, names)  # for all that are written alike
            self._known[node] = self._alike.setdefault(marshal.dumps(code), one)
        return self._known[node]

    def _call(self, name: str, *arguments: ast.expr) -> ast.expr:
        return ast.Call(ast.Name(f"-{name}", ast.Load()), list(arguments), [])

    def _atom(self, node: ast.expr, names: set[str]) -> ast.expr:
        return self._call("atom", self._made(node, names))

    def _made(self, node: Any, names: set[str]) -> ast.expr:
        maker = getattr(self, _MAKERS.get(type(node).__name__, ""), None)
        if maker is None:
            raise Opaque
        made: ast.expr = maker(node, names)
        return made

    def _constant(self, node: ast.Constant, _names: set[str]) -> ast.expr:
        if type(node.value) not in ATOMS:
            raise Opaque
        return ast.Constant(node.value)

    def _name(self, node: ast.Name, names: set[str]) -> ast.expr:
        if node.id.startswith("__"):
            raise Opaque
        names.add(node.id)
        return ast.Name(node.id, ast.Load())

    def _attribute(self, node: ast.Attribute, names: set[str]) -> ast.expr:
        if node.attr.startswith("__"):
            raise Opaque
        return self._call("attribute", self._made(node.value, names), ast.Constant(node.attr))

    def _subscript(self, node: ast.Subscript, names: set[str]) -> ast.expr:
        if isinstance(node.slice, ast.Slice):
            parts = [node.slice.lower, node.slice.upper, node.slice.step]
            index = self._call("slice", *(
                ast.Constant(None) if each is None else self._atom(each, names) for each in parts
            ))  # fmt: skip
        else:
            index = self._atom(node.slice, names)
        return self._call("item", self._made(node.value, names), index)

    def _binop(self, node: ast.BinOp, names: set[str]) -> ast.expr:
        left, right = (self._made(each, names) for each in (node.left, node.right))
        if isinstance(node.op, ast.Pow):
            return self._call("power", left, right)
        if type(node.op) in CALLED:
            return self._call(CALLED[type(node.op)], left, right)
        if isinstance(node.op, ast.Mult | ast.Mod):  # a text may become long
            kind = "number"
        elif isinstance(node.op, OPERATORS):
            kind = "atom"
        else:
            raise Opaque
        return ast.BinOp(self._call(kind, left), node.op, self._call(kind, right))

    def _unaryop(self, node: ast.UnaryOp, names: set[str]) -> ast.expr:
        kind = "truth" if isinstance(node.op, ast.Not) else "number"
        return ast.UnaryOp(node.op, self._call(kind, self._made(node.operand, names)))

    def _boolop(self, node: ast.BoolOp, names: set[str]) -> ast.expr:
        *first, last = (self._made(each, names) for each in node.values)
        return ast.BoolOp(node.op, [*(self._call("truth", each) for each in first), last])

    def _ifexp(self, node: ast.IfExp, names: set[str]) -> ast.expr:
        test, body, other = (
            self._made(each, names) for each in (node.test, node.body, node.orelse)
        )
        return ast.IfExp(self._call("truth", test), body, other)

    def _tuple(self, node: ast.Tuple, names: set[str]) -> ast.expr:
        return ast.Tuple([self._made(each, names) for each in node.elts], ast.Load())

    def _compare(self, node: ast.Compare, names: set[str]) -> ast.expr:
        sides = [node.left, *node.comparators]
        made = [self._made(each, names) for each in sides]
        if len(node.ops) == 1 and type(node.ops[0]) in CALLED:
            return self._call(CALLED[type(node.ops[0])], *made)
        if all(isinstance(each, ORDER) for each in node.ops):
            first, *rest = (self._call("atom", each) for each in made)
            return ast.Compare(first, node.ops, rest)
        if len(node.ops) > 1:
            raise Opaque
        if isinstance(node.ops[0], ast.In | ast.NotIn):
            found = self._call("within", self._call("atom", made[0]), made[1])
            return found if isinstance(node.ops[0], ast.In) else ast.UnaryOp(ast.Not(), found)
        if not any(isinstance(each, ast.Constant) and (each.value is None or each.value is True
                   or each.value is False) for each in sides):  # fmt: skip
            raise Opaque  # whether equal numbers are one depends on how they were made
        return ast.Compare(made[0], node.ops, made[1:])

    def _call_of(self, name: str, arguments: list[ast.expr], names: set[str]) -> ast.expr:
        if name in self.own:
            raise Opaque
        names.add(f"(){name}")
        if name == "isinstance" and len(arguments) == 2:
            value, kinds = arguments
            several = kinds.elts if isinstance(kinds, ast.Tuple) else [kinds]
            if not all(isinstance(each, ast.Name) for each in several):
                raise Opaque
            return self._call("instance", self._made(value, names), self._made(kinds, names))
        if name == "len" and len(arguments) == 1:
            return self._call("length", self._made(arguments[0], names))
        if name == "round" and 1 <= len(arguments) <= 2:
            return self._call("rounded", *(self._made(each, names) for each in arguments))
        if name == "str" and len(arguments) == 1:
            return self._call("text", self._made(arguments[0], names))
        if name in CALLS and CALLS[name][1] <= len(arguments) <= CALLS[name][2]:
            return self._call(name, *(self._atom(each, names) for each in arguments))
        raise Opaque

    def _calls(self, node: ast.Call, names: set[str]) -> ast.expr:
        if node.keywords or any(isinstance(each, ast.Starred) for each in node.args):
            raise Opaque
        if isinstance(node.func, ast.Name):
            return self._call_of(node.func.id, node.args, names)
        if not isinstance(node.func, ast.Attribute):
            raise Opaque
        name = node.func.attr
        value = self._made(node.func.value, names)
        if name == "get" and 1 <= len(node.args) <= 2:
            key, *other = node.args
            return self._call("got", value, self._atom(key, names),
                              *(self._made(each, names) for each in other))  # fmt: skip
        if name in METHODS:
            return self._call("method", value, ast.Constant(name),
                              *(self._atom(each, names) for each in node.args))  # fmt: skip
        raise Opaque

    def _joinedstr(self, node: ast.JoinedStr, names: set[str]) -> ast.expr:
        parts: list[ast.expr] = []
        for each in node.values:
            if isinstance(each, ast.FormattedValue):
                if each.format_spec is not None:
                    raise Opaque  # a width may be large
                each = ast.FormattedValue(self._atom(each.value, names), each.conversion, None)
            parts.append(each)
        return ast.JoinedStr(parts)


_MAKERS = {
    each.__name__: f"_{each.__name__.lower()}"
    for each in (ast.Constant, ast.Name, ast.Attribute, ast.Subscript, ast.BinOp, ast.UnaryOp,
                 ast.BoolOp, ast.IfExp, ast.Tuple, ast.Compare, ast.JoinedStr)
} | {"Call": "_calls"}  # fmt: skip


class Reading:
    """A plain expression.  ``names``: what it reads; ``()name`` is a function of Python's."""

    def __init__(self, code: CodeType, names: frozenset[str]) -> None:
        self.code = code
        self.names = names

    def value(self, held: Mapping[str, Any]) -> Any:
        """What it comes to now; raises :class:`~.operations.Unknown` or what it raises."""
        return eval(self.code, HELPERS, held)


class Around(NamedTuple):
    """The variables of the functions around a place.

    - ``here``: of the function that is executed, ``inner``: of comprehensions in it around it
    - ``outer``: of functions around that one
    """

    here: frozenset[str]
    inner: frozenset[str]
    outer: frozenset[str]


def names_held(names: frozenset[str], around: Around) -> Callable[[Any], dict[str, Any]]:
    """What reads names in a frame: its own variables, or else those of its module or Python."""
    plain = [each for each in names if not each.startswith("()")]
    mine = [each for each in plain if each in around.here or each in around.inner]
    unbound = {each for each in mine if each not in around.inner}
    outer = [each for each in plain if each in around.outer and each not in mine]
    others = [each for each in plain if each not in mine and each not in outer]
    functions = [each[2:] for each in names if each.startswith("()")]

    def held(frame: Any) -> dict[str, Any]:
        found: dict[str, Any] = {}
        missing: dict[str, str] = {}
        variables = frame.f_locals
        for name in mine:
            if name in variables:
                found[name] = variables[name]
            elif name in unbound:
                missing[name] = "UnboundLocalError"
        for name in outer:  # it is not there unless the function has it already
            if name in variables:
                found[name] = variables[name]
        if type(variables) is dict and variables is not frame.f_globals:
            variables.clear()  # a copy (before Python 3.13), which would keep all of it alive
        its = frame.f_globals
        known = frame.f_builtins
        for name in others:
            if name in its:
                found[name] = its[name]
            elif name in known:
                found[name] = known[name]
            else:
                missing[name] = "NameError"
        for name in functions:
            if name in its or known.get(name) is not getattr(builtins, name, known):
                found[LOST] = True
        found[KNOWN], found[MISSING] = {}, missing
        return found

    return held
