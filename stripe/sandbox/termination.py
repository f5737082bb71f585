"""Ending processes that we have started.

Whatever may leave others behind is below one that ends them (``inside/orphans.py``): the guard of
walls, a launcher, a server or a keeper.  That one is asked first, as it cannot do so when killed.
"""

from __future__ import annotations

import os
import select
import signal
import subprocess
import time
from contextlib import suppress
from pathlib import Path
from typing import Any

ORPHANS = Path(__file__).parent / "inside" / "orphans.py"
"""What ends all that a process has left behind, for those who load it by its path."""

STOPPED_SECONDS = 0.5
"""Seconds that a process of ours is waited for before it is looked whether it was stopped."""

PATIENCE = 10.0
"""Seconds to end in; the guard of walls kills what it guards after fewer."""


def end_process(process: subprocess.Popen[Any], *, patience: float = 0.0) -> None:
    """See to it that a process is gone; it leads a session.

    ``patience``: seconds it has to end by itself, as when it has been told to in some other way.
    """
    for seconds, then in ((patience, process.terminate), (PATIENCE, lambda: kill(process))):
        with suppress(subprocess.TimeoutExpired):
            await_end(process, seconds)
            return
        then()
    process.wait()


def go_on(process: subprocess.Popen[Any]) -> None:
    """Continue a process of ours if a program that has no walls around it has stopped it."""
    with suppress(OSError):  # it has ended
        if os.waitid(os.P_PID, process.pid, os.WSTOPPED | os.WNOHANG | os.WNOWAIT) is not None:
            os.kill(process.pid, signal.SIGCONT)


def can_be_read(descriptor: int, seconds: float, process: subprocess.Popen[Any]) -> bool:
    """Whether there is something to read within ``seconds``; it is told by a process of ours.

    Stopped by what it runs, the process goes on.
    """
    poll = select.poll()
    poll.register(descriptor, select.POLLIN)
    until = time.monotonic() + seconds
    while not poll.poll(1000 * min(STOPPED_SECONDS, max(0.0, until - time.monotonic()))):
        if time.monotonic() >= until:
            return False
        go_on(process)
    return True


def communicate(process: subprocess.Popen[bytes]) -> tuple[bytes, bytes]:
    """All that a process of ours prints until its end; stopped by what it runs, it goes on."""
    while True:
        with suppress(subprocess.TimeoutExpired):
            return process.communicate(timeout=STOPPED_SECONDS)
        go_on(process)


def await_end(process: subprocess.Popen[Any], seconds: float) -> None:
    """Wait for the end of a process, and no longer: ``wait`` with a limit looks now and then.

    Raises:
        subprocess.TimeoutExpired: after so many seconds.
    """
    if process.poll() is None and seconds > 0 and hasattr(os, "pidfd_open"):
        with suppress(OSError):  # an old kernel, or no descriptor is left
            descriptor = os.pidfd_open(process.pid)
            try:
                poll = select.poll()
                poll.register(descriptor, select.POLLIN)
                if poll.poll(seconds * 1000):
                    process.wait()
                    return
                seconds = 0.0
            finally:
                os.close(descriptor)
    process.wait(seconds)


def kill(process: subprocess.Popen[Any]) -> None:
    """Kill a process with its session, as far as it has not ended."""
    if process.returncode is None:
        with suppress(ProcessLookupError, PermissionError):
            os.killpg(process.pid, signal.SIGKILL)
