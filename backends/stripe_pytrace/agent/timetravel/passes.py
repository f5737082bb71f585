"""The passes through lines, and the calls of functions, in a stretch of the run.

A second tool of ``sys.monitoring`` hears of these places alone, as it gives up all others at their
first event; meanwhile the run goes as fast as a run that is counted.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import Any

from ..recording.monitor import DISABLE, events, monitoring
from .event_count import EventCount
from .inspection import Expression

LONGEST_LOG = 500
"""Characters of what a log point shows."""


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
        self.found: list[tuple[int, str]] = []

    def follow(self, frame: Any) -> None:
        """Begin; the event of ``frame`` is the first."""
        count = self._count
        code = frame.f_code
        if frame.f_lineno in self._lines.get(code.co_filename, ()):
            self._note(count.now, frame)
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
        self._note(self._count.now, sys._getframe(1))
        return None

    def _start(self, code: Any, _: int) -> Any:
        if not self._count.is_user(code):
            return DISABLE
        self._count.meet(code)
        if not f".{code.co_qualname}".endswith(self._function):
            return DISABLE
        self._note(self._count.now + 1, None)
        return None

    def _note(self, event: int, frame: Any) -> None:
        if event > self._last:
            return
        text = ""
        if self._condition is not None:
            try:
                value = self._condition.value(frame)
            except Exception as error:
                self._fail(error, event)
            if not value:
                return
            text = value[:LONGEST_LOG] if isinstance(value, str) else ""
        self.found.append((event, text))
