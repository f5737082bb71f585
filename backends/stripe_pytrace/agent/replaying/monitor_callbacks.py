"""What ``sys.monitoring`` tells a replay: which activation runs, and when it ends.

The callbacks put the iterator over the running activation's codes into ``now.plan``, and take it
away.  Nearly all that begin are kept as a whole, and are the ones that their callers are expected
to call next: that is seen at once, from one row of ``Tables.calls``.  All others are looked for.

Each callback is a closure over local names, made by a function of its own: it runs once an event.
What they have in common are the replayer's: ``stack``, ``generators``, ``now`` and ``folds``.  They
may need no more levels of recursion than HEADROOM, counting audit hooks, or raise the limit
meanwhile.
"""

from __future__ import annotations

import sys
from itertools import chain
from types import CodeType

from ..compiling import sites
from ..compiling.linker import Function
from ..compiling.versions import at_start, has_started
from ..process.recursion_limit import ROOM, get_limit, level, set_limit, sound
from ..recording.monitor import DISABLE, SEEN_TO, events, is_our_fault, raise_callback, raised_here
from .activation import BEHIND, NOTHING, Activation, Leave, named
from .plan import CALL, SHORT

TOLD = -1
"""Where code tells itself that its function starts or returns, by the mark for that: no offset."""

UNUSUAL = (*SEEN_TO, Leave)
LEFT_BY = (sites.LEAVE, sites.CAUGHT)

TYPE_CHECKING = False  # typing takes as long to import as much of the agent
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from .replay import Replayer


def callbacks_of(replayer: Replayer) -> dict[int, Callable[..., Any]]:
    """The callbacks by their events."""
    return {
        events.PY_START: when_started(replayer),
        events.PY_RESUME: when_resumed(replayer),
        events.PY_THROW: when_thrown_at(replayer),
        events.PY_RETURN: when_returning(replayer),
        events.PY_YIELD: when_suspended(replayer),
        events.PY_UNWIND: when_unwound(replayer),
        events.RAISE: when_raised(replayer),
    }


def when_started(replayer: Replayer) -> Callable[..., Any]:
    """A function starts, of the program or not."""
    functions, folds, now = replayer.functions, replayer.folds, replayer.now
    stack, generators, free = replayer.stack, replayer.generators, replayer.free
    frame_of = sys._getframe
    above = 1 + replayer.wrappers  # frames between a callback and what it is called for
    more = replayer.more
    row, width = CALL.unpack_from, CALL.size
    expected = whole_activations(replayer)
    special = sites.SPECIAL
    told = replayer.note

    def on_start(code: Any, offset: int = TOLD) -> Any:
        if offset == TOLD:
            function = code.function
        else:
            constants = code.co_consts
            if not constants or type(function := constants[-1]) is not Function:
                return DISABLE
            if function.code is not code:
                functions.adopt(code)
            if function.notes:
                return DISABLE
        try:
            level()
            if more:
                sound(more + 2)
        except RecursionError:
            # There may be no level left for a call of ours.
            if folds.current is not None:
                limit = get_limit()
                set_limit(limit + ROOM)
                try:
                    folds.unfold()
                finally:
                    set_limit(limit)
            stack.append(free)  # is taken away as the activation is left
            replayer.started += 1
            raise
        if (sequence := folds.current) is not None:
            if offset != TOLD and next(sequence, 0) is function.opens:
                return None
            folds.unfold(1)
        caller = stack[-1] if stack else free
        tables = replayer.tables
        if tables is not None:
            who, wanted, low, high, number, start, end, call, kind = row(tables.calls, caller.call)
            if (
                who == caller.number
                and wanted == function.number
                and low < caller.size - caller.unread.__length_hint__() <= high
                and kind <= special
                and number not in replayer.partly
                and not replayer.bound[number]
            ):
                caller.call += width
                if folds.on:
                    answers = folds.enter(number, replayer.bound)
                    if answers is not None:
                        now.plan = answers
                        if told is not None:
                            note_whole(replayer, function, number, tables.folded_last[number])
                        return None
                activation = expected(number, start, end, call, kind)
                if function.generator:
                    generators[hash(frame_of(above))] = activation
                stack.append(activation)
                now.plan = activation.answers
                if told is not None:
                    note_whole(replayer, function, number, number)
                return None
        activation = entered(replayer, function)
        if function.generator:
            generators[hash(frame_of(above))] = activation
        stack.append(activation)
        now.plan = activation.answers
        return None

    return on_start


def whole_activations(replayer: Replayer) -> Callable[..., Activation]:
    """Makes activations that are kept as a whole, of which the row of their call tells all."""
    answer = replayer.exits.__getitem__
    ending = map(answer, BEHIND)
    whole, special, width = sites.WHOLE, sites.SPECIAL, CALL.size
    texts: dict[int, bytes] = {}  # by their start, the codes of short activations: few differ

    def expected(number: int, start: int, end: int, call: int, kind: int) -> Activation:
        codes: Any = texts.get(start)
        if codes is None:
            assert replayer.tables is not None
            codes = replayer.tables.codes[start:end]
            if end - start <= SHORT:
                texts[start] = codes
        activation = Activation()
        if kind == whole:
            activation.unread = unread = iter(codes)
            activation.answers = chain(unread, ending)
        else:
            codes = bytearray(codes)
            activation.unread = unread = iter(codes)
            activation.answers = map(answer, chain(unread, BEHIND))
            if kind == special and codes[-1] in LEFT_BY:
                activation.left = codes[-1]
        activation.number = number
        activation.call = call * width
        activation.size = end - start
        activation.held = codes
        replayer.bound[number] = 1
        return activation

    return expected


def note_whole(replayer: Replayer, function: Function, number: int, last: int) -> None:
    """Note that an activation begins of which all is kept; with all up to ``last`` in a fold."""
    assert replayer.note is not None
    limit = get_limit()
    set_limit(limit + ROOM)
    try:
        more = f" with all up to {last}" if last > number else ""
        name = named(function.code)
        replayer.note(f"begins {name} as activation {number}{more}, all of it kept")
    finally:
        set_limit(limit)


def entered(replayer: Replayer, function: Function) -> Activation:
    """The activation that begins here: a start, or a generator that goes on without one."""
    limit = get_limit()
    set_limit(limit + ROOM)
    try:
        return replayer.enter(function)
    finally:
        set_limit(limit)


def when_resumed(replayer: Replayer) -> Callable[..., Any]:
    """A generator of the program goes on."""
    folds, now, stack, generators = (
        replayer.folds, replayer.now, replayer.stack, replayer.generators,
    )  # fmt: skip
    frame_of = sys._getframe
    above = 1 + replayer.wrappers

    def on_resume(code: CodeType, offset: int) -> None:
        if folds.current is not None:
            folds.unfold()
        activation = generators.get(hash(frame_of(above)))
        if activation is None:
            activation = entered(replayer, code.co_consts[-1])
            generators[hash(frame_of(above))] = activation
        elif activation.resumes >= 0 and not replayer.everything:
            limit = get_limit()
            set_limit(limit + ROOM)
            try:
                replayer.paths.resume(activation, code)
            finally:
                set_limit(limit)
        stack.append(activation)
        now.plan = activation.answers

    return on_resume


def when_thrown_at(replayer: Replayer) -> Callable[..., Any]:
    """An exception is thrown into a generator, of the program or not."""
    folds, now, stack, generators = (
        replayer.folds, replayer.now, replayer.stack, replayer.generators,
    )  # fmt: skip
    frame_of = sys._getframe
    above = 1 + replayer.wrappers - (replayer.depth is not None)  # that has no wrapper for this

    def on_throw(code: CodeType, offset: int, error: BaseException) -> None:
        constants = code.co_consts
        if constants and type(constants[-1]) is Function:
            folds.unfold()
            activation = generators.get(hash(frame_of(above)))
            if activation is None or not has_started(code, offset):
                activation = entered(replayer, constants[-1])
                generators[hash(frame_of(above))] = activation
            stack.append(activation)
            now.plan = activation.answers

    return on_throw


def when_returning(replayer: Replayer) -> Callable[..., Any]:
    """A function of the program is about to return."""
    folds, now, stack = replayer.folds, replayer.now, replayer.stack
    returns, ends = folds.returns, folds.ends
    frame_of = sys._getframe

    def on_return(code: Any, offset: int = TOLD, value: Any = None) -> None:
        if (sequence := folds.current) is not None:
            mark = folds.last() if offset == TOLD else next(sequence, 0)
            if mark is returns:
                return
            if mark is ends:
                folds.leave()
                now.plan = stack[-1].answers if stack else NOTHING
                return
            folds.unfold(1)
        activation = stack[-1]
        if activation.left:
            limit = get_limit()
            set_limit(limit + ROOM)
            try:
                replayer.paths.leave(activation, frame_of(1).f_code if offset == TOLD else code)
            finally:
                set_limit(limit)
        stack.pop()
        now.plan = stack[-1].answers if stack else NOTHING

    return on_return


def when_suspended(replayer: Replayer) -> Callable[..., Any]:
    """A generator of the program yields."""
    folds, now, stack = replayer.folds, replayer.now, replayer.stack

    def on_suspend(code: CodeType, offset: int, value: Any) -> None:
        if folds.current is not None:
            folds.unfold()
        stack.pop()
        now.plan = stack[-1].answers if stack else NOTHING

    return on_suspend


def when_unwound(replayer: Replayer) -> Callable[..., Any]:
    """A function, of the program or not, is left by an exception."""
    folds, now, stack = replayer.folds, replayer.now, replayer.stack
    unwinds, fails = folds.unwinds, folds.fails

    def on_unwind(code: CodeType, offset: int, error: BaseException) -> None:
        constants = code.co_consts
        if constants and type(function := constants[-1]) is Function:
            if function.notes and at_start(code, offset):
                return  # a signal or a trace function, before its code could tell that it starts
            if (sequence := folds.current) is not None:
                mark = next(sequence, 0)
                if mark is unwinds:
                    return
                if mark is fails:
                    folds.leave()
                    now.plan = stack[-1].answers if stack else NOTHING
                    return
                folds.unfold(1)
            stack.pop()
            now.plan = stack[-1].answers if stack else NOTHING

    return on_unwind


def when_raised(replayer: Replayer) -> Callable[..., Any]:
    """An exception is raised in a function, or arrives there."""
    folds, raisers = replayer.folds, replayer.raisers
    raises = folds.raises
    note = raise_callback(replayer.noted)

    def on_raise(code: CodeType, offset: int, error: BaseException) -> None:
        constants = code.co_consts
        here = constants and type(constants[-1]) is Function
        kind = type(error)
        if kind is not RecursionError and is_our_fault(error):
            replayer.fault(error)
        if not here and kind is not RecursionError:
            return
        if (sequence := folds.current) is not None and kind not in UNUSUAL:
            if next(sequence, 0) is raises:
                traceback = error.__traceback__
                if traceback is not None and (below := traceback.tb_next) is not None:
                    passed = below.tb_frame.f_code.co_consts  # nearly always one of ours
                    if (passed and type(passed[-1]) is Function) or not raised_here(error):
                        return
                raisers[hash(traceback)] = sequence.__length_hint__() - folds.behind
                return
            read = 1
        else:
            read = 0
        limit = get_limit()
        if kind is RecursionError:
            set_limit(limit)  # fails where it could not be set after: one frame on, it can
        set_limit(limit + ROOM)
        try:
            if folds.current is not None:
                folds.unfold(read)
            if kind is Leave:
                replayer.paths.arrived(code)
            elif issubclass(kind, SEEN_TO):
                note(code, offset, error)
            else:
                replayer.noted(offset, error)
        finally:
            set_limit(limit)

    return on_raise


def switching(replayer: Replayer) -> None:
    """Have generators that tell themselves that they are suspended and resumed be heard of.

    See ``suspending``: what they hold meanwhile is the activation.
    """
    now, folds, stack = replayer.now, replayer.folds, replayer.stack
    hold = now.away

    def away(value: Any) -> Activation:
        hold(value)
        if folds.current is not None:
            folds.unfold()
        activation = stack.pop()
        now.plan = stack[-1].answers if stack else NOTHING
        return activation

    def back(activation: Activation, value: Any) -> Any:
        if folds.current is not None:
            folds.unfold()
        if activation.resumes >= 0 and not replayer.everything:
            limit = get_limit()
            set_limit(limit + ROOM)
            try:
                replayer.paths.resume(activation, frame_of(1).f_code)
            finally:
                set_limit(limit)
        stack.append(activation)
        now.plan = activation.answers
        return value

    frame_of = sys._getframe
    now.away, now.back = away, back
