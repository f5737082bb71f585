"""Threaded replays: the main thread follows paths, and all others run everything.

What other threads do is in no trace, so nothing of it can be left out.  Each thread has registers
of its own; callbacks and sites of other threads come to nothing of ours.
"""

from __future__ import annotations

from _thread import _local

from ..recording.monitor import in_main_thread
from .activation import NOTHING
from .modes import THREADED, Mode

TYPE_CHECKING = False  # typing takes as long to import as much of the agent
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from typing import Any

    from .modes import Callbacks


class ThreadsNow(_local):
    """``Now`` for each thread: those of others stay as they are here."""

    plan: Iterator[Any] = NOTHING
    register: Any = None


class Threads(Mode):
    """``in_main``: whether the caller runs in the thread that is replayed."""

    name = THREADED
    levels = 1

    def __init__(self, in_main: Callable[[], bool]) -> None:
        self.in_main = in_main

    def wrapped(self, callbacks: Callbacks) -> Callbacks:
        return {
            event: in_main_thread(callback, self.in_main) for event, callback in callbacks.items()
        }
