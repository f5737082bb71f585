"""A process of the user's that runs beside STRIPE, and remembers what was done to it."""

from __future__ import annotations

import ctypes
import mmap
import os
import resource
import signal
from pathlib import Path

from tests.harm.looking import Look

ADDRESS, SIGNALS = 0, 8
SECRET = b"precious" * 4
PR_SET_PTRACER = 0x59616D61
STATUS = ("State", "TracerPid", "Cpus_allowed", "Uid", "Threads", "Name", "Pid", "PPid", "Groups")
LIMITS = tuple(
    getattr(resource, name) for name in sorted(vars(resource)) if name.startswith("RLIMIT_")
)


class Sentinel:
    """The process, from outside."""

    def __init__(self) -> None:
        self.pid = 0
        self._shared = mmap.mmap(-1, 4096)
        self._address = 0

    def start(self) -> None:
        """Start it; it is ready when this returns."""
        self._shared[:] = bytes(4096)
        ready, told = os.pipe()
        self.pid = os.fork()
        if self.pid == 0:
            try:
                _be(self._shared, told)
            finally:
                os._exit(1)
        os.close(told)
        os.read(ready, 1)
        os.close(ready)
        self._address = int.from_bytes(self._shared[ADDRESS:SIGNALS], "little")

    def end(self) -> None:
        """Kill it, and everything else that runs in the jail."""
        try:
            os.kill(-1, signal.SIGKILL)
        except ProcessLookupError:
            pass
        while True:
            try:
                os.waitpid(-1, 0)
            except ChildProcessError:
                break
        self.pid = 0

    def environment(self) -> dict[str, str]:
        """How programs find it, and a place in its memory."""
        return {"SENTINEL_PID": str(self.pid), "SENTINEL_ADDRESS": str(self._address)}

    def look(self) -> Look:
        """What it got, and what of it others can change."""
        if not os.path.exists(f"/proc/{self.pid}/status"):
            return {"sentinel": "gone"}
        signals = self._shared[SIGNALS : SIGNALS + 65]
        found: Look = {
            "sentinel's signals": {
                str(number): count for number, count in enumerate(signals) if count
            },
            "sentinel's priority": os.getpriority(os.PRIO_PROCESS, self.pid),
            "sentinel's scheduler": os.sched_getscheduler(self.pid),
            "sentinel's processors": tuple(sorted(os.sched_getaffinity(self.pid))),
            "sentinel's limits": [resource.prlimit(self.pid, each) for each in LIMITS],
            "sentinel's group": os.getpgid(self.pid),
            "sentinel's oom": Path(f"/proc/{self.pid}/oom_score_adj").read_text(),
        }
        for line in Path(f"/proc/{self.pid}/status").read_text().splitlines():
            name, _, value = line.partition(":")
            if name in STATUS:
                found[f"sentinel's {name}"] = value.split("(")[0].strip()
        if found.get("sentinel's State") == "R":
            found["sentinel's State"] = "S"  # it has been woken, and is about to wait again
        try:
            with open(f"/proc/{self.pid}/mem", "rb", buffering=0) as memory:
                memory.seek(self._address)
                found["sentinel's memory"] = memory.read(len(SECRET))
        except OSError:
            pass
        return found


def _be(shared: mmap.mmap, told: int) -> None:
    """The process itself: counts signals, and waits for more."""
    os.setsid()
    null = os.open(os.devnull, os.O_RDWR)
    for number in range(3):
        os.dup2(null, number)
    secret = ctypes.create_string_buffer(SECRET)
    shared[ADDRESS:SIGNALS] = ctypes.addressof(secret).to_bytes(8, "little")
    ctypes.CDLL(None).prctl(PR_SET_PTRACER, ctypes.c_ulong(-1).value, 0, 0, 0)

    def count(number: int, _: object) -> None:
        shared[SIGNALS + number] = min(255, shared[SIGNALS + number] + 1)

    for number in signal.valid_signals():
        if number not in (signal.SIGKILL, signal.SIGSTOP):
            signal.signal(number, count)
    os.write(told, b".")
    while True:
        signal.pause()
