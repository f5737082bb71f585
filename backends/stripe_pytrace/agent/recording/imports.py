"""What is not recorded: imports of modules outside the project, and what comes before a test."""

from __future__ import annotations

import sys
from _thread import get_ident

from .monitor import tracked

TYPE_CHECKING = False  # typing takes as long to import as much of the agent
if TYPE_CHECKING:
    from collections.abc import Callable
    from types import FrameType


class Aside:
    """What runs between ``aside(True)`` and ``aside(False)`` is not recorded, nor replayed by plan.

    These may be nested; the outermost calls ``pause`` and ``unpause``.  Only the thread that made
    this is meant: others are not recorded.
    """

    def __init__(self, pause: Callable[[], object], unpause: Callable[[], object]) -> None:
        self._pause, self._unpause = pause, unpause
        self._thread = get_ident()
        self._depth = 0
        self.raised = ""  # the type of the exception that ended one last
        self.waits = False

    def wait(self) -> None:
        """Put aside all that comes before the program says that it ``begins``."""
        self.waits = True
        self(True)

    def begin(self) -> None:
        """What is recorded begins, unless code of the user's is running that would go on there."""
        frame: FrameType | None = sys._getframe(1)
        while frame is not None and tracked(frame.f_code) is None:
            frame = frame.f_back
        if self.waits and frame is None:
            self.waits = False
            self(False)

    def __call__(self, begins: bool) -> None:
        if get_ident() != self._thread:
            return
        if begins:
            self._depth += 1
            if self._depth == 1:
                self._pause()
            return
        self._depth -= 1
        error = sys.exception()
        if error is not None:
            self.raised = type(error).__name__
        if not self._depth:
            self._unpause()
