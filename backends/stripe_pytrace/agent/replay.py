"""Partial execution: activations walk their recorded paths, kept events take effect.

The instrumented code asks ``next(now.plan, default)`` at each site.  Callbacks of
``sys.monitoring`` put the iterator of the running activation there, and take it away when
the activation ends, yields, or is left by an exception.
"""

from __future__ import annotations

import sys
from _thread import _local
from bisect import bisect_right
from collections.abc import Callable, Iterator
from functools import partial
from itertools import chain, filterfalse, repeat
from operator import call
from types import CodeType
from typing import Any, Literal

from . import sites
from .code import UserFile
from .depth import DEEP, deepened
from .instrument import Function
from .loops import SKIP, AsyncLoop, Choices, Diverging
from .monitor import (
    DISABLE,
    Functions,
    events,
    in_main_thread,
    innermost,
    monitoring,
    raise_callback,
    raised_here,
    sound,
    take_tool_id,
    tracked,
)
from .plan import Plan, Tables

LOCAL = events.PY_START | events.PY_RESUME | events.PY_RETURN | events.PY_YIELD
HEADROOM = 9  # levels of recursion that callbacks may need, see ``program.with_headroom``
NO_LANDING = (-1, -1, -1)
# What is read behind the end of a path.  Emptied when plans no longer have a say.
BEHIND = [sites.END] * 1000
NOTHING: Iterator[Any] = iter(())


class Leave(BaseException):
    """Control leaves for where the recorded run landed after an exception."""


class Nothing(BaseException):
    """Never raised: what an except clause handles that handles nothing."""


class NullContext:
    """What a dropped ``with`` header enters."""

    def __enter__(self) -> Any:
        return SKIP

    def __exit__(self, *error: object) -> Literal[False]:
        return False

    async def __aenter__(self) -> Any:
        return SKIP

    async def __aexit__(self, *error: object) -> bool:
        return False


class Activation:
    """A running activation: its plan, or none if it was not recorded and runs in full."""

    __slots__ = ("answers", "codes", "entered", "plan", "unread")

    def __init__(self, plan: Plan | None, exits: Any) -> None:
        self.plan = plan
        self.entered: dict[int, int] = {}  # event: how many of its entries were used
        if plan is None:
            self.unread: Any = NOTHING
            self.codes: Iterator[int] = NOTHING
            self.answers: Iterator[Any] = NOTHING
        else:
            self.unread = iter(plan.codes)
            self.codes = chain(self.unread, iter(BEHIND))
            self.answers = map(exits.__getitem__, self.codes)

    def passed(self) -> int:
        """The index of the code read last."""
        assert self.plan is not None
        return len(self.plan.codes) - int(self.unread.__length_hint__()) - 1

    def event(self) -> int | None:
        """The number of the event that is happening."""
        assert self.plan is not None
        index = self.passed()
        if index < 0:
            return None
        position = self.plan.origin(index)
        path = self.plan.path
        _, _, event = path.landings.get(position, NO_LANDING)
        if event >= 0:
            return event
        which = bisect_right(path.positions, position) - 1
        return path.events[which] if which >= 0 else None


class Exits(dict[int, int]):
    """Codes that answer for themselves; the others end the activation or the replay."""

    def __init__(self, strict: bool, diverge: Callable[[str], Any]) -> None:
        super().__init__((code, code) for code in range(sites.LAST_BRANCH + 1))
        self.strict = strict
        self.diverge = diverge

    def __missing__(self, code: int) -> int:
        if code == sites.LAND:
            self.diverge("control did not arrive where it was caught when recorded")
        if code == sites.END and self.strict:
            self.diverge("an activation went on beyond its recorded end")
        raise Leave


class Replayer:
    """Runs one configuration: ``start``, then ``configure``, then run the program.

    Until it is configured everything runs in full.
    """

    def __init__(
        self,
        *,
        strict: bool,
        main_thread: Callable[[], bool] | None,
        diverge: Callable[[str], Any],
        deep: bool = False,
    ) -> None:
        self.strict = strict
        self.diverge = diverge
        self.deep = deep
        self.wrappers = (main_thread is not None) + deep
        self.headroom = HEADROOM + self.wrappers
        self.tool = take_tool_id("stripe")
        self.functions = Functions(self.tool, LOCAL)
        self.exits = Exits(strict, diverge)
        self.free = Activation(None, self.exits)
        self.stack: list[Activation] = []
        self.generators: dict[int, Activation] = {}
        # The events that raised exceptions, by the addresses of the entries of tracebacks
        # made then: to hold on to these would change when objects die.  A living one has an
        # address of its own; and parts of a group share it with the whole.
        self.raisers: dict[int, int | None] = {}
        self.tables: Tables | None = None
        self.main_thread = main_thread
        self.now: Any = Now() if main_thread is None else ThreadsNow()

    def configure(self, tables: Tables, marked: dict[int, list[int]], keep: bool) -> None:
        """What takes effect: positions by activation (see ``Plan``)."""
        self.tables = tables
        self.marked = marked
        self.keep = keep
        self.bound: set[int] = set()
        self.roots_used = 0

    def track(self, file: UserFile) -> None:
        self.functions.track(file)

    def start(self) -> None:
        everywhere = events.PY_START | events.PY_UNWIND | events.PY_THROW | events.RAISE
        callbacks = self._callbacks()
        if self.deep:
            everywhere |= DEEP
            callbacks = deepened(callbacks, HEADROOM)
        monitoring.set_events(self.tool, everywhere)
        for event, callback in callbacks.items():
            if self.main_thread is not None:
                callback = in_main_thread(callback, self.main_thread)
            monitoring.register_callback(self.tool, event, callback)

    def stop(self) -> None:
        """From here on everything runs in full (a forked child, the interpreter's end).

        Plans are emptied, for a statement that forks may have its plan at hand already.
        """
        self.functions.untrack()
        BEHIND.clear()
        for activation in (*self.stack, *self.generators.values()):
            if activation.plan is not None:
                activation.plan.codes.clear()
        self.stack.clear()
        self._put(NOTHING)

    def pause(self) -> None:
        """What is called from here until ``unpause`` is no part of the recorded run."""
        self.stack.append(self.free)
        self._put(NOTHING)

    def unpause(self) -> None:
        self.stack.pop()
        self._restore()

    # -- activations

    def _put(self, answers: Iterator[Any]) -> None:
        self.now.plan = answers

    def _restore(self) -> None:
        self._put(self.stack[-1].answers if self.stack else NOTHING)

    def _enter(self, function: Function) -> Activation:
        """The recorded activation that begins here, or one that runs in full."""
        number = self._match(function)
        if number is None:
            return self.free
        self.bound.add(number)
        assert self.tables is not None
        path = self.tables.path(number)
        plan = Plan(path, self.marked.get(number, ()), self.keep)
        return Activation(plan, self.exits)

    def _match(self, function: Function) -> int | None:
        """The next activation of ``function`` recorded under the event that is happening.

        A generator may be first resumed by another event than when recorded, so its later
        resumes count as places where it may begin; and so does what came after its end.
        """
        tables = self.tables
        if tables is None:
            return None
        if not self.stack:
            candidates = tables.roots
            used = self.roots_used
        else:
            caller = self.stack[-1]
            if caller.plan is None:
                return None
            event = caller.event()
            if event is None:
                return None
            candidates = tables.entries.get(event, [])
            used = caller.entered.get(event, 0)
        for index in range(used, len(candidates)):
            number = candidates[index]
            if tables.function(number) == function.number and number not in self.bound:
                if not self.stack:
                    self.roots_used = index + 1
                else:
                    caller.entered[event] = index + 1  # type: ignore[index]
                return number
        if not self.stack or not function.generator:
            return None
        return tables.begun(function.number, event or 0, self.bound)

    # -- exceptions

    def _raised(self, offset: int, error: BaseException) -> None:
        """An exception has come to the running activation: note whose it is."""
        if not raised_here(error):
            return
        event = None
        for activation in reversed(self.stack):
            if activation.plan is not None:
                event = activation.event()
            if activation.plan is None or event is not None:
                break  # else it was left before its first event: its caller's doing
        self.raisers[hash(error.__traceback__)] = event

    def raiser(self, error: BaseException) -> int | None:
        """The event that raised ``error``, a living exception; ``None`` if it cannot be told."""
        return self.raisers.get(hash(innermost(error.__traceback__)))

    # -- callbacks

    def _callbacks(self) -> dict[int, Callable[..., Any]]:
        functions = self.functions
        stack = self.stack
        generators = self.generators
        frame_of = sys._getframe
        above = 1 + self.wrappers  # frames between a callback and what it is called for
        thrown = above - self.deep
        put, restore, enter = self._put, self._restore, self._enter
        free = self.free

        def on_start(code: CodeType, offset: int) -> Any:
            function = tracked(code)
            if function is None:
                return DISABLE
            if function.code is not code:
                functions.adopt(code)
            stack.append(free)
            sound(HEADROOM - 1)
            stack.pop()
            activation = enter(function)
            if function.generator:
                generators[hash(frame_of(above))] = activation
            stack.append(activation)
            put(activation.answers)
            return None

        def on_resume(code: CodeType, offset: int) -> None:
            activation = generators.get(hash(frame_of(above)), free)
            stack.append(activation)
            put(activation.answers)

        def on_throw(code: CodeType, offset: int, error: BaseException) -> None:
            if tracked(code) is not None:
                activation = generators.get(hash(frame_of(thrown)), free)
                stack.append(activation)
                put(activation.answers)

        def on_suspend(code: CodeType, offset: int, value: Any) -> None:
            stack.pop()
            restore()

        def on_unwind(code: CodeType, offset: int, error: BaseException) -> None:
            if tracked(code) is not None:
                stack.pop()
                restore()

        return {
            events.PY_START: on_start,
            events.PY_RESUME: on_resume,
            events.PY_THROW: on_throw,
            events.PY_RETURN: on_suspend,
            events.PY_YIELD: on_suspend,
            events.PY_UNWIND: on_unwind,
            events.RAISE: raise_callback(self._raised),
        }

    # -- what the instrumented code calls

    def _planned(self) -> Activation | None:
        """The activation that called us, if it follows a plan."""
        if self.main_thread is not None and not self.main_thread():
            return None
        if not self.stack or self.stack[-1].plan is None:
            return None
        return self.stack[-1]

    def loop(self, iterator: Any) -> Any:
        """An iterator that fetches, skips and ends as planned.

        Made of C iterators only, so that no frame of ours stands between the loop and the
        program's iterator.
        """
        activation = self._planned()
        if activation is None:
            return iterator
        choices = Choices(self.exits)
        choices[0] = choices[1] = repeat(SKIP)
        choices[sites.LAST_FETCH] = choices[sites.LAST_FETCH | 1] = NOTHING
        if iterator is not SKIP:
            choices[1], choices[sites.LAST_FETCH | 1] = self._fetches(partial(next, iterator))
        return map(next, map(choices.__getitem__, activation.codes))

    def _fetches(self, fetch: Callable[..., Any]) -> tuple[Iterator[Any], Iterator[Any]]:
        """What fetches an item, if there is one, and what ends the loop after one more try.

        Only strict control minds if the program's iterator has too few or too many.
        """
        if self.strict:
            missing: Any = Diverging(self.diverge, "a loop ended early")
            return (
                chain(map(call, repeat(fetch)), missing),
                # No generator: its frame would show in the tracebacks of the program's iterator.
                map(lambda item: self.diverge("a loop went on"), map(call, (fetch,))),  # noqa: C417
            )
        # next(iterator, default), with the defaults from the second iterator; id() is
        # never false, so the last item, whatever it is, does not come through.
        return map(fetch, repeat(SKIP)), filterfalse(id, map(fetch, (None,)))

    def async_loop(self, iterable: Any) -> Any:
        activation = self._planned()
        if activation is None:
            return iterable
        return AsyncLoop(self, iterable, activation.codes)

    def landed(self, site: int) -> None:
        """Control is at a landing point: it must be the recorded one."""
        activation = self._planned()
        if activation is None or activation.plan is None:
            return
        plan = activation.plan
        recorded, end, _ = self._arrive(activation, plan)
        if recorded != site:
            self.diverge("an exception the recorded run did not have was caught")
        if isinstance(sys.exception(), Leave):
            # Without the exception its handler has nothing to handle: pass through it.
            start = activation.passed() + 1
            for index in range(start, plan.index(end)):
                plan.codes[index] = plan.path.dropped[plan.origin(index)]

    def _arrive(self, activation: Activation, plan: Plan) -> tuple[int, int, int]:
        """Read on to the next landing of the path.

        Between an event and where its exception lands there is nothing but the codes the
        event did not come to read, and LEAVE.
        """
        positions = plan.path.positions
        for code in activation.codes:
            position = plan.origin(activation.passed())
            if code == sites.LAND:
                return plan.path.landings[position]
            if code == sites.END:
                break
            if code != sites.LEAVE:
                which = bisect_right(positions, position) - 1
                if which < 0 or positions[which] == position:
                    break
        return NO_LANDING

    def handles(self, site: int) -> Any:
        """What the except clause at ``site`` handles, if control is leaving for a landing.

        None otherwise: then the clause's own expression has the say.
        """
        activation = self._planned()
        if activation is None or activation.plan is None:
            return None
        if not isinstance(sys.exception(), Leave) and not leaving_group(sys.exception()):
            return None
        plan = activation.plan
        index = activation.passed() + 1
        while index < len(plan.codes) and plan.codes[index] == sites.LEAVE:
            index += 1
        if index == len(plan.codes) or plan.codes[index] != sites.LAND:
            return Nothing
        recorded, _, _ = plan.path.landings.get(plan.origin(index), NO_LANDING)
        return Leave if recorded == site else Nothing

    def agree(self, value: Any, branch: Any) -> Any:
        """Strict control: a kept predicate must evaluate as recorded."""
        if branch is not None and int(value) != branch:
            self.diverge("a predicate evaluated differently")
        return value


def leaving_group(error: BaseException | None) -> bool:
    return isinstance(error, BaseExceptionGroup) and isinstance(error.exceptions[0], Leave)


class Now:
    """The plan that is followed now, and the register (see ``dialects``)."""

    __slots__ = ("plan", "register")

    def __init__(self) -> None:
        self.plan: Iterator[Any] = NOTHING
        self.register: Any = None


class ThreadsNow(_local):
    """The same for each thread; other threads than the main one run everything."""

    plan: Iterator[Any] = NOTHING
    register: Any = None
