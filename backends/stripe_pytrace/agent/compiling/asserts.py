"""What a failing ``assert`` compared.

An ``AssertionError`` says nothing of the values it is about, so with it alone as criterion, what
they were computed from could be left out: ``assert None == 3`` fails as well as ``assert 2 == 3``.
So an ``assert`` notes the operands of its test while they are computed, and if it fails, what they
hold, without calling the program's own code::

    assert f(x) == 3    ->    assert (note(f(x)) == note(3)) and forget() or tell()

All of it but ``tell`` is made of C functions, which show in no traceback and need no recursion.
"""

from __future__ import annotations

import _ast as ast
from types import BuiltinFunctionType, FunctionType, ModuleType

from ..process.natives import defaultdict, deque, iconcat, partial
from ..process.recursion_limit import ROOM, get_limit, set_limit
from ..values.content import FROZENDICT
from .dialects import Placeholder
from .trees import call, children, const, copy_location

TYPE_CHECKING = False  # typing takes as long to import as much of the agent
if TYPE_CHECKING:
    from typing import Any

MOST = 16
"""Operands of one assert."""

DEPTH = 4
"""Containers and objects in each other."""

MOST_ITEMS = 200
LONGEST = 2000
"""Characters of a text, and of all that is told."""

SHOWN = {
    "datetime.date", "datetime.datetime", "datetime.time", "datetime.timedelta", "decimal.Decimal",
    "fractions.Fraction", "pathlib.PosixPath", "pathlib._local.PosixPath", "uuid.UUID",
}  # fmt: skip
"""Types of libraries that are told by their ``repr``."""


class Asserts:
    """Keeps operands from where they are computed to where the assert has succeeded or failed."""

    def __init__(self) -> None:
        self.held: Any = defaultdict(partial(deque, maxlen=MOST))
        self.told: dict[int | None, list[str]] = {}
        self.constants = {
            Placeholder.HELD: self.held,
            Placeholder.JOIN: iconcat,
            Placeholder.FORGET: self.held.pop,
            Placeholder.TELL: self.tell,
        }

    def tell(self, number: int) -> bool:
        """The assert of a node has failed."""
        limit = get_limit()
        set_limit(limit + ROOM)
        try:
            operands = self.held.pop(number, ())
            texts = [content(each) for each in operands]
        finally:
            set_limit(limit)
        self.told[number] = [
            text[:LONGEST] + f" ({len(text)} characters)" * (len(text) > LONGEST) for text in texts
        ]
        return False


def noting(test: ast.expr, number: int) -> ast.expr:
    """The test of the assert ``number``, which notes its operands."""
    succeeded = ast.BoolOp(
        ast.And(), [_noted(test, number), call(Placeholder.FORGET, const(number), const(True))]
    )
    whole = ast.BoolOp(ast.Or(), [succeeded, call(Placeholder.TELL, const(number))])
    return _placed(whole, test)


def _noted(tree: Any, number: int) -> Any:
    if isinstance(tree, ast.BoolOp):
        tree.values = [_noted(each, number) for each in tree.values]
    elif isinstance(tree, ast.UnaryOp) and isinstance(tree.op, ast.Not):
        tree.operand = _noted(tree.operand, number)
    elif isinstance(tree, ast.Compare):
        # What a call was given is no part of it: of ``2 == len(text)`` the two numbers are.
        tree.left = _note(tree.left, number)
        tree.comparators = [_note(each, number) for each in tree.comparators]
    else:
        return _note_call(tree, number)
    return tree


def _note(tree: Any, number: int) -> Any:
    """``held[number] += (tree,)``, whose value is that of ``tree``."""
    if isinstance(tree, ast.Constant):
        return tree
    held = ast.Subscript(const(Placeholder.HELD), const(number), ast.Load())
    joined = call(Placeholder.JOIN, held, ast.Tuple([tree], ast.Load()))
    return _placed(ast.Subscript(joined, ast.UnaryOp(ast.USub(), const(1)), ast.Load()), tree)


def _note_call(tree: Any, number: int) -> Any:
    """The same, for arguments of calls as well: what is true or false says too little."""
    if isinstance(tree, ast.Call) and not isinstance(tree.func, ast.Call):
        if isinstance(tree.func, ast.Attribute) and isinstance(tree.func.value, ast.Call):
            _note_arguments(tree.func.value, number)
        _note_arguments(tree, number)
    return _note(tree, number)


def _note_arguments(tree: ast.Call, number: int) -> None:
    tree.args = [
        each if isinstance(each, ast.Starred) else _note_call(each, number) for each in tree.args
    ]
    for keyword in tree.keywords:
        if keyword.arg is not None:
            keyword.value = _note_call(keyword.value, number)


def _placed(tree: ast.expr, place: ast.expr) -> ast.expr:
    """Give all new nodes the position of what they stand for, which tracebacks underline."""
    pending: list[ast.AST] = [tree]
    while pending:
        node = pending.pop()
        if isinstance(node, ast.expr) and not hasattr(node, "lineno"):
            copy_location(node, place)
            pending += children(node)
    return tree


def content(value: Any, depth: int = DEPTH) -> str:
    """What a value holds, the same in each process; the program's own code has no say."""
    kind: Any = type(value)
    if value is None or kind is bool or kind is float or kind is complex:
        return repr(value)
    if issubclass(kind, int):
        size = int.bit_length(value)
        return int.__repr__(value) if size < LONGEST else f"{value % 2**64} of {size} bits"
    for text in (str, bytes, bytearray):
        if issubclass(kind, text):
            size = text.__len__(value)
            return text.__repr__(text.__getitem__(value, slice(LONGEST))) + f"+{size}" * (
                size > LONGEST
            )
    if issubclass(kind, type) or kind is FunctionType or kind is BuiltinFunctionType:
        return name_of(value) if issubclass(kind, type) else str(value.__qualname__)
    if issubclass(kind, ModuleType):
        return "module"
    name = name_of(kind)
    for base in (list, tuple, set, frozenset, dict, FROZENDICT):
        if issubclass(kind, base):
            return name + _items(value, base, depth)
    if f"{kind.__module__}.{name}" in SHOWN:
        return str(repr(value))
    held = _fields(value, kind)
    if not depth:
        return f"{name}({len(held)})"
    fields = [f"{key}={content(each, depth - 1)}" for key, each in [*held.items()][:MOST_ITEMS]]
    return f"{name}({', '.join(fields)})"


def name_of(kind: Any) -> str:
    return str(type.__dict__["__qualname__"].__get__(kind))


def _items(value: Any, base: Any, depth: int) -> str:
    size = base.__len__(value)
    if not depth:
        return f"({size})"
    items: list[Any] = []
    pairs = base is dict or base is FROZENDICT
    for each in base.items(value) if pairs else base.__iter__(value):
        if len(items) == MOST_ITEMS and not issubclass(base, (set, frozenset)):
            break
        items.append(each)
    texts = [
        f"{content(each[0], depth - 1)}: {content(each[1], depth - 1)}"
        if pairs
        else content(each, depth - 1)
        for each in items
    ]
    if base is set or base is frozenset:
        texts.sort()
    more = f"+{size}" if size > len(items) else ""
    return f"[{', '.join(texts)}]{more}"


def _fields(value: Any, kind: Any) -> dict[str, Any]:
    """What an object has in itself."""
    if issubclass(kind, BaseException):
        return {"args": BaseException.__dict__["args"].__get__(value)}
    found: dict[str, Any] = {}
    for each in type.__dict__["__mro__"].__get__(kind):
        for name, what in type.__dict__["__dict__"].__get__(each).items():
            if type(what) is MEMBER and what.__objclass__ is each:
                try:
                    found[name] = what.__get__(value)
                except AttributeError:
                    continue
            elif name == "__dict__" and type(what) is GETSET:
                found.update(what.__get__(value))
    return found


class _Slotted:
    __slots__ = ("member",)


MEMBER: Any = type(_Slotted.__dict__["member"])
GETSET: Any = type(type.__dict__["__dict__"])
