"""The moments of a run: the lines of the user's code, as control comes to them."""

from __future__ import annotations

import sys
from _thread import get_ident
from collections.abc import Callable
from types import CodeType
from typing import Any, NamedTuple

from ..compiling.versions import Place, places
from ..recording.monitor import DISABLE, OWN, events, monitoring, raised_in_ours, take_tool_id

Call = tuple[str, str, int, int]
"""A call on the stack: function, file, line, and where in it, by columns: the compiler makes copies
of instructions, which are one place to people."""


class Known(NamedTuple):
    """What is known of a code object, which must not end: it is known by its ``id``."""

    code: CodeType
    wanted: bool
    columns: list[int]


class Lines:
    """Calls ``reached`` with the frame and the line before each line of the user's code.

    ``failed`` hears of an exception of ours, which the program could catch.
    """

    def __init__(
        self,
        wants: Callable[[str], bool],
        reached: Callable[[Any, int], object],
        failed: Callable[[Exception], object],
    ) -> None:
        self._wants = wants
        self._failed = failed
        self._reached = reached
        self._known: dict[int, Known] = {}
        self._thread = get_ident()
        self._tool = take_tool_id("stripe")
        self._taken = True
        self._on = False

    def known(self, code: CodeType) -> Known:
        """What is known of a code object."""
        found = self._known.get(id(code))
        if found is None:
            wanted = self._wants(code.co_filename)
            columns = [_columns(place) for _, place in places(code)] if wanted else []
            found = self._known[id(code)] = Known(code, wanted, columns)
        return found

    def start(self) -> None:
        """Begin to look."""
        if not self._taken:
            self._tool = take_tool_id("stripe")
        self._taken = self._on = True
        monitoring.register_callback(self._tool, events.LINE, self._line)
        monitoring.set_events(self._tool, events.LINE)

    def go_on(self, reached: Callable[[Any, int], object]) -> None:
        """Call something else from now on."""
        self._reached = reached
        if not self._on:
            self.start()

    def stop(self) -> None:
        """Look no more."""
        if self._on:
            self._on = self._taken = False
            monitoring.set_events(self._tool, 0)
            monitoring.register_callback(self._tool, events.LINE, None)
            monitoring.free_tool_id(self._tool)

    def _line(self, code: CodeType, line: int) -> Any:
        if not self.known(code).wanted:
            return DISABLE
        if self._on and get_ident() == self._thread:
            try:
                self._reached(current_frame(code), line)
            except Exception as error:
                if raised_in_ours(error):
                    self._failed(error)
                raise
        return None

    def stack(self, frame: Any) -> list[Any]:
        """The frames of the user's code, the innermost first."""
        found = []
        while frame is not None and not frame.f_code.co_filename.startswith(OWN):
            if self.known(frame.f_code).wanted:
                found.append(frame)
            frame = frame.f_back
        return found

    def backtrace(self, stack: list[Any]) -> tuple[Call, ...]:
        """Where control is."""
        return tuple(
            (
                frame.f_code.co_qualname,
                frame.f_code.co_filename,
                frame.f_lineno or 0,
                self.known(frame.f_code).columns[frame.f_lasti // 2],
            )
            for frame in stack
        )


def current_frame(code: CodeType) -> Any:
    """The innermost frame that runs ``code``: callbacks of ours are above it."""
    frame: Any = sys._getframe(1)
    while frame.f_code is not code:
        frame = frame.f_back
    return frame


def _columns(place: Place) -> int:
    """The columns of an instruction, as a number."""
    return (place[2] or 0) * 100_000 + (place[3] or 0)
