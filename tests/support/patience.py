"""How long tests wait for something of another process or thread, and how they do."""

from __future__ import annotations

import time
from collections.abc import Callable

PATIENCE = 300
"""Seconds: on two busy processors a process has to wait for a minute now and then."""


def wait_until(condition: Callable[[], object], complaint: Callable[[], str] = lambda: "") -> None:
    """Wait for ``condition``; fail with ``complaint`` if it does not come true."""
    deadline, pause = time.monotonic() + PATIENCE, 0.01
    while not condition():
        assert time.monotonic() < deadline, f"not in {PATIENCE:g} s; {complaint()}"
        time.sleep(pause)  # to look costs some milliseconds: longer waits look less often
        pause = min(pause * 1.2, 0.1)
