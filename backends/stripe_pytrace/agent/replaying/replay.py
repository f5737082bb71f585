"""Partial execution: activations walk their recorded paths, kept events take effect.

The instrumented code asks ``next(now.plan, default)`` at each site.  Callbacks of
``sys.monitoring`` put the iterator of the running activation there, and take it away when
the activation ends, yields, or is left by an exception.
"""

from __future__ import annotations

import sys
from itertools import chain
from types import CodeType

from ..compiling import sites
from ..compiling.code import UserFile
from ..compiling.linker import Function
from ..process.natives import deque, partial
from ..process.recursion_limit import HEADROOM, ROOM, get_limit, set_limit
from ..recording.depth import DEEP, deepened
from ..recording.monitor import (
    Functions,
    events,
    handles_signals,
    in_main_thread,
    innermost,
    monitoring,
    raised_here,
    take_tool_id,
    tracked,
)
from .activation import (
    AFTER,
    IN_FORCE,
    NOTHING,
    OUTSIDE,
    Activation,
    Exits,
    Leave,
    following,
    named,
)
from .except_clauses import handled
from .folds import Folds
from .loops import AsyncLoop, planned
from .monitor_callbacks import callbacks_of, switching
from .plan import NO_LANDING, Landing, Marks, Plan, Tables
from .replay_registers import Now, ThreadsNow

TYPE_CHECKING = False  # typing takes as long to import as much of the agent
if TYPE_CHECKING:
    from collections.abc import Callable, Container, Iterator
    from typing import Any

LOCAL = events.PY_START | events.PY_RESUME | events.PY_RETURN | events.PY_YIELD
KEPT, ANNOTATION = 1, 3  # the code of an event that is kept, and how many an annotation has
ANY = range(1 << 62)  # holds the number of any activation


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
        cut: Callable[[], Any] = lambda: None,
        fault: Callable[[BaseException], Any] = bool,
        deep: bool = False,
        more: int = 0,
        note: Callable[[str], object] | None = None,
    ) -> None:
        """``more``: levels of recursion that functions of ours need; ``fault`` hears of errors.

        ``note`` hears of each decision, if somebody wants to read them.
        """
        self.note = note
        self.cut = cut
        self.fault = fault
        self.strict = strict
        self.diverge = diverge
        self.deep = deep
        self.wrappers = (main_thread is not None) + deep
        self.more = more
        self.headroom = HEADROOM + more + self.wrappers
        self.tool = take_tool_id("stripe")
        self.functions = Functions(
            self.tool, LOCAL, told=True, resuming=events.PY_RESUME | events.PY_YIELD
        )
        self.exits = Exits(strict, diverge, self._beyond, self.past)
        self.free = Activation()
        self.aside = Activation()  # what runs in it is none of the program's doing
        self.stack: list[Activation] = []
        self.generators: dict[int, Activation] = {}
        # The events that raised exceptions, by the addresses of entries of tracebacks: to hold on
        # to these would change when objects die.  Parts of a group share it with the whole.
        self.raisers: dict[int, int | None] = {}
        self.tables: Tables | None = None
        # The same, until the part that was recorded begins: that is when enough activations have.
        self.waiting: Tables | None = None
        self.started = 0
        self.bound = bytearray()  # by activation: whether it has begun
        self.partly: Container[int] = ANY  # activations that do not take effect as a whole
        self.sought = 0  # activations that were not the ones expected next
        self.last: int | None = None
        # By activation and position: the event there, see ``branches``.
        self.points: dict[int, dict[int, int]] = {}
        # Called as the first activation begins, before it is looked for: it may configure us.
        self.before_first: Callable[[], object] | None = None
        self.main_thread = main_thread
        self.now: Any = Now() if main_thread is None else ThreadsNow()
        self.folds = Folds(self.stack, self._put, self.exits, self.now)
        self.exits.note = self.folds.note = note

    def configure(self, tables: Tables, marked: Marks, keep: bool, last: int | None = None) -> None:
        """What takes effect: positions by activation (see ``Plan``).

        ``last``: the event where the recorded run was cut off, the header of a loop that went on.
        """
        self.last = last if self.strict else None  # else conditions have no say
        if last is not None:
            marks = marked.positions(tables.activation[last])
            if (tables.position[last] in marks) is not keep:
                self.last = None  # without it, nothing tells that the loop goes on
        Activation.tables = tables
        self.exits.windowed = tables.windowed
        self.tables, self.waiting = (None, tables) if tables.before else (tables, None)
        self.bound = bytearray(tables.activations)
        self.marked = marked
        self.keep = keep
        self.everything = not marked and not keep
        self.partly = ANY if keep else marked
        self.folds.partly = sorted(marked)
        self.roots_used = 0

    def uses(self) -> dict[str, tuple[int, int]]:
        """How often each fast path served, and how often it could not."""
        folds = self.folds
        followed = self.bound.count(1) - folds.held - self.sought
        windowed = self.exits.windowed
        return {
            "following": (followed, self.sought),
            "folds": (folds.entered, folds.unfolded),
            "windows": (int(windowed), int(not windowed)),
        }

    def do_without(self, names: Container[str]) -> None:
        """Replay without some fast paths, so that it can be measured what they earn."""
        if "folds" in names:
            self.folds.on = False
        if "following" in names:
            self.partly = ANY

    def track(self, file: UserFile) -> None:
        self.functions.track(file)

    def start(self) -> None:
        everywhere = events.PY_START | events.PY_UNWIND | events.PY_THROW | events.RAISE
        callbacks = callbacks_of(self)
        self.now.begin, self.now.end = callbacks[events.PY_START], callbacks[events.PY_RETURN]
        if self.main_thread is None:
            switching(self)
        if self.deep:
            everywhere |= DEEP
            callbacks = deepened(callbacks, HEADROOM + self.more)
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
        self.now.alone()
        self.partly = ANY
        self._empty()
        self.stack.clear()
        self._put(NOTHING)

    def _empty(self) -> None:
        """Plans that are at hand have no say any more."""
        self.folds.empty()
        IN_FORCE.clear()
        for activation in (*self.stack, *self.generators.values()):
            deque(activation.unread, 0)

    def past(self) -> None:
        """The part that was recorded is over: the rest of the run takes effect as it comes."""
        if self.tables is not None or self.waiting is not None:
            OUTSIDE.add(0)
            if self.note is not None:
                self.note("the part that was recorded is over: all takes effect from here on")
            self.over()
            self.raisers.clear()
            if not self.deep:
                self.stop()
                return
            # All go on to be heard of: who recurses to the limit needs it where it is.
            self._empty()
            self.stack[:] = [self.free] * len(self.stack)
            self.generators.clear()
            self._put(NOTHING)

    def over(self) -> None:
        """What is called from here on is no part of the recorded run."""
        self.folds.unfold()
        self.folds.on = False
        self.tables = self.waiting = None
        self.partly = ANY

    def pause(self) -> None:
        """What is called from here until ``unpause`` is no part of the recorded run."""
        self.folds.unfold()
        self.stack.append(self.aside)
        self._put(NOTHING)

    def unpause(self) -> None:
        self.stack.pop()
        self._restore()

    # -- activations

    def _put(self, answers: Iterator[Any]) -> None:
        self.now.plan = answers

    def _restore(self) -> None:
        self._put(self.stack[-1].answers if self.stack else NOTHING)

    def enter(self, function: Function) -> Activation:
        """The recorded activation that begins here.

        Without one the replay ends, for what was never recorded cannot be left out; only when
        everything is kept, or plans have no say here, does it run in full.
        """
        if self.before_first is not None:
            first, self.before_first = self.before_first, None
            first()
        if self.waiting is not None:
            if self.stack and self.stack[-1] is self.aside:
                return self.aside
            if function.code.co_name == "__del__":
                return self.free  # that comes when it comes
            if self.started < self.waiting.before:
                return self._before(function, self.waiting)
            self.tables, self.waiting = self.waiting, None
        if self.tables is None or (self.stack and self.stack[-1].number < 0):
            return self.free
        number = self._match(function, self.tables)
        if number is not None:
            return self._follow(function, number, self.tables)
        if self.exits.windowed and self._at_end():
            self.past()
        elif not self.everything:
            self.diverge(f"calls {named(function.code)}, which the recorded run did not")
        if self.note is not None:
            self.note(f"begins {named(function.code)}, which runs in full: it was not recorded")
        return self.free

    def _before(self, function: Function, tables: Tables) -> Activation:
        """An activation that began before the part that was recorded."""
        number = tables.opened.get(self.started)
        self.started += 1
        if number is None:
            return self.free  # and had ended by then
        if tables.function(number) != function.number:
            self.diverge(f"calls {named(function.code)} where the recorded run did not")
        return self._follow(function, number, tables)

    def _at_end(self) -> bool:
        """Whether the event that is happening is the last one that was recorded."""
        for caller in reversed(self.stack):
            if caller.number < 0 or caller.plan is None:
                return False
            if caller.happening() is not None:
                codes, index = caller.plan.codes, caller.ahead()
                return index < len(codes) and codes[index] == sites.OVER
        return False

    def _follow(self, function: Function, number: int, tables: Tables) -> Activation:
        """An activation that follows a plan of its own."""
        self.bound[number] = 1
        self.sought += 1
        path = tables.path(number)
        plan = Plan(path, self.marked.positions(number), self.keep)
        if number in self.points and not function.annotates:
            plan.point(self.points[number])
        activation = following(number, tables.first_call(number), plan, self.exits)
        if function.annotates and not activation.left:
            activation.left = sites.END
        if self.note is not None:
            of, marked = len(plan.path.events), len(self.marked.positions(number))
            kept = marked if self.keep else of - marked
            self.note(
                f"begins {named(function.code)} as activation {number}, {kept} of {of} events kept"
            )
            activation.answers = map(partial(self._read, activation), activation.answers)
        return activation

    def _read(self, activation: Activation, code: int) -> int:
        """Note what a site of an activation has been told."""
        assert self.note is not None
        limit = get_limit()
        set_limit(limit + ROOM)
        try:
            position = activation.position()
            event = activation.happening()
            if activation.plan is not None and position in activation.plan.path.positions:
                self.note(f"event {event} is {'kept' if code else 'left out'}")
            else:
                self.note(f"event {event} reads {code}")
        finally:
            set_limit(limit)
        return code

    def _match(self, function: Function, tables: Tables) -> int | None:
        """The next activation of ``function`` recorded under the event that is happening."""
        event = None
        if not self.stack:
            candidates = tables.roots
            used = self.roots_used
        else:
            for caller in reversed(self.stack):
                event = None if caller.number < 0 else caller.happening()
                if event is not None or caller.number < 0:
                    break
            if event is None:
                return None
            candidates = tables.entries.get(event, [])
            used = (caller.entered or {}).get(event, 0)
        for index in range(used, len(candidates)):
            number = candidates[index]
            if tables.function(number) == function.number and not self.bound[number]:
                if event is None:
                    self.roots_used = index + 1
                else:
                    caller.used(event, index + 1)
                    caller.call = tables.call_after(number) or caller.call
                return number
        return self._elsewhere(function, tables, event)

    def _elsewhere(self, function: Function, tables: Tables, event: int | None) -> int | None:
        """An activation recorded under another event, for functions where that means nothing.

        A generator may be first resumed by another event than when recorded, so its later
        resumes count as places where it may begin; so does what came after its end.  A
        module is executed by whoever imports it first, annotations are evaluated for who asks
        first; objects die when nobody holds them, and signals come when they come.
        """
        if self.note is not None:
            self.note(f"looks for {named(function.code)} under other events than event {event}")
        if event is not None and function.generator:
            number = tables.begun(function.number, self.bound, event)
            # If anything of it is kept, so is the event that began it, and this may be another.
            return None if number is None or self._keeps(number, tables) else number
        name = function.code.co_name
        anyhow = function.annotates or name in ("<module>", "__del__")
        if anyhow or handles_signals(function.code):
            return tables.begun(function.number, self.bound, len(tables))
        return None

    def _keeps(self, number: int, tables: Tables) -> bool:
        marked = len(self.marked.positions(number))
        return marked > 0 if self.keep else marked < len(tables.path(number).events)

    def _beyond(self) -> None:
        """Control is beyond the path of an activation: has the loop gone on where it was cut?"""
        if self.last is None or not self.stack or self.stack[-1].plan is None:
            return
        if self.stack[-1].plan.path.events[-1:].tolist() == [self.last]:
            self.cut()

    # -- exceptions

    def noted(self, offset: int, error: BaseException) -> None:
        """An exception has come to the running activation: note whose it is."""
        if not raised_here(error):
            return
        event = None
        for activation in reversed(self.stack):
            if activation.number >= 0:
                event = activation.happening()
            if activation.number < 0 or event is not None:
                break  # else it was left before its first event: its caller's doing
        if event is not None and event < 0:
            event = None  # one before the part that was recorded
        if self.note is not None:
            self.note(f"event {event} raises {type(error).__name__}")
        self.raisers[hash(error.__traceback__)] = event

    def raiser(self, error: BaseException) -> int | None:
        """The event that raised ``error``, a living exception; ``None`` if it cannot be told."""
        event = self.raisers.get(hash(innermost(error.__traceback__)))
        return event if event is None or event >= 0 else self.folds.event(-2 - event)

    # -- what callbacks call

    def again(self, activation: Activation, code: CodeType) -> None:
        """One is resumed that nobody resumed any more, at its last event, when recorded."""
        if self.tables is None:
            return  # that part has not begun
        if not self.everything and activation.at_last_event():
            if not activation.resumes:
                self.diverge(f"resumes {named(code)} oftener than the recorded run did")
            activation.resumes -= 1

    def leave(self, activation: Activation, code: CodeType) -> None:
        """One is about to return that was left by an exception when recorded, or annotates."""
        function, plan = tracked(code), activation.plan
        if function is not None and function.annotates and plan is not None:
            if KEPT in plan.codes[activation.passed() + 1 :: ANNOTATION]:
                self.diverge(f"{named(code)} does not come to all that is kept of it")
            if activation.left == sites.END:
                return
        if activation.left == sites.CAUGHT:
            self.exits.caught(code)
        if self.note is not None:
            self.note(f"leaves {named(code)} by the exception that left it when recorded")
        self.exits.leaving = True
        raise Leave

    def arrived(self, code: CodeType) -> None:
        """Control is leaving, here or from a call: the event must have raised when recorded."""
        if self.exits.leaving:
            self.exits.leaving = False
            return
        activation = self.stack[-1]
        if activation.plan is not None:
            codes, index = activation.plan.codes, activation.ahead()
            if index == len(codes) or codes[index] != sites.LEAVE:
                self.diverge(f"nothing was raised in {named(code)} here when recorded")

    # -- what the instrumented code calls

    def _planned(self) -> Activation | None:
        """The activation that called us, if it follows a plan."""
        if self.main_thread is not None and not self.main_thread():
            return None
        self.folds.unfold()
        if not self.stack or self.stack[-1].number < 0:
            return None
        return self.stack[-1]

    def loop(self, iterator: Any) -> Any:
        """See ``loops.planned``."""
        limit = get_limit()
        set_limit(limit + ROOM)
        try:
            if self.folds.current is not None:
                return planned(iterator, chain(self.folds.current, AFTER), self.exits)
            activation = self._planned()
            if activation is None:
                return iterator
            return planned(iterator, activation.looping(), self.exits)
        finally:
            set_limit(limit)

    def async_loop(self, iterable: Any) -> Any:
        activation = self._planned()
        return (
            iterable
            if activation is None
            else AsyncLoop(iterable, activation.reading(), self.exits)
        )

    def annotated(self, number: int) -> bool:
        """Whether an annotation takes effect.  Some before it may not be there now: those of
        statements that are left out.
        """
        limit = get_limit()
        set_limit(limit + ROOM)
        try:
            return self._annotated(number)
        finally:
            set_limit(limit)

    def _annotated(self, number: int) -> bool:
        activation = self._planned()
        if activation is None:
            return True
        for kept in activation.answers:
            found = (next(activation.reading()), next(activation.reading()))
            if found == sites.digits(number):
                return bool(kept)
            if kept:
                break
        else:
            return True  # plans have no say any more
        self.diverge("other annotations are asked for than when recorded")
        return False

    def landed(self, site: int) -> None:
        """Control is at a landing point: it must be the recorded one."""
        if (sequence := self.folds.current) is not None:
            if next(sequence, 0) is self.folds.lands.get(site):
                return
            self.folds.unfold(1)
        limit = get_limit()
        set_limit(limit + ROOM)
        try:
            self._landed(site)
        finally:
            set_limit(limit)

    def _landed(self, site: int) -> None:
        activation = self._planned()
        if activation is None:
            return
        recorded, end, _ = self._arrive(activation)
        if self.note is not None:
            self.note(f"lands at site {site}, where it landed at site {recorded} when recorded")
        if OUTSIDE:
            return
        if recorded != site:
            self.diverge("an exception the recorded run did not have was caught")
        if isinstance(sys.exception(), Leave) and (plan := activation.plan) is not None:
            # Without the exception its handler has nothing to handle: pass through it.
            start = activation.passed() + 1
            for index in range(start, plan.index(end)):
                plan.codes[index] = plan.path.dropped[plan.origin(index)]

    def _arrive(self, activation: Activation) -> Landing:
        """Read on to the next landing of the path.

        Between an event and where its exception lands there is nothing but the codes the
        event did not come to read, and LEAVE.
        """
        for code in activation.reading():
            if code == sites.LAND:
                return activation.landing()
            if code == sites.OVER:
                self.past()
                break
            if code == sites.END or (code != sites.LEAVE and not activation.within()):
                break
        return NO_LANDING

    def handles(self, site: int) -> Any:
        """What the except clause at ``site`` handles, if control is leaving for a landing.

        None otherwise: then the clause's own expression has the say.
        """
        error = sys.exception()
        if not isinstance(error, (Leave, BaseExceptionGroup)):
            return None
        limit = get_limit()
        set_limit(limit + ROOM)
        try:
            activation = self._planned()
            return None if activation is None else handled(activation, site, error)
        finally:
            set_limit(limit)

    def agree(self, value: Any, branch: Any) -> Any:
        """Strict control: a kept predicate must evaluate as recorded."""
        if self.note is not None and branch is not None:
            self.note(f"a predicate is {bool(value)}, and was {bool(branch)} when recorded")
        if branch is not None and int(value) != branch:
            self.diverge("a predicate evaluated differently")
        return value
