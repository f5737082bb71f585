"""What recorder and replayer share in the use of ``sys.monitoring``."""

from __future__ import annotations

import _signal  # type: ignore[import-not-found]
import sys
from _thread import get_ident
from types import CodeType, SimpleNamespace, TracebackType

from ..compiling.code import UserFile
from ..compiling.linker import Function
from ..compiling.versions import at_exhausted, at_start

TYPE_CHECKING = False  # typing takes as long to import as much of the agent
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

# As it is before the program is given one that hides us (see ``other_tracers``).
monitoring: Any = SimpleNamespace(**vars(sys.monitoring))
events = monitoring.events
DISABLE = monitoring.DISABLE
# The exceptions that ``raise_callback`` sees to; all others are only noted.
SEEN_TO = (RecursionError, StopIteration, StopAsyncIteration)
OWN = __file__.rpartition("/")[0].rpartition("/")[0] + "/"
STAND_INS = tuple(
    f"{OWN}{name}.py"
    for name in (
        "process/captures",
        "compiling/code",
        "recording/copies",
        "process/guard",
        "recording/other_tracers",
    )
)
"""What the program calls in place of something else, and whose exceptions are that one's."""
LIMITS = (RecursionError, MemoryError, OSError, StopIteration, StopAsyncIteration)
"""Exceptions that come to the program through our code, or end it, without a fault of that."""


class NoToolId(Exception):
    """All tool ids of ``sys.monitoring`` are taken."""


def take_tool_id(name: str) -> int:
    """A free tool id: 4, which nobody is known to use, else any other."""
    holders = []
    for number in (4, 3, 5, 1, 2, 0):
        holder = monitoring.get_tool(number)
        if holder is None:
            monitoring.use_tool_id(number, name)
            return number
        holders.append(f"{number}: {holder}")
    raise NoToolId(", ".join(holders))


class Functions:
    """The tracked functions.  Each is the last constant of its own code.

    There it is found without ``id()``, which audit hooks hear of and which would therefore
    cost time and a level of recursion; copies the program makes of the code (as
    ``types.coroutine`` does) carry it along.
    """

    def __init__(self, tool: int, local: int, *, resuming: int = 0) -> None:
        """``resuming``: those ``local`` events need not be reported whose code tells of these."""
        self._tool, self._local, self._resuming = tool, local, resuming
        self._codes: list[CodeType] = []

    def track(self, file: UserFile) -> None:
        """Have the functions of ``file`` report the ``local`` events."""
        for function in file.tracked:
            self.adopt(function.code)

    def adopt(self, code: CodeType) -> None:
        self._codes.append(code)
        function: Function = code.co_consts[-1]
        local = self._local
        if function.resumes:
            local &= ~self._resuming
        monitoring.set_local_events(self._tool, code, local)

    def untrack(self) -> None:
        monitoring.set_events(self._tool, 0)
        for code in self._codes:
            monitoring.set_local_events(self._tool, code, 0)


def tracked(code: CodeType) -> Function | None:
    """The function that ``code`` is of, if it is tracked."""
    constants = code.co_consts
    if constants and type(constants[-1]) is Function:
        return constants[-1]
    return None


def in_this_thread() -> Callable[[], bool]:
    """What tells later whether its caller runs in the thread that is running now."""
    ident = get_ident()
    return lambda: get_ident() == ident


def in_main_thread(
    callback: Callable[..., Any],
    main_thread: Callable[[], bool],
    elsewhere: Callable[[tuple[Any, ...]], object] = bool,
) -> Callable[..., Any]:
    """The callback for what the main thread does; ``elsewhere`` is given what others report."""

    def guarded(*arguments: Any) -> Any:
        return callback(*arguments) if main_thread() else elsewhere(arguments) and None

    return guarded


def raise_callback(
    note: Callable[[int, BaseException], object], on_recursion: Callable[[], object] = bool
) -> Callable[..., Any]:
    """A callback that notes where exceptions pass tracked functions, and which.

    That by which an iterator tells a loop or ``yield from`` that it is exhausted goes no
    further, so it is none of them.  ``on_recursion`` hears of each RecursionError.
    """

    def on_raise(code: CodeType, offset: int, error: BaseException) -> None:
        if type(error) is RecursionError:
            on_recursion()
            drop_failed_start(error)
        function = tracked(code)
        if function is not None:
            if isinstance(error, StopIteration) and at_exhausted(code, offset):
                return
            if isinstance(error, StopAsyncIteration) and any(
                offset in header for header in function.async_headers
            ):
                return
            note(offset, error)

    return on_raise


def is_our_fault(error: BaseException) -> bool:
    """Whether an exception comes from code of ours that the running function has called.

    It is asked where the exception enters the program, which could catch it from there on.
    """
    traceback = error.__traceback__
    below = traceback and traceback.tb_next
    if below is None or not below.tb_frame.f_code.co_filename.startswith(OWN):
        return False  # nearly always
    return raised_in_ours(error)


def raised_in_ours(error: BaseException) -> bool:
    """Whether our own code raised an exception, but for what stands in for others' code."""
    path = _raised_in(error)[0].co_filename
    ours = path.startswith(OWN) and path not in STAND_INS
    return ours and isinstance(error, Exception) and not isinstance(error, LIMITS)


def told_fault(error: BaseException) -> str:
    """What is told of an exception of ours: its type, its message and where it was raised."""
    code, line = _raised_in(error)
    module = code.co_filename.rpartition("/")[2]
    return f"{type(error).__name__}: {error}, in {code.co_name} ({module}:{line})"


def _raised_in(error: BaseException) -> tuple[CodeType, int | None]:
    """The code of the innermost frame of a traceback, and its line."""
    traceback = error.__traceback__
    assert traceback is not None
    while traceback.tb_next is not None:
        traceback = traceback.tb_next
    return traceback.tb_frame.f_code, traceback.tb_lineno


def drop_failed_start(error: RecursionError) -> None:
    """Drop from a traceback what a program at its recursion limit does not have.

    That is the frame after the last allowed, which failed in the callback for its start, and
    those of the callback.
    """
    traceback = error.__traceback__
    failed = traceback and traceback.tb_next
    if traceback is not None and failed is not None:
        code = failed.tb_frame.f_code
        if code.co_filename.startswith(OWN) or at_start(code, failed.tb_lasti):
            traceback.tb_next = None


def innermost(traceback: TracebackType | None) -> TracebackType | None:
    """The entry of the innermost tracked function in a traceback."""
    found = None
    while traceback is not None:
        if tracked(traceback.tb_frame.f_code) is not None:
            found = traceback
        traceback = traceback.tb_next
    return found


def raised_here(error: BaseException) -> bool:
    """Whether, of all tracked functions, the running one is the innermost that ``error`` passed."""
    traceback = error.__traceback__
    while traceback is not None and (traceback := traceback.tb_next) is not None:
        if tracked(traceback.tb_frame.f_code) is not None:
            return False
    return True


def handles_signals(code: CodeType) -> bool:
    handlers = map(_signal.getsignal, range(1, _signal.NSIG))
    return any(getattr(handler, "__code__", None) is code for handler in handlers)
