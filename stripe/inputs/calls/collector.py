"""Observes the calls made in a block, by `sys.monitoring`.

A call is noted down when it begins, with copies of its arguments: what the function does to them
later does not count. It is kept if an exception ends it.
"""

from __future__ import annotations

import gc
import inspect
import sys
import time
from collections.abc import Callable, Iterable
from dataclasses import replace
from types import CellType, CodeType, FrameType, FunctionType
from typing import Any

from stripe.inputs.calls.call import Call, Parameters, consumer, copied_value
from stripe.inputs.calls.call_errors import NoCallError
from stripe.inputs.calls.monitors import take_place

KEPT = 100
"""Failed calls that are kept at most, the latest ones."""

type Wanted = Callable[..., Any] | str


class Collector:
    """Collects calls between `start` and `stop`.

    Args:
        block: the frame of the block. What it calls directly is collected.
        wanted: functions, or their names, whose calls are collected at any depth.

    Attributes:
        failed: the calls that were ended by an exception, in the order in which they ended.
        last: the call that was made last, whatever came of it.
    """

    def __init__(self, block: FrameType, wanted: Iterable[Wanted] = ()) -> None:
        self.failed: list[Call] = []
        self.last: Call | None = None
        self._block: FrameType | None = block
        self._names: set[str] = set()
        self._codes: set[CodeType] = set()
        for one in wanted:
            if isinstance(one, str):
                self._names.add(one)
            else:
                self._codes.add(_code(one))
        self._running: dict[FrameType, tuple[Call, float]] = {}
        self._watched: set[CodeType] = set()
        self._tool = -1

    def start(self) -> None:
        """Begin to observe.

        Raises:
            NotReducible: when other tools have taken all the places that Python has for them.
        """
        monitoring = sys.monitoring
        self._tool = tool = take_place("stripe.inputs")
        events = monitoring.events
        monitoring.register_callback(tool, events.PY_START, self._started)
        monitoring.register_callback(tool, events.PY_RETURN, self._returned)
        monitoring.register_callback(tool, events.PY_UNWIND, self._unwound)
        monitoring.set_events(tool, events.PY_START | events.PY_UNWIND)

    def stop(self) -> None:
        """Stop observing, and forget what is still running."""
        if self._tool < 0:
            return
        monitoring, tool = sys.monitoring, self._tool
        self._tool = -1
        monitoring.set_events(tool, 0)
        for code in self._watched:
            monitoring.set_local_events(tool, code, 0)
        for event in ("PY_START", "PY_RETURN", "PY_UNWIND"):
            monitoring.register_callback(tool, getattr(monitoring.events, event), None)
        monitoring.free_tool_id(tool)
        self._running.clear()
        self._watched.clear()
        self._block = None

    def _started(self, code: CodeType, _offset: int) -> None:
        frame = sys._getframe(1)
        named = self._named(code)
        if frame.f_back is not self._block and not named:
            return
        if str(frame.f_globals.get("__name__")).startswith(f"{__package__}."):
            return  # our own __exit__
        if code not in self._watched:
            self._watched.add(code)
            # Events of one function only: returns of all others cost nothing.
            sys.monitoring.set_local_events(self._tool, code, sys.monitoring.events.PY_RETURN)
        self.last = observe(frame)
        self.last.asked_for = named
        self._running[frame] = self.last, time.perf_counter()

    def _returned(self, _code: CodeType, _offset: int, _value: object) -> None:
        self._running.pop(sys._getframe(1), None)

    def _unwound(self, _code: CodeType, _offset: int, exception: BaseException) -> None:
        call, started = self._running.pop(sys._getframe(1), (None, 0.0))
        if call is not None:
            if not isinstance(call.function, type):
                call.function, call.name = _function(sys._getframe(1))
            call.exception = exception
            call.elapsed = time.perf_counter() - started
            self.failed.append(call)
            del self.failed[:-KEPT]

    def _named(self, code: CodeType) -> bool:
        return code in self._codes or code.co_name in self._names or code.co_qualname in self._names


def observe(frame: FrameType) -> Call:
    """Return the call whose frame has just started."""
    code = frame.f_code
    parameters = Parameters.from_code(code)
    local = frame.f_locals
    memo: dict[int, Any] = {}
    arguments: dict[str, Any] = {}
    shared: list[str] = []
    for name in parameters.names:
        if name not in local:
            continue
        try:
            arguments[name] = copied_value(local[name], memo)
        except Exception:  # locks, files, generators, classes that forbid it
            arguments[name] = local[name]
            shared.append(name)
    call = Call(unknown, code.co_name, arguments, parameters, consumes=consumer(code), memo=memo)
    if code.co_name in ("__init__", "__new__") and parameters.positional:
        # The object does not exist yet. What is called is its class.
        first = parameters.positional[0]
        value = local[first]
        call.function = value if isinstance(value, type) else type(value)
        call.name = call.function.__name__
        call.parameters = replace(parameters, positional=parameters.positional[1:])
        del arguments[first]
    call.shared = tuple(name for name in shared if name in arguments)
    return call


def unknown(*_: Any, **__: Any) -> Any:
    """Stands for a function until it is looked for, which takes a while."""
    raise NotImplementedError


def _function(frame: FrameType) -> tuple[Callable[..., Any], str]:
    """Return the function a frame belongs to, and its name in reports."""
    code = frame.f_code
    free = {name: frame.f_locals.get(name) for name in code.co_freevars}
    function: Any = None
    for candidate in gc.get_referrers(code):
        if (
            isinstance(candidate, FunctionType)
            and candidate.__code__ is code
            and candidate.__globals__ is frame.f_globals
            and _closes_over(candidate, free)
        ):
            function = candidate
            break
    else:
        # It is gone already, as a lambda may be: made again from the same code.
        cells = tuple(CellType(free[name]) for name in code.co_freevars)
        function = FunctionType(code, frame.f_globals, code.co_name, None, cells)
    # A wrapper made with functools.wraps bears the name of what it wraps.
    name = function.__name__
    owner = "".join(function.__qualname__.split(".")[-2:-1])
    if owner and owner != "<locals>" and code.co_argcount:
        name = f"{owner}.{name}"
    return function, name


def _closes_over(function: FunctionType, free: dict[str, Any]) -> bool:
    cells = function.__closure__ or ()
    for name, cell in zip(function.__code__.co_freevars, cells, strict=True):
        try:
            value = cell.cell_contents
        except ValueError:  # empty still
            value = None
        if value is not free[name]:
            return False
    return True


def _code(function: Any) -> CodeType:
    """Return the code of a function, a method, or of what a class does with its arguments."""
    if isinstance(function, type):
        function = inspect.getattr_static(function, "__init__")
    function = getattr(function, "__func__", function)
    code = getattr(function, "__code__", None)
    if not isinstance(code, CodeType):
        raise NoCallError(
            f"{function!r} is not a Python function: its calls cannot be observed",
            "Name a function written in Python; wrap what is written in C into one.",
        )
    return code
