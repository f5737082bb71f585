"""The IPC objects of the sacrificial world: shared memory, semaphores, queues."""

from __future__ import annotations

import ctypes
import os
from pathlib import Path

from tests.harm.looking import Look

IPC_CREAT, IPC_RMID, GETVAL, SETVAL = 0o1000, 0, 12, 16
SHM_KEY, MSG_KEY, SEM_KEY = 4711, 4712, 4713
SHM_NAME, QUEUE = "victim-memory", "victim-queue"
TABLES = ("shm", "msg", "sem")
SIZE = 4096

libc = ctypes.CDLL(None, use_errno=True)
libc.shmat.restype = ctypes.c_void_p
libc.shmat.argtypes = [ctypes.c_int, ctypes.c_void_p, ctypes.c_int]
libc.shmdt.argtypes = [ctypes.c_void_p]


def make() -> None:
    """Make one of each kind; content that can be lost in all."""
    shared = libc.shmget(SHM_KEY, SIZE, IPC_CREAT | 0o600)
    libc.msgget(MSG_KEY, IPC_CREAT | 0o600)
    semaphores = libc.semget(SEM_KEY, 1, IPC_CREAT | 0o600)
    assert min(shared, semaphores) >= 0, os.strerror(ctypes.get_errno())
    where = libc.shmat(shared, None, 0)
    ctypes.memmove(where, b"precious", 8)
    libc.shmdt(where)
    libc.semctl(semaphores, 0, SETVAL, 3)
    message = ctypes.create_string_buffer((1).to_bytes(8, "little") + b"precious")
    libc.msgsnd(libc.msgget(MSG_KEY, 0), message, 8, 0)
    Path("/dev/shm", SHM_NAME).write_bytes(b"precious" + bytes(SIZE - 8))
    queue = Path("/dev/mqueue", QUEUE)
    queue.touch(0o600)


def clear() -> None:
    """Remove every System V object of the jail."""
    for kind in TABLES:
        for line in Path(f"/proc/sysvipc/{kind}").read_text().splitlines()[1:]:
            number = int(line.split()[1])
            if kind == "sem":
                libc.semctl(number, 0, IPC_RMID, 0)
            else:
                getattr(libc, f"{kind}ctl")(number, IPC_RMID, None)


def environment() -> dict[str, str]:
    """How programs find them."""
    return {
        "SHM_KEY": str(SHM_KEY),
        "MSG_KEY": str(MSG_KEY),
        "SEM_KEY": str(SEM_KEY),
        "SHM_NAME": SHM_NAME,
        "QUEUE": f"/{QUEUE}",
    }


def look() -> Look:
    """The kernel's tables, but for the time of the latest use, and what is in them."""
    found: Look = {}
    for kind in TABLES:
        for line in Path(f"/proc/sysvipc/{kind}").read_text().splitlines()[1:]:
            words = line.split()
            # key, number, mode and size, queue length or count
            found[f"{kind} {words[0]}"] = tuple(words[1:5])
    shared = libc.shmget(SHM_KEY, SIZE, 0)
    if shared >= 0:
        where = libc.shmat(shared, None, 0o10000)  # read-only
        found["content of shm"] = ctypes.string_at(where, SIZE).rstrip(b"\0")
        libc.shmdt(where)
    semaphores = libc.semget(SEM_KEY, 1, 0)
    if semaphores >= 0:
        found["value of sem"] = libc.semctl(semaphores, 0, GETVAL, 0)
    for name in os.listdir("/dev/mqueue"):
        path = Path("/dev/mqueue", name)
        found[f"queue {name}"] = (path.read_bytes(), path.stat().st_mode)
    return found
