"""Mutation operators for a missing case, or a condition that is wrong as a whole.

A condition that did not hold once in the failing tests may have to hold for a value that a variable
had in them, as another condition of the function does, or for how two variables are related.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence
from itertools import permutations
from typing import Any

from ..compiling import trees
from .deltas import FUNCTIONS
from .expression_operators import Change, Names

MOST_COMPARED = 8
"""Variables whose values a condition is compared with."""

MOST_RELATED = 4
MOST_LIKE = 4
MOST_TYPES = 6
MOST_CALLS = 4
LONG_SIGN = 2
TYPES = ("str", "int", "float", "bool", "list", "dict", "tuple", "set")
_EMPTY = ("''", "[]", "{}", "set()", "()", "b''")


def conditions(node: Any, statement: Any, held: bool, names: Names, atoms: Sequence[str]
               ) -> Iterator[Change]:  # fmt: skip
    """Other conditions in the place of one, which ``statement`` asks; ``atoms``: of the function.

    ``held``: it did at least once in the tests that fail.
    """
    old = ast.unparse(node)
    constant = isinstance(node, ast.Constant)
    for part, text in _like(node, atoms):
        whole = text
        if part is not node:
            both = [ast.parse(text, mode="eval").body if each is part else each
                    for each in node.values]  # fmt: skip
            whole = ast.unparse(ast.BoolOp(node.op, both))
        yield Change("condition", 2, whole)
    if held and not constant:
        return
    if constant:
        found = (
            *_compared(statement),
            *_truths(statement, names),
            *_related(statement, names),
            *_equal(names.variables, statement, names),
            *_kinds(statement, names),
        )
        for text in dict.fromkeys(_others(statement, names, atoms)):
            yield Change("condition", 2, text)
        for text in dict.fromkeys(found):
            yield Change("condition", 2, text)
        return
    own = _used(node)
    for text in _equal([each for each in names.variables if each in own], statement, names):
        if text not in old:
            yield Change("condition", 4, f"{old} or {text}")


def _others(statement: Any, names: Names, atoms: Sequence[str]) -> Iterator[str]:
    """What other conditions of the function ask, about another word or type."""
    asked: dict[str, dict[str, None]] = {}
    kinds: dict[str, dict[str, None]] = {}
    for atom in atoms:
        tree = ast.parse(atom, mode="eval").body
        if isinstance(tree, ast.Compare) and isinstance(tree.ops[0], ast.Eq | ast.Is):
            held, value = ast.unparse(tree.left), tree.comparators[0]
            if isinstance(value, ast.Constant) and type(value.value) is str:
                asked.setdefault(held, {})[repr(value.value)] = None
            elif isinstance(value, ast.Name) and value.id in TYPES:
                kinds.setdefault(held, {})[value.id] = None
        elif isinstance(tree, ast.Call) and ast.unparse(tree.func) == "isinstance":
            kind = ast.unparse(tree.args[-1])
            if kind in TYPES:
                yield from (
                    f"isinstance({ast.unparse(tree.args[0])}, {each})"
                    for each in TYPES
                    if each != kind
                )
    for held, known in kinds.items():
        yield from (f"{held} == {each}" for each in TYPES if each not in known)
    for held, known in asked.items():
        yield from (f"{held} == {each}" for each in names.words if each not in known)


def _equal(variables: Sequence[str], statement: Any, names: Names) -> Iterator[str]:
    """A variable is what it was seen to be, or holds a sign of the function."""
    used = _used(statement)
    # Those that the statement uses are asked about first.
    ordered = sorted(variables, key=lambda name: name not in used)
    for name in [each for each in ordered if names.values.get(each) and each != "_"][
        :MOST_COMPARED
    ]:
        for value in names.values[name]:
            if value not in _EMPTY:
                yield f"{name} is None" if value == "None" else f"{name} == {value}"
        if names.textual(name):
            for sign in names.texts:
                if len(ast.literal_eval(sign)) <= LONG_SIGN:
                    yield f"{sign} in {name}"


def _compared(statement: Any) -> Iterator[str]:
    """What is assigned in this case is larger or smaller than what was there, or there was none."""
    body = statement.body if isinstance(statement.body, list) else []
    for each in body[:2]:
        if isinstance(each, ast.Assign) and len(each.targets) == 1:
            target, value = ast.unparse(each.targets[0]), ast.unparse(each.value)
            if not isinstance(each.value, ast.Constant) and not isinstance(each.value, ast.Tuple):
                yield f"{value} > {target}"
                yield f"{value} < {target}"
            yield f"{target} is None"
            yield f"not {target}"


def _truths(statement: Any, names: Names) -> Iterator[str]:
    """Variables and attributes that hold something, or nothing."""
    variables = _first_used(statement, names)
    for name in variables[:MOST_RELATED]:
        yield name
        yield f"not {name}"
    parts: dict[str, None] = {}
    for each in trees.walk(statement):
        if isinstance(each, ast.Attribute | ast.Subscript) and isinstance(each.ctx, ast.Load):
            parts[ast.unparse(each)] = None
    called = {
        ast.unparse(each.func) for each in trees.walk(statement) if isinstance(each, ast.Call)
    }
    for part in [each for each in parts if each not in called][:MOST_RELATED]:
        yield from (part, f"not {part}", f"{part} > 0")
    for attribute in names.attributes.get("self", ())[:MOST_RELATED]:
        yield f"self.{attribute}"
        yield f"not self.{attribute}"


def _kinds(statement: Any, names: Names) -> Iterator[str]:
    """Variables of a type that the file asks about, and texts of digits, letters or space."""
    for name in _first_used(statement, names)[:MOST_RELATED]:
        if names.textual(name):
            yield from (f"{name}.{kind}()" for kind in ("isdigit", "isalpha", "isspace"))
        yield from (f"isinstance({name}, {kind})" for kind in names.types)


def _first_used(statement: Any, names: Names) -> list[str]:
    """The variables of the function, first those that the statement uses."""
    used = _used(statement)
    return sorted((each for each in names.variables if each != "_"), key=lambda x: x not in used)


def _related(statement: Any, names: Names) -> Iterator[str]:
    """Two variables, of which one is larger, the other one, or in it."""
    variables = _first_used(statement, names)
    for one, other in permutations(variables[:MOST_RELATED], 2):
        kinds = names.kinds(one), names.kinds(other)
        if kinds[0] & kinds[1] and kinds[0] != {"other"}:
            yield f"{one} > {other}"
            if variables.index(one) < variables.index(other):
                yield f"{one} == {other}"
        if "other" in kinds[1]:
            yield f"{one} in {other}"
            yield f"{one} not in {other}"


def _used(statement: Any) -> set[str]:
    """The names in it, but for those of functions that it calls."""
    called = {id(each.func) for each in trees.walk(statement) if isinstance(each, ast.Call)}
    return {
        each.id
        for each in trees.walk(statement)
        if isinstance(each, ast.Name) and id(each) not in called
    }


def _like(node: Any, atoms: Sequence[str]) -> Iterator[tuple[Any, str]]:
    """Other conditions of the function, about the variable that a part of this one is about."""
    for part in node.values if isinstance(node, ast.BoolOp) else [node]:
        own = _used(part)
        found = 0
        for atom in atoms:
            tree = ast.parse(atom, mode="eval").body
            theirs = _used(tree)
            mine, others = own - theirs, theirs - own
            if len(mine) == len(others) == 1 and own & theirs and found < MOST_LIKE:
                found += 1
                (name,), (other,) = mine, others
                for each in trees.walk(tree):
                    if isinstance(each, ast.Name) and each.id == other:
                        each.id = name
                yield part, ast.unparse(tree)


def lengths(scope: Any) -> Iterator[str]:
    """Whether what `zip` goes through is as long; whether an index is one."""
    for each in trees.walk(scope):
        if (
            isinstance(each, ast.Call)
            and isinstance(each.func, ast.Name)
            and each.func.id == "zip"
            and len(each.args) == 2
            and all(isinstance(one, ast.Name | ast.Attribute) for one in each.args)
        ):
            one, other = map(ast.unparse, each.args)
            yield f"len({one}) != len({other})"
    for each in trees.walk(scope):
        if (
            isinstance(each, ast.Subscript)
            and isinstance(each.slice, ast.Name)
            and isinstance(each.ctx, ast.Load)
            and isinstance(each.value, ast.Name)
        ):
            yield f"{each.slice.id} < len({each.value.id})"


def types(tree: ast.AST) -> list[str]:
    """What a file asks about by ``isinstance``, what it does most often first."""
    counts: dict[str, int] = {}
    for each in trees.walk(tree):
        if (
            isinstance(each, ast.Call)
            and isinstance(each.func, ast.Name)
            and each.func.id == "isinstance"
            and len(each.args) == 2
            and isinstance(each.args[1], ast.Name | ast.Attribute)
        ):
            kind = ast.unparse(each.args[1])
            counts[kind] = counts.get(kind, 0) + 1
    return sorted(counts, key=lambda kind: -counts[kind])[:MOST_TYPES]


def raised(scope: Any) -> list[str]:
    """How a function raises: a case that is missing may be an error."""
    found: dict[str, None] = {}
    for each in trees.walk(scope) if isinstance(scope, FUNCTIONS) else ():
        if isinstance(each, ast.Raise) and each.exc is not None and each.cause is None:
            text = ast.unparse(each)
            if len(text) < 120:
                found[text] = None
    return list(found)[:2]


def called_elsewhere(scope: Any, owner: Any, variables: Sequence[str]) -> list[str]:
    """Calls that other methods of the class make, with names that this one has, too."""
    if not isinstance(owner, ast.ClassDef) or not isinstance(scope, FUNCTIONS):
        return []
    known = {*variables, *(each.arg for each in scope.args.args[:1])}
    found: dict[str, None] = {}
    for method in owner.body:
        for each in trees.walk(method) if method is not scope else ():
            if (
                isinstance(each, ast.Expr)
                and isinstance(each.value, ast.Call)
                and isinstance(each.value.func, ast.Attribute)
                and {one.id for one in trees.walk(each) if isinstance(one, ast.Name)} <= known
            ):
                found[ast.unparse(each)] = None
    return list(found)[:MOST_CALLS]


def kept(scope: Any) -> list[str]:
    """Arguments that a method does not keep, though it keeps others: `self.a = a`."""
    if not isinstance(scope, FUNCTIONS) or not scope.args.args:
        return []
    arguments = [each.arg for each in (*scope.args.args, *scope.args.kwonlyargs)]
    instance, *arguments = arguments
    keeps = 0
    used: set[str] = set()
    for each in trees.walk(scope):
        if isinstance(each, ast.Name) and isinstance(each.ctx, ast.Load):
            used.add(each.id)
        if isinstance(each, ast.Assign) and isinstance(each.value, ast.Name):
            keeps += ast.unparse(each.targets[0]) == f"{instance}.{each.value.id}"
    return [f"{instance}.{name} = {name}" for name in arguments if keeps and name not in used]


def otherwise(node: Any, loops: Sequence[Any], names: Names) -> Iterator[Change]:
    """A statement whose case is missing, or that is one of a case that is missing.

    ``loops``: those around it, the innermost first.
    """
    if isinstance(node, ast.Return):
        if loops and isinstance(node.value, ast.Name | ast.Call | ast.Compare):
            value = ast.unparse(node.value)
            # The first of a loop does not decide.
            for test in (value, f"not ({value})"):
                yield Change("early return", 3, f"if {test}:\n    return {value}")
    elif isinstance(node, ast.Assign) and len(node.targets) == 1:
        target, value = ast.unparse(node.targets[0]), ast.unparse(node.value)
        if isinstance(node.targets[0], ast.Name):
            if not isinstance(node.value, ast.Name | ast.Constant):
                for other in names.variables:
                    if other != target and names.alike(target, other):
                        yield Change("assignment", 2, f"{target} = {other}")
            for held in sorted(_used(node.value)):
                if held != target and any(
                    each in _EMPTY for each in names.values.get(held, ())
                ) and not isinstance(node.value, ast.Name):  # fmt: skip
                    empty = "''" if names.textual(target) else "None"
                    yield Change("empty case", 3, f"{target} = {value} if {held} else {empty}")
    elif isinstance(node, ast.Expr) and isinstance(node.value, ast.Call):
        yield from _lost(node.value, loops)
        yield from _once(node.value)
    elif isinstance(node, ast.AugAssign) and isinstance(node.op, ast.Add):
        target, value = ast.unparse(node.target), ast.unparse(node.value)
        if isinstance(node.value, ast.Call | ast.Name | ast.ListComp):
            fresh = f"[each for each in {value} if each not in {target}]"
            yield Change("nothing twice", 3, f"{target} += {fresh}")


def _lost(call: ast.Call, loops: Sequence[Any]) -> Iterator[Change]:
    """A result of something that a loop gets from `items` or `enumerate` is put back there."""
    if not isinstance(call.func, ast.Attribute) or not isinstance(call.func.value, ast.Name):
        return
    for loop in loops:
        target, source = getattr(loop, "target", None), getattr(loop, "iter", None)
        if not (
            isinstance(target, ast.Tuple)
            and isinstance(source, ast.Call)
            and len(target.elts) == 2
            and ast.unparse(target.elts[1]) == call.func.value.id
        ):
            continue
        key = ast.unparse(target.elts[0])
        held = None
        if isinstance(source.func, ast.Attribute) and source.func.attr == "items":
            held = ast.unparse(source.func.value)
        elif ast.unparse(source.func) == "enumerate" and len(source.args) == 1:
            held = ast.unparse(source.args[0])
        if held is not None:
            yield Change("lost result", 2, f"{held}[{key}] = {ast.unparse(call)}")


def _once(call: ast.Call) -> Iterator[Change]:
    """Nothing twice; all that is known is taken away, and not one of it."""
    if not isinstance(call.func, ast.Attribute):
        return
    held, name = ast.unparse(call.func.value), call.func.attr
    if name == "append" and len(call.args) == 1:
        value = ast.unparse(call.args[0])
        yield Change("nothing twice", 3, f"if {value} not in {held}:\n    {ast.unparse(call)}")
    elif name == "extend" and len(call.args) == 1:
        fresh = f"[each for each in {ast.unparse(call.args[0])} if each not in {held}]"
        yield Change("nothing twice", 3, f"{held}.extend({fresh})")
    elif name in ("pop", "discard", "remove") and call.args:
        yield Change("method", 2, f"{held}.clear()")
