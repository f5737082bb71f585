"""What ``sys.monitoring`` tells a replay: which activation runs, and when it ends.

The callbacks put the iterator over the running activation's codes into ``now.plan``, and take it
away.  Nearly all that begin are kept as a whole, and are the ones that their callers are expected
to call next: that is seen at once, from one row of ``Tables.calls``.  All others are looked for.

Each callback is a closure over local names, made by a function of its own: it runs once an event.
What they have in common are the replayer's: ``stack``, ``generators`` and ``now``.  They may need
no more levels of recursion than HEADROOM, counting audit hooks, or raise the limit meanwhile.
"""

from __future__ import annotations

import sys
from itertools import chain
from types import CodeType

from ..compiling import sites
from ..compiling.linker import Function
from ..compiling.versions import has_started
from ..process.recursion_limit import ROOM, get_limit, level, set_limit, sound
from ..recording.monitor import DISABLE, SEEN_TO, events, is_our_fault, raise_callback
from .activation import BEHIND, NOTHING, Activation, Leave, named
from .plan import CALL, SHORT

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
    functions, now = replayer.functions, replayer.now
    stack, generators, free = replayer.stack, replayer.generators, replayer.free
    frame_of = sys._getframe
    above = 1 + replayer.wrappers  # frames between a callback and what it is called for
    more = replayer.more
    row, width = CALL.unpack_from, CALL.size
    expected = whole_activations(replayer)
    special = sites.SPECIAL
    told = replayer.note

    def on_start(code: CodeType, offset: int) -> Any:
        constants = code.co_consts
        if not constants or type(function := constants[-1]) is not Function:
            return DISABLE
        if function.code is not code:
            functions.adopt(code)
        try:
            level()
            if more:
                sound(more + 2)
        except RecursionError:
            stack.append(free)  # is taken away as the activation is left
            replayer.started += 1
            raise
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
                activation = expected(number, start, end, call, kind)
                if function.generator:
                    generators[hash(frame_of(above))] = activation
                stack.append(activation)
                now.plan = activation.answers
                if told is not None:
                    note_whole(replayer, function, number)
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


def note_whole(replayer: Replayer, function: Function, number: int) -> None:
    """Note that an activation begins of which all is kept."""
    assert replayer.note is not None
    limit = get_limit()
    set_limit(limit + ROOM)
    try:
        name = named(function.code)
        replayer.note(f"begins {name} as activation {number}, all of it kept")
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
    now, stack, generators = replayer.now, replayer.stack, replayer.generators
    frame_of = sys._getframe
    above = 1 + replayer.wrappers

    def on_resume(code: CodeType, offset: int) -> None:
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
    now, stack, generators = replayer.now, replayer.stack, replayer.generators
    frame_of = sys._getframe
    above = 1 + replayer.wrappers - (replayer.depth is not None)  # that has no wrapper for this

    def on_throw(code: CodeType, offset: int, error: BaseException) -> None:
        constants = code.co_consts
        if constants and type(constants[-1]) is Function:
            activation = generators.get(hash(frame_of(above)))
            if activation is None or not has_started(code, offset):
                activation = entered(replayer, constants[-1])
                generators[hash(frame_of(above))] = activation
            stack.append(activation)
            now.plan = activation.answers

    return on_throw


def when_returning(replayer: Replayer) -> Callable[..., Any]:
    """A function of the program is about to return."""
    now, stack = replayer.now, replayer.stack

    def on_return(code: CodeType, offset: int, value: Any) -> None:
        activation = stack[-1]
        if activation.left:
            limit = get_limit()
            set_limit(limit + ROOM)
            try:
                replayer.paths.leave(activation, code)
            finally:
                set_limit(limit)
        stack.pop()
        now.plan = stack[-1].answers if stack else NOTHING

    return on_return


def when_suspended(replayer: Replayer) -> Callable[..., Any]:
    """A generator of the program yields."""
    now, stack = replayer.now, replayer.stack

    def on_suspend(code: CodeType, offset: int, value: Any) -> None:
        stack.pop()
        now.plan = stack[-1].answers if stack else NOTHING

    return on_suspend


def when_unwound(replayer: Replayer) -> Callable[..., Any]:
    """A function, of the program or not, is left by an exception."""
    now, stack = replayer.now, replayer.stack

    def on_unwind(code: CodeType, offset: int, error: BaseException) -> None:
        constants = code.co_consts
        if constants and type(constants[-1]) is Function:
            stack.pop()
            now.plan = stack[-1].answers if stack else NOTHING

    return on_unwind


def when_raised(replayer: Replayer) -> Callable[..., Any]:
    """An exception is raised in a function, or arrives there."""
    note = raise_callback(replayer.noted)

    def on_raise(code: CodeType, offset: int, error: BaseException) -> None:
        constants = code.co_consts
        here = constants and type(constants[-1]) is Function
        kind = type(error)
        if kind is not RecursionError and is_our_fault(error):
            replayer.fault(error)
        if not here and kind is not RecursionError:
            return
        limit = get_limit()
        if kind is RecursionError:
            set_limit(limit)  # fails where it could not be set after: one frame on, it can
        set_limit(limit + ROOM)
        try:
            if kind is Leave:
                replayer.paths.arrived(code)
            elif issubclass(kind, SEEN_TO):
                note(code, offset, error)
            else:
                replayer.noted(offset, error)
        finally:
            set_limit(limit)

    return on_raise
