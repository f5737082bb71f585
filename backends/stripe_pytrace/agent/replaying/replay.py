"""A replay: its modes, what these have in common, and what instrumented code calls.

The instrumented code asks ``next(now.plan, default)`` at each site.  Callbacks of
``sys.monitoring`` (``monitor_callbacks``) put the iterator of the running activation there, and
take it away when the activation ends, yields, or is left by an exception.  What sites read is
decided by modes (``modes``).
"""

from __future__ import annotations

import sys
from itertools import repeat

from ..compiling import sites
from ..compiling.code import UserFile
from ..compiling.linker import Function
from ..process.natives import deque
from ..process.recursion_limit import HEADROOM, ROOM, get_limit, set_limit
from ..recording.monitor import (
    Functions,
    events,
    innermost,
    monitoring,
    raised_here,
    take_tool_id,
)
from .activation import IN_FORCE, NOTHING, Activation, Exits, Leave, named
from .depth import Depth
from .loops import SKIP, AsyncLoop, Opened, planned
from .modes import DEEP, STRICT, THREADED, WINDOWED, Mode
from .monitor_callbacks import callbacks_of
from .plan import Marks, Tables
from .recorded_paths import RecordedPaths
from .replay_registers import Now
from .threads import Threads, ThreadsNow
from .window import Window

TYPE_CHECKING = False  # typing takes as long to import as much of the agent
if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Container, Iterator
    from typing import Any

LOCAL = events.PY_START | events.PY_RESUME | events.PY_RETURN | events.PY_YIELD
ANY = range(1 << 62)  # holds the number of any activation


class Replayer:
    """Runs one configuration: ``start``, then ``configure``, then run the program.

    Until it is configured everything runs in full.  ``modes`` are asked in their order.
    """

    def __init__(
        self,
        needed: Collection[str],
        *,
        in_main: Callable[[], bool],
        diverge: Callable[[str], Any],
        cut: Callable[[], Any],
        fault: Callable[[BaseException], Any],
        more: int = 0,
        note: Callable[[str], object] | None = None,
    ) -> None:
        """``needed``: modes by their names; ``in_main``: whether the caller is what is replayed.

        ``more``: levels of recursion that functions of ours need; ``fault`` hears of errors.
        ``note`` hears of each decision, if somebody wants to read them.
        """
        self.note = note
        self.cut = cut
        self.fault = fault
        self.strict = STRICT in needed
        self.diverge = diverge
        self.more = more
        self.paths = RecordedPaths(self)
        self.window = Window(self) if WINDOWED in needed else None
        self.depth = Depth(HEADROOM + more) if DEEP in needed else None
        self.threads = Threads(in_main) if THREADED in needed else None
        self.exits = Exits(self.strict, diverge, self.paths.beyond, self.paths.caught, note)
        if self.window is not None:
            self.exits.over, self.exits.windowed = self.window.close, True
        self.free = Activation()
        self.aside = Activation()  # what runs in it is none of the program's doing
        self.stack: list[Activation] = []
        self.generators: dict[int, Activation] = {}
        # The events that raised exceptions, by the addresses of entries of tracebacks: to hold on
        # to these would change when objects die.  Parts of a group share it with the whole.
        self.raisers: dict[int, int | None] = {}
        self.started = 0  # activations that have begun before the recorded part, see ``Window``
        self.tables: Tables | None = None  # none where nothing that starts was recorded
        self.bound = bytearray()  # by activation: whether it has begun
        self.partly: Container[int] = ANY  # activations that do not take effect as a whole
        self.now: Any = Now() if self.threads is None else ThreadsNow()
        found = (self.window, self.paths, self.depth, self.threads)
        self.modes: list[Mode] = [mode for mode in found if mode is not None]
        self.wrappers = sum(mode.levels for mode in self.modes)
        self.headroom = HEADROOM + more + self.wrappers
        self.tool = take_tool_id("stripe")
        self.functions = Functions(self.tool, LOCAL)

    def configure(
        self,
        tables: Tables,
        marked: Marks,
        keep: bool,
        last: int | None = None,
        without: Container[str] = (),
        outermost: int | None = None,
    ) -> None:
        """What takes effect: positions by activation (see ``Plan``).

        ``last``: the event where the recorded run was cut off.  ``without`` some fast paths, so
        that it can be measured what they earn.  ``outermost``: see ``RecordedPaths``.
        """
        Activation.tables = tables
        self.tables = tables if self.window is None else self.window.open(tables)
        self.bound = bytearray(tables.activations)
        self.marked = marked
        self.keep = keep
        self.everything = not marked and not keep
        self.partly = ANY if keep or "following" in without else marked
        self.paths.require_last(tables, last)
        self.paths.outermost = outermost
        if self.note is not None:
            names = [each.name for each in self.modes]
            self.note("modes: " + ", ".join([*names, *["strict"] * self.strict]))

    def uses(self) -> dict[str, tuple[int, int]]:
        """How often each fast path served, and how often it could not."""
        sought = self.paths.sought
        return {"following": (self.bound.count(1) - sought, sought)}

    def track(self, file: UserFile) -> None:
        self.functions.track(file)

    def start(self) -> None:
        everywhere = events.PY_START | events.PY_UNWIND | events.PY_THROW | events.RAISE
        callbacks = callbacks_of(self)
        for mode in self.modes:
            everywhere |= mode.events
            callbacks = mode.wrapped(callbacks)
        monitoring.set_events(self.tool, everywhere)
        for event, callback in callbacks.items():
            monitoring.register_callback(self.tool, event, callback)

    def stop(self) -> None:
        """From here on everything runs in full (a forked child, the interpreter's end).

        Plans are emptied, for a statement that forks may have its plan at hand already.
        """
        self.functions.untrack()
        self.partly = ANY
        self._empty()
        self.stack.clear()
        self._put(NOTHING)

    def _empty(self) -> None:
        """Plans that are at hand have no say any more."""
        IN_FORCE.clear()
        for activation in (*self.stack, *self.generators.values()):
            deque(activation.unread, 0)

    def run_in_full(self) -> None:
        """The recorded part is over: all takes effect from here on."""
        self.over()
        self.raisers.clear()
        if self.depth is None:
            self.stop()
            return
        # All go on to be heard of: who recurses to the limit needs it where it is.
        self._empty()
        self.stack[:] = [self.free] * len(self.stack)
        self.generators.clear()
        self._put(NOTHING)

    def over(self) -> None:
        """What is called from here on is no part of the recorded run."""
        self.tables = None
        self.partly = ANY
        for mode in self.modes:
            mode.over()

    def pause(self) -> None:
        """What is called from here until ``unpause`` is no part of the recorded run."""
        self.stack.append(self.aside)
        self._put(NOTHING)

    def unpause(self) -> None:
        self.stack.pop()
        self._put(self.stack[-1].answers if self.stack else NOTHING)

    def _put(self, answers: Iterator[Any]) -> None:
        self.now.plan = answers

    # -- what callbacks call

    def enter(self, function: Function) -> Activation:
        """The activation that begins here.

        Without a recorded one the replay ends, for what was never recorded cannot be left out;
        only when everything is kept, or plans have no say here, does it run in full.
        """
        for mode in tuple(self.modes):
            activation = mode.begin(function)
            if activation is not None:
                return activation
        if not any(mode.unrecorded() for mode in self.modes) and not self.everything:
            self.diverge(f"calls {named(function.code)}, which the recorded run did not")
        if self.note is not None:
            self.note(f"begins {named(function.code)}, which runs in full: it was not recorded")
        return self.free

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
        return self.raisers.get(hash(innermost(error.__traceback__)))

    # -- what the instrumented code calls

    def running(self) -> Activation | None:
        """The activation that called us, if it follows a plan."""
        if self.threads is not None and not self.threads.in_main():
            return None
        if not self.stack or self.stack[-1].number < 0:
            return None
        return self.stack[-1]

    def loop(self, iterator: Any) -> Any:
        """See ``loops.planned``."""
        limit = get_limit()
        set_limit(limit + ROOM)
        try:
            activation = self.running()
            if activation is None:
                # Only what is iterated over has to have ``__iter__``.
                there = hasattr(type(iterator), "__iter__")
                return iterator if there else map(next, repeat(iterator))
            return planned(iterator, activation.looping(), self.exits)
        finally:
            set_limit(limit)

    def async_loop(self, iterator: Any) -> Any:
        """See ``loops.AsyncLoop``; what is no iterator is for the loop itself to complain of."""
        if iterator is not SKIP and not hasattr(type(iterator), "__anext__"):
            return iterator
        activation = self.running()
        if activation is not None:
            return AsyncLoop(iterator, activation.reading(), self.exits)
        return iterator if hasattr(type(iterator), "__aiter__") else Opened(iterator)

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
        activation = self.running()
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
        limit = get_limit()
        set_limit(limit + ROOM)
        try:
            if (activation := self.running()) is not None:
                self.paths.land(activation, site)
        finally:
            set_limit(limit)

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
            activation = self.running()
            return None if activation is None else self.paths.handled(activation, site, error)
        finally:
            set_limit(limit)

    def agree(self, value: Any, branch: Any) -> Any:
        """Strict control: a kept predicate must evaluate as recorded."""
        if self.note is not None and branch is not None:
            self.note(f"a predicate is {bool(value)}, and was {bool(branch)} when recorded")
        if branch is not None and int(value) != branch:
            self.diverge("a predicate evaluated differently")
        return value
