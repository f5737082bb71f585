"""The recorder: what ``sys.monitoring`` reports, as one flat list of small integers.

The log holds site numbers in the order control passed them, and between them the negative
marks of ``sites`` for activations starting, ending, being resumed and exceptions on their
way.  Everything else is worked out later, outside the user's process.
"""

from __future__ import annotations

import os
import sys
from itertools import count, islice
from types import CodeType

from ..compiling import sites
from ..compiling.code import UserFile
from ..compiling.linker import Function
from ..compiling.versions import has_started
from ..process.natives import array
from ..process.recursion_limit import HEADROOM, ROOM, get_limit, level, set_limit, sound
from .depth import DEEP, deepened
from .monitor import (
    DISABLE,
    SEEN_TO,
    Functions,
    events,
    in_main_thread,
    is_our_fault,
    monitoring,
    raise_callback,
    take_tool_id,
    tracked,
)

TYPE_CHECKING = False  # typing takes as long to import as much of the agent
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from typing import Any

    from .log_files import Spill

LOCAL = (
    events.CALL
    | events.JUMP
    | events.PY_START
    | events.PY_RESUME
    | events.PY_RETURN
    | events.PY_YIELD
)
GLOBAL = events.PY_START | events.RAISE | events.RERAISE | events.PY_UNWIND | events.PY_THROW

PORTION = 1 << 16
"""Entries of a log that are written at a time."""

type Noting = Callable[[list[int]], Callable[[int], object]]
"""Makes of a log what notes a site in it, and may end the process there."""


def plainly(log: list[int]) -> Callable[[int], object]:
    """Note every site: at no cost, for it is no frame of its own."""
    return log.append


def raising(
    append: Callable[[int], object],
    left: Sequence[int],
    on_recursion: Callable[[], object],
    on_fault: Callable[[BaseException], object],
) -> dict[int, Callable[..., Any]]:
    """The callbacks for exceptions that are raised in tracked functions, or arrive there.

    ``left`` holds the hash of the exception by which an activation was left last.
    """
    identity = object.__hash__  # as id(), which audit hooks hear of
    raise_, same = sites.RAISED, sites.SAME

    def raised(offset: int, error: BaseException) -> None:
        append(raise_)
        append(offset)
        if identity(error) == left[0]:
            append(same)

    note_raised = raise_callback(raised, on_recursion)

    def on_raise(code: CodeType, offset: int, error: BaseException) -> None:
        constants = code.co_consts
        kind = type(error)
        if kind is not RecursionError and is_our_fault(error):
            on_fault(error)
        if not constants or type(constants[-1]) is not Function:
            if kind is not RecursionError:
                return
        elif not issubclass(kind, SEEN_TO):
            append(raise_)
            append(offset)
            if identity(error) == left[0]:
                append(same)
            return
        limit = get_limit()
        set_limit(limit)  # fails where it could not be set after: one frame on, it can
        set_limit(limit + ROOM)
        try:
            note_raised(code, offset, error)
        finally:
            set_limit(limit)

    def on_reraise(code: CodeType, offset: int, error: BaseException) -> None:
        constants = code.co_consts
        if constants and type(constants[-1]) is Function:
            append(sites.RERAISED)
            if identity(error) == left[0]:
                append(same)

    return {events.RAISE: on_raise, events.RERAISE: on_reraise}


def store(folder: str, most: int, portions: Iterator[Sequence[int]]) -> None:
    """Write entries of a log to files ``0``, ``1``, ... of at most ``most`` bytes each (0: any).

    No file may grow further than those that the program writes.
    """
    os.makedirs(folder, exist_ok=True)
    several = max(most // (4 * PORTION), 1) if most else sys.maxsize
    for number in count():
        with open(f"{folder}/{number}", "wb") as stream:
            for portion in islice(portions, several):
                array("i", portion).tofile(stream)
            if not stream.tell():
                return


class Recorder:
    """Records the main thread from ``start`` to ``stop``.

    ``report`` is the object the instrumented code calls at each site.  ``deep``: see
    ``depth``; ``on_recursion`` hears of each RecursionError, ``on_fault`` of each exception that
    our own code raises in the program; ``noting`` makes what notes sites.
    ``more``: levels of recursion that functions of ours need, called by the program.  ``spill``
    takes what the log holds now and then, where a part of a run is recorded.  ``local``: the events
    that tracked functions report.
    """

    def __init__(
        self,
        main_thread: Callable[[], bool] | None = None,
        deep: bool = False,
        on_recursion: Callable[[], object] = bool,
        noting: Noting = plainly,
        more: int = 0,
        spill: Spill | None = None,
        local: int = LOCAL,
        on_fault: Callable[[BaseException], object] = bool,
    ) -> None:
        self.more = more
        self.spill = spill
        self._noting = noting
        self.deep = deep
        self.on_recursion = on_recursion
        self.on_fault = on_fault
        self.wrappers = (main_thread is not None) + deep
        self.headroom = HEADROOM + more + self.wrappers
        self.log: list[int] = [sites.UNPAUSE]  # never empty
        # Any C function that no program can get hold of and that returns something false.
        self.report: Any = {}.__contains__
        self.tool = take_tool_id("stripe")
        self.functions = Functions(self.tool, local)
        self._main_thread = main_thread
        self.elsewhere: set[int] = set()  # sites that other threads passed
        self.unseen: list[
            str
        ] = []  # files of what the user's code called first, and is not its own
        self.note: Callable[[int], object] = self.log.append  # what is no site

    def track(self, file: UserFile) -> None:
        """Report the functions of a file that is about to run."""
        self.functions.track(file)

    def start(self) -> None:
        callbacks = self._callbacks()
        if self.deep:
            callbacks = deepened(callbacks, HEADROOM + self.more)
        for event, callback in callbacks.items():
            if self._main_thread is not None:
                callback = in_main_thread(callback, self._main_thread, self.note_elsewhere)
            monitoring.register_callback(self.tool, event, callback)
        monitoring.set_events(self.tool, GLOBAL | (DEEP if self.deep else 0))

    def stop(self) -> None:
        self.functions.untrack()

    def note_elsewhere(self, event: tuple[Any, ...]) -> None:
        """Note the site that another thread passes: it calls ``report``, or starts a function."""
        if len(event) == 4 and event[2] is self.report:
            self.elsewhere.add(event[3])
        elif len(event) == 2 and (function := tracked(event[0])) is not None:
            self.elsewhere.add(~function.number)

    def write(self, path: str, most: int) -> None:
        """Write the log, see ``store``; the process may end amid a run of statements."""
        frame: Any = sys._getframe(1)
        while frame is not None:
            if tracked(frame.f_code) is not None:
                self.log += [sites.AT, frame.f_lasti]
                break
            frame = frame.f_back
        if self.spill is not None:
            self.spill.take(self.log)
            return
        starts = range(0, len(self.log), PORTION)
        store(path, most, (self.log[start : start + PORTION] for start in starts))

    def _callbacks(self) -> dict[int, Callable[..., Any]]:
        """The callbacks, as closures over local names: they run once an event.

        They may need no more levels of recursion than HEADROOM, counting audit hooks, or raise the
        limit meanwhile.
        """
        report = self.report
        log = self.log
        append = log.append
        note = self._noting(log) if self.spill is None else self.spill.noting(log)
        functions = self.functions
        unseen = self.unseen.append
        generators: dict[int, int] = {}
        numbers = count()
        identity = object.__hash__  # as id(), which audit hooks hear of
        left = [0]  # the exception by which an activation was left last
        frame_of = sys._getframe
        wrappers = self.wrappers
        above = 1 + wrappers  # frames between a callback and what it is called for
        thrown = above - self.deep
        more = self.more
        run, suspend, unwind, closed = sites.RUN, sites.SUSPEND, sites.UNWIND, sites.CLOSED
        done = sites.DONE
        # Of each running activation, whether its caller may have been amid a run of statements.
        amid: list[bool] = []
        push, pop = amid.append, amid.pop
        # The same of the activation that runs, unless the log ends with a site: that tells.
        within = True

        def on_call(code: CodeType, offset: int, function: Any, argument: Any) -> Any:
            if function is report:
                note(argument)
                return None
            return DISABLE

        def on_jump(code: CodeType, offset: int, target: int) -> Any:
            site = code.co_consts[-1].fetches.get(target)
            if site is None:
                return DISABLE
            note(site)
            return None

        def calling() -> None:
            """Note whether the caller is amid a run of statements, and if so where."""
            nonlocal within
            last = log[-1]
            if within if last < 0 else last >= run:
                push(True)
                within = False
                frame = frame_of(2 + wrappers).f_back
                while frame is not None and tracked(frame.f_code) is None:
                    frame = frame.f_back
                if frame is not None:
                    append(sites.AT)
                    append(frame.f_lasti)
            else:
                push(False)
                within = False

        def on_start(code: CodeType, offset: int) -> Any:
            nonlocal within
            constants = code.co_consts
            if not constants or type(function := constants[-1]) is not Function:
                caller = frame_of(above).f_back
                if caller is not None and tracked(caller.f_code) is not None:
                    unseen(code.co_filename)
                return DISABLE
            if function.code is not code:
                functions.adopt(code)
            try:
                level()
                if more:
                    sound(more + 1)
            except RecursionError:
                limit = get_limit()
                set_limit(limit)  # fails if there is not even the level for the next one
                set_limit(limit + ROOM)
                try:
                    calling()
                finally:
                    set_limit(limit)
                append(function.mark - sites.ALONE)
                if function.generator:
                    append(next(numbers))
                raise
            last = log[-1]
            if last < run if last >= 0 else not within:
                push(False)
            else:
                limit = get_limit()
                set_limit(limit + ROOM)
                try:
                    calling()
                finally:
                    set_limit(limit)
            within = function.runs
            append(function.mark)
            if function.generator:
                # A generator's frame object lives as long as the generator; holding on to
                # it would change when the program's objects die, so only its address is kept.
                number = generators[hash(frame_of(above))] = next(numbers)
                append(number)
            return None

        def on_unheard(function: Function, frame: object) -> None:
            """Log that a generator starts that goes on and whose start was not heard of.

            It had not started when an exception was thrown into it, or another thread started it.
            """
            append(function.mark - sites.ALONE)
            number = generators[hash(frame)] = next(numbers)
            append(number)

        def on_resume(code: CodeType, offset: int) -> None:
            nonlocal within
            last = log[-1]
            if last < run if last >= 0 else not within:
                push(False)
                within = False
            else:
                limit = get_limit()
                set_limit(limit + ROOM)
                try:
                    calling()
                finally:
                    set_limit(limit)
            number = generators.get(hash(frame_of(above)))
            if number is None:
                on_unheard(code.co_consts[-1], frame_of(above))
                return
            append(sites.RESUME)
            append(number)

        def on_throw(code: CodeType, offset: int, error: BaseException) -> None:
            constants = code.co_consts
            if constants and type(function := constants[-1]) is Function:
                limit = get_limit()
                set_limit(limit + ROOM)
                try:
                    calling()
                    number = generators.get(hash(frame_of(thrown)))
                    if number is None or not has_started(code, offset):
                        on_unheard(function, frame_of(thrown))
                        return
                finally:
                    set_limit(limit)
                append(sites.RESUME)
                append(number)

        def on_suspend(code: CodeType, offset: int, value: Any) -> None:
            nonlocal within
            append(suspend)
            within = pop() if amid else True

        def on_return(code: CodeType, offset: int, value: Any) -> None:
            nonlocal within
            constants = code.co_consts
            append(done if constants[-1].generator else suspend)
            within = pop() if amid else True

        def on_unwind(code: CodeType, offset: int, error: BaseException) -> None:
            nonlocal within
            constants = code.co_consts
            if constants and type(function := constants[-1]) is Function:
                ends = function.generator and isinstance(error, GeneratorExit)
                append(closed if ends else unwind)
                left[0] = identity(error)
                within = pop() if amid else True

        return {
            events.CALL: on_call,
            events.JUMP: on_jump,
            events.PY_START: on_start,
            events.PY_RESUME: on_resume,
            events.PY_THROW: on_throw,
            events.PY_RETURN: on_suspend if self.spill is None else on_return,
            events.PY_YIELD: on_suspend,
            events.PY_UNWIND: on_unwind,
            **raising(append, left, self.on_recursion, self.on_fault),
        }
