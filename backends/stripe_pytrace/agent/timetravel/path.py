"""The path of a stretch of the run: place and depth of each event; and what is watched on it."""

from __future__ import annotations

import sys
from array import array
from collections.abc import Callable
from typing import Any

from ..recording.monitor import DISABLE, events, monitoring
from .data_breakpoint import Watch
from .event_count import EventCount

LINE_BITS = 20
"""A place is the file's number, then so many bits of the line."""

RESUMED = ""
"""What stands for a function's name where a generator goes on."""

ENTERED = events.PY_START | events.PY_RESUME | events.PY_THROW
LEFT = events.PY_RETURN | events.PY_YIELD | events.PY_UNWIND

COLUMNS = "places", "depths", "entries", "functions"


class Path:
    """Follows the run from the event at which it stands; ``arrive`` is called at event ``limit``.

    ``depth``: calls of the user's code where it stands.  ``places`` and ``depths`` are of the
    events after that one; ``entries`` are those of them with which a call begins, ``functions`` its
    name (a number of ``words``).
    """

    def __init__(
        self,
        count: EventCount,
        depth: int,
        limit: int,
        arrive: Callable[[Any], object],
        watch: Watch | None = None,
    ) -> None:
        self._count, self._depth, self._arrive = count, depth, arrive
        self.limit, self.now = limit, count.now
        self._watch = watch
        self.places, self.depths = array("I"), array("I")
        self.entries, self.functions = array("I"), array("I")
        self.words: dict[str, int] = {}
        self._entered: dict[int, str] = {}  # by level: the call that has come to no line yet

    def follow(self) -> None:
        """Begin."""
        if self._watch is not None:
            self._watch.arrive(self.now)
        tool = self._count.tool
        for kind, callback in (
            (events.LINE, self._line),
            (events.PY_START, self._start),
            (events.PY_RESUME, self._resume),
            (events.PY_THROW, self._thrown),
            (events.PY_RETURN, self._leave),
            (events.PY_YIELD, self._leave),
            (events.PY_UNWIND, self._unwind),
        ):
            monitoring.register_callback(tool, kind, callback)
        monitoring.set_events(tool, ENTERED | LEFT)

    def told(self) -> dict[str, Any]:
        """The columns."""
        columns = {name: getattr(self, name).tobytes() for name in COLUMNS}
        return {**columns, "words": list(self.words), "names": self._count.names}

    def _line(self, code: Any, line: int) -> None:
        depth, watch = self._depth, self._watch
        if watch is not None:
            watch.see(self.now, depth)
            watch.arrive(self.now + 1)
        self.now = now = self.now + 1
        self.places.append(self._count.file(code.co_filename) << LINE_BITS | line)
        self.depths.append(depth)
        if self._entered and (name := self._entered.pop(depth, None)) is not None:
            self.entries.append(now)
            self.functions.append(self.words.setdefault(name, len(self.words)))
        if now >= self.limit:
            frame: Any = sys._getframe(1)
            while frame.f_code is not code:
                frame = frame.f_back
            self._arrive(frame)

    def _start(self, code: Any, *_: Any) -> Any:
        return self._enter(code, code.co_qualname)

    def _resume(self, code: Any, *_: Any) -> Any:
        return self._enter(code, RESUMED)

    def _thrown(self, code: Any, *_: Any) -> None:
        if self._count.is_user(code):
            self._enter(code, RESUMED)

    def _enter(self, code: Any, name: str) -> Any:
        if not self._count.is_user(code):
            return DISABLE
        self._count.meet(code)
        if self._watch is not None:
            self._watch.see(self.now, self._depth, resumes=name == RESUMED)
        self._depth += 1
        self._entered[self._depth] = name
        return None

    def _leave(self, code: Any, *_: Any) -> Any:
        if not self._count.is_user(code):
            return DISABLE
        if self._watch is not None:
            self._watch.leave(self.now, self._depth)
        self._entered.pop(self._depth, None)
        self._depth -= 1
        return None

    def _unwind(self, code: Any, *_: Any) -> None:
        if self._count.is_user(code):
            self._leave(code)
