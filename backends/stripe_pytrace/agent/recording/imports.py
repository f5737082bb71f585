"""Imports of modules outside the project are part of the statement that imports them."""

from __future__ import annotations

import sys
from _thread import get_ident

TYPE_CHECKING = False  # typing takes as long to import as much of the agent
if TYPE_CHECKING:
    from collections.abc import Callable


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
