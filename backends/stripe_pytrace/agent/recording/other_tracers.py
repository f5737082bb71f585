"""Programs that watch what runs: ``sys.settrace``, ``sys.setprofile``, ``sys.monitoring``.

They see what they see plainly: not our frames, not the calls that instrumented code makes for us,
and our tool id as free.  While a watching function runs the interpreter reports nothing to any
tool, so the statements of one that the program has written itself are no events: they run in full,
as a part of what is watched.
"""

from __future__ import annotations

import sys
from types import CodeType

from ..compiling.versions import HERE, at_exhausted, place
from ..process.natives import partial
from .monitor import OWN, events, monitoring, tracked

TYPE_CHECKING = False  # typing takes as long to import as much of the agent
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

LAST_ID = 5
CALLS = (events.CALL, events.C_RAISE, events.C_RETURN)
type Watching = Callable[..., Any]
ITER = partial(iter)
"""What instrumented code calls for ``iter``: profilers do not hear of calls of such objects."""


class Opening(partial["Any"]):
    """Opens an asynchronous iterator without a frame of ours."""


def opening(iterable: Any) -> Any:
    """What ``async for`` calls for the iterator: at what has none the loop itself fails."""
    if hasattr(type(iterable), "__aiter__"):
        return Opening(aiter, iterable)
    return Opening((iterable,).__getitem__, 0)


def is_own(function: Any) -> bool:
    """Whether a function is ours."""
    code = getattr(function, "__code__", None)
    if function is ITER or type(function) is Opening:
        return True
    return type(code) is CodeType and code.co_filename.startswith(OWN)


class OtherTracers:
    """``tool`` is our id; ``pause`` and ``unpause`` stand around calls of watching functions.

    ``refuse`` ends the run: the program wants all ids for itself, or a function that watches others
    start raises an exception.  The interpreter asks us last, so we would never hear of that start.
    """

    def __init__(
        self,
        tool: int,
        pause: Callable[[], object],
        unpause: Callable[[], object],
        main_thread: Callable[[], bool] | None,
        refuse: Callable[[str], object],
        replaying: bool = False,
    ) -> None:
        self.main_thread = main_thread
        self.refuse = refuse
        self.replaying = replaying
        self.tool = tool
        self.pause, self.unpause = pause, unpause
        self._own_calls: dict[tuple[Any, int], bool] = {}
        self._ids: dict[int, int] = {}  # those the program has, and what they are in truth

    def install(self) -> None:
        self._watch_frames()
        self._watch_events()

    def _call(self, function: Watching, starts: bool, *arguments: Any) -> Any:
        if self.main_thread is not None and not self.main_thread():
            return function(*arguments)
        self.pause()
        try:
            return function(*arguments)
        except BaseException as error:
            if starts:
                kind = type(error).__name__
                self.refuse(f"A function that watches others start raises {kind}")
            raise
        finally:
            self.unpause()

    def is_own_call(self, code: CodeType, offset: int) -> bool:
        """Whether a call instruction is not the program's: what we add has an empty place."""
        function = tracked(code)
        if function is None:
            return False
        own = self._own_calls.get((function, offset))
        if own is None:
            line, last, start, end = place(code, offset)
            own = self._own_calls[function, offset] = line == last and start == end is not None
        return own

    def is_own_end(self, code: CodeType, offset: int, error: object) -> bool:
        """Whether an exception is that by which a loop of ours ends; iterators in C raise none."""
        if not self.replaying or error is not StopIteration or tracked(code) is None:
            return False
        return at_exhausted(code, offset)

    # -- sys.settrace, sys.setprofile

    def _watch_frames(self) -> None:
        set_trace, get_trace = sys.settrace, sys.gettrace
        set_profile, get_profile = sys.setprofile, sys.getprofile

        def settrace(function: Watching | None, /) -> None:
            set_trace(function and self._tracing(function))

        def setprofile(function: Watching | None, /) -> None:
            set_profile(function and self._profiling(function, set_profile))

        def gettrace() -> Watching | None:
            return getattr(get_trace(), "watching", get_trace())

        def getprofile() -> Watching | None:
            return getattr(get_profile(), "watching", get_profile())

        sys.settrace, sys.gettrace = settrace, gettrace
        sys.setprofile, sys.getprofile = setprofile, getprofile

    def _tracing(self, function: Watching) -> Watching:
        def trace(frame: Any, event: str, argument: Any) -> Any:
            if frame.f_code.co_filename.startswith(OWN):
                return None
            if event == "exception" and self.is_own_end(frame.f_code, frame.f_lasti, argument[0]):
                return None
            local = self._call(function, event == "call", frame, event, argument)
            if local is None:
                return None
            return trace if local is function else self._tracing(local)

        trace.watching = function  # type: ignore[attr-defined]
        return trace

    def _profiling(self, function: Watching, own: object) -> Watching:
        def profile(frame: Any, event: str, argument: Any) -> None:
            if frame.f_code.co_filename.startswith(OWN):
                if argument is not own or event != "c_call":
                    return
                frame = frame.f_back  # plainly, who calls sys.setprofile calls it directly
            elif event.startswith("c_") and self.is_own_call(frame.f_code, frame.f_lasti):
                return
            self._call(function, event == "call", frame, event, argument)

        profile.watching = function  # type: ignore[attr-defined]
        return profile

    # -- sys.monitoring

    def _watch_events(self) -> None:
        module: Any = sys.monitoring
        real = monitoring

        def use_tool_id(tool_id: int, name: str, /) -> None:
            if tool_id in self._ids:
                raise ValueError(f"tool {tool_id} is already in use")
            number = tool_id
            if tool_id == self.tool or tool_id in self._ids.values():
                taken = {self.tool, *self._ids.values()}
                free = [each for each in range(LAST_ID + 1) if each not in taken]
                number = next((each for each in free if real.get_tool(each) is None), -1)
                if number < 0:
                    self.refuse("The program takes all tool ids of sys.monitoring")
            real.use_tool_id(number, name)
            self._ids[tool_id] = number

        def free_tool_id(tool_id: int, /) -> None:
            if tool_id in self._ids or not self._hidden(tool_id):
                real.free_tool_id(self._ids.pop(tool_id, tool_id))

        def get_tool(tool_id: int, /) -> str | None:
            if tool_id not in self._ids and self._hidden(tool_id):
                return None
            name: str | None = real.get_tool(self._ids.get(tool_id, tool_id))
            return name

        def register_callback(tool_id: int, event: int, function: Watching | None, /) -> Any:
            seen = function and self._seeing(event, function)
            before = real.register_callback(self._id(tool_id), event, seen)
            return getattr(before, "watching", before)

        def with_id(name: str) -> Callable[..., Any]:
            function = getattr(real, name)

            def translated(tool_id: int, /, *arguments: Any) -> Any:
                return function(self._id(tool_id), *arguments)

            translated.__name__ = translated.__qualname__ = name
            return translated

        for function in (use_tool_id, free_tool_id, get_tool, register_callback):
            setattr(module, function.__name__, function)
        for name in HERE.by_tool:
            setattr(module, name, with_id(name))

    def _hidden(self, number: int) -> bool:
        """Whether an id is taken by us, or by the program under another number."""
        return number == self.tool or number in self._ids.values()

    def _id(self, tool_id: int) -> int:
        if tool_id in self._ids:
            return self._ids[tool_id]
        if self._hidden(tool_id):
            raise ValueError(f"tool {tool_id} is not in use")
        return tool_id

    def _seeing(self, event: int, function: Watching) -> Watching:
        is_call = event in CALLS

        def callback(code: CodeType, *arguments: Any) -> Any:
            if code.co_filename.startswith(OWN):
                return None
            if is_call and (is_own(arguments[1]) or self.is_own_call(code, arguments[0])):
                return None
            if event == events.RAISE and self.is_own_end(code, arguments[0], type(arguments[1])):
                return None
            return self._call(function, event == events.PY_START, code, *arguments)

        callback.watching = function  # type: ignore[attr-defined]
        return callback
