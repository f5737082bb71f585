"""Programs that recurse to the limit: they fail at the depth at which they fail plainly.

Callbacks need levels of recursion, so the limit has headroom for them, and the callback for the
start of a tracked function fails if that headroom is not there (``levels``).  That is
enough for tracked functions, and it costs next to nothing.  But the last level may be taken by
other code: a generator expression, a lambda, a library; by a generator that is resumed, or one
that is made.  In a program that has met a RecursionError all these are sounded, too.
"""

from __future__ import annotations

from types import CodeType, FunctionType

from ..compiling.versions import GENERATOR_FLAGS
from ..process.recursion_limit import sound
from .monitor import DISABLE, OWN, events, tracked

TYPE_CHECKING = False  # typing takes as long to import as much of the agent
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

type Callbacks = dict[int, Callable[..., Any]]

DEEP = events.PY_START | events.PY_RESUME | events.CALL
"""The events to hear of in all code."""


def deepened(callbacks: Callbacks, levels: int) -> Callbacks:
    """The callbacks for such a program; they need ``levels`` and one more for the wrapper."""
    start, resume = callbacks[events.PY_START], callbacks[events.PY_RESUME]
    call = callbacks.get(events.CALL)

    def on_start(code: CodeType, offset: int) -> Any:
        if tracked(code) is not None:
            return start(code, offset)  # sounds for itself
        if code.co_filename.startswith(OWN):
            return DISABLE
        sound(levels)
        return None

    def on_resume(code: CodeType, offset: int) -> Any:
        if tracked(code) is not None:
            resume(code, offset)
        elif code.co_filename.startswith(OWN):
            return DISABLE
        sound(levels)
        return None

    def on_call(code: CodeType, offset: int, function: Any, argument: Any) -> Any:
        if call is not None and tracked(code) is not None:
            call(code, offset, function, argument)
        if type(function) is FunctionType and function.__code__.co_flags & GENERATOR_FLAGS:
            if code.co_filename.startswith(OWN):
                return DISABLE
            sound(levels + 1)  # it is the caller's frame that is the innermost here
        return None

    new: Callbacks = {
        events.PY_START: on_start,
        events.PY_RESUME: on_resume,
        events.CALL: on_call,
    }
    return callbacks | new
