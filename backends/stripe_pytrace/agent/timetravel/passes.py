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

CO_GENERATOR, CO_COROUTINE, CO_ASYNC_GENERATOR = 0x20, 0x80, 0x200

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


def lone_frames(frame: Any) -> dict[int, Any]:
    """The frame of each code (its ``id``) that has this one alone, until the code is entered again.

    What is suspended is on no stack: frames of generators are not told, and nothing is where there
    are greenlets.
    """
    found: dict[int, Any] = {}
    several = set()
    while frame is not None and "greenlet" not in sys.modules:
        code = frame.f_code
        if id(code) in found or code.co_flags & (CO_GENERATOR | CO_COROUTINE | CO_ASYNC_GENERATOR):
            several.add(id(code))
        found[id(code)] = frame
        frame = frame.f_back
    return {code: frame for code, frame in found.items() if code not in several}


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
        line, start = self._listeners(lone_frames(frame) if self._condition is not None else {})
        monitoring.register_callback(count.second, events.LINE, line)
        monitoring.register_callback(count.second, events.PY_START, start)
        monitoring.restart_events()

    @property
    def is_over(self) -> bool:
        """Whether the run is beyond the stretch."""
        return bool(self._count.now > self._last)

    def _listeners(self, lone: dict[int, Any]) -> tuple[Callable[..., Any], Callable[..., Any]]:
        """What hears of lines, and of calls; by variables of their own, as passes are many.

        At a pass nothing is done of which audit hooks are told, which takes as long as all else.
        """
        by_file, note, condition, count = self._lines, self._note, self._condition, self._count
        function, frame_of_caller = self._function, self._frame
        latest, lines, held, test, space = None, frozenset[int](), None, None, None

        def line(code: Any, line: int) -> Any:
            nonlocal latest, lines, held, test, space
            if code is not latest:
                latest, lines = code, by_file.get(code.co_filename, frozenset())
                held, space = lone.get(id(code)), None
            if line not in lines:
                return DISABLE
            if condition is None:
                note(None, code, 0)
                return None
            frame = held or frame_of_caller()
            if space is not frame.f_globals:
                space = frame.f_globals
                test = condition.function_for(code, space)
            try:
                if test is not None and not test(frame.f_locals):
                    return None
            except Exception:
                pass  # it is told by the note
            note(frame, code, 0)
            return None

        def start(code: Any, _: int) -> Any:
            nonlocal latest
            lone.pop(id(code), None)
            latest = None
            if not count.is_user(code):
                return DISABLE
            count.meet(code)
            if function == "." or not f".{code.co_qualname}".endswith(function):
                return DISABLE
            note(None, code, 1)
            return None

        return line, start

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
        if self.found and self.found[-1][0] == event:
            return  # that of the checkpoint, of which the second tool may have yet to hear
        if event <= self._last:
            self.found.append((event, text))
