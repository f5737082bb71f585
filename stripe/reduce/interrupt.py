"""Ctrl-C during a search: end it with the best slice so far."""

from __future__ import annotations

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType


class StopFlag:
    """Whether somebody asked the search to end; ``torn``: in the middle of a replay."""

    def __init__(self) -> None:
        self.requested = False
        self.torn = False

    def tear(self) -> None:
        """Note that a replay was cut off: nothing more may be asked of the recording."""
        self.requested = self.torn = True

    def __call__(self) -> bool:
        return self.requested


@contextmanager
def stop_on_interrupt() -> Iterator[StopFlag]:
    """A flag that the first Ctrl-C raises; the second one is a KeyboardInterrupt as usual.

    The first waits for the test that is running, so that no replay is torn apart.  Where the
    handler is not Python's own, or this is not the main thread, nothing is changed.
    """
    flag = StopFlag()
    if (
        threading.current_thread() is not threading.main_thread()
        or signal.getsignal(signal.SIGINT) is not signal.default_int_handler
    ):
        yield flag
        return

    def interrupted(number: int, frame: FrameType | None) -> None:
        if flag.requested:
            raise KeyboardInterrupt
        flag.requested = True

    signal.signal(signal.SIGINT, interrupted)
    try:
        yield flag
    finally:
        signal.signal(signal.SIGINT, signal.default_int_handler)
