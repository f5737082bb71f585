"""The recorder: what ``sys.monitoring`` reports, as one flat list of small integers.

The log holds site numbers in the order control passed them, and between them the negative
marks of ``sites`` for activations starting, ending, being resumed and exceptions on their
way.  Everything else is worked out later, outside the user's process.
"""

from __future__ import annotations

import os
import sys
from itertools import count, islice

from ..compiling import sites
from ..compiling.code import UserFile
from ..compiling.dialects import Placeholder, Recording
from ..process.natives import array
from ..process.recursion_limit import HEADROOM
from .depth import DEEP, deepened
from .event_callbacks import callbacks_of
from .monitor import Functions, events, in_main_thread, monitoring, take_tool_id, tracked

TYPE_CHECKING = False  # typing takes as long to import as much of the agent
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from typing import Any

    from .log_files import Spill

LOCAL = (
    events.CALL
    | events.JUMP
    | events.PY_START
    | events.PY_RESUME
    | events.PY_RETURN
    | events.PY_YIELD
)
GLOBAL = events.PY_START | events.RAISE | events.RERAISE | events.PY_UNWIND | events.PY_THROW

PORTION = 1 << 16
"""Entries of a log that are written at a time."""

type Noting = Callable[[list[int]], Callable[[int], object]]
"""Makes of a log what notes a site in it, and may end the process there."""


def plainly(log: list[int]) -> Callable[[int], object]:
    """Note every site: at no cost, for it is no frame of its own."""
    return log.append


def store(folder: str, most: int, portions: Iterator[Sequence[int]]) -> None:
    """Write entries of a log to files ``0``, ``1``, ... of at most ``most`` bytes each (0: any).

    No file may grow further than those that the program writes.
    """
    os.makedirs(folder, exist_ok=True)
    several = max(most // (4 * PORTION), 1) if most else sys.maxsize
    for number in count():
        with open(f"{folder}/{number}", "wb") as stream:
            for portion in islice(portions, several):
                array("i", portion).tofile(stream)
            if not stream.tell():
                return


class Recorder:
    """Records the main thread from ``start`` to ``stop``.

    ``report`` is the object the instrumented code calls at each site.  ``deep``: see
    ``depth``; ``on_recursion`` hears of each RecursionError, ``on_fault`` of each exception that
    our own code raises in the program; ``noting`` makes what notes sites.
    ``more``: levels of recursion that functions of ours need, called by the program.  ``spill``
    takes what the log holds now and then, where a part of a run is recorded.  ``local``: the events
    that tracked functions report.
    """

    dialect: type[Recording] = Recording
    """What stands in the program's code."""

    def __init__(
        self,
        main_thread: Callable[[], bool] | None = None,
        deep: bool = False,
        on_recursion: Callable[[], object] = bool,
        noting: Noting = plainly,
        more: int = 0,
        spill: Spill | None = None,
        local: int = LOCAL,
        on_fault: Callable[[BaseException], object] = bool,
    ) -> None:
        self.more = more
        self.spill = spill
        self.noting = noting
        self.deep = deep
        self.on_recursion = on_recursion
        self.on_fault = on_fault
        self.wrappers = (main_thread is not None) + deep
        self.headroom = HEADROOM + more + self.wrappers
        self.log: list[int] = [sites.UNPAUSE]  # never empty
        # Any C function that no program can get hold of and that returns something false.
        self.report: Any = {}.__contains__
        self.tool = take_tool_id("stripe")
        self.functions = Functions(self.tool, local)
        self._main_thread = main_thread
        self.elsewhere: set[int] = set()  # sites that other threads passed
        self.unseen: list[str] = []  # files of what the user's code called, and is not its own
        self.note: Callable[[int], object] = self.log.append  # what is no site
        self.unfit: Callable[[], object] = bool  # the program cannot be recorded in this way

    @property
    def constants(self) -> dict[complex, Any]:
        """What instrumented code has at hand."""
        return {Placeholder.REPORT: self.report}

    def require_fit(self, source: bytes) -> None:
        """Look at a file before it is instrumented, which takes longest of all."""

    def track(self, file: UserFile) -> None:
        """Report the functions of a file that is about to run."""
        self.functions.track(file)

    def start(self) -> None:
        callbacks = self._callbacks()
        if self.deep:
            callbacks = deepened(callbacks, HEADROOM + self.more)
        for event, callback in callbacks.items():
            if self._main_thread is not None:
                callback = in_main_thread(callback, self._main_thread, self.note_elsewhere)
            monitoring.register_callback(self.tool, event, callback)
        monitoring.set_events(self.tool, GLOBAL | (DEEP if self.deep else 0))

    def noted(self) -> int:
        """How many entries the log has."""
        return len(self.log)

    def stop(self) -> None:
        self.functions.untrack()

    def note_elsewhere(self, event: tuple[Any, ...]) -> None:
        """Note the site that another thread passes: it calls ``report``, or starts a function."""
        if len(event) == 4 and event[2] is self.report:
            self.elsewhere.add(event[3])
        elif len(event) == 2 and (function := tracked(event[0])) is not None:
            self.elsewhere.add(~function.number)

    def write(self, path: str, most: int) -> None:
        """Write the log, see ``store``; the process may end amid a run of statements."""
        frame: Any = sys._getframe(1)
        while frame is not None:
            if tracked(frame.f_code) is not None:
                self.log += [sites.AT, frame.f_lasti]
                break
            frame = frame.f_back
        if self.spill is not None:
            self.spill.take(self.log)
            return
        starts = range(0, len(self.log), PORTION)
        store(path, most, (self.log[start : start + PORTION] for start in starts))

    def _callbacks(self) -> dict[int, Callable[..., Any]]:
        return callbacks_of(self)
