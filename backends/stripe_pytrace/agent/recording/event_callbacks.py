"""What ``sys.monitoring`` tells a recorder, as entries of its log.

Each callback is a closure over local names, made by a function of its own: it runs once an event.
They may need no more levels of recursion than HEADROOM, counting audit hooks, or raise the limit
meanwhile.
"""

from __future__ import annotations

import sys
from itertools import count
from types import CodeType

from ..compiling import sites
from ..compiling.linker import Function
from ..compiling.versions import has_started
from ..process.recursion_limit import ROOM, get_limit, level, set_limit, sound
from .monitor import DISABLE, SEEN_TO, events, is_our_fault, raise_callback, tracked

TYPE_CHECKING = False  # typing takes as long to import as much of the agent
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from typing import Any

    from .record import Recorder


class Callers:
    """Of each running activation, whether its caller may be amid a run of statements."""

    __slots__ = ("_log", "pop", "push", "stack", "within")

    def __init__(self, log: list[int]) -> None:
        self._log = log
        self.stack: list[bool] = []
        self.push, self.pop = self.stack.append, self.stack.pop
        # The same of the activation that runs, unless the log ends with a site: that tells.
        self.within = True

    def call(self, begun: Any) -> None:
        """What has the frame ``begun`` was called: note where its caller is, if amid a run."""
        last = self._log[-1]
        amid = self.within if last < 0 else last >= sites.RUN
        self.push(amid)
        self.within = False
        if amid:
            frame = begun.f_back
            while frame is not None and tracked(frame.f_code) is None:
                frame = frame.f_back
            if frame is not None:
                self._log.append(sites.AT)
                self._log.append(frame.f_lasti)


class Generators:
    """The numbers of generators, by the addresses of their frames.

    A generator's frame object lives as long as the generator; holding on to it would change when
    the program's objects die.
    """

    __slots__ = ("_append", "_numbers", "known")

    def __init__(self, append: Callable[[int], object]) -> None:
        self._append = append
        self._numbers = count()
        self.known: dict[int, int] = {}

    def begin(self, mark: int, frame: object) -> None:
        """Log that a function starts by its mark, and the number that its generator has."""
        self._append(mark)
        number = self.known[hash(frame)] = next(self._numbers)
        self._append(number)

    def fail(self, mark: int) -> None:
        """The same of one that comes to nothing."""
        self._append(mark)
        self._append(next(self._numbers))


def callbacks_of(recorder: Recorder) -> dict[int, Callable[..., Any]]:
    """The callbacks of a recorder by their events."""
    log = recorder.log
    note = recorder.noting(log) if recorder.spill is None else recorder.spill.noting(log)
    callers, generators = Callers(log), Generators(log.append)
    left = [0]  # the exception by which an activation was left last
    on_suspend = when_suspended(recorder, callers)
    return {
        events.CALL: when_called(recorder, note),
        events.JUMP: when_jumped(note),
        events.PY_START: when_started(recorder, callers, generators),
        events.PY_RESUME: when_resumed(recorder, callers, generators),
        events.PY_THROW: when_thrown_at(recorder, callers, generators),
        events.PY_RETURN: on_suspend if recorder.spill is None else when_done(recorder, callers),
        events.PY_YIELD: on_suspend,
        events.PY_UNWIND: when_unwound(recorder, callers, left),
        **raising(log.append, left, recorder.on_recursion, recorder.on_fault),
    }


def when_called(recorder: Recorder, note: Callable[[int], object]) -> Callable[..., Any]:
    """Something is called: it may be a report."""
    report = recorder.report

    def on_call(code: CodeType, offset: int, function: Any, argument: Any) -> Any:
        if function is report:
            note(argument)
            return None
        return DISABLE

    return on_call


def when_jumped(note: Callable[[int], object]) -> Callable[..., Any]:
    """Control jumps: back to a loop's header, it may be."""

    def on_jump(code: CodeType, offset: int, target: int) -> Any:
        site = code.co_consts[-1].fetches.get(target)
        if site is None:
            return DISABLE
        note(site)
        return None

    return on_jump


def when_started(
    recorder: Recorder, callers: Callers, generators: Generators
) -> Callable[..., Any]:
    """A function starts, of the program or not."""
    log, functions, more = recorder.log, recorder.functions, recorder.more
    append, push, unseen = log.append, callers.push, recorder.unseen.append
    frame_of = sys._getframe
    above = 1 + recorder.wrappers  # frames between a callback and what it is called for
    run = sites.RUN

    def on_start(code: CodeType, offset: int) -> Any:
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
                sound(more + 2)
        except RecursionError:
            limit = get_limit()
            set_limit(limit)  # fails if there is not even the level for the next one
            set_limit(limit + ROOM)
            try:
                callers.call(frame_of(above))
                if function.generator:
                    generators.fail(function.mark - sites.ALONE)
                else:
                    append(function.mark - sites.ALONE)
            finally:
                set_limit(limit)
            raise
        last = log[-1]
        if last < run if last >= 0 else not callers.within:
            push(False)
        else:
            limit = get_limit()
            set_limit(limit + ROOM)
            try:
                callers.call(frame_of(above))
            finally:
                set_limit(limit)
        callers.within = function.runs
        if function.generator:
            generators.begin(function.mark, frame_of(above))
        else:
            append(function.mark)
        return None

    return on_start


def when_resumed(
    recorder: Recorder, callers: Callers, generators: Generators
) -> Callable[..., Any]:
    """A generator of the program goes on.

    Its start was not heard of if it had not started when an exception was thrown into it, or if
    another thread started it.
    """
    log, known = recorder.log, generators.known
    append, push = log.append, callers.push
    frame_of = sys._getframe
    above = 1 + recorder.wrappers
    run, resume = sites.RUN, sites.RESUME

    def on_resume(code: CodeType, offset: int) -> None:
        last = log[-1]
        if last < run if last >= 0 else not callers.within:
            push(False)
            callers.within = False
        else:
            limit = get_limit()
            set_limit(limit + ROOM)
            try:
                callers.call(frame_of(above))
            finally:
                set_limit(limit)
        number = known.get(hash(frame_of(above)))
        if number is None:
            generators.begin(code.co_consts[-1].mark - sites.ALONE, frame_of(above))
            return
        append(resume)
        append(number)

    return on_resume


def when_thrown_at(
    recorder: Recorder, callers: Callers, generators: Generators
) -> Callable[..., Any]:
    """An exception is thrown into a generator, of the program or not."""
    append, known = recorder.log.append, generators.known
    frame_of = sys._getframe
    above = 1 + recorder.wrappers - recorder.deep  # that has no wrapper for this

    def on_throw(code: CodeType, offset: int, error: BaseException) -> None:
        constants = code.co_consts
        if constants and type(function := constants[-1]) is Function:
            limit = get_limit()
            set_limit(limit + ROOM)
            try:
                frame = frame_of(above)
                callers.call(frame)
                number = known.get(hash(frame))
                if number is None or not has_started(code, offset):
                    generators.begin(function.mark - sites.ALONE, frame)
                    return
            finally:
                set_limit(limit)
            append(sites.RESUME)
            append(number)

    return on_throw


def when_suspended(recorder: Recorder, callers: Callers) -> Callable[..., Any]:
    """A function of the program yields, or is about to return."""
    append, stack, pop = recorder.log.append, callers.stack, callers.pop
    suspend = sites.SUSPEND

    def on_suspend(code: CodeType, offset: int, value: Any) -> None:
        append(suspend)
        callers.within = pop() if stack else True

    return on_suspend


def when_done(recorder: Recorder, callers: Callers) -> Callable[..., Any]:
    """A function of the program is about to return, where a part of a run is recorded."""
    append, stack, pop = recorder.log.append, callers.stack, callers.pop
    suspend, done = sites.SUSPEND, sites.DONE

    def on_return(code: CodeType, offset: int, value: Any) -> None:
        append(done if code.co_consts[-1].generator else suspend)
        callers.within = pop() if stack else True

    return on_return


def when_unwound(recorder: Recorder, callers: Callers, left: list[int]) -> Callable[..., Any]:
    """A function, of the program or not, is left by an exception."""
    append, stack, pop = recorder.log.append, callers.stack, callers.pop
    identity = object.__hash__  # as id(), which audit hooks hear of
    unwind, closed = sites.UNWIND, sites.CLOSED

    def on_unwind(code: CodeType, offset: int, error: BaseException) -> None:
        constants = code.co_consts
        if constants and type(function := constants[-1]) is Function:
            ends = function.generator and isinstance(error, GeneratorExit)
            append(closed if ends else unwind)
            left[0] = identity(error)
            callers.within = pop() if stack else True

    return on_unwind


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
