"""What ``sys.monitoring`` tells a replay: which activation runs, and when it ends.

The callbacks put the iterator over the running activation's codes into ``now.plan``, and take it
away.  Nearly all that begin are kept as a whole, and are the ones that their callers are expected
to call next: that is seen at once, from one row of ``Tables.calls``.  All others are looked for.
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
REUSED = -2
"""The ``resumes`` of activations that are used again: none that generators have."""

UNUSUAL = (*SEEN_TO, Leave)

TYPE_CHECKING = False  # typing takes as long to import as much of the agent
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from .replay import Replayer


def callbacks_of(replayer: Replayer) -> dict[int, Callable[..., Any]]:
    """The callbacks, as closures over local names: they run once an event.

    They may need no more levels of recursion than HEADROOM, counting audit hooks, or raise the
    limit meanwhile.
    """
    functions = replayer.functions
    stack, generators, free = replayer.stack, replayer.generators, replayer.free
    now = replayer.now
    folds = replayer.folds
    returns, ends, unwinds, fails = folds.returns, folds.ends, folds.unwinds, folds.fails
    raises, raisers = folds.raises, replayer.raisers
    frame_of = sys._getframe
    above = 1 + replayer.wrappers  # frames between a callback and what it is called for
    thrown = above - replayer.deep
    more = replayer.more
    row, width = CALL.unpack_from, CALL.size
    answer = replayer.exits.__getitem__
    ending = map(answer, BEHIND)
    note = raise_callback(replayer.noted)
    whole, special = sites.WHOLE, sites.SPECIAL
    left_by = (sites.LEAVE, sites.CAUGHT)
    told = replayer.note
    texts: dict[int, bytes] = {}  # by their start, the codes of short activations: few differ
    pool: list[Activation] = []  # those that have ended: to make one takes longer than to fill one

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
                sound(more + 1)
        except RecursionError:
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
                if folds.on:
                    answers: Any = folds.enter(number, replayer.bound)
                    if answers is not None:
                        if told is not None:
                            whole_of(function, number, tables.folded_last[number])
                        caller.call += width
                        now.plan = answers
                        return None
                codes: Any = texts.get(start)
                if codes is None:
                    codes = tables.codes[start:end]
                    if end - start <= SHORT:
                        texts[start] = codes
                if kind == whole:
                    unread = iter(codes)
                    answers = chain(unread, ending)
                else:
                    codes = bytearray(codes)
                    unread = iter(codes)
                    answers = map(answer, chain(unread, BEHIND))
                if function.generator:
                    activation = Activation()
                    generators[hash(frame_of(above))] = activation
                elif pool:
                    activation = pool.pop()
                    activation.left = 0
                    activation.codes = activation.entered = activation._plan = None
                else:
                    activation = Activation()
                    activation.resumes = REUSED
                activation.number = number
                activation.call = call * width
                activation.size = end - start
                activation.unread = unread
                activation.answers = answers
                activation.held = codes
                if kind == special and codes[-1] in left_by:
                    activation.left = codes[-1]
                caller.call += width
                replayer.bound[number] = 1
                stack.append(activation)
                if told is not None:
                    whole_of(function, number, number)
                now.plan = answers
                return None
        limit = get_limit()
        set_limit(limit + ROOM)
        try:
            activation = replayer.enter(function)
        finally:
            set_limit(limit)
        if function.generator:
            generators[hash(frame_of(above))] = activation
        stack.append(activation)
        now.plan = activation.answers
        return None

    def whole_of(function: Function, number: int, last: int) -> None:
        assert told is not None
        limit = get_limit()
        set_limit(limit + ROOM)
        try:
            more = f" with all up to {last}" if last > number else ""
            told(f"begins {named(function.code)} as activation {number}{more}, all of it kept")
        finally:
            set_limit(limit)

    def begin(code: CodeType, frame: object) -> Activation:
        """A generator goes on whose start was not heard of, see ``Recorder``: begin it here."""
        limit = get_limit()
        set_limit(limit + ROOM)
        try:
            activation = generators[hash(frame)] = replayer.enter(code.co_consts[-1])
        finally:
            set_limit(limit)
        return activation

    def on_resume(code: CodeType, offset: int) -> None:
        if folds.current is not None:
            folds.unfold()
        activation = generators.get(hash(frame_of(above)))
        if activation is None:
            activation = begin(code, frame_of(above))
        elif activation.resumes >= 0 and not replayer.everything:
            limit = get_limit()
            set_limit(limit + ROOM)
            try:
                replayer.again(activation, code)
            finally:
                set_limit(limit)
        stack.append(activation)
        now.plan = activation.answers

    def on_throw(code: CodeType, offset: int, error: BaseException) -> None:
        constants = code.co_consts
        if constants and type(constants[-1]) is Function:
            folds.unfold()
            activation = generators.get(hash(frame_of(thrown)))
            if activation is None or not has_started(code, offset):
                activation = begin(code, frame_of(thrown))
            stack.append(activation)
            now.plan = activation.answers

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
                replayer.leave(activation, frame_of(1).f_code if offset == TOLD else code)
            finally:
                set_limit(limit)
        stack.pop()
        if activation.resumes == REUSED:
            pool.append(activation)
        now.plan = stack[-1].answers if stack else NOTHING

    def on_suspend(code: CodeType, offset: int, value: Any) -> None:
        if folds.current is not None:
            folds.unfold()
        stack.pop()
        now.plan = stack[-1].answers if stack else NOTHING

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
                replayer.arrived(code)
            elif issubclass(kind, SEEN_TO):
                note(code, offset, error)
            else:
                replayer.noted(offset, error)
        finally:
            set_limit(limit)

    return {
        events.PY_START: on_start,
        events.PY_RESUME: on_resume,
        events.PY_THROW: on_throw,
        events.PY_RETURN: on_return,
        events.PY_YIELD: on_suspend,
        events.PY_UNWIND: on_unwind,
        events.RAISE: on_raise,
    }


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
                replayer.again(activation, frame_of(1).f_code)
            finally:
                set_limit(limit)
        stack.append(activation)
        now.plan = activation.answers
        return value

    frame_of = sys._getframe
    now.away, now.back = away, back
