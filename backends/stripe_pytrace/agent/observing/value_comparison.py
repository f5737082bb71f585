"""Comparing what kept events see with what they saw in the recorded run.

The dialect :class:`Comparing` hands over each value where the program itself has it: variables,
attributes and items as they are read, what is assigned and returned, the truth of conditions, the
items of loops and their number.  Nothing is read that the program does not read, but what an
augmented assignment has changed, which is looked up without the program's code.
"""

from __future__ import annotations

import _ast as ast

from ..compiling.dialects import Block, Placeholder, Replaying
from ..compiling.trees import at, call, const, copy_location, fields
from ..replaying.loops import SKIP
from ..replaying.replay import Replayer
from ..values.content import FROZENDICT, MISSING, Content, attribute, is_data, item
from .watch import DEFINING, ROOM, short

TYPE_CHECKING = False  # typing takes as long to import as much of the agent
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

PATHS = (ast.Name, ast.Attribute, ast.Subscript)
RESULTS = (ast.Call, ast.Await, ast.Yield, ast.YieldFrom)
PASSING = ("enumerate", "zip", "reversed", "iter")
"""Builtins that only pass on the items of what they are given."""

ENDED = 0
"""The look at whether a loop that ended had come to its end."""

TIMES = 20
"""How often a look at one event is kept: in a comprehension there are many."""

type Digests = dict[int, dict[int, list[int]]]
"""For events, what each look at them saw, one time after the other, by its number."""


def text_of(tree: ast.AST) -> str:
    """What a path is called in reports."""
    match tree:
        case ast.Name(id=name):
            return name
        case ast.Attribute(value=base, attr=name):
            return f"{text_of(base)}.{name}"
        case ast.Subscript(value=base, slice=ast.Constant(value=key)):
            return f"{text_of(base)}[{key!r}]"
        case ast.Subscript(value=base, slice=index):
            return f"{text_of(base)}[{text_of(index)}]"
        case ast.Tuple(elts=parts) | ast.List(elts=parts):
            return ", ".join(map(text_of, parts))
        case ast.Starred(value=value):
            return "*" + text_of(value)
        case ast.Call(func=function):
            return f"{text_of(function)}(...)"
        case ast.Await(value=value):
            return f"await {text_of(value)}"
        case ast.Yield() | ast.YieldFrom():
            return "what was sent"
    return "..."


def is_ours(tree: ast.AST) -> bool:
    """Whether an expression is no part of the program (see ``asserts``)."""
    match tree:
        case ast.Subscript(value=inner) | ast.Call(func=inner):
            if isinstance(inner, ast.Constant):
                return isinstance(inner.value, complex)
            return isinstance(inner, ast.Call) and is_ours(inner)
    return False


class Comparing(Replaying):
    """Replays that hand over what kept statements see; ``labels`` names each look by its number."""

    def __init__(self, *arguments: Any, **options: Any) -> None:
        super().__init__(*arguments, **options)
        self.labels = ["the end of the items"]
        self._case = 0

    def _look(self, what: complex, label: str, value: ast.expr) -> ast.expr:
        self.labels.append(label)
        looked = call(what, const(len(self.labels) - 1), value)
        copy_location(looked, value)
        for each in (looked.func, looked.args[0]):
            copy_location(each, value)
        return looked

    def _seen(self, label: str, value: ast.expr) -> ast.expr:
        return self._look(Placeholder.SEEN, label, value)

    # -- what is read

    def _reads(self, tree: Any) -> Any:
        """``tree``, in which what is read, and what calls return, is handed over."""
        if isinstance(tree, ast.Lambda):
            return tree  # it is called who knows when
        if is_ours(tree):
            self._parts(tree)
            return tree
        if isinstance(tree, PATHS):
            self._within(tree)
            return self._seen(text_of(tree), tree) if isinstance(tree.ctx, ast.Load) else tree
        label = text_of(tree) if isinstance(tree, RESULTS) else ""
        self._parts(tree)
        return self._seen(label, tree) if label else tree

    def _parts(self, tree: Any) -> None:
        """Hand over what is read in the parts of ``tree``."""
        if isinstance(tree, ast.Call):
            self._called(tree)
            return
        for name, part in fields(tree):
            if isinstance(part, ast.expr):
                setattr(tree, name, self._reads(part))
            elif isinstance(part, list):
                for place, each in enumerate(part):
                    if isinstance(each, ast.expr):
                        part[place] = self._reads(each)
                    elif isinstance(each, ast.comprehension):
                        self._parts(each)

    def _within(self, path: Any) -> None:
        """What is read on the way to where a path ends: indexes, and what is no path."""
        if isinstance(path, ast.Name):
            return
        if isinstance(path, ast.Subscript):
            path.slice = self._reads(path.slice)
        if isinstance(path.value, PATHS):
            self._within(path.value)
        else:
            path.value = self._reads(path.value)

    def _called(self, tree: ast.Call) -> None:
        function = tree.func
        if isinstance(function, ast.Attribute):
            base = function.value
            if isinstance(base, PATHS):
                self._within(base)
                function.value = self._look(Placeholder.RECEIVER, text_of(base), base)
            else:
                function.value = self._reads(base)
        elif not isinstance(function, ast.Name):
            tree.func = self._reads(function)
        tree.args = [self._reads(each) for each in tree.args]
        for keyword in tree.keywords:
            keyword.value = self._reads(keyword.value)

    def _written(self, value: ast.expr, *targets: ast.expr) -> ast.expr:
        """A value that is assigned."""
        return self._whole(" = ".join(map(text_of, targets)), value)

    def _whole(self, label: str, value: Any) -> ast.expr:
        """A value that is handed over once, under this name, and what is read for it."""
        if isinstance(value, PATHS):
            self._within(value)
        elif not isinstance(value, ast.Lambda):
            self._parts(value)
        return self._seen(label, value)

    def _changed(self, target: Any) -> Block:
        """Hand over what an augmented assignment has made of its target."""
        steps: list[Any] = []
        path = target
        while not isinstance(path, ast.Name):
            if isinstance(path, ast.Attribute):
                steps.append((True, const(path.attr)))
            elif isinstance(path, ast.Subscript) and isinstance(path.slice, ast.Constant):
                steps.append((False, const(path.slice.value)))
            elif isinstance(path, ast.Subscript) and isinstance(path.slice, ast.Name):
                steps.append((False, ast.Name(path.slice.id, ast.Load())))
            else:
                return []
            path = path.value
        steps.reverse()
        self.labels.append(text_of(target))
        looked = call(
            Placeholder.CHANGED,
            const(len(self.labels) - 1),
            ast.Name(path.id, ast.Load()),
            const(tuple(is_name for is_name, _ in steps)),
            *(step for _, step in steps),
        )
        return [at(target, ast.Expr(looked))]

    # -- statements

    def simple(self, site: int, tree: ast.stmt, run: int = 1) -> Block:
        after: Block = []
        if isinstance(tree, ast.Assign):
            for target in tree.targets:
                self._reads(target)
            tree.value = self._written(tree.value, *tree.targets)
        elif isinstance(tree, ast.AnnAssign):
            self._reads(tree.target)
            if tree.value is not None:
                tree.value = self._written(tree.value, tree.target)
        elif isinstance(tree, ast.AugAssign):
            after = self._changed(tree.target)
            self._parts(tree)
        elif isinstance(tree, ast.Expr) and isinstance(tree.value, RESULTS):
            self._parts(tree.value)  # nobody takes the result
        elif not isinstance(tree, (*DEFINING, ast.TypeAlias)):
            self._parts(tree)
        block = super().simple(site, tree, run)
        kept: Any = block[0]
        kept.body = [tree, *after]
        return block

    def returning(self, site: int, tree: ast.Return, run: int) -> Block:
        if tree.value is not None:
            tree.value = self._whole("the returned value", tree.value)
        return super().returning(site, tree, run)

    def _test(self, test: ast.expr) -> ast.expr:
        test = self._reads(test)
        truth = copy_location(ast.IfExp(test, const(True), const(False)), test)
        for each in (truth.body, truth.orelse):
            copy_location(each, test)
        return super()._test(self._seen("the condition", truth))

    def annotation(self, site: int, number: int, value: ast.expr) -> ast.expr:
        return super().annotation(site, number, self._whole("the annotation", value))

    def iteration(self, site: int, tree: Any) -> Block:
        tree.iter = self._items(tree.iter)
        self._reads(tree.target)
        target = text_of(tree.target)
        [header] = super().iteration(site, tree)
        loop: Any = header
        bound = loop.body[0]
        bound.test = self._seen("an item", bound.test)
        taken = bound.body[0].value.elts
        taken[1] = self._seen(target, taken[1])
        return [header]

    def _items(self, tree: Any) -> ast.expr:
        """What a loop goes through: its items are compared one by one, as they are fetched."""
        if isinstance(tree, PATHS):
            self._within(tree)
            return self._look(Placeholder.COUNTED, f"len({text_of(tree)})", tree)
        if isinstance(tree, ast.Call) and getattr(tree.func, "id", "") in PASSING:
            tree.args = [self._items(each) for each in tree.args]
        else:
            self._parts(tree)
        return tree  # type: ignore[no-any-return]

    def context(self, items: list[int], leaving: int, tree: Any) -> Block:
        for each in tree.items:
            each.context_expr = self._reads(each.context_expr)
        return super().context(items, leaving, tree)

    def choice(self, site: int, tree: ast.Match) -> Block:
        tree.subject = self._reads(tree.subject)
        for case in tree.cases:
            if case.guard is not None:
                case.guard = self._reads(case.guard)
        self.labels.append("the case")
        self._case = len(self.labels) - 1
        return super().choice(site, tree)

    def _choose(self, number: int) -> ast.stmt:
        chosen = call(Placeholder.SEEN, const(self._case), const(number))
        return ast.Assign([self._register_target()], chosen)


class Comparer:
    """Takes what :class:`Comparing` code hands over.

    It is told what looks at some events saw, and keeps where that is not so now (``others``);
    or, without that, keeps what it sees at some events (``found``), with a short text.
    """

    def __init__(self, replayer: Replayer, is_own: Callable[[type], bool]) -> None:
        self.replayer = replayer
        self.content = Content(is_own)
        self.then: Digests = {}
        self.found: dict[int, dict[int, tuple[list[int], list[str]]]] = {}
        self.others: list[tuple[int, int, int, str]] = []  # with how many looks are left
        self.order: list[tuple[int, int, int]] = []  # events, looks and which time, if asked for
        self._asked: Any = ()
        self._recording = self._ordered = False
        self._room = ROOM
        self._busy = False

    def begin(self, request: dict[str, Any]) -> None:
        """``told``: the events to keep what is seen at, or ``then``: what was seen.

        ``ordered``: also in which order it was seen; a call is over after what it called.
        """
        self._recording = "told" in request
        self._ordered = "ordered" in request
        self._asked = (
            set(memoryview(request["told"]).cast("i")) if self._recording else request["then"]
        )
        self.then = {} if self._recording else request["then"]
        self.replayer.exits.ended = self.ended

    def facts(self) -> dict[str, Any]:
        """What the host is told: see ``stripe_pytrace.value_comparison``."""
        unseen = [
            (event, look, len(left))
            for event, looks in self.then.items()
            for look, left in looks.items()
            if left
        ]
        return {"found": self.found, "others": self.others, "unseen": unseen, "order": self.order}

    def seen(self, number: int, value: Any) -> Any:
        """Look at a value, if the event that is happening is asked for."""
        event = self._event()
        if event is not None:
            self._look(event, number, value)
        return value

    def receiver(self, number: int, value: Any) -> Any:
        """Look at what a method is called of: the program's methods are looked at themselves."""
        return self.seen(number, value) if is_data(value) else value

    def counted(self, number: int, value: Any) -> Any:
        """Look at how many items there are."""
        event = self._event()
        if event is not None:
            kinds = (list, tuple, dict, FROZENDICT, set, frozenset, str, bytes, range)
            known = type(value) in kinds
            self._look(event, number, len(value) if known else type(value))
        return value

    def changed(self, number: int, value: Any, names: tuple[bool, ...], *steps: Any) -> None:
        """Look at what is at the end of a path."""
        event = self._event()
        if event is None:
            return
        for is_name, step in zip(names, steps, strict=True):
            value = attribute(value, step) if is_name else item(value, step)
            if value is MISSING:
                return
        self._look(event, number, value)

    def ended(self, item: Any) -> bool:
        """Look at whether a loop that ends has come to the end of its items."""
        self.seen(ENDED, item is SKIP)
        return True

    def _event(self) -> int | None:
        if self._busy:
            return None
        activation = self.replayer.running()
        event = None if activation is None else activation.event()
        return event if event in self._asked else None

    def _look(self, event: int, number: int, value: Any) -> None:
        left: list[int] = []
        if self._recording:
            digests, texts = self.found.setdefault(event, {}).setdefault(number, ([], []))
            if len(digests) == TIMES:
                return
            then = None
        else:
            left = self.then[event].get(number, [])
            if not left:
                return
            then = left.pop(0)
        self._busy = True
        try:
            digest = self.content.digest(value)
            if then is None:
                if self._ordered:
                    self.order.append((event, number, len(digests)))
                digests.append(digest)
                texts.append(self._text(value))
            elif digest != then:
                self.others.append((event, number, len(left), self._text(value)))
        except Exception:
            # Too deep for a look, or too large: nothing is known of it.
            if then is not None:
                self.others.append((event, number, len(left), "?"))
        finally:
            self._busy = False

    def _text(self, value: Any) -> str:
        if self._room <= 0:
            return "..."
        self.replayer.pause()  # a library may show an object of the program's after all
        try:
            text = short(value)
        except Exception as error:
            text = f"<repr() raised {type(error).__name__}>"
        finally:
            self.replayer.unpause()
        self._room -= len(text)
        return text
