"""Processes under limits, in sessions of their own, of which none is left behind.

What a test starts can run away in three ways, and is ended in each:

- it stays in the session of the test: the session's process group is killed when the test ends;
- it starts a session of its own: when its parent ends it becomes a child of ours (we are made its
  *subreaper*), where it is found by a mark in its environment;
- we are killed ourselves, with no chance to clean up: a guardian process sees its pipe close, ends
  everything that carries the mark and removes the scratch directory.

The last two need Linux; elsewhere the process group is all that is ended.
"""

from __future__ import annotations

import contextlib
import ctypes
import os
import select
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from stripe.backend import End
from stripe.inputs.spawning import Launcher

try:
    import resource
except ImportError:  # not on this platform
    resource = None  # type: ignore[assignment]

MARK = "STRIPE_INPUT_RUN"
"""The environment variable by which everything that a test started is known."""

_PR_SET_CHILD_SUBREAPER = 36
_PR_GET_CHILD_SUBREAPER = 37


@dataclass(frozen=True, slots=True)
class Limits:
    """What one run may use: ``seconds``, and bytes of ``memory`` and of any file it writes.

    0 bytes: no limit.
    """

    seconds: float
    memory: int = 0
    output: int = 0


@dataclass(frozen=True, slots=True)
class Ending:
    """How a run ended; ``status`` is its exit status, or the signal it died of."""

    end: End
    status: int
    seconds: float


class Running:
    """The processes that are running now, so that they can be ended from another thread."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._groups: dict[int, object] = {}
        self.helpers: set[int] = set()
        """Processes of our own, which are no test."""
        self.closed = False

    def started(self) -> set[int]:
        """The processes that were started directly."""
        with self._lock:
            return self.helpers | self._groups.keys()

    def add(self, pid: int, key: object) -> None:
        """Note a process that runs for ``key``."""
        with self._lock:
            self._groups[pid] = key
            if self.closed:
                _kill_group(pid)

    def bury(self, pid: int) -> int:
        """End what is left of a process and its group, and forget it.

        Returns:
            its exit status, or the number of the signal it died of, negative.
        """
        with self._lock:
            # Not waited for yet, so its number cannot have gone to another process.
            _kill_group(pid)
            status = os.waitpid(pid, 0)[1]
            self._groups.pop(pid, None)
        return os.waitstatus_to_exitcode(status)

    def drop(self, key: object) -> None:
        """End the process that runs for ``key``, if there is one by now."""
        with self._lock:
            for pid, other in self._groups.items():
                if other == key:
                    _kill_group(pid)

    def close(self) -> None:
        """End all of them, and every one that is still to come."""
        with self._lock:
            self.closed = True
            for pid in self._groups:
                _kill_group(pid)


def run(
    launcher: Launcher, command: Sequence[str], limits: Limits, running: Running, key: object
) -> Ending:
    """Run a command to its end, or to that of its time.

    Raises:
        OSError: when it cannot be started.
    """
    started = time.monotonic()
    pid = launcher.start(command)
    ended = False
    try:
        _limit(pid, limits)
        running.add(pid, key)
        ended = _wait(pid, limits.seconds)
    finally:
        status = running.bury(pid)
    seconds = time.monotonic() - started
    if not ended:
        return Ending(End.TIMEOUT, 0, seconds)
    return Ending(End.SIGNAL if status < 0 else End.EXITED, abs(status), seconds)


def _limit(pid: int, limits: Limits) -> None:
    """Set limits from outside: between fork and exec it would cost more than the rest of a test."""
    prlimit = getattr(resource, "prlimit", None)
    if prlimit is None:
        return
    wanted = ((resource.RLIMIT_AS, limits.memory), (resource.RLIMIT_FSIZE, limits.output))
    try:
        prlimit(pid, resource.RLIMIT_CORE, (0, 0))
        for which, value in wanted:
            if value:
                hard = prlimit(pid, which)[1]
                prlimit(pid, which, (value if hard < 0 else min(value, hard), hard))
    except (ProcessLookupError, PermissionError):
        pass  # gone already, or it has taken other rights


def _wait(pid: int, seconds: float) -> bool:
    """Wait for the end, without reaping; whether it came in time."""
    try:
        descriptor = os.pidfd_open(pid)
    except OSError:  # a sandbox without
        return _poll(pid, seconds)
    try:
        poll = select.poll()
        poll.register(descriptor, select.POLLIN)
        return bool(poll.poll(seconds * 1000))
    finally:
        os.close(descriptor)


def _poll(pid: int, seconds: float) -> bool:
    """As :func:`_wait`, asking again and again."""
    end = time.monotonic() + seconds
    while os.waitid(os.P_PID, pid, os.WEXITED | os.WNOWAIT | os.WNOHANG) is None:
        if time.monotonic() > end:
            return False
        time.sleep(0.001)
    return True


def _kill_group(pid: int) -> None:
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.killpg(pid, signal.SIGKILL)


# --- what runs away ----------------------------------------------------------------------------


def carries(pid: int, mark: str) -> bool:
    """Whether a process was started with the environment variable :data:`MARK` set to ``mark``."""
    try:
        with open(f"/proc/{pid}/environ", "rb", 0) as stream:
            environment = stream.read().split(b"\0")
    except OSError:
        return False
    return f"{MARK}={mark}".encode() in environment


class Runaways:
    """Ends processes that left the session of a test: their parents ended, and we got them."""

    def __init__(self, running: Running) -> None:
        self._running = running
        self._children: int | None = None
        with contextlib.suppress(OSError):
            # Kept open: to look it up anew would cost more than to read it.
            self._children = os.open(f"/proc/self/task/{os.getpid()}/children", os.O_RDONLY)

    def close(self) -> None:
        if self._children is not None:
            os.close(self._children)

    def end(self, mark: str) -> None:
        """End those that carry ``mark``; another test may still be running."""
        while lost := self._found(mark):
            for pid in lost:
                with contextlib.suppress(ProcessLookupError, PermissionError):
                    os.kill(pid, signal.SIGKILL)
                with contextlib.suppress(ChildProcessError):
                    os.waitpid(pid, 0)

    def _found(self, mark: str) -> list[int]:
        if self._children is None:
            return []
        words = b""
        while part := os.pread(self._children, 65536, len(words)):
            words += part
        # Read first: who started meanwhile is among them, too.
        children = set(map(int, words.split()))
        return [pid for pid in children - self._running.started() if carries(pid, mark)]


@contextmanager
def subreaper() -> Iterator[None]:
    """Become the parent of orphaned descendants, where the system can do that."""
    try:
        prctl = ctypes.CDLL(None).prctl
    except (OSError, AttributeError):
        yield
        return
    before = ctypes.c_int(0)
    prctl(_PR_GET_CHILD_SUBREAPER, ctypes.byref(before), 0, 0, 0)
    prctl(_PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)
    try:
        yield
    finally:
        prctl(_PR_SET_CHILD_SUBREAPER, before.value, 0, 0, 0)


_GUARDIAN = """
import os, shutil, signal, sys
mark, scratch = sys.argv[1].encode(), sys.argv[2]
for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
    signal.signal(number, signal.SIG_IGN)
if os.read(0, 1):
    sys.exit()
again = True
while again:
    again = False
    for name in os.listdir("/proc"):
        if name.isdigit() and int(name) != os.getpid():
            try:
                with open(f"/proc/{name}/environ", "rb") as stream:
                    if any(word.startswith(mark) for word in stream.read().split(b"\\0")):
                        os.kill(int(name), signal.SIGKILL)
                        again = True
            except OSError:
                pass
shutil.rmtree(scratch, ignore_errors=True)
"""


@contextmanager
def guardian(mark: str, scratch: Path, running: Running) -> Iterator[None]:
    """A process that cleans up after us if we are killed."""
    if not Path("/proc/self/environ").exists():
        yield
        return
    process = subprocess.Popen(
        [sys.executable, "-I", "-S", "-c", _GUARDIAN, f"{MARK}={mark}", str(scratch)],
        stdin=subprocess.PIPE,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
    )
    assert process.stdin is not None
    running.helpers.add(process.pid)
    try:
        yield
    finally:
        with contextlib.suppress(OSError):
            process.stdin.write(b".")
            process.stdin.close()
        process.wait()
