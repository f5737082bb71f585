"""Looking at variables while a slice is replayed a last time.

The dialect :class:`Watching` puts statements around kept ones that hand over the variables they
name.  They read names only, each in a ``try`` of its own; values are shown without calling the
program's own code.  In the statement that raised what ended the run, the parts of its expressions
are handed over as they are computed: the last of them is what it failed on.  Other replays know
nothing of all this.
"""

from __future__ import annotations

import _ast as ast
import sys

from ..compiling.dialects import Block, Placeholder, Replaying
from ..compiling.trees import at, call, children, const, copy_location
from ..compiling.trees import fields as fields_of
from ..recording.monitor import tracked
from ..replaying.loops import SKIP
from ..replaying.replay import Replayer
from ..values.content import FROZENDICT

TYPE_CHECKING = False  # typing takes as long to import as much of the agent
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

LONGEST = 80
"""Characters of one value."""

MOST_ITEMS = 6
"""Items of a container that are shown."""

ROOM = 2_000_000
"""Characters of all values together; of more, those of the earlier events are forgotten."""

type Position = tuple[int, int, int, int]
"""Where an expression begins and ends: lines from 1 on, and bytes of them."""

NO_CODE = (lambda: None).__code__
NESTED = (ast.Lambda, ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)
DEFINING = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.Import, ast.ImportFrom)
LEAVING = (ast.Return, ast.Raise)
PARTS = (ast.Name, ast.Attribute, ast.Subscript, ast.Call, ast.BinOp, ast.UnaryOp)
WHOLE = (*NESTED, ast.JoinedStr, ast.NamedExpr)
"""Expressions in which no part is looked at."""


def names(*trees: ast.AST | None) -> Iterator[tuple[str, bool]]:
    """The variables named in ``trees``, outside of nested scopes, and whether they are set.

    ``x.y = 1`` and ``x[y] = 1`` change what ``x`` holds.
    """
    pending = [tree for tree in reversed(trees) if tree is not None]
    while pending:
        node = pending.pop()
        if isinstance(node, NESTED):
            # The first iterable of a comprehension is evaluated outside of it.
            if not isinstance(node, ast.Lambda):
                pending.append(node.generators[0].iter)
            continue
        if isinstance(node, (ast.Attribute, ast.Subscript)) and isinstance(node.ctx, ast.Store):
            base = node.value
            while isinstance(base, (ast.Attribute, ast.Subscript)):
                base = base.value
            if isinstance(base, ast.Name):
                yield base.id, True
        if isinstance(node, ast.Name):
            yield node.id, isinstance(node.ctx, ast.Store)
        elif isinstance(node, (ast.MatchAs, ast.MatchStar)) and node.name is not None:
            yield node.name, True
        pending += reversed(children(node))


def parts(tree: Any) -> Any:
    """``tree``, in which the parts of expressions are handed over; the values are the same.

    What is called is no part, but what a method is called of is.
    """
    if isinstance(tree, WHOLE):
        return tree
    for name, part in list(fields_of(tree)):
        if isinstance(part, list):
            for number, each in enumerate(part):
                if isinstance(each, (ast.expr, ast.keyword)):
                    part[number] = parts(each)
        elif isinstance(tree, ast.Call) and name == "func":
            if isinstance(part, ast.Attribute):
                part.value = parts(part.value)
        elif isinstance(part, (ast.expr, ast.keyword)) and name != "annotation":
            setattr(tree, name, parts(part))
    if isinstance(tree, PARTS) and isinstance(getattr(tree, "ctx", None), (ast.Load, type(None))):
        place = (tree.lineno, tree.col_offset, tree.end_lineno, tree.end_col_offset)
        looked = call(Placeholder.PART, const(place), tree)
        for each in (looked, looked.func, looked.args[0]):
            copy_location(each, tree)
        return looked
    return tree


class Watching(Replaying):
    """Replays that show what variables hold: set ones afterwards, others before.

    ``failed``: line and column of the statement that raised what ended the run.
    """

    def __init__(self, *arguments: Any, failed: tuple[int, int] | None, **options: Any) -> None:
        super().__init__(*arguments, **options)
        self._failed = failed

    def _parts(self, statement: Any, part: Any) -> Any:
        """A part of a statement: if that is the one that failed, what it consists of is told."""
        here = self._failed == (statement.lineno, statement.col_offset)
        return parts(part) if here else part

    def _look(self, found: Iterator[tuple[str, bool]], place: ast.AST, *, written: bool) -> Block:
        wanted = dict.fromkeys(name for name, is_set in found if written or not is_set)
        return [self._hand_over(name, place) for name in wanted]

    def _hand_over(self, name: str, place: ast.AST) -> ast.stmt:
        seen = ast.Expr(call(Placeholder.WATCH, const(name), ast.Name(name, ast.Load())))
        unset = ast.ExceptHandler(ast.Constant(Placeholder.PROBE_UNSET), None, [ast.Pass()])
        tried: ast.stmt = at(place, ast.Try([seen], [unset], [], []))
        return tried

    def simple(self, site: int, tree: ast.stmt, run: int = 1) -> Block:
        if isinstance(tree, DEFINING):
            return super().simple(site, tree, run)
        # `x += 1` reads what it sets.
        before = self._look(names(tree), tree, written=isinstance(tree, ast.AugAssign))
        # A call that stands alone is made for what it changes: lines.append(line).
        alone = isinstance(tree, ast.Expr)
        after = self._look((each for each in names(tree) if each[1] or alone), tree, written=True)
        block = super().simple(site, tree, run)
        kept: Any = block[0]
        if not isinstance(tree, (ast.Raise, ast.Assert)):
            tree = self._parts(tree, tree)
        kept.body = [*before, tree] if isinstance(tree, LEAVING) else [*before, tree, *after]
        return block

    def returning(self, site: int, tree: ast.Return, run: int) -> Block:
        block = super().returning(site, tree, run)
        kept: Any = block[0]
        kept.body = [*self._look(names(tree), tree, written=False), self._parts(tree, tree)]
        return block

    def branch(self, site: int, tree: ast.If) -> Block:
        found = list(names(tree.test))
        tree.test = self._parts(tree, tree.test)
        [header] = super().branch(site, tree)
        assert isinstance(header, ast.If)
        header.body = [*self._look(iter(found), tree, written=True), *header.body]
        header.orelse = [*self._look(iter(found), tree, written=True), *header.orelse]
        return [header]

    def loop(self, site: int, tree: ast.While) -> Block:
        found = list(names(tree.test))
        tree.test = self._parts(tree, tree.test)
        [header] = super().loop(site, tree)
        assert isinstance(header, ast.While)
        header.body = [*self._look(iter(found), tree, written=True), *header.body]
        header.orelse = [*self._look(iter(found), tree, written=True), *header.orelse]
        return [header]

    def iteration(self, site: int, tree: Any) -> Block:
        # What is iterated over is not looked at: an iterator may tell how far it has come.
        found = [*names(tree.target)]
        tree.iter = self._parts(tree, tree.iter)
        [header] = super().iteration(site, tree)
        loop: Any = header
        # After the target is bound, which is the first thing in the body.
        loop.body[1:1] = self._look(iter(found), tree, written=True)
        return [header]

    def context(self, items: list[int], leaving: int, tree: Any) -> Block:
        found = [each for item in tree.items for each in names(item.optional_vars)]
        tree.body = [*self._look(iter(found), tree, written=True), *tree.body]
        return super().context(items, leaving, tree)

    def choice(self, site: int, tree: ast.Match) -> Block:
        subject = list(names(tree.subject))
        for case in tree.cases:
            found = [*subject, *names(case.pattern)]
            case.body = [*self._look(iter(found), case.body[0], written=True), *case.body]
        return super().choice(site, tree)


class Watcher:
    """Takes what :class:`Watching` code hands over.

    ``values`` maps events to names and texts; ``parts`` to positions and texts, as computed.
    """

    def __init__(self, replayer: Replayer) -> None:
        self.replayer = replayer
        self.values: dict[int, dict[str, str]] = {}
        self.parts: dict[int, dict[Position, str]] = {}
        self._room = ROOM
        self._marked: set[int] = set()
        self._keep = True
        self._busy = False

    def begin(self, marked: set[int], keep: bool) -> None:
        """``marked``: the kept events or, if not ``keep``, the others."""
        self._marked, self._keep = marked, keep

    def __call__(self, name: str, value: Any) -> None:
        self._take(self.values, name, value)

    def part(self, place: Position, value: Any) -> Any:
        """A part of an expression has this value, which is returned."""
        if not issubclass(type(value), BaseException):
            self._take(self.parts, place, value)
        return value

    def _take(self, found: dict[int, dict[Any, str]], name: Any, value: Any) -> None:
        """Keep the value of a variable or part, if what happens is to be looked at."""
        if self._busy or hidden(type(value)):
            return
        activation = self.replayer.running()
        event = None if activation is None else activation.event()
        if event is None or (event in self._marked) is not self._keep:
            return
        self._busy = True  # a library may show an object of the program's after all
        self.replayer.pause()
        try:
            text = short(value)
        except Exception as error:
            text = f"<repr() raised {type(error).__name__}>"
        finally:
            self.replayer.unpause()
            self._busy = False
        found.setdefault(event, {})[name] = text
        self._room -= len(name) + len(text)
        if self._room < 0:
            self._forget_half()

    def _forget_half(self) -> None:
        """Forget what the earlier half of events saw: the end is near to what is asked about."""
        events = list(self.values)
        for event in events[: len(events) // 2]:
            del self.values[event]
        held = (
            len(name) + len(text) for each in self.values.values() for name, text in each.items()
        )
        self._room = ROOM - sum(held)


HIDDEN = (type(sys), type(names), type(len), type(SKIP))


def hidden(kind: type) -> bool:
    """Whether values of a type are no news: modules, functions, classes."""
    return kind in HIDDEN or issubclass(kind, type)


def short(value: Any, depth: int = 2) -> str:
    """A text for ``value`` that costs little, however large it is."""
    kind: Any = type(value)
    if kind is list or kind is tuple or kind is set or kind is frozenset:
        return container(value, depth)
    if kind is dict or kind is FROZENDICT:
        items: list[Any] = []
        for item in value.items():
            if len(items) == MOST_ITEMS:
                break
            items.append(item)
        left, right = BRACKETS[kind]
        if not depth:
            return f"{left}...{right}" if value else f"{left}{right}"
        shown = [f"{short(key, depth - 1)}: {short(each, depth - 1)}" for key, each in items]
        return cut(left + ", ".join(shown + ["..."] * (len(value) > len(items))) + right)
    if kind is str or kind is bytes:
        return cut(repr(value[:LONGEST]) + ("..." if len(value) > LONGEST else ""))
    if kind is int and value.bit_length() > 4 * LONGEST:
        return f"<an integer of {value.bit_length()} bits>"
    shows = kind.__repr__
    if shows is object.__repr__ or tracked(getattr(shows, "__code__", NO_CODE)) is not None:
        return fields(value, kind, depth)
    return cut(repr(value))


def fields(value: Any, kind: Any, depth: int) -> str:
    """An object of the program's, by what it holds; its own code has no say."""
    try:
        held = object.__getattribute__(value, "__dict__")
    except AttributeError:
        held = {}
    if not depth and held:
        return f"{kind.__qualname__}(...)"
    shown = [f"{name}={short(held[name], depth - 1)}" for name in list(held)[:MOST_ITEMS]]
    return cut(f"{kind.__qualname__}({', '.join(shown + ['...'] * (len(held) > MOST_ITEMS))})")


BRACKETS: dict[Any, tuple[str, str]] = {
    list: ("[", "]"),
    tuple: ("(", ")"),
    dict: ("{", "}"),
    FROZENDICT: ("frozendict({", "})"),
    set: ("{", "}"),
    frozenset: ("frozenset({", "})"),
}


def container(value: Any, depth: int) -> str:
    """A list, tuple or set, with its first items."""
    left, right = BRACKETS[type(value)]
    if not value and type(value) in (set, frozenset):
        return repr(value)
    if not depth and value:
        return f"{left}...{right}"
    items: list[str] = []
    for each in value:
        if len(items) == MOST_ITEMS:
            items.append("...")
            break
        items.append(short(each, depth - 1))
    comma = "," if type(value) is tuple and len(value) == 1 else ""
    return cut(left + ", ".join(items) + comma + right)


def cut(text: str) -> str:
    return text if len(text) <= LONGEST else text[: LONGEST - 3] + "..."
