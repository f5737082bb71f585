"""The system calls of a tracer, through ctypes."""

from __future__ import annotations

import ctypes
import os

from ..inside.crash_location import SIZE_OF_SIGINFO

TRACEME, POKE, CONT, STEP, GETREGS, SETREGS, DETACH, SYSCALL = 0, 5, 7, 9, 12, 13, 17, 24
GETFPREGS, SETFPREGS, SETOPTIONS, GETEVENTMSG, GETSIGINFO = 14, 15, 0x4200, 0x4201, 0x4202

FORK, VFORK, CLONE, EXEC, VFORK_DONE, EXIT = 1, 2, 3, 4, 5, 6
"""The events that stop a tracee, and options that ask for them: ``1 << event``."""

EXITKILL = 1 << 20
OPTIONS = EXITKILL | sum(1 << event for event in (FORK, VFORK, CLONE, EXEC, VFORK_DONE))
WALL = 0x40000000

PR_SET_PDEATHSIG, ADDR_NO_RANDOMIZE, PIDFD_GETFD = 1, 0x0040000, 438

libc = ctypes.CDLL(None, use_errno=True)
_ptrace = libc.ptrace
_ptrace.restype = ctypes.c_long
_ptrace.argtypes = (ctypes.c_long, ctypes.c_long, ctypes.c_void_p, ctypes.c_void_p)


NAMES = (
    *("r15", "r14", "r13", "r12", "rbp", "rbx", "r11", "r10", "r9", "r8", "rax", "rcx", "rdx"),
    *("rsi", "rdi", "orig_rax", "rip", "cs", "eflags", "rsp", "ss", "fs_base", "gs_base"),
    *("ds", "es", "fs", "gs"),
)


class Registers(ctypes.Structure):
    """``struct user_regs_struct``."""

    _fields_ = tuple((name, ctypes.c_ulong) for name in NAMES)
    rip: int
    rsp: int
    rax: int
    rcx: int
    rsi: int
    rdi: int
    orig_rax: int
    fs_base: int


class Floats(ctypes.Structure):
    """``struct user_fpregs_struct``: the vector registers, two words each, behind all else."""

    _fields_ = (("other", ctypes.c_ubyte * 160), ("vectors", ctypes.c_ulong * 44))


def ptrace(request: int, process: int, address: int = 0, data: int = 0) -> None:
    """Raises OSError."""
    if _ptrace(request, process, address, data) == -1:
        number = ctypes.get_errno()
        raise OSError(number, f"ptrace: {os.strerror(number)}")


def event_message(process: int) -> int:
    """What the latest event is about: the number of the new process."""
    value = ctypes.c_ulong()
    ptrace(GETEVENTMSG, process, 0, ctypes.addressof(value))
    return value.value


def signal_information(process: int) -> bytes:
    """The ``siginfo_t`` of the signal that a process has stopped at."""
    found = ctypes.create_string_buffer(SIZE_OF_SIGINFO)
    ptrace(GETSIGINFO, process, 0, ctypes.addressof(found))
    return found.raw


def descriptor_of(process: int, number: int) -> int:
    """The same open file as descriptor ``number`` of a process: its offset and flags are shared.

    Raises OSError.
    """
    handle = os.pidfd_open(process)
    try:
        found: int = libc.syscall(PIDFD_GETFD, handle, number, 0)
        if found < 0:
            raise OSError(ctypes.get_errno(), "pidfd_getfd")
        os.set_inheritable(found, False)
        return found
    finally:
        os.close(handle)
