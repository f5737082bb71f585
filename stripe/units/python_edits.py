"""What can be done to a Python program to make it simpler: transformations of its syntax tree.

The replacements are those of the Debugging Book's chapter and of its exercises, and a few of the
same kind.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

type Replacement = list[ast.AST]
"""What takes the place of a node: nothing, one node, or several statements."""


@dataclass(frozen=True, slots=True)
class Place:
    """Where a node stands."""

    parent: ast.AST
    field: str
    droppable: bool
    """Whether the program may do without a node here: in a list, or where one is optional."""


@dataclass(frozen=True, slots=True)
class Transformation:
    """One way to simplify nodes."""

    name: str
    apply: Callable[[Any, Place], Replacement | None]
    """Returns what takes the place of a node; None where it does not apply. It must not change
    the node. What is not lighter than the node (see `weight`) is not tried."""
    companions: Callable[[ast.Module], Mapping[ast.AST, Sequence[ast.AST]]] | None = None
    """Returns the only nodes of a program that it is for, each with those that go along with it."""


@dataclass(frozen=True, slots=True)
class Site:
    """A node that a transformation applies to."""

    node: ast.AST
    replacement: Replacement
    parent: int | None
    """The site around it, by its number."""
    companions: Sequence[ast.AST] = ()
    """What is deleted with it."""

    def edits(self) -> dict[ast.AST, Replacement]:
        """Return what has to be done to apply the transformation here."""
        return {self.node: self.replacement} | {each: [] for each in self.companions}


OPTIONAL = frozenset(
    {
        ("AnnAssign", "value"),
        ("AsyncFunctionDef", "returns"),
        ("Assert", "msg"),
        ("ExceptHandler", "type"),
        ("FormattedValue", "format_spec"),
        ("FunctionDef", "returns"),
        ("MatchAs", "pattern"),
        ("Raise", "cause"),
        ("Raise", "exc"),
        ("Return", "value"),
        ("Slice", "lower"),
        ("Slice", "step"),
        ("Slice", "upper"),
        ("Yield", "value"),
        ("arg", "annotation"),
        ("arguments", "kwarg"),
        ("arguments", "vararg"),
        ("match_case", "guard"),
        ("withitem", "optional_vars"),
    }
)
"""(Type of node, field) that may be empty."""

FIXED = frozenset({"defaults", "keys", "kw_defaults", "ops"})
"""Lists whose elements go together with those of another list."""

BLOCKS = frozenset({"body", "finalbody", "orelse"})


def weight(node: ast.AST) -> int:
    """Return how much there is of a program; every transformation makes it less.

    A name weighs more than a constant, and 0, '', None, True and False weigh least.
    """
    total = 0
    for one in ast.walk(node):
        match one:
            case ast.Constant(value=None | True | False | 0 | "" | b""):
                total += 1
            case ast.Constant() | ast.Pass():
                total += 2 if isinstance(one, ast.Constant) else 1
            case ast.Name():
                total += 3
            case ast.expr_context() | ast.operator() | ast.boolop() | ast.cmpop() | ast.unaryop():
                pass
            case ast.Module() | ast.arguments():
                pass
            case _:
                total += 2
    return total


def sites(tree: ast.Module, transformation: Transformation) -> list[Site]:
    """Return the nodes of a program that a transformation applies to, parents first."""
    found: list[Site] = []
    companions = None if transformation.companions is None else transformation.companions(tree)
    _collect(tree, transformation, companions, None, found)
    return found


def _collect(
    node: ast.AST,
    transformation: Transformation,
    companions: Mapping[ast.AST, Sequence[ast.AST]] | None,
    around: int | None,
    found: list[Site],
) -> None:
    for child, place in _children(node):
        inside = around
        meant = companions is None or child in companions
        replacement = transformation.apply(child, place) if meant else None
        if replacement is not None and sum(map(weight, replacement)) < weight(child):
            inside = len(found)
            along = () if companions is None else companions[child]
            found.append(Site(child, replacement, around, along))
        _collect(child, transformation, companions, inside, found)


def _children(node: ast.AST) -> Iterator[tuple[ast.AST, Place]]:
    kind = type(node).__name__
    for field, value in ast.iter_fields(node):
        if isinstance(value, list):
            # What compares stays as long as the whole comparison does.
            droppable = field not in FIXED and not isinstance(node, ast.Compare)
            if _needs_body(node, field) and len(value) == 1 and isinstance(value[0], ast.Pass):
                droppable = False  # it would only come back
            for element in value:
                if isinstance(element, ast.AST):
                    yield element, Place(node, field, droppable)
        elif isinstance(value, ast.AST):
            yield value, Place(node, field, (kind, field) in OPTIONAL)


def edited(tree: ast.Module, edits: Mapping[ast.AST, Replacement]) -> ast.Module:
    """Return a copy of the program with some nodes replaced; of a replaced one, nothing is left.

    A block that becomes empty gets a `pass`; items of dicts go with their keys, parameters with
    their defaults.
    """
    (copy,) = replaced(tree, edits)
    assert isinstance(copy, ast.Module)
    return copy


def replaced(node: ast.AST, edits: Mapping[ast.AST, Replacement]) -> Replacement:
    """Return what takes the place of a node, and is new all the way down."""
    if node in edits:
        return list(edits[node])
    fields: dict[str, Any] = {}
    for field, value in ast.iter_fields(node):
        if isinstance(value, list):
            fields[field] = [
                new
                for element in value
                for new in (replaced(element, edits) if isinstance(element, ast.AST) else [element])
            ]
            if value and not fields[field] and field in BLOCKS and _needs_body(node, field):
                fields[field] = [ast.Pass()]
        elif isinstance(value, ast.AST):
            fields[field] = next(iter(replaced(value, edits)), None)
        else:
            fields[field] = value
    if isinstance(node, ast.Dict):
        fields["keys"] = [
            new
            for name, value in zip(node.keys, node.values, strict=True)
            if edits.get(value) != []
            for new in ([None] if name is None else replaced(name, edits))
        ]
    if isinstance(node, ast.arguments):
        fields |= _with_defaults(node, edits)
    return [ast.copy_location(type(node)(**fields), node)]  # unparse asks for line numbers


def _needs_body(node: ast.AST, field: str) -> bool:
    return field == "body" and not isinstance(node, ast.Module)


def _with_defaults(node: ast.arguments, edits: Mapping[ast.AST, Replacement]) -> dict[str, Any]:
    """Return the defaults of the parameters that are left."""
    positional = node.posonlyargs + node.args
    without = len(positional) - len(node.defaults)
    return {
        "defaults": [
            new
            for parameter, default in zip(positional[without:], node.defaults, strict=True)
            if edits.get(parameter) != []
            for new in replaced(default, edits)
        ],
        "kw_defaults": [
            None if default is None else next(iter(replaced(default, edits)), None)
            for parameter, default in zip(node.kwonlyargs, node.kw_defaults, strict=True)
            if edits.get(parameter) != []
        ],
    }


# --- the transformations ------------------------------------------------------------------------


def _is_value(node: ast.AST, place: Place) -> bool:
    """Whether any other expression may stand here."""
    return (
        isinstance(node, ast.expr)
        and isinstance(getattr(node, "ctx", ast.Load()), ast.Load)
        and not isinstance(node, ast.FormattedValue | ast.Starred | ast.Slice)
        and not isinstance(place.parent, ast.JoinedStr | ast.MatchValue | ast.AnnAssign)
        and place.field not in ("format_spec", "annotation", "returns")
    )


def _delete(node: ast.AST, place: Place) -> Replacement | None:
    return [] if place.droppable else None


def _parameter(node: ast.AST, place: Place) -> Replacement | None:
    return [] if isinstance(node, ast.arg) else None


def _with_arguments(tree: ast.Module) -> dict[ast.AST, list[ast.AST]]:
    """Return the parameters of functions, each with what calls pass for it.

    What is called is known by its name alone, so functions of the same name, as methods that
    override each other, lose a parameter of the same name together.
    """
    calls: dict[str, list[ast.Call]] = {}
    functions: list[tuple[str, bool, ast.FunctionDef | ast.AsyncFunctionDef]] = []
    for node in ast.walk(tree):
        match node:
            case ast.Call(func=ast.Name(id=name) | ast.Attribute(attr=name)):
                calls.setdefault(name, []).append(node)
            case ast.ClassDef(name=owner, body=body):
                for method in body:
                    if isinstance(method, ast.FunctionDef | ast.AsyncFunctionDef):
                        name = owner if method.name == "__init__" else method.name
                        functions.append((name, not _is_static(method), method))
            case ast.FunctionDef() | ast.AsyncFunctionDef():
                functions.append((node.name, False, node))
    first: dict[tuple[str, str], ast.AST] = {}
    found: dict[ast.AST, list[ast.AST]] = {}
    seen: set[ast.AST] = set()
    for name, bound, function in functions:
        if function in seen:
            continue  # a method, which the walk comes to once more
        seen.add(function)
        positional = (function.args.posonlyargs + function.args.args)[bound:]
        for index, parameter in enumerate(positional + function.args.kwonlyargs):
            lead = first.setdefault((name, parameter.arg), parameter)
            along = found.setdefault(lead, [])
            if lead is not parameter:
                along.append(parameter)
            for call in calls.get(name, []):
                along += _passed(call, parameter.arg, index if index < len(positional) else -1)
    return found


def _is_static(method: ast.FunctionDef | ast.AsyncFunctionDef) -> bool:
    return any(isinstance(each, ast.Name) and each.id == "staticmethod"
               for each in method.decorator_list)  # fmt: skip


def _passed(call: ast.Call, parameter: str, index: int) -> Iterator[ast.AST]:
    """Yield what a call passes for a parameter, by its position (-1: none) or its name."""
    passed = call.args[: index + 1]
    if 0 <= index < len(call.args) and not any(isinstance(each, ast.Starred) for each in passed):
        yield passed[-1]
    yield from (each for each in call.keywords if each.arg == parameter)


def _pass(node: ast.AST, place: Place) -> Replacement | None:
    # Elsewhere a deleted statement leaves a pass if it has to.
    is_assignment = isinstance(node, ast.Assign | ast.AugAssign | ast.AnnAssign)
    return [ast.Pass()] if is_assignment or place.field == "finalbody" else None


def _block(field: str) -> Callable[[Any, Place], Replacement | None]:
    """Replace a compound statement by one of its blocks."""

    def apply(node: Any, place: Place) -> Replacement | None:
        if not isinstance(node, ast.stmt):
            return None
        block = getattr(node, field, None)
        return list(block) if isinstance(block, list) and block else None

    return apply


def _handler(node: Any, place: Place) -> Replacement | None:
    is_try = isinstance(node, ast.Try | ast.TryStar) and len(node.handlers) > 0
    return list(node.handlers[0].body) if is_try else None


def _truth(value: bool) -> Callable[[Any, Place], Replacement | None]:
    def apply(node: Any, place: Place) -> Replacement | None:
        negated = isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not)
        is_truth = isinstance(node, ast.Compare | ast.BoolOp) or negated
        return [ast.Constant(value)] if is_truth and _is_value(node, place) else None

    return apply


def _operand(index: int) -> Callable[[Any, Place], Replacement | None]:
    """Replace an expression by the expression in it of that number."""

    def apply(node: Any, place: Place) -> Replacement | None:
        if not _is_value(node, place) or isinstance(node, ast.Lambda):
            return None
        parts = list(_operands(node))
        return [parts[index]] if -len(parts) <= index < len(parts) else None

    return apply


def _operands(node: ast.AST) -> Iterator[ast.AST]:
    for part in ast.iter_child_nodes(node):
        if isinstance(part, ast.keyword | ast.Starred | ast.FormattedValue | ast.comprehension):
            yield from _operands(part)
        elif isinstance(part, ast.expr) and not isinstance(part, ast.Slice):
            yield part


def _constant(value: str | int | None) -> Callable[[Any, Place], Replacement | None]:
    def apply(node: Any, place: Place) -> Replacement | None:
        if isinstance(node, ast.Constant) and type(node.value) is not type(value):
            return None
        return [ast.Constant(value)] if _is_value(node, place) else None

    return apply


DELETIONS: tuple[Transformation, ...] = (
    Transformation("deletion", _delete),
    Transformation("deletion of a parameter and its arguments", _parameter, _with_arguments),
)

TRANSFORMATIONS: tuple[Transformation, ...] = (
    *DELETIONS,
    Transformation("statement by its body", _block("body")),
    Transformation("statement by its else-body", _block("orelse")),
    Transformation("try by its handler", _handler),
    Transformation("try by its finally-body", _block("finalbody")),
    Transformation("comparison or Boolean operation by False", _truth(False)),
    Transformation("comparison or Boolean operation by True", _truth(True)),
    Transformation("expression by its first operand", _operand(0)),
    Transformation("expression by its second operand", _operand(1)),
    Transformation("expression by its last operand", _operand(-1)),
    Transformation("expression or variable by None", _constant(None)),
    Transformation("expression or variable by 0", _constant(0)),
    Transformation("expression or variable by ''", _constant("")),
    Transformation("assignment, or the last of a finally-body, by pass", _pass),
)
"""In the order in which they are tried. All but the deletions replace something."""
