"""The passes through lines, and the calls of functions, in a stretch of the run.

A second tool of ``sys.monitoring`` hears of these places alone, as it gives up all others at their
first event; meanwhile the run goes as fast as a run that is counted.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from typing import Any

from ..recording.monitor import DISABLE, events, monitoring
from .event_count import EventCount
from .inspection import Expression

LONGEST_LOG = 500
"""Characters of what a log point shows."""


def frame_of_caller() -> Callable[[], Any]:
    """What tells a function the frame of its caller, and audit hooks nothing.

    They would take more time than all else: ``sys._getframe`` tells them each time, but a frame
    that one has, here of a generator, does not where it is asked for its caller.
    """

    def find() -> Iterator[Any]:
        own: Any = sys._getframe()
        found = None
        while True:
            yield found
            found = own.f_back.f_back

    finder = find()
    next(finder)
    return finder.__next__


class Passes:
    """Those of a run from the event at which it stands to the event ``until``.

    ``lines``: by file.  ``function``: the end of a qualified name (``f``, ``C.f``), if calls are
    looked for.  ``condition`` has to hold there.  ``fail`` is told what it raises, and the event.
    """

    def __init__(
        self,
        count: EventCount,
        order: dict[str, Any],
        fail: Callable[[Exception, int], object],
    ) -> None:
        self._count, self._fail = count, fail
        self._last = order["until"]
        self._lines = {name: frozenset(lines) for name, lines in order["lines"].items()}
        self._function = f".{order['function']}"
        self._condition = Expression(order["condition"]) if order["condition"] else None
        self._frame = frame_of_caller()
        self.found: list[tuple[int, str]] = []

    def follow(self, frame: Any) -> None:
        """Begin; the event of ``frame`` is the first."""
        count = self._count
        code = frame.f_code
        if frame.f_lineno in self._lines.get(code.co_filename, ()):
            self._note(frame, code, 0)
        monitoring.register_callback(count.second, events.LINE, self._line)
        if self._function != ".":
            monitoring.register_callback(count.second, events.PY_START, self._start)
        monitoring.restart_events()

    @property
    def is_over(self) -> bool:
        """Whether the run is beyond the stretch."""
        return bool(self._count.now > self._last)

    def _line(self, code: Any, line: int) -> Any:
        lines = self._lines.get(code.co_filename)
        if lines is None or line not in lines:
            return DISABLE
        self._note(self._frame(), code, 0)
        return None

    def _start(self, code: Any, _: int) -> Any:
        if not self._count.is_user(code):
            return DISABLE
        self._count.meet(code)
        if not f".{code.co_qualname}".endswith(self._function):
            return DISABLE
        self._note(None, code, 1)
        return None

    def _note(self, frame: Any, code: Any, ahead: int) -> None:
        """Find the present event, or one so many events ahead, if the condition holds."""
        text = ""
        if self._condition is not None:
            try:
                value = self._condition.value(frame, code)
            except Exception as error:
                if not self.is_over:
                    self._fail(error, self._count.now)
                return
            if not value:
                return
            text = value[:LONGEST_LOG] if isinstance(value, str) else ""
        event = self._count.now + ahead
        if event <= self._last:
            self.found.append((event, text))
