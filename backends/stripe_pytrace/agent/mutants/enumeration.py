"""All small changes of a file's lines: those of expressions, and those of whole statements."""

from __future__ import annotations

import ast
import builtins
from collections.abc import Iterator
from typing import Any, NamedTuple

from . import caught_exceptions, missing_cases, off_by_one, omissions
from .deltas import AFTER, BEFORE, FUNCTIONS, JOIN, REPLACE, SWAP, TOGETHER, TURN, Parsed
from .expression_operators import Change, Names, operand_changes
from .format_operators import formats
from .indentation import inwards, outwards
from .logic_errors import expressions, statements
from .scope import Surroundings
from .sequence_operators import sequences

MISSING = 4
"""The size of what puts in something that is missing."""


MOST_BEHIND = 3
"""So many `return`s are put at the end of a case or loop."""

CHECKING = 5
"""The least size of a change of what finds a mistake: without it there is none to be seen."""


class Offer(NamedTuple):
    """One change: where, what, and in words.

    ``first``: where its statement begins; ``once``: the place is evaluated once, when its file is
    imported.
    """

    line: int
    end: int
    first: int
    number: int
    how: str
    text: str
    kind: str
    size: int
    function: str
    words: str
    once: bool


def offers(
    file: Parsed,
    lines: set[int],
    values: dict[tuple[str, str], Any],
    wanted: set[int] | None = None,
) -> Iterator[Offer]:
    """The changes at the given lines, which failing tests execute.

    ``values``: what variables held, by function; ``wanted``: some of the lines, of which each has
    changes of its own.
    """
    around = Surroundings(file, values, lines)
    seen: set[tuple[int, str, str]] = set()
    for number, node in enumerate(file.nodes):
        if node not in file.place or not isinstance(node, ast.expr | ast.stmt):
            continue
        statement: Any = file.statement(node)
        line = node.lineno
        at = line if line in lines else statement.lineno
        if at not in (lines if wanted is None else wanted):
            continue
        least = CHECKING if _checks(statement) else 1
        for how, change in _changes(file, node, around):
            key = number, how, change.text
            if key not in seen:
                seen.add(key)
                yield Offer(
                    change.line if change.line in lines else line,
                    max(node.end_lineno or line, change.line),
                    statement.lineno,
                    number,
                    how,
                    change.text,
                    change.kind,
                    max(change.size, least),
                    around.function(node),
                    _words(node, how, change),
                    file.unit(node) is None,
                )


def _checks(statement: Any) -> bool:
    """Whether it does nothing but to tell of a mistake elsewhere."""
    if isinstance(statement, ast.Raise) and statement.exc is not None:
        raised = statement.exc
        raised = raised.func if isinstance(raised, ast.Call) else raised
        return isinstance(raised, ast.Name) and raised.id == "AssertionError"
    return isinstance(statement, ast.Assert)


def _words(node: Any, how: str, change: Change) -> str:
    text = _short(change.text)
    if how in TOGETHER and change.kind != "indentation":
        together = "both" if how == JOIN else "these"
        return f"`{change.text.replace(chr(10), '; ')}` instead of {together}"
    if how == SWAP:
        return f"`{text}` before `{_short(ast.unparse(node))}`"
    if change.kind == "indentation":
        moved = change.text.splitlines()[-1].strip()
        head = _short(ast.unparse(node).split("\n", 1)[0])
        return f"`{moved}` {'at the end of' if how == JOIN else 'behind'} `{head}`"
    if how != REPLACE and how not in TOGETHER:
        return f"insert `{text}` {how} this"
    old = _short(ast.unparse(node))
    return f"leave out `{old}`" if change.text == "pass" else f"`{text}` instead of `{old}`"


def _short(text: str) -> str:
    first, *more = text.split("\n")
    return first + (f" {more[0].strip()}" + (" ..." if len(more) > 1 else "") if more else "")


def _changes(file: Parsed, node: Any, around: Surroundings) -> Iterator[tuple[str, Change]]:
    parent, field, _ = file.place[node]
    if isinstance(node, ast.stmt):
        yield from _statement(file, node, parent, field, around)
        return
    if field in ("annotation", "returns") or _untouchable(parent, field):
        return
    if isinstance(parent, ast.Expr) and isinstance(node, ast.Constant):
        return
    if isinstance(getattr(node, "ctx", None), ast.Store | ast.Del):
        return
    if _caught(file, node):
        for change in caught_exceptions.wider(node):
            yield REPLACE, change
        return
    if isinstance(parent, ast.Tuple) and _caught(file, parent):
        return
    old = ast.unparse(node)
    names = around.names(node)
    # What is offered twice is so under its first name: the particular before the general.
    for maker in (omissions.expressions, operand_changes, expressions, sequences):
        for change in maker(node, parent, field, names):
            if change.text != old:
                yield REPLACE, change
    for change in (*off_by_one.ends(node), *formats(node)):
        yield REPLACE, change
    if field == "test" and isinstance(parent, ast.If | ast.While | ast.IfExp):
        yield from _conditions(node, parent, old, around)


def _conditions(
    node: Any, parent: Any, old: str, around: Surroundings
) -> Iterator[tuple[str, Change]]:
    """Other conditions of the function, in its place or beside it."""
    atoms = around.atoms(node)
    held = isinstance(parent, ast.IfExp) or around.held(parent)
    for change in missing_cases.conditions(node, parent, held, around.names(node), atoms):
        if change.text != old:
            yield REPLACE, change
    for atom in (*atoms, *around.lengths(node)):
        if atom not in old:
            for text in (atom, f"not ({atom})"):
                if isinstance(node, ast.Constant):
                    yield REPLACE, Change("condition", 3, text)
                else:
                    for word in ("and", "or"):
                        yield REPLACE, Change("and/or", 3, f"({old}) {word} ({text})")


def _caught(file: Parsed, node: ast.AST) -> bool:
    """Whether an expression says what a handler catches."""
    parent, field, _ = file.place[node]
    return isinstance(parent, ast.ExceptHandler) and field == "type"


def _untouchable(parent: ast.AST, field: str) -> bool:
    """Texts of f-strings are no expressions; nor are patterns of match."""
    if isinstance(parent, ast.FormattedValue):
        return field != "value"
    return isinstance(parent, ast.JoinedStr | ast.pattern)


def _statement(
    file: Parsed, node: Any, parent: Any, field: str, around: Surroundings
) -> Iterator[tuple[str, Change]]:
    if isinstance(node, ast.Import | ast.ImportFrom | ast.ClassDef | ast.Global | ast.Nonlocal):
        return
    if isinstance(node, FUNCTIONS):
        return
    if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
        return
    old = ast.unparse(node)
    others = missing_cases.otherwise(node, around.loops(node), around.names(node))
    names = around.names(node)
    lost = omissions.statements(node, parent, field, names)
    for change in (*_otherwise(node, around), *statements(node), *others, *lost):
        if change.text != old:
            yield REPLACE, change
    if not isinstance(node, ast.Pass):
        yield REPLACE, Change("skip", 2, "pass")
    for change in outwards(node):
        yield REPLACE, change
    block = getattr(parent, field)
    place = next(index for index, each in enumerate(block) if each is node)
    if place + 1 < len(block) and isinstance(block[place + 1], ast.stmt):
        later = block[place + 1]
        if not isinstance(later, (ast.ClassDef, *FUNCTIONS)):
            yield SWAP, Change("order", 3, ast.unparse(later))
            for change in inwards(node, later):
                yield JOIN, change
            for change in off_by_one.twice(node, later):
                yield JOIN, change
            third = block[place + 2] if place + 2 < len(block) else None
            if all(isinstance(each, off_by_one.SIMPLE) for each in (node, later, third)):
                for change in off_by_one.moved(node, later, third):
                    yield TURN, change
    yield from _forgotten(node, parent, field, block, place, names)
    yield from _missing(file, node, around)


def _otherwise(node: Any, around: Surroundings) -> Iterator[Change]:
    """Another statement in the place of one."""
    if isinstance(node, ast.AugAssign):
        target, value = ast.unparse(node.target), ast.unparse(node.value)
        yield Change("operator", 1, f"{target} = {value}")
        for symbol in ("+", "-", "*", "//", "/", "|", "&"):
            yield Change("operator", 1, f"{target} {symbol}= {value}")
    elif isinstance(node, ast.Assign) and len(node.targets) == 1:
        target, value = ast.unparse(node.targets[0]), ast.unparse(node.value)
        if not isinstance(node.targets[0], ast.Tuple):
            for symbol in ("+", "-", "|"):
                yield Change("operator", 1, f"{target} {symbol}= {value}")
            names = around.names(node)
            for other in names.variables:
                if other != target:
                    size = 1 if names.alike(target, other) else 2
                    yield Change("variable", size, f"{other} = {value}")
            yield Change("value", 3, f"{target} = None")
    elif isinstance(node, ast.Break):
        yield Change("jump", 1, "continue")
        yield Change("jump", 2, "return")
    elif isinstance(node, ast.Continue):
        yield Change("jump", 1, "break")
    elif isinstance(node, ast.Return):
        for text in around.returns(node):
            yield Change("value", 3, text)
        if node.value is not None:
            yield Change("jump", 3, f"yield {ast.unparse(node.value)}")
    elif isinstance(node, ast.If):
        body = "\n".join(map(ast.unparse, node.body))
        yield Change("condition", 3, body)
        test = ast.unparse(node.test)
        if node.orelse:
            # Two cases, the other way round; and both, where there was one.
            rest = "\n".join(map(ast.unparse, node.orelse))
            yield Change("operands swapped", 2, _block(f"if {test}", node.orelse)
                         + _block("else", node.body))  # fmt: skip
            yield Change("order", 3, _block(f"if {test}", node.body) + rest)
        yield Change("condition", 3, _block(f"while {test}", node.body))
    elif isinstance(node, ast.While):
        yield Change("condition", 3, _block(f"if {ast.unparse(node.test)}", node.body))


def _block(head: str, body: list[Any]) -> str:
    inner = "\n".join(map(ast.unparse, body)).replace("\n", "\n    ")
    return f"{head}:\n    {inner}\n"


def _forgotten(
    node: Any, parent: Any, field: str, block: list[Any], place: int, names: Names
) -> Iterator[tuple[str, Change]]:
    """Statements that are not there, and belong to what is."""
    for change in omissions.before(node, names):
        yield BEFORE, change
    jump = isinstance(node, ast.Return | ast.Raise | ast.Break | ast.Continue)
    if place + 1 == len(block) and field == "body":
        for change in omissions.taken(parent, field):
            yield BEFORE if jump else AFTER, change
    for change in omissions.behind(node):
        yield AFTER, change


def _missing(file: Parsed, node: Any, around: Surroundings) -> Iterator[tuple[str, Change]]:
    """Guards, returns and assignments that are not there."""
    loop = bool(around.loops(node))
    old = ast.unparse(node)
    last = _last(file, node)
    for text in around.copies(node):
        if text != old and not isinstance(node, ast.Pass):
            yield BEFORE, Change("insert copy", MISSING, text)
            if last:
                yield AFTER, Change("insert copy", MISSING, text)
    if isinstance(node, ast.Pass):
        # Beside other statements it does nothing; alone it may be there as there has to be one.
        filling = MISSING - 1 if _alone(file, node) else MISSING - 2
        for text in (*around.copies(node), *around.fillings(node)):
            yield REPLACE, Change("insert statement", filling, text)
    raised = [each for each in around.copies(node) if each.startswith("raise ")]
    jumps = ["continue", "break"] if loop else []
    for text in around.returns(node):
        yield BEFORE, Change("insert return", MISSING, text)
    if last and not isinstance(file.place[node][0], FUNCTIONS):
        for text in around.returns(node)[:MOST_BEHIND]:
            yield AFTER, Change("insert return", MISSING, text)
    for jump in jumps:
        yield BEFORE, Change("insert jump", MISSING, jump)
        if last:
            yield AFTER, Change("insert jump", MISSING, jump)
    atoms = around.atoms(node)
    for atom in atoms:
        for test in (atom, f"not ({atom})"):
            for jump in jumps:
                yield BEFORE, Change("insert guard", MISSING + 1, f"if {test}:\n    {jump}")
            for text in around.returns(node)[:8]:
                yield BEFORE, Change("insert guard", MISSING + 1, f"if {test}:\n    {text}")
            for text in raised:
                yield BEFORE, Change("insert guard", MISSING + 1, f"if {test}:\n    {text}")
            if not isinstance(node, ast.Return):
                inner = ast.unparse(node).replace("\n", "\n    ")
                yield REPLACE, Change("insert condition", MISSING, f"if {test}:\n    {inner}")
    variables = [each for each in around.names(node).variables if not hasattr(builtins, each)]
    for name in variables[:6]:
        for step in ("+= 1", "-= 1", "= 0", "= []"):
            yield BEFORE, Change("insert assignment", MISSING + 1, f"{name} {step}")
            if last:
                yield AFTER, Change("insert assignment", MISSING + 1, f"{name} {step}")


def _alone(file: Parsed, node: ast.AST) -> bool:
    """Whether a block has no other statement."""
    parent, field, _ = file.place[node]
    return len(getattr(parent, field)) == 1


def _last(file: Parsed, node: ast.AST) -> bool:
    """Whether nothing follows it in its block: what is put before the next one is behind it."""
    parent, field, _ = file.place[node]
    block: list[ast.AST] = getattr(parent, field)
    return block[-1] is node and not isinstance(node, ast.Return | ast.Raise | ast.Break
                                                | ast.Continue)  # fmt: skip
