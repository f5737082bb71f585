"""What changes of one place amount to when it is executed: two that amount to the same are one.

A *site* is a statement, or an expression that is as large as it can be and still plain
(``readings.py``).  A *view* tells what comes of one execution of it with a change: the value of the
expression, or what the statement does (assign, return, jump, which branch is taken).
"""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, NamedTuple

from . import trees
from .deltas import AFTER, BEFORE, FUNCTIONS, REPLACE, Parsed
from .operations import Key, Unknown, key, truth
from .readings import KNOWN, LOST, MISSING, Around, Plain, Reading

MOST_FAILURES = 200
OPAQUE = {"locals", "vars", "eval", "exec", "dir", "_getframe", "currentframe", "stack", "f_locals"}
"""What a function that reads its own variables by names uses."""

_TESTED = (ast.If, ast.While, ast.IfExp, ast.Assert)

_STRANGE = (ast.ClassDef, ast.Global, ast.NamedExpr, ast.AsyncFunctionDef)
_INLINED = (ast.ListComp, ast.SetComp, ast.DictComp)
_COMPREHENSIONS = (*_INLINED, ast.GeneratorExp)
_SCOPES = (*FUNCTIONS, ast.Lambda, *_COMPREHENSIONS)

Held = Mapping[str, Any]


class Site(NamedTuple):
    """Where changes are told apart: the number of a node; ``tested``: only its truth matters."""

    number: int
    tested: bool


class View:
    """What comes of one execution of a site with a change; ``names``: what is read for it.

    This one cannot tell.
    """

    names: frozenset[str] = frozenset()

    def key(self, held: Held) -> Key:
        """It; raises :class:`~.operations.Unknown`."""
        raise Unknown


class Value(View):
    """The value of an expression, or whether it is true."""

    def __init__(self, reading: Reading, tested: bool) -> None:
        self.reading = reading
        self.tested = tested
        self.names = reading.names

    def key(self, held: Held) -> Key:
        return evaluated(self.reading, held, self.tested)


def evaluated(reading: Reading, held: Held, tested: bool = False) -> Key:
    """What an expression comes to; or how it fails."""
    known: dict[Any, Key | None] = held[KNOWN]
    which = reading, tested
    if which not in known:
        known[which] = _evaluated(reading, held, tested)
    found = known[which]
    if found is None:
        raise Unknown
    return found


def _evaluated(reading: Reading, held: Held, tested: bool) -> Key | None:
    """The same; ``None`` if it cannot be told."""
    if LOST in held:
        return None
    try:
        value = reading.value(held)
        return ("truth", bool(truth(value))) if tested else key(value)
    except (Unknown, RecursionError, MemoryError):
        return None
    except NameError as error:
        missing = held[MISSING].get(error.name)
        return missing and ("raises", missing, error.name)
    except Exception as error:
        return "raises", type(error).__name__, str(error)[:MOST_FAILURES]


class Statements:
    """Statements that are executed in the place of one, read; ``old`` is that one."""

    def __init__(self, plain: Plain, block: list[ast.stmt], old: ast.stmt) -> None:
        self._old = old
        self._targets: set[str] = set()
        self._steps = list(self._read(plain, block, True))

    def view(self) -> Acts:
        """What they do."""
        return Acts(self._steps, frozenset(self._targets))

    def _read(self, plain: Plain, block: list[ast.stmt], last: bool) -> Iterator[tuple[Any, ...]]:
        """``last``: nothing comes after it, so that what it does may be told as a whole."""
        for each in block:
            step = self._step(plain, each, last and each is block[-1])
            if step is None:
                raise ValueError("not plain")
            yield step

    def _step(self, plain: Plain, node: ast.stmt, last: bool) -> tuple[Any, ...] | None:
        value: Reading | None
        if isinstance(node, ast.Pass):
            return ("pass",)
        if isinstance(node, ast.Continue | ast.Break):
            return ("end", type(node).__name__)
        if isinstance(node, ast.Return):
            value = plain.reading(node.value or ast.Constant(None))
            if value is not None:
                return "return", value
        if isinstance(node, ast.Assign) and len(node.targets) == 1:
            target = node.targets[0]
            if isinstance(target, ast.Name) and (value := plain.reading(node.value)) is not None:
                self._targets.add(target.id)
                return "set", target.id, value
        if isinstance(node, ast.AugAssign) and isinstance(node.target, ast.Name):
            whole = ast.BinOp(ast.Name(node.target.id, ast.Load()), node.op, node.value)
            if (value := plain.reading(whole)) is not None:
                self._targets.add(node.target.id)
                return "add", node.target.id, value
        if isinstance(node, ast.If) and (value := plain.reading(node.test)) is not None:
            return self._case(plain, node, value, last)
        if last and _same([node], [self._old]):
            return "end", "as it is"
        return None

    def _case(
        self, plain: Plain, node: ast.If, test: Reading, last: bool
    ) -> tuple[Any, ...] | None:
        """A case of the statement itself is told by which of its blocks is executed."""
        old = self._old
        branches: list[list[tuple[Any, ...]]] = []
        for block in (node.body, node.orelse):
            if last and isinstance(old, ast.If) and _same(block, old.body):
                branches.append([("end", "body")])
            elif last and isinstance(old, ast.If) and block and _same(block, old.orelse):
                branches.append([("end", "orelse")])
            else:
                try:
                    branches.append(list(self._read(plain, block, last)))
                except ValueError:
                    return None
        return "if", test, *branches


class Acts(View):
    """What statements do, in steps; ``targets``: what they may assign to."""

    def __init__(self, steps: list[Any], targets: frozenset[str]) -> None:
        self.steps = steps
        self.targets = targets
        self.names = targets.union(*(each.names for each in readings(steps)))

    def key(self, held: Held) -> Key:
        if not self.targets:
            return (), self._act(self.steps, held)
        after = {**held, KNOWN: {}}
        end = self._act(self.steps, after)
        assigned = [
            (name, key(after[name]))
            for name in sorted(self.targets)
            if name in after and (name not in held or key(after[name]) != key(held[name]))
        ]
        return tuple(assigned), end

    def _act(self, steps: list[Any], held: Any) -> Key | None:
        for step in steps:
            what = step[0]
            if what == "set" or what == "add":
                _, name, value = step
                found = evaluated(value, held)
                if found[0] == "raises":
                    if what == "add":
                        raise Unknown  # other words
                    return found
                held[name] = value.value(held)
                held[KNOWN] = {}
            elif what == "return":
                found = evaluated(step[1], held)
                return found if found[0] == "raises" else ("return", found)
            elif what == "end":
                return tuple(step)
            elif what == "if":
                _, test, body, other = step
                found = evaluated(test, held, True)
                if found[0] == "raises":
                    return found
                end = self._act(body if found[1] else other, held)
                if end is not None:
                    return end
        return None


def readings(steps: list[Any]) -> Iterator[Reading]:
    """All that is read in steps."""
    for step in steps:
        for each in step:
            if isinstance(each, Reading):
                yield each
            elif isinstance(each, list):
                yield from readings(each)


def _bound(block: Iterable[ast.AST]) -> Iterator[str]:
    """The names that are bound there, once for each time; not in functions inside."""
    pending: list[Any] = list(block)
    while pending:
        node = pending.pop()
        if isinstance(node, ast.Name):
            if not isinstance(node.ctx, ast.Load):
                yield node.id
            continue
        if isinstance(node, FUNCTIONS):
            yield node.name
        if isinstance(node, _SCOPES):
            continue
        if isinstance(node, ast.alias):
            yield (node.asname or node.name).partition(".")[0]
        elif isinstance(node, ast.ExceptHandler | ast.MatchAs | ast.MatchStar) and node.name:
            yield node.name
        elif isinstance(node, ast.MatchMapping) and node.rest:
            yield node.rest
        pending += trees.children(node)


def _like(node: Any, fields: dict[str, Any]) -> Any:
    return type(node)(**fields)


def _variables(scope: Any) -> Iterator[str]:
    """The variables of a function, a lambda or a comprehension."""
    if isinstance(scope, _COMPREHENSIONS):
        yield from _bound([each.target for each in scope.generators])
        return
    given = scope.args
    several = (*given.posonlyargs, *given.args, *given.kwonlyargs, given.vararg, given.kwarg)
    yield from (each.arg for each in several if each is not None)
    if isinstance(scope, FUNCTIONS):
        yield from _bound(scope.body)


def _same(block: list[ast.stmt], other: list[ast.stmt]) -> bool:
    """Whether they are the same statements."""
    return block is other or (
        len(block) == len(other)
        and all(
            a is b or (type(a) is type(b) and ast.dump(a) == ast.dump(b))
            for a, b in zip(block, other, strict=True)
        )
    )


class Views:
    """Views of the changes of one file's functions."""

    def __init__(self, file: Parsed) -> None:
        self._file = file
        self._plain: dict[ast.AST, Plain | None] = {}
        self._numbers = {node: number for number, node in enumerate(file.nodes)}
        self._bound: dict[ast.AST, Counter[str]] = {}
        self._scopes: dict[ast.AST, tuple[Counter[str], Counter[str]]] = {}
        self._found: dict[tuple[int, str, str], tuple[Site, View] | None] = {}
        self._around: dict[int, Around] = {}

    def around(self, site: Site) -> Around:
        """The variables that a site may name."""
        if site.number not in self._around:
            self._around[site.number] = self._variables_around(site)
        return self._around[site.number]

    def _variables_around(self, site: Site) -> Around:
        place = self._file.place
        node: Any = self._file.nodes[site.number]
        unit = self._file.unit(node)
        inner: set[str] = set()
        here: set[str] | None = None
        outer: set[str] = set()
        while node is not unit:
            node, field, _ = place[node]
            if isinstance(node, ast.comprehension):
                # The first one's iterable is evaluated where the comprehension is.
                first = field == "iter" and place[node][2] == 0
                node = place[node][0]
                if first:
                    continue
            elif not isinstance(node, _SCOPES) or (
                not isinstance(node, _COMPREHENSIONS) and field != "body"
            ):
                continue
            names = self._names_of(node).keys()
            if here is not None:
                outer |= names
            elif isinstance(node, _INLINED):
                inner |= names
            else:
                here = set(names)
        return Around(frozenset(here or ()), frozenset(inner), frozenset(outer))

    def _of(self, unit: ast.AST) -> Plain | None:
        if unit not in self._plain:
            own: set[str] = set()
            opaque = False
            for node in trees.walk(unit):
                opaque = opaque or isinstance(node, _STRANGE)
                name = getattr(node, "id", None) or getattr(node, "attr", None)
                opaque = opaque or name in OPAQUE
                if isinstance(node, _SCOPES):
                    own.update(_variables(node))
            self._plain[unit] = None if opaque else Plain(frozenset(own))
        return self._plain[unit]

    def view(self, number: int, how: str, text: str) -> tuple[Site, View] | None:
        """Where a change is told from others, and how; ``None`` if only a run can tell."""
        known = number, how, text
        if known not in self._found:
            try:
                self._found[known] = self._viewed(*known)
            except (SyntaxError, ValueError, RecursionError, TypeError):
                self._found[known] = None
        return self._found[known]

    def _viewed(self, number: int, how: str, text: str) -> tuple[Site, View] | None:
        node: Any = self._file.nodes[number]
        unit = self._file.unit(node)
        plain = None if unit is None else self._of(unit)
        if plain is None:
            return None
        if isinstance(node, ast.stmt):
            fresh = ast.parse(text).body
            block = {REPLACE: fresh, BEFORE: [*fresh, node], AFTER: [node, *fresh]}.get(how)
            alike = self._binds_alike(node, how, fresh) and self._jumps_well(node, fresh)
            if block is None or not alike:
                return None
            return self._acts(plain, node, block)
        return self._expression(plain, node, ast.parse(text, mode="eval").body)

    def _names_of(self, scope: ast.AST) -> Counter[str]:
        """The variables of a scope, and how often each is bound."""
        if scope not in self._bound:
            self._bound[scope] = Counter(_variables(scope))
        return self._bound[scope]

    def _binds_alike(self, node: ast.stmt, how: str, fresh: list[ast.stmt]) -> bool:
        """Whether names of the function stay what they are: its variables, or not."""
        if node not in self._scopes:
            scope: Any = node
            while not isinstance(scope, FUNCTIONS):
                scope = self._file.place[scope][0]
            self._scopes[node] = self._names_of(scope), Counter(_bound([node]))
        whole, here = self._scopes[node]
        new = set(_bound(fresh))
        lost = how == REPLACE and any(whole[each] == here[each] for each in here if each not in new)
        return new <= whole.keys() and not lost

    def _jumps_well(self, node: ast.AST, fresh: list[ast.stmt]) -> bool:
        """Whether what is new leaves no loop where there is none."""
        if not any(
            isinstance(each, ast.Break | ast.Continue) for top in fresh for each in trees.walk(top)
        ):
            return True
        while not isinstance(node, FUNCTIONS):
            node, field, _ = self._file.place[node]
            if isinstance(node, ast.For | ast.While) and field == "body":
                return True
        return False

    def _acts(self, plain: Plain, node: Any, block: list[ast.stmt]) -> tuple[Site, View]:
        if isinstance(node, ast.If) and _same(block, node.body):
            block = [ast.If(ast.Constant(True), node.body, [])]
        return Site(self._numbers[node], False), Statements(plain, block, node).view()

    def _expression(self, plain: Plain, node: Any, new: Any) -> tuple[Site, View] | None:
        """The largest plain expression around, with the change in it."""
        place = self._file.place
        best: tuple[Any, Any] | None = None
        if plain.can_read(new):
            best = node, new
        top, changed = node, new
        while isinstance(parent := place[top][0], ast.expr):
            _, field, index = place[top]
            fields = dict(ast.iter_fields(parent))
            if index < 0:
                fields[field] = changed
            else:
                fields[field] = [*fields[field]]
                fields[field][index] = changed
            top, changed = parent, type(parent)(**fields)
            if not plain.can_read(top):
                if best is not None:
                    break
                return None
            if plain.can_read(changed):
                best = top, changed
        if best is None:
            return None
        top, changed = best
        parent, field, _ = place[top]
        statement = isinstance(parent, ast.If | ast.Return | ast.Assign | ast.AugAssign)
        if statement and (field == "test" or field == "value"):
            fields = dict(ast.iter_fields(parent)) | {field: changed}
            try:
                return self._acts(plain, parent, [_like(parent, fields)])
            except ValueError:
                pass
        tested = field in ("test", "ifs") and isinstance(parent, (*_TESTED, ast.comprehension))
        reading = plain.reading(changed)
        if reading is None or isinstance(getattr(top, "ctx", None) or ast.Load(), ast.Store):
            return None
        return Site(self._numbers[top], tested), Value(reading, tested)

    def original(self, site: Site) -> View:
        """The view of a site as it is."""
        node: Any = self._file.nodes[site.number]
        unit = self._file.unit(node)
        plain = None if unit is None else self._of(unit)
        assert plain is not None
        if isinstance(node, ast.stmt):
            return Statements(plain, [node], node).view()
        reading = plain.reading(node)
        return View() if reading is None else Value(reading, site.tested)
