"""Ending processes that a test found by looking, which may have ended since."""

from __future__ import annotations

import os
import signal


def kill(number: int) -> bool:
    """Kill a process; false if it has ended by itself."""
    try:
        os.kill(number, signal.SIGKILL)
    except ProcessLookupError:
        return False
    return True
