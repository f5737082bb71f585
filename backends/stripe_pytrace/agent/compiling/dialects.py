"""What stands at a site: two dialects of instrumented code.

- *recording*: the program's own statements, each preceded by a call that ``sys.monitoring``
  reports; nothing is changed otherwise.
- *replaying*: every statement asks the plan of the running activation whether it takes
  effect; headers ask for the branch to take.

A dialect names what it needs by placeholders (``Placeholder``); ``instrument.link`` puts
the objects in.  In the templates below, ``next(now.plan, default)`` is the question to the
plan: outside of a planned activation the iterator is exhausted and the answer is the
default, which makes the statement run as it is.
"""

from __future__ import annotations

import _ast as ast

from . import sites
from .rounds import end_rounds
from .suspensions import resumed
from .trees import at, call, const, copy_location, parse, walk
from .versions import ITERABLE_FAILS

TYPE_CHECKING = False  # typing takes as long to import as much of the agent
if TYPE_CHECKING:
    from collections.abc import Container
    from typing import Any

Block = list[ast.stmt]


class Placeholder:
    """Constants that stand for objects until the code is linked."""

    _BASE = 1.2345678901234567e301

    REPORT = complex(_BASE, 1)  # recording: report(site)
    NEXT = complex(_BASE, 2)  # the builtin next
    # now.plan: iterator over the codes of the running activation; now.register: a value on its
    # way within one statement.  An object that can be hashed, for then code objects can be.
    NOW = complex(_BASE, 3)
    SKIP = complex(_BASE, 5)  # "no value": leave the target alone
    LEAVE = complex(_BASE, 6)  # the exception class that leaves for a recorded landing
    LOOP = complex(_BASE, 7)  # loop(iterator): iterates as planned; recording: see ``noted``
    ASYNC_LOOP = complex(_BASE, 8)
    NULL_CONTEXT = complex(_BASE, 9)  # a context manager that does nothing
    LANDED = complex(_BASE, 10)  # landed(site): control has arrived there
    HANDLES = complex(_BASE, 11)  # handles(site): LEAVE if control is leaving for it, or None
    AGREE = complex(_BASE, 12)  # agree(value, branch): strict control
    ITER = complex(_BASE, 13)  # the builtin iter
    OPENING = complex(_BASE, 20)  # opening(iterable)(): the asynchronous iterator
    PROBE = complex(_BASE, 14)  # probe(number, value)
    PROBE_UNSET = complex(_BASE, 15)
    WATCH = complex(_BASE, 16)  # watch(name, value)
    PART = complex(_BASE, 19)  # part(position, value): the value, which is shown
    HELD = complex(_BASE, 101)  # held[node]: operands of an assert, see ``asserts``
    JOIN = complex(_BASE, 102)  # operator.iconcat
    FORGET = complex(_BASE, 103)  # forget(node, True): its operands; true
    TELL = complex(_BASE, 104)  # tell(node): it fails; false
    ANNOTATED = complex(_BASE, 18)  # annotated(number): whether an annotation takes effect
    NUMBERED = complex(_BASE, 17)  # decorator of classes, see ``hashes``
    SEEN = complex(_BASE, 111)  # seen(number, value): the value, which is compared
    RECEIVER = complex(_BASE, 112)  # the same, if it is a text or a container
    COUNTED = complex(_BASE, 113)  # the same, by its length
    NOTES = 1.2345678901234567e302  # and a site: an iterator by which each item notes it
    FIRST = complex(_BASE, 21)  # first(iterator): what comes after None
    ASIDE = complex(_BASE, 22)  # aside(begins): what runs until it ends is not recorded
    CHANGED = complex(_BASE, 114)  # changed(number, root, which steps are names, *steps)


class Dialect:
    """What an instrumenter puts at sites.  See the two subclasses."""

    constants: dict[complex, Any]
    in_runs = False  # whether statements in a row are reported at once
    fetching = False  # whether ``for`` notes itself that it fetches

    def simple(self, site: int, tree: ast.stmt, run: int = 1) -> Block:
        """A statement that is an event as a whole; ``run``: see ``instrument.run_lengths``."""
        raise NotImplementedError

    def computing(self, site: int, place: ast.AST, run: int) -> Block:
        """What stands before a statement that is an event but has no effect."""
        raise NotImplementedError

    def passed(self, site: int, place: ast.AST) -> Block:
        """Control passes here; nothing depends on the answer."""
        raise NotImplementedError

    def returning(self, site: int, tree: ast.Return, run: int) -> Block:
        raise NotImplementedError

    def branch(self, site: int, tree: ast.If) -> Block:
        raise NotImplementedError

    def loop(self, site: int, tree: ast.While) -> Block:
        raise NotImplementedError

    def iteration(self, site: int, tree: Any) -> Block:
        """A ``for`` or ``async for``."""
        raise NotImplementedError

    def context(self, items: list[int], leaving: int, tree: Any) -> Block:
        """A ``with`` or ``async with``; ``items``: the sites of its items."""
        raise NotImplementedError

    def choice(self, site: int, tree: ast.Match) -> Block:
        raise NotImplementedError

    def handler(self, site: int, tree: ast.ExceptHandler) -> None:
        """Change an except clause in place."""
        raise NotImplementedError

    def landing(self, site: int, place: ast.AST) -> Block:
        raise NotImplementedError

    def annotation(self, site: int, number: int, value: ast.expr) -> ast.expr:
        """An annotation of several, which is evaluated when somebody asks for them."""
        raise NotImplementedError

    def scope(self, body: Block) -> Block:
        """The body of a function, class or module."""
        raise NotImplementedError

    def led(self, body: Block) -> tuple[int | None, Block]:
        """A function's body, and what its start reports: it is not reported for itself."""
        return None, body

    def started(self, mark: int, place: ast.AST) -> Block:
        """What stands at the start of a function that is no generator."""
        return []

    def resuming(self, body: Block) -> Container[ast.AST] | None:
        """Have a generator tell itself that it is resumed; the statements that do, if it can."""
        return None

    def probe(self, number: int, expression: str, place: ast.AST) -> Block:
        """Observe the value of an expression, or that it has none."""
        value = parse(expression, mode="eval").body
        for node in walk(value):
            if isinstance(node, ast.expr):
                copy_location(node, place)
        unset = ast.ExceptHandler(
            ast.Constant(Placeholder.PROBE_UNSET),
            None,
            [ast.Expr(call(Placeholder.PROBE, const(number)))],
        )
        seen = ast.Expr(call(Placeholder.PROBE, const(number), value))
        return [at(place, ast.Try([seen], [unset], [], []))]


class Recording(Dialect):
    """Statements preceded by ``report(site)``."""

    in_runs = True

    def __init__(self, constants: dict[complex, Any]) -> None:
        self.constants = constants

    def _report(self, site: int) -> ast.Call:
        return call(Placeholder.REPORT, const(site))

    def simple(self, site: int, tree: ast.stmt, run: int = 1) -> Block:
        return [*self.computing(site, tree, run), tree]

    def computing(self, site: int, place: ast.AST, run: int) -> Block:
        if run == 0:
            return []
        return self.passed(site if run == 1 else sites.RUN + site, place)

    def passed(self, site: int, place: ast.AST) -> Block:
        return [at(place, ast.Expr(self._report(site)))]

    landing = passed

    def returning(self, site: int, tree: ast.Return, run: int) -> Block:
        return self.simple(site, tree, run)

    def branch(self, site: int, tree: ast.If) -> Block:
        return self.simple(site, tree)

    def loop(self, site: int, tree: ast.While) -> Block:
        # report() is false, so the value is that of the test.
        reported = ast.UnaryOp(ast.Not(), self._report(site))
        tree.test = at(tree.test, ast.BoolOp(ast.And(), [reported, tree.test]))
        return [tree]

    def iteration(self, site: int, tree: Any) -> Block:
        # Fetches after the first are known from the jump back to the header, found by its
        # position.  A comprehension there has loops at the same position: tell them apart.
        if isinstance(tree.iter, (ast.ListComp, ast.SetComp, ast.DictComp)):
            tree.iter = call(Placeholder.ITER, tree.iter)
            tree.iter.lineno = tree.iter.end_lineno = tree.lineno
            tree.iter.col_offset = tree.col_offset
            tree.iter.end_col_offset = tree.col_offset + len("for")
            at(tree, tree.iter.func)
        return self.simple(site, tree)

    def context(self, items: list[int], leaving: int, tree: Any) -> Block:
        tree.body = [at(tree, ast.Try(tree.body, [], [], self.passed(leaving, tree)))]
        for site, item in zip(items[1:], tree.items[1:], strict=True):
            manager = item.context_expr
            reported = ast.BoolOp(ast.Or(), [at(manager, self._report(site)), manager])
            item.context_expr = copy_location(reported, manager)
        return self.simple(items[0], tree)

    def choice(self, site: int, tree: ast.Match) -> Block:
        return self.simple(site, tree)

    def handler(self, site: int, tree: ast.ExceptHandler) -> None:
        tree.body = [*self.passed(site, tree), *tree.body]

    def annotation(self, site: int, number: int, value: ast.expr) -> ast.expr:
        reported: ast.expr = at(value, ast.BoolOp(ast.Or(), [self._report(site), value]))
        return reported

    def led(self, body: Block) -> tuple[int | None, Block]:
        match body:
            case [
                ast.Expr(ast.Call(ast.Constant(Placeholder.REPORT), [ast.Constant(site)])),
                *others,
            ] if others and isinstance(site, int):
                return site, others
        return None, body

    def scope(self, body: Block) -> Block:
        return body


class Noting(Recording):
    """Statements preceded by ``now.note(site)``, which is heard of as it is; see ``direct``."""

    in_runs = False
    fetching = True

    def _report(self, site: int) -> ast.Call:
        return ast.Call(
            ast.Attribute(const(Placeholder.NOW), "note", ast.Load()), [const(site)], []
        )

    def led(self, body: Block) -> tuple[int | None, Block]:
        match body:
            case [
                ast.Expr(ast.Call(ast.Attribute(attr="note"), [ast.Constant(int(site))])),
                *others,
            ]:
                return site, others
        return None, body

    def started(self, mark: int, place: ast.AST) -> Block:
        return self.passed(mark, place)

    def iteration(self, site: int, tree: Any) -> Block:
        if isinstance(tree, ast.AsyncFor):
            return super().iteration(site, tree)
        if end_rounds(tree.body, lambda place: self.passed(site + 1, place)):
            return self.simple(site, tree)
        # loop(first(<notes of the next site>), <iterable>), all in C: no jumps need be heard of.
        # Nothing else may call ``iter``, which asks iterators, too.
        notes = complex(Placeholder.NOTES, site + 1)
        self.constants[notes] = self.constants[Placeholder.NOTES](site + 1)
        noted: ast.expr = call(Placeholder.FIRST, const(notes))
        looped = call(Placeholder.LOOP, noted, tree.iter)
        copy_location(looped, tree.iter)
        for part in (looped.func, noted):
            at(tree.iter, part)
        tree.iter = looped
        return self.simple(site, tree)

    def resuming(self, body: Block) -> Container[ast.AST] | None:
        return resumed(body, Placeholder.NOW)


class Replaying(Dialect):
    """Statements that ask the plan; ``strict``: kept predicates agree with the recorded branch."""

    def __init__(self, constants: dict[complex, Any], *, strict: bool = False) -> None:
        self.constants = constants
        self.strict = strict

    # -- expressions

    def _register(self) -> ast.expr:
        return ast.Attribute(const(Placeholder.NOW), "register", ast.Load())

    def _register_target(self) -> ast.expr:
        return ast.Attribute(const(Placeholder.NOW), "register", ast.Store())

    def _take(self, target: ast.expr) -> ast.stmt:
        """Bind ``target`` to what is in the register, unless that is "no value".

        The register lets go of it first: it must not keep the program's objects alive.
        """
        taken = ast.Tuple([const(None), self._register()], ast.Load())
        targets = ast.Tuple([self._register_target(), target], ast.Store())
        return ast.If(self._has_value(), [ast.Assign([targets], taken)], [])

    def _next(self, default: ast.expr) -> ast.expr:
        plan = ast.Attribute(const(Placeholder.NOW), "plan", ast.Load())
        return call(Placeholder.NEXT, plan, default)

    def _kept(self) -> ast.expr:
        return self._next(const(True))

    def _if_kept(self, value: ast.expr, otherwise: ast.expr) -> ast.expr:
        return ast.IfExp(self._kept(), value, otherwise)

    def _has_value(self) -> ast.expr:
        return ast.Compare(self._register(), [ast.IsNot()], [const(Placeholder.SKIP)])

    def _agreed(self, value: ast.expr) -> ast.expr:
        """The branch the plan dictates, given what the program itself would take."""
        if self.strict:
            return call(Placeholder.AGREE, value, self._next(const(None)))
        return self._next(value)

    def _test(self, test: ast.expr) -> ast.expr:
        # The truth value is taken even where the plan has the say: taking it may have
        # effects (__bool__), and belongs to the event.
        truth = ast.IfExp(test, const(True), const(False))
        copy_location(truth, test)
        return ast.IfExp(self._kept(), self._agreed(truth), self._next(const(None)))

    # -- statements

    def simple(self, site: int, tree: ast.stmt, run: int = 1) -> Block:
        return [at(tree, ast.If(self._kept(), [tree], []))]

    def computing(self, site: int, place: ast.AST, run: int) -> Block:
        return self.passed(site, place)

    def passed(self, site: int, place: ast.AST) -> Block:
        # Asked whether it is true: a mark (see ``folds``) has to hear that it was read.
        return [at(place, ast.If(self._kept(), [ast.Pass()], []))]

    def returning(self, site: int, tree: ast.Return, run: int) -> Block:
        return [at(tree, ast.If(self._kept(), [tree], [ast.Return(None)]))]

    def branch(self, site: int, tree: ast.If) -> Block:
        tree.test = at(tree.test, self._test(tree.test))
        return [tree]

    def loop(self, site: int, tree: ast.While) -> Block:
        tree.test = at(tree.test, self._test(tree.test))
        return [tree]

    def iteration(self, site: int, tree: Any) -> Block:
        is_async = isinstance(tree, ast.AsyncFor)
        iterable = tree.iter
        fails = iterable if ITERABLE_FAILS else tree
        if is_async:
            opens = copy_location(call(Placeholder.OPENING, iterable), fails)
            at(iterable, opens.func)
            iterable = copy_location(ast.Call(opens, [], []), fails)
        else:
            iterable = copy_location(call(Placeholder.ITER, iterable), fails)
        loop = Placeholder.ASYNC_LOOP if is_async else Placeholder.LOOP
        tree.iter = copy_location(
            call(loop, self._if_kept(iterable, const(Placeholder.SKIP))), tree.iter
        )
        at(iterable, tree.iter.func)
        for part in tree.iter.args:
            at(iterable, part)
        if not is_async:
            at(iterable, iterable.func)
        place = tree.target
        tree.body = [at(place, self._take(tree.target)), *tree.body]
        tree.target = at(place, self._register_target())
        return [tree]

    def context(self, items: list[int], leaving: int, tree: Any) -> Block:
        body: Block = []
        for item in tree.items:
            manager = item.context_expr
            item.context_expr = copy_location(
                self._if_kept(manager, const(Placeholder.NULL_CONTEXT)), manager
            )
            at(manager, item.context_expr.test)
            at(manager, item.context_expr.orelse)
        if len(tree.items) > 1:
            return self._contexts(leaving, tree)
        item = tree.items[0]
        if item.optional_vars is not None:
            target = item.optional_vars
            body.append(at(target, self._take(target)))
            item.optional_vars = at(target, self._register_target())
        tree.body = [*body, self._leaving(leaving, tree, tree.body)]
        return [tree]

    def _contexts(self, leaving: int, tree: Any) -> Block:
        """Several managers: nested statements, for each binds its target before the next."""
        body: Block = [self._leaving(leaving, tree, tree.body)]
        for item in reversed(tree.items):
            if item.optional_vars is not None:
                target = item.optional_vars
                body = [at(target, self._take(target)), *body]
                item.optional_vars = at(target, self._register_target())
            nested = type(tree)([item], body)
            copy_location(nested, tree)
            body = [nested]
        return body

    def _leaving(self, site: int, tree: ast.stmt, body: Block) -> ast.stmt:
        """A with body that, when left for a recorded landing, exits as if it had ended."""
        leave = ast.ExceptHandler(const(Placeholder.LEAVE), None, [ast.Pass()])
        wrapped: ast.stmt = at(tree, ast.Try(body, [leave], [], self.landing(site, tree)))
        return wrapped

    def choice(self, site: int, tree: ast.Match) -> Block:
        bodies = [case.body for case in tree.cases]
        for number, case in enumerate(tree.cases, 1):
            case.body = [at(case.pattern, self._choose(number))]
        if not irrefutable(tree.cases[-1]):
            default = ast.match_case(ast.MatchAs(), None, [self._choose(0)])
            tree.cases.append(at(tree, default))
        chosen: Block = []
        for number, body in reversed(list(enumerate(bodies, 1))):
            test = ast.Compare(self._register(), [ast.Eq()], [const(number)])
            chosen = [at(body[0], ast.If(test, body, chosen))]
        branch = ast.If(
            self._kept(),
            [tree, ast.Assign([self._register_target()], self._agreed(self._register()))],
            [ast.Assign([self._register_target()], self._next(const(0)))],
        )
        return [at(tree, branch), *chosen]

    def _choose(self, number: int) -> ast.stmt:
        return ast.Assign([self._register_target()], const(number))

    def handler(self, site: int, tree: ast.ExceptHandler) -> None:
        if tree.type is not None:
            own = tree.type
            handles = call(Placeholder.HANDLES, const(site))
            tree.type = copy_location(ast.BoolOp(ast.Or(), [at(own, handles), own]), own)
        tree.body = [*self.landing(site, tree), *tree.body]

    def landing(self, site: int, place: ast.AST) -> Block:
        return [at(place, ast.Expr(call(Placeholder.LANDED, const(site))))]

    def annotation(self, site: int, number: int, value: ast.expr) -> ast.expr:
        kept = call(Placeholder.ANNOTATED, const(number))
        answered: ast.expr = at(value, ast.IfExp(kept, value, const(None)))
        return answered

    def scope(self, body: Block) -> Block:
        leave = ast.ExceptHandler(const(Placeholder.LEAVE), None, [ast.Pass()])
        return [at(body[0], ast.Try(body, [leave], [], []))]


def irrefutable(case: ast.match_case) -> bool:
    """Whether the case matches anything, so that no other may follow it."""
    pattern = case.pattern
    while isinstance(pattern, (ast.MatchOr, ast.MatchAs)):
        if isinstance(pattern, ast.MatchOr):
            pattern = pattern.patterns[-1]
        elif pattern.pattern is None:
            return case.guard is None
        else:
            pattern = pattern.pattern
    return False
