"""Calls of the C library by which a process is put back, and the filter of those it may make."""

from __future__ import annotations

import os
import struct

from ..process.descriptors import LowNumbersTaken

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

_LOAD, _EQUAL, _RETURN = 0x20, 0x15, 0x06
_ALLOW, _TRAP, _PRETEND = 0x7FFF0000, 0x00030000, 0x00050000
_NUMBER, _ARCHITECTURE, _ARGUMENTS = 0, 4, 16
_X86_64 = 0xC000003E
_PR_SET_NO_NEW_PRIVS, _PR_SET_SECCOMP, _MODE_FILTER = 38, 22, 2
_READ, _WRITE, CLOSE, _LSEEK, _IOCTL, _PREAD, _LIST = 0, 1, 3, 8, 16, 17, 217
PREADV, _OPEN, _CONTROL, _UNMAP = 295, 257, 72, 11
_GET_FLAGS, _COPY = 3, 1030  # of a descriptor
_ABOUT_TERMINALS = 0x5401, 0x802C542A, 0x5413  # TCGETS, TCGETS2, TIOCGWINSZ
_TO_BE_READ = (
    os.O_RDONLY,
    os.O_CLOEXEC,
    os.O_CLOEXEC | os.O_DIRECTORY,
    os.O_CLOEXEC | os.O_DIRECTORY | os.O_NONBLOCK,
)
"""With which Python, and the C library, open files and folders that are only read."""

HARMLESS = (
    *(231, 60),  # exit_group, exit
    *(39, 186, 110, 102, 104, 107, 108),  # getpid, gettid, getppid, and those of users and groups
    *(228, 229, 96, 201, 100, 98, 99, 230, 35),  # clocks, times, getrusage, sysinfo, nanosleep
    *(4, 5, 6, 262, 332, 21, 269, 439, 89, 267, 79),  # stat, access, readlink, getcwd
    *(318, 202, 24, 204, 309, 63, 97, 219),  # getrandom, futex, sched_yield, uname, getrlimit
)
"""System calls of x86-64 that leave nothing behind in a process of one thread."""


def library() -> tuple[Any, Callable[[int], Any], Callable[..., Any], Callable[[Any], int], Any]:
    """The C library, what makes buffers and arrays and tells addresses, and numbers at an address.

    Found at once: nothing that is imported here may be seen by the program (``boot.py``).
    """
    try:
        with LowNumbersTaken():
            import ctypes

        found: Any = ctypes.PyDLL(None)
        for name in ("process_vm_readv", "process_vm_writev"):
            function = getattr(found, name)
            function.restype = ctypes.c_long
            function.argtypes = [
                ctypes.c_int, ctypes.c_void_p, ctypes.c_ulong, ctypes.c_void_p, ctypes.c_ulong,
                ctypes.c_ulong,
            ]  # fmt: skip
        found.ptrace.restype = ctypes.c_long
        found.ptrace.argtypes = [ctypes.c_long, ctypes.c_long, ctypes.c_void_p, ctypes.c_void_p]
        found.waitpid.argtypes = [ctypes.c_int, ctypes.c_void_p, ctypes.c_int]
        found.malloc.restype = ctypes.c_void_p
        found.malloc.argtypes = [ctypes.c_size_t]
        found.free.restype = None
        found.free.argtypes = [ctypes.c_void_p]
        found.mmap.restype = ctypes.c_void_p
        found.mmap.argtypes = [
            ctypes.c_void_p, ctypes.c_size_t, ctypes.c_int, ctypes.c_int, ctypes.c_int,
            ctypes.c_long,
        ]  # fmt: skip
        found.mallopt.argtypes = [ctypes.c_int, ctypes.c_int]
        found.syscall.restype = ctypes.c_long
        found.syscall.argtypes = [ctypes.c_long] * 6
    except (ImportError, OSError, AttributeError):
        return None, bytearray, bytearray, id, bytearray
    word, make, where = ctypes.c_uint64, ctypes.create_string_buffer, ctypes.addressof

    def at(place: int, count: int) -> Any:
        return (word * count).from_address(place)

    return found, make, lambda *values: (word * len(values))(*values), where, at


LIBC, buffer, array, address, words = library()
if os.uname().machine != "x86_64":
    LIBC = None  # the numbers here are its


def filtered(orders: int, sink: int, originals: int, files: tuple[int, ...] = ()) -> bool:
    """End this process at calls that change what the kernel knows of it; whether that is so now.

    It may read ``orders``, and write to ``sink`` and what is printed.  It may read ``files`` as
    well, the place in which is put back.  Of ``originals`` it is made to read what it was.  What
    it opens to be read, it may read and close: whoever puts it back closes what is still open.
    """
    opened = {int(each) for each in os.listdir("/proc/self/fd")}
    opened = {each for each in opened if os.path.lexists(f"/proc/self/fd/{each}")}  # but the list's
    program = b"".join(
        (
            _step(_LOAD, _ARCHITECTURE),
            _step(_EQUAL, _X86_64, 1, 0),
            _step(_RETURN, _TRAP),
            _step(_LOAD, _NUMBER),
            *(_step(_EQUAL, each, 0, 1) + _step(_RETURN, _ALLOW) for each in HARMLESS),
            # What it gives back it cannot ask for again: it is told that it was done.
            _step(_EQUAL, _UNMAP, 0, 1) + _step(_RETURN, _PRETEND),
            _unless(_READ, opened - {orders, *files}),
            _unless(_LSEEK, opened - {*files}),
            _if(_WRITE, (0, (1, 2, sink))),
            _if(PREADV, (0, (originals,))),
            _if(_IOCTL, (1, _ABOUT_TERMINALS)),
            _if(_OPEN, (2, _TO_BE_READ)),
            *(_unless(each, opened) for each in (CLOSE, _PREAD, _LIST)),
            _unless(_CONTROL, opened, (1, (_GET_FLAGS, _COPY))),
            _step(_RETURN, _TRAP),
        )
    )
    code = buffer(len(program))
    code[: len(program)] = program
    head = array(len(program) // 8, address(code))  # a short and a pointer, on this machine
    if LIBC.prctl(_PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) < 0:
        return False
    done: int = LIBC.syscall(157, _PR_SET_SECCOMP, _MODE_FILTER, address(head), 0, 0)
    return done == 0


def _step(code: int, value: int, yes: int = 0, no: int = 0) -> bytes:
    return struct.pack("HBBI", code, yes, no, value)


def _if(call: int, *conditions: tuple[int, tuple[int, ...]]) -> bytes:
    """A call is allowed if each of these arguments is one of these numbers."""
    return _unless(call, set(), *conditions)


def _unless(call: int, numbers: set[int], *conditions: tuple[int, tuple[int, ...]]) -> bytes:
    """A call is allowed if its first argument is none of these numbers, and others are right."""
    steps = b""
    if numbers:
        steps += _step(_LOAD, _ARGUMENTS)
        for left, value in zip(range(len(numbers), 0, -1), sorted(numbers), strict=True):
            steps += _step(_EQUAL, value, left - 1, left == 1)
        steps += _step(_RETURN, _TRAP)
    for argument, values in conditions:
        steps += _step(_LOAD, _ARGUMENTS + 8 * argument)
        for index, value in enumerate(values):
            steps += _step(_EQUAL, value, len(values) - index, 0)
        steps += _step(_RETURN, _TRAP)
    steps += _step(_RETURN, _ALLOW)
    return _step(_EQUAL, call, 0, len(steps) // 8) + steps
