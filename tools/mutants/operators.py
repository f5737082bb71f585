"""Mutations of a source text: small changes of what it does, one at a time.

A mutation is told by what it changes, not by where it stands, so that it is the same one after
lines have moved.  Left alone is what no test should be about: docstrings, annotations, decorators,
the wording of errors, ``__repr__``, what is there for type checkers, and what a module does when
imported.
"""

from __future__ import annotations

import ast
import copy
import hashlib
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass

COMPARISONS: dict[type[ast.cmpop], type[ast.cmpop]] = {
    ast.Lt: ast.LtE,
    ast.LtE: ast.Lt,
    ast.Gt: ast.GtE,
    ast.GtE: ast.Gt,
    ast.Eq: ast.NotEq,
    ast.NotEq: ast.Eq,
    ast.Is: ast.IsNot,
    ast.IsNot: ast.Is,
    ast.In: ast.NotIn,
    ast.NotIn: ast.In,
}
ARITHMETIC: dict[type[ast.operator], type[ast.operator]] = {
    ast.Add: ast.Sub,
    ast.Sub: ast.Add,
    ast.Mult: ast.FloorDiv,
    ast.FloorDiv: ast.Mult,
    ast.Div: ast.Mult,
    ast.Mod: ast.Mult,
    ast.BitOr: ast.BitAnd,
    ast.BitAnd: ast.BitOr,
    ast.LShift: ast.RShift,
    ast.RShift: ast.LShift,
}
CALLED = {"min": "max", "max": "min", "any": "all", "all": "any"}
UNTESTED = {"__repr__", "__str__", "__rich_repr__"}


@dataclass(frozen=True)
class Mutation:
    """One change: ``operator`` says of what kind, ``text`` is the whole mutated source.

    ``before`` and ``after`` are the lines that it changes; ``number`` tells apart equal ones of a
    function.
    """

    path: str
    function: str
    line: int
    operator: str
    before: str
    after: str
    number: int
    text: str

    @property
    def id(self) -> str:
        """Eight hexadecimal digits that depend on the content alone."""
        words = (self.path, self.function, self.before, self.after, str(self.number))
        return hashlib.sha256("\0".join(words).encode()).hexdigest()[:8]


Change = tuple[ast.AST, str, str]
"""The node to replace, what kind of change it is, and the text to put there."""


def mutations(path: str, source: str) -> list[Mutation]:
    """All mutations of a module, in the order of their places."""
    lines = source.splitlines(keepends=True)
    found: list[Mutation] = []
    seen: Counter[tuple[str, str, str]] = Counter()
    for function, node, operator, new in _of_module(ast.parse(source)):
        first, last = node.lineno - 1, node.end_lineno - 1  # type: ignore[attr-defined]
        head = lines[first].encode()[: node.col_offset].decode()  # type: ignore[attr-defined]
        tail = lines[last].encode()[node.end_col_offset :].decode()  # type: ignore[attr-defined]
        before = "".join(lines[first : last + 1]).strip()
        changed = head + new + tail
        text = "".join(lines[:first]) + changed + "".join(lines[last + 1 :])
        key = (function, before, changed.strip())
        seen[key] += 1
        found.append(
            Mutation(path, function, first + 1, operator, *key[1:], number=seen[key], text=text)
        )
    return found


def functions(source: str) -> dict[int, str]:
    """The qualified names of the functions in a module, by the line that each begins in."""
    found: dict[int, str] = {}

    def visit(node: ast.AST, prefix: str) -> None:
        for child in ast.iter_child_nodes(node):
            if isinstance(child, ast.FunctionDef | ast.AsyncFunctionDef):
                first = min([child.lineno, *(each.lineno for each in child.decorator_list)])
                found[first] = prefix + child.name
                visit(child, f"{prefix}{child.name}.")
            elif isinstance(child, ast.ClassDef):
                visit(child, f"{prefix}{child.name}.")
            else:
                visit(child, prefix)

    visit(ast.parse(source), "")
    return found


def _of_module(module: ast.AST, prefix: str = "") -> Iterator[tuple[str, ast.AST, str, str]]:
    """The changes in all functions below a node, with the function's qualified name."""
    for child in ast.iter_child_nodes(module):
        if isinstance(child, ast.FunctionDef | ast.AsyncFunctionDef):
            if child.name not in UNTESTED:
                name = prefix + child.name
                for default in (*child.args.defaults, *child.args.kw_defaults):
                    if default is not None:
                        yield from ((name, *each) for each in _of(default))
                for statement in child.body:
                    yield from ((name, *each) for each in _of(statement))
                yield from _of_module(child, f"{name}.")
        elif isinstance(child, ast.ClassDef):
            yield from _of_module(child, f"{prefix}{child.name}.")
        elif not (isinstance(child, ast.If) and "TYPE_CHECKING" in ast.unparse(child.test)):
            yield from _of_module(child, prefix)


def _of(node: ast.AST) -> Iterator[Change]:
    """The changes at and below a node, but for functions and classes inside it."""
    if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef | ast.JoinedStr):
        return
    if isinstance(node, ast.If) and "TYPE_CHECKING" in ast.unparse(node.test):
        return
    yield from _here(node)
    if isinstance(node, ast.Raise):  # what is raised is wording
        return
    for name, field in ast.iter_fields(node):
        if name in ("annotation", "ops", "op", "ctx"):
            continue
        for child in field if isinstance(field, list) else [field]:
            if isinstance(child, ast.AST):
                yield from _of(child)


def _here(node: ast.AST) -> Iterator[Change]:
    match node:
        case ast.Compare(ops=operators):
            for number, operator in enumerate(operators):
                if swapped := COMPARISONS.get(type(operator)):
                    yield _with(node, "comparison", lambda n: n.ops, number, swapped())
        case ast.BoolOp(op=ast.And()):
            yield _with(node, "and/or", vars, "op", ast.Or())
        case ast.BoolOp():
            yield _with(node, "and/or", vars, "op", ast.And())
        case ast.BinOp(op=operator) | ast.AugAssign(op=operator):
            texts = (ast.Constant, ast.JoinedStr)
            about_text = isinstance(node, ast.BinOp) and any(
                isinstance(side, texts) and not isinstance(getattr(side, "value", ""), int)
                for side in (node.left, node.right)
            )
            if (other := ARITHMETIC.get(type(operator))) and not about_text:
                yield _with(node, "arithmetic", vars, "op", other())
        case ast.UnaryOp(op=ast.Not(), operand=operand):
            yield node, "not dropped", f"({ast.unparse(operand)})"
        case ast.Constant(value=bool(value)):
            yield node, "constant", str(not value)
        case ast.Constant(value=int(value)):
            yield node, "constant", str(value + 1)
            yield node, "constant", f"({value - 1})" if value < 1 else str(value - 1)
        case ast.Call(func=ast.Name(id=name)) if name in CALLED:
            yield _with(node, "called", vars, "func", ast.Name(CALLED[name]))
        case ast.Return(value=value) if value is not None:
            if not (isinstance(value, ast.Constant) and value.value is None):
                yield node, "return", "return None"
        case ast.Break():
            yield node, "break/continue", "continue"
        case ast.Continue():
            yield node, "break/continue", "break"
        case ast.ExceptHandler(type=kind) if kind is not None:
            yield kind, "exception", "()"
    yield from _deletions(node)
    yield from _conditions(node)


def _deletions(node: ast.AST) -> Iterator[Change]:
    targets = getattr(node, "targets", None) or [getattr(node, "target", None)]
    match node:
        case ast.Expr(value=ast.Constant() | ast.Yield() | ast.YieldFrom()):
            return
        case ast.Expr() | ast.Raise() | ast.Delete() | ast.AugAssign():
            yield node, "deleted", "pass"
        case ast.Assign() | ast.AnnAssign() if node.value is not None and all(
            isinstance(target, ast.Attribute | ast.Subscript) for target in targets
        ):
            yield node, "deleted", "pass"


def _conditions(node: ast.AST) -> Iterator[Change]:
    tests = [node.test] if isinstance(node, ast.If | ast.While | ast.IfExp) else []
    if isinstance(node, ast.comprehension):
        tests = node.ifs
    for test in tests:
        if not isinstance(test, ast.Constant):
            yield test, "negated", f"(not ({ast.unparse(test)}))"
            yield test, "always", "True"
            yield test, "never", "False"


def _with(
    node: ast.AST, operator: str, part: Callable[..., object], key: int | str, new: ast.AST
) -> Change:
    """The change that puts ``new`` at ``key`` of a part of the node."""
    changed = copy.deepcopy(node)
    part(changed)[key] = new  # type: ignore[index]
    text = ast.unparse(changed)
    return node, operator, text if isinstance(node, ast.stmt) else f"({text})"
