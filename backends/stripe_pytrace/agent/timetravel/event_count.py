"""Counts the lines of the user's code that control comes to, as cheaply as Python can.

``sys.monitoring`` reports each such line to a function written in C (``SimpleQueue.put``), whose
queue then has one item an event: 2 to 3 times a plain run's time, where a callback in Python takes
4 to 6.  The latter counts down to an event at which something is to be done.

Since Python 3.13 a generator expression has a line event more if its start is reported, too.  So
that starts of the user's functions are reported always, be it to nobody.
"""

from __future__ import annotations

import sys
from _operator import is_
from _queue import SimpleQueue
from array import array
from collections.abc import Callable
from itertools import repeat
from typing import Any

from ..recording.monitor import DISABLE, events, monitoring, take_tool_id


class EventCount:
    """The number of line events up to ``now``; ``arrive`` is called with a frame at a goal.

    ``firsts``: for each place (file's number, line) the events of its first passes, one at least
    for each section of the run in which it is passed.  ``names``: the user's files, by number.
    """

    def __init__(self, wants: Callable[[str], bool], arrive: Callable[[Any], object]) -> None:
        self._wants, self._arrive = wants, arrive
        self.firsts: dict[tuple[int, int], array[int]] = {}
        self.names: list[str] = []
        self._files: dict[str, int] = {}
        self._codes: dict[int, Any] = {}
        self._base = self._goal = 0
        self._queue: Any = SimpleQueue()
        self._left: Any = None  # counts down to the goal, if there is one
        one, other = take_tool_id("stripe"), take_tool_id("stripe")
        # The greater one is told first: an event is counted once the other hears of it.
        self.tool, self.second = max(one, other), min(one, other)

    @property
    def now(self) -> int:
        """The number of the latest event."""
        if self._left is None:
            return self._base + int(self._queue.qsize())
        return self._goal - 1 - int(self._left.__length_hint__())

    def start(self) -> None:
        """Have the user's functions report their lines, once they begin."""
        monitoring.register_callback(self.tool, events.PY_START, is_)  # as quick as can be
        monitoring.register_callback(self.second, events.PY_START, self._meet)
        monitoring.register_callback(self.second, events.LINE, self._first)
        monitoring.set_events(self.tool, events.RAISE)
        monitoring.set_events(self.second, events.PY_START)

    def stop(self) -> None:
        """Report no more, but for functions that have begun: to nobody."""
        for tool in (self.tool, self.second):
            monitoring.set_events(tool, 0)
            monitoring.register_callback(tool, events.LINE, None)

    def count(self) -> None:
        """Count, with no goal."""
        self._base, self._left, self._queue = self.now, None, SimpleQueue()
        monitoring.register_callback(self.tool, events.LINE, self._queue.put)

    def count_to(self, goal: int) -> None:
        """Count, and arrive at an event to come."""
        left = repeat(None, goal - self.now - 1)
        tick = left.__next__

        def line(code: Any, _: int) -> None:
            try:
                tick()
            except StopIteration:
                self._base, self._left, self._queue = goal, None, SimpleQueue()
                frame: Any = sys._getframe(1)
                while frame.f_code is not code:
                    frame = frame.f_back
                self._arrive(frame)

        self._goal, self._left = goal, left
        monitoring.register_callback(self.tool, events.LINE, line)

    def file(self, name: str) -> int:
        """The number of a user's file; below 0: it is none."""
        number = self._files.get(name)
        if number is None:
            number = -1
            if self._wants(name):
                number = len(self.names)
                self.names.append(name)
            self._files[name] = number
        return number

    def is_user(self, code: Any) -> bool:
        """Whether it is the user's."""
        return self.file(code.co_filename) >= 0

    def _meet(self, code: Any, _: int) -> Any:
        """A function begins for the first time."""
        if self.is_user(code):
            self.meet(code)
        return DISABLE

    def meet(self, code: Any) -> None:
        """Have a function of the user's report its lines, if it does not yet."""
        if id(code) not in self._codes:
            self._codes[id(code)] = code
            monitoring.set_local_events(self.tool, code, events.LINE | events.PY_START)
            monitoring.set_local_events(self.second, code, events.LINE)

    def _first(self, code: Any, line: int) -> Any:
        place = self._files[code.co_filename], line
        passes = self.firsts.get(place)
        if passes is None:
            passes = self.firsts[place] = array("I")
        passes.append(self.now)
        return DISABLE

    def begin_section(self) -> None:
        """Note the first passes of the run from here on, too."""
        monitoring.restart_events()
