"""Runs a function right here, in limited time."""

from __future__ import annotations

import sys
import threading
from collections.abc import Callable
from types import CodeType

from stripe.inputs.calls.isolation import Ended
from stripe.inputs.calls.monitors import free_place


class _Overtime(BaseException):
    """Raised in what takes too long, and raised again wherever it is caught."""


def limited[T](function: Callable[[], T], limit: float) -> T:
    """Return what `function` returns, run in this thread.

    When time is up, `sys.monitoring` is asked to report every line, jump and call, and the first
    of them in this thread gets an exception. Until then it costs nothing. What waits inside a
    function written in C is not stopped before it returns.

    Args:
        function: its exceptions go to the caller.
        limit: seconds it may take.

    Raises:
        Ended: when it took longer.
    """
    thread = threading.get_ident()
    monitoring = sys.monitoring
    events = monitoring.events
    reported = (events.PY_START, events.PY_RESUME, events.LINE, events.JUMP, events.BRANCH)

    over = False

    def strike(code: CodeType, *_: object) -> None:
        if not over and threading.get_ident() == thread and code.co_filename != __file__:
            raise _Overtime

    with free_place("stripe.inputs.limits") as tool:
        timer = threading.Timer(limit, lambda: monitoring.set_events(tool, sum(reported)))
        timer.daemon = True
        for event in reported:
            monitoring.register_callback(tool, event, strike)
        try:
            timer.start()
            return function()
        except _Overtime:
            raise Ended(f"no answer within {limit:g} s") from None
        finally:
            over = True
            timer.cancel()
            timer.join()  # else it might strike in whoever uses the place next
            monitoring.set_events(tool, 0)
            for event in reported:
                monitoring.register_callback(tool, event, None)
