"""Whether a run can still make progress: what all its threads wait for, as the kernel tells.

A run is *blocked* when each thread of each of its processes waits, without a time limit, for what
only another of them could give, and no timer is going to wake one.  All of that must be known;
in doubt it is not blocked, and the limits of time have the say.
"""

from __future__ import annotations

import mmap
import os
import struct
import sys
import time

from .descriptors import LowNumbersTaken

TYPE_CHECKING = False  # a launcher begins sooner without typing
if TYPE_CHECKING:
    from typing import Any

# System calls that wait, by their numbers on each kind of machine:
# the argument that is their time limit (a pointer, or milliseconds), or none.
POINTER, MILLISECONDS, NONE = 1, 2, 0
WAITS: dict[str, dict[int, tuple[int, int]]] = {
    "x86_64": {
        0: (NONE, 0), 1: (NONE, 0), 19: (NONE, 0), 20: (NONE, 0),  # read, write, readv, writev
        42: (NONE, 0), 43: (NONE, 0), 44: (NONE, 0), 45: (NONE, 0),  # connect ... recvfrom
        46: (NONE, 0), 47: (NONE, 0), 288: (NONE, 0),  # sendmsg, recvmsg, accept4
        61: (NONE, 0), 247: (NONE, 0), 34: (NONE, 0), 130: (NONE, 0),  # wait4, ..., sigsuspend
        73: (NONE, 0), 128: (POINTER, 2), 202: (POINTER, 3),  # flock, sigtimedwait, futex
        7: (MILLISECONDS, 2), 232: (MILLISECONDS, 3), 281: (MILLISECONDS, 3),  # poll, epoll
        23: (POINTER, 4), 270: (POINTER, 4), 271: (POINTER, 2), 441: (POINTER, 3),  # select, ...
    },
    "aarch64": {
        63: (NONE, 0), 64: (NONE, 0), 65: (NONE, 0), 66: (NONE, 0),
        203: (NONE, 0), 202: (NONE, 0), 206: (NONE, 0), 207: (NONE, 0),
        211: (NONE, 0), 212: (NONE, 0), 242: (NONE, 0),
        260: (NONE, 0), 95: (NONE, 0), 133: (NONE, 0),
        32: (NONE, 0), 137: (POINTER, 2), 98: (POINTER, 3),
        22: (MILLISECONDS, 3), 72: (POINTER, 4), 73: (POINTER, 2), 441: (POINTER, 3),
    },
}  # fmt: skip
# Files that nobody outside of the run does anything with.
OURS = ("pipe:[", "anon_inode:[eventfd]", "anon_inode:[eventpoll]", "/memfd:", "/dev/null",
        "/dev/zero", "/dev/full", "/dev/random", "/dev/urandom", "anon_inode:[pidfd]",
        "anon_inode:[userfaultfd]")  # fmt: skip
INFINITE = float("inf")
ALARM = struct.Struct("d")

ALONE = os.getpid() == 1
"""Whether nobody outside of our namespaces can reach a run; what we fork is in the same ones."""


class Alarms:
    """When the latest alarm of a run goes off, in memory that its processes share with us.

    The kernel tells nobody else of them.  ``NAME`` marks the memory among what they have mapped.
    """

    NAME = "stripe-alarms"

    def __init__(self) -> None:
        descriptor = os.memfd_create(self.NAME)
        os.ftruncate(descriptor, mmap.PAGESIZE)
        with LowNumbersTaken():
            self._memory = mmap.mmap(descriptor, mmap.PAGESIZE)
        os.close(descriptor)

    def clear(self) -> None:
        """A run begins."""
        ALARM.pack_into(self._memory, 0, 0.0)

    @property
    def latest(self) -> float:
        """When the latest alarm goes off (as ``time.monotonic`` tells time)."""
        return float(ALARM.unpack_from(self._memory, 0)[0])

    def close(self) -> None:
        """In a run that takes no note of its alarms: it is never known to be blocked."""
        self._memory.close()

    def install(self) -> None:
        """In a run: take note of the alarms it sets."""
        inner: Any = sys.modules["_signal"]
        alarm, setitimer, now = inner.alarm, inner.setitimer, time.monotonic

        def note(seconds: float) -> None:
            ALARM.pack_into(self._memory, 0, max(self.latest, now() + seconds))

        def noted_alarm(seconds: Any, /) -> int:
            before: int = alarm(seconds)
            note(float(seconds.__index__()))
            return before

        def noted_setitimer(which: Any, seconds: Any, interval: Any = 0.0, /) -> Any:
            before = setitimer(which, seconds, interval)
            note(INFINITE if interval else float(seconds))
            return before

        noted_alarm.__name__ = noted_alarm.__qualname__ = "alarm"
        noted_setitimer.__name__ = noted_setitimer.__qualname__ = "setitimer"
        modules: list[Any] = [inner, sys.modules.get("signal", inner)]
        for module in modules:
            module.alarm, module.setitimer = noted_alarm, noted_setitimer


class Watch:
    """Looks at a run now and then: ``processor`` is the seconds it has used of one so far."""

    def __init__(self, alarms: Alarms, *others: int) -> None:
        """``others``: children that are not of the run."""
        self._others = {*others}
        self._alarms = alarms
        self._waits = WAITS.get(os.uname().machine, {})
        self._alone = ALONE
        self._before: object = None
        self.processor = 0.0

    def blocked(self) -> bool:
        """Whether no thread has run since the last look, and none ever will."""
        try:
            found = self._look()
        except (OSError, ValueError, IndexError):
            found = None  # something has just ended, or must not be looked at
        same = found is not None and found == self._before
        self._before = found
        return same and time.monotonic() > self._alarms.latest

    def _look(self) -> object:
        """All threads with how often they have run; ``None`` if one may run on."""
        threads: list[tuple[str, str]] = []
        used = 0
        waiting = True
        for process in self._processes():
            for thread in sorted(os.listdir(f"/proc/{process}/task")):
                place = f"/proc/{process}/task/{thread}"
                told = text(f"{place}/schedstat")
                used += int(told.split()[0])
                threads.append((place, told))
                waiting = waiting and self._waiting(place)
            waiting = waiting and self._knows(process)
        self.processor = used / 1e9
        return threads if waiting else None

    def _processes(self) -> list[int]:
        """The processes of the run: all that we have started, but for the one that waits."""
        found = [each for each in started_by(os.getpid()) if each not in self._others]
        for each in found:
            found += started_by(each)
        return found

    def _waiting(self, place: str) -> bool:
        """Whether a thread waits, and not for a time."""
        state = state_of(place)
        if state == "Z":
            return True
        if state != "S":
            return False
        call = text(f"{place}/syscall").split()
        kind = self._waits.get(int(call[0])) if call[0] != "running" else None
        if kind is None:
            return False
        how, which = kind
        if how == NONE:
            return True
        limit = int(call[1 + which], 16)
        return limit == 0 if how == POINTER else bool(limit & 0x80000000)

    def _knows(self, process: int) -> bool:
        """Whether all is known that could wake a process."""
        if state_of(f"/proc/{process}") == "Z":
            return True
        if Alarms.NAME not in text(f"/proc/{process}/maps"):
            return False  # another program: it may have set an alarm
        if text(f"/proc/{process}/timers").strip():
            return False
        for name in os.listdir(f"/proc/{process}/fd"):
            path = f"/proc/{process}/fd/{name}"
            target = os.readlink(path)
            if target.startswith(OURS) or (self._alone and target.startswith("socket:[")):
                continue
            if target.startswith("/") and not target.startswith("/dev/"):
                try:
                    mode = os.stat(path).st_mode & 0o170000
                except FileNotFoundError:
                    return False
                if mode in (0o100000, 0o040000):  # a file, a folder
                    continue
            return False
        return True


def started_by(process: int | str) -> list[int]:
    """The processes whose parent is any thread of ``process`` (``self``: ours)."""
    found: list[int] = []
    for thread in os.listdir(f"/proc/{process}/task"):
        found += map(int, text(f"/proc/{process}/task/{thread}/children").split())
    return found


def waited_for_processor(process: int) -> float:
    """Seconds in which a process could have run but others did."""
    try:
        with open(f"/proc/{process}/schedstat", "rb") as stream:
            return int(stream.read().split()[1]) / 1e9
    except (OSError, ValueError, IndexError):
        return 0.0


def run_waited_for_processor(process: int) -> float:
    """The same of a run: of what was started, and of that process below it that waited longest.

    What was started may only wait for what it has started itself, as a witness does.
    """
    below = [0.0]
    try:
        pending = started_by(process)
        for each in pending:
            below.append(waited_for_processor(each))
            pending += started_by(each)
    except (OSError, ValueError):
        pass  # one of them has just ended
    return waited_for_processor(process) + max(below)


def stopped(process: int) -> str:
    """The name and number of a process at or below one that was stopped by a signal, if any was."""
    pending = [process]
    for each in pending:
        try:
            with open(f"/proc/{each}/stat", encoding="utf-8", errors="replace") as stream:
                before, _, after = stream.read().rpartition(")")
            if after.split()[0] == "T":
                return f"{before.partition('(')[2]} ({each})"
            pending += started_by(str(each))
        except (OSError, ValueError, IndexError):
            continue
    return ""


def left_behind(others: list[int]) -> bool:
    """Whether a run that has ended has left processes to us, or that cannot be told.

    Who has lost their parent is our child, so that all of them are below one that is not among the
    ``others``.  It stays in the list of the kernel until we wait for it.
    """
    try:
        return not {*others}.issuperset(started_by("self"))
    except (OSError, ValueError):
        return True


def state_of(place: str) -> str:
    """What a process or thread does, as one letter; ``place``: its folder in ``/proc``.

    Raises OSError if it is gone.
    """
    return text(f"{place}/stat").rpartition(")")[2].split()[0]


def text(path: str) -> str:
    with open(path, encoding="utf-8", errors="replace") as stream:
        return stream.read()
