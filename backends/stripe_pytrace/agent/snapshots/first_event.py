"""Forked replays: a process stands where the recorded part of a run begins, and forks there.

That is the program's first activation, or where a test is about to be set up, or to be called.
What is done up to there (libraries are imported, pytest begins, collects the test, and sets it up,
where nothing of that is recorded) is done once.  All of it takes effect in every replay, so a fork
is as one of the server; where it would not be, the process ends, and all replays are from the
beginning.
"""

from __future__ import annotations

import gc
import sys
import time

from ..recording.monitor import told_fault
from ..replaying.modes import FIRST, FORKED, Mode
from .fork_point import PausedRun, has_drawn, state_of_random

TYPE_CHECKING = False  # typing takes as long to import as much of the agent
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from ..compiling.linker import Function
    from ..process.guard import Guard

WORTH_STANDING_SECONDS = 0.005
"""Of a processor before the first event of the program, from which on forks begin there; what is
put back after each replay begins there anyhow."""


class FirstEvent(Mode):
    """``resume`` is given what is asked of a fork, and gets it ready for that.

    ``at``: :data:`FIRST`, or a mark of a test (``guard.MARKS``); nothing has been recorded before.
    """

    name = FORKED

    def __init__(
        self,
        paused: PausedRun,
        guard: Guard,
        resume: Callable[[dict[str, Any]], object],
        at: str,
    ) -> None:
        self._paused, self._guard, self._resume = paused, guard, resume
        self._began, self._drawn = time.process_time(), state_of_random()
        self._at = at

    def begin(self, function: Function) -> None:
        self.reach(FIRST)

    def reach(self, place: str) -> None:
        """The run is at a place: stand there, if it is the one."""
        if self._at == place:
            self._at = ""
            self._stand()

    def _stand(self) -> None:
        """Fork for each request; in each child, be configured and go on from here."""
        paused, guard = self._paused, self._guard
        guard.on = False
        try:
            lasting = guard.dirty or not guard.alone()
            if why := self._otherwise(lasting):
                paused.decline(why)
            if lasting:
                guard.rely()
            gc.freeze()
            request = paused.stand()
        except BaseException as error:
            paused.decline(told_fault(error))
        if self._drawn is not None:
            sys.modules["random"].seed()  # as in any fork of the server
        self._resume(request)
        guard.on = True

    def _otherwise(self, lasting: bool) -> str:
        """Why all runs are from the beginning, if forks here are not as these or save no time."""
        spent = time.process_time() - self._began
        if spent < WORTH_STANDING_SECONDS and not self._paused.restores:
            return "hardly any time to save"
        if has_drawn(self._drawn):
            return "random numbers drawn"
        return (lasting and self._paused.lasting()) or self._paused.unlike()
