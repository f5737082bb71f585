"""Ending processes that we have started.

Whatever may leave others behind is below one that ends them (``inside/orphans.py``): the guard of
walls, a launcher, a server or a keeper.  That one is asked first, as it cannot do so when killed.
"""

from __future__ import annotations

import os
import signal
import subprocess
from contextlib import suppress
from pathlib import Path
from typing import Any

ORPHANS = Path(__file__).parent / "inside" / "orphans.py"
"""What ends all that a process has left behind, for those who load it by its path."""

PATIENCE = 10.0
"""Seconds to end in; the guard of walls kills what it guards after fewer."""


def end(process: subprocess.Popen[Any], *, patience: float = 0.0) -> None:
    """See to it that a process is gone; it leads a session.

    ``patience``: seconds it has to end by itself, as when it has been told to in some other way.
    """
    for seconds, then in ((patience, process.terminate), (PATIENCE, lambda: kill(process))):
        with suppress(subprocess.TimeoutExpired):
            process.wait(seconds)
            return
        then()
    process.wait()


def kill(process: subprocess.Popen[Any]) -> None:
    """Kill a process with its session, as far as it has not ended."""
    if process.returncode is None:
        with suppress(ProcessLookupError, PermissionError):
            os.killpg(process.pid, signal.SIGKILL)
