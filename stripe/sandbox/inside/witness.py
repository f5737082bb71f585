"""Runs a command and notes every path it looks at: ``python -I -S witness.py REPORT COMMAND...``.

The kernel tells: a filter of system calls (seccomp, *user notification*) halts whoever is about to
use a path, in the command and in all that it starts; this process, their ancestor, reads the path
from the caller's memory and lets the call go on, unchanged.  What is opened by io_uring, or by its
number (``open_by_handle_at``), is not seen; nor is what runs on after the command has ended.

The report is ``ok SECONDS`` or ``no REASON`` and then, each behind a zero byte, ``K PATH``: K is
``o`` for what was opened, ``x`` for what was executed, ``s`` for what was looked at in another way.
Ends as the command does.
"""

from __future__ import annotations

import _signal as signal  # type: ignore[import-not-found]  # signal imports more than all else here
import _socket  # so does socket
import ctypes
import fcntl
import os
import select
import struct
import sys
import time

TYPE_CHECKING = False  # typing takes as long to import as all else here
if TYPE_CHECKING:
    from typing import Any, NoReturn

_LIBC: Any = ctypes.CDLL(None, use_errno=True)
_ARCHITECTURES = {"x86_64": (0xC000003E, 0, 317), "aarch64": (0xC00000B7, 1, 277)}
_PR_SET_PDEATHSIG, _PR_SET_DUMPABLE, _PR_SET_NO_NEW_PRIVS = 1, 4, 38
_SET_MODE_FILTER, _NEW_LISTENER, _WAIT_KILLABLE = 1, 1 << 3, 1 << 5
_RECEIVE, _SEND, _SET_FLAGS = 0xC0502100, 0xC0182101, 0x40082104
_CONTINUE, _SAME_PROCESSOR = 1, 1
_ALLOW, _NOTIFY = 0x7FFF0000, 0x7FC00000
_LOAD, _EQUAL, _AT_LEAST, _HAS, _RETURN = 0x20, 0x15, 0x35, 0x45, 0x06
_AT_FDCWD, _AT_EMPTY_PATH, _O_PATH = -100, 0x1000, 0o10000000
_PAGE, _LONGEST = 4096, 4096

# Numbers on x86-64 and in the generic table; where paths are, and the folder each starts from.
_HERE = -1
_CALLS: dict[str, tuple[int | None, int | None, tuple[tuple[int, int], ...]]] = {
    "open": (2, None, ((0, _HERE),)), "openat": (257, 56, ((1, 0),)),
    "openat2": (437, 437, ((1, 0),)),
    "execve": (59, 221, ((0, _HERE),)), "execveat": (322, 281, ((1, 0),)),
    "stat": (4, None, ((0, _HERE),)), "lstat": (6, None, ((0, _HERE),)),
    "newfstatat": (262, 79, ((1, 0),)), "statx": (332, 291, ((1, 0),)),
    "access": (21, None, ((0, _HERE),)), "faccessat": (269, 48, ((1, 0),)),
    "faccessat2": (439, 439, ((1, 0),)), "readlink": (89, None, ((0, _HERE),)),
    "readlinkat": (267, 78, ((1, 0),)), "chdir": (80, 49, ((0, _HERE),)),
    "truncate": (76, 45, ((0, _HERE),)), "statfs": (137, 43, ((0, _HERE),)),
    "getxattr": (191, 8, ((0, _HERE),)), "lgetxattr": (192, 9, ((0, _HERE),)),
    "mkdir": (83, None, ((0, _HERE),)), "mkdirat": (258, 34, ((1, 0),)),
    "rmdir": (84, None, ((0, _HERE),)), "unlink": (87, None, ((0, _HERE),)),
    "unlinkat": (263, 35, ((1, 0),)), "rename": (82, None, ((0, _HERE), (1, _HERE))),
    "renameat": (264, 38, ((1, 0), (3, 2))), "renameat2": (316, 276, ((1, 0), (3, 2))),
    "link": (86, None, ((0, _HERE), (1, _HERE))), "linkat": (265, 37, ((1, 0), (3, 2))),
}  # fmt: skip
_OPENS = {"open": 1, "openat": 2}
"""What opens, and the argument with its flags."""
_BLIND, _WRITES = os.O_ACCMODE | os.O_CREAT | os.O_EXCL, os.O_WRONLY | os.O_CREAT
_EXECUTES = ("execve", "execveat")
_FLAGS = {"newfstatat": 3, "statx": 2, "execveat": 4}
"""What may be told to look at the descriptor itself (fstat is such a call), and by which flags."""


class CannotWatch(Exception):
    """Nothing can be seen here; the text says why."""


def main() -> NoReturn:
    watch(sys.argv[1], sys.argv[2:], original_environment())


def watch(report: str, command: list[str], environment: dict[bytes, bytes]) -> NoReturn:
    """Turn into the witness of ``command``, which is given this environment."""
    mine, its = _socket.socketpair()
    started = time.monotonic()
    child = os.fork()
    if child == 0:
        _become(command, environment, its)
    its.close()
    for number in (signal.SIGINT, signal.SIGQUIT):
        signal.signal(number, signal.SIG_IGN)
    message, control, _, _ = mine.recvmsg(200, 32)
    keep = {mine.fileno()}
    listener = -1
    if control:
        listener = struct.unpack("i", control[0][2][:4])[0]
        keep.add(listener)
    _close_all_but(keep)  # a pipe that we have open would not end
    seen: dict[bytes, None] = {}
    if listener >= 0:
        status, left = _watch(listener, child, seen)
        head = f"ok {time.monotonic() - started}".encode()
    else:
        status, left = os.waitpid(child, 0)[1], False
        head = b"no " + message
    try:
        with open(report, "wb") as stream:
            stream.write(b"\0".join((head, *seen)))
    except OSError:
        pass  # then nothing was seen, as far as anybody knows
    if left and os.fork() == 0:
        # Without anybody to answer, calls of what still runs would fail.
        os.setsid()
        CallWatcher(listener, {}).until_alone()
        os._exit(0)
    _end_like(os.waitstatus_to_exitcode(status))


def _become(
    command: list[str], environment: dict[bytes, bytes], channel: _socket.socket
) -> NoReturn:
    """In the child: install the filter, hand over its other end, turn into the command."""
    try:
        if os.getsid(0) == os.getppid() and not _has_terminal():
            os.setsid()  # as it would be without us
        _LIBC.prctl(_PR_SET_PDEATHSIG, signal.SIGKILL, 0, 0, 0)
        # Python ignores these; a program expects them as they are by default.
        for number in (signal.SIGPIPE, signal.SIGXFSZ):
            signal.signal(number, signal.SIG_DFL)
        try:
            listener = install()
            rights = (_socket.SOL_SOCKET, _socket.SCM_RIGHTS, struct.pack("i", listener))
            channel.sendmsg([b"y"], [rights])
        except (CannotWatch, OSError) as error:
            channel.send(str(error).encode()[:200] or b"?")
        os.execve(command[0], command, environment)
    except OSError as error:
        os.write(2, f"{command[0]}: {error.strerror}\n".encode())
    finally:
        os._exit(127)


def original_environment() -> dict[bytes, bytes]:
    """As it was before Python changed it (it sets LC_CTYPE in the C locale)."""
    with open("/proc/self/environ", "rb") as stream:
        pairs = [each.partition(b"=") for each in stream.read().split(b"\0") if each]
    return {name: value for name, _, value in pairs}


def _has_terminal() -> bool:
    try:
        os.close(os.open("/dev/tty", os.O_RDONLY))
    except OSError:
        return False
    return True


def install() -> int:
    """Have calls that use paths halt until they are answered; the descriptor to answer by.

    It holds for this process, and for all that it starts.
    """
    machine = _ARCHITECTURES.get(os.uname().machine)
    if machine is None:
        raise CannotWatch(f"the system calls of {os.uname().machine} are not known")
    program = assemble(machine[0], machine[1])
    code = ctypes.create_string_buffer(program, len(program))

    class FilterProgram(ctypes.Structure):
        _fields_ = (("length", ctypes.c_ushort), ("code", ctypes.c_void_p))

    if _LIBC.prctl(_PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) < 0:
        raise CannotWatch("no_new_privs is refused")
    filter_ = FilterProgram(len(program) // 8, ctypes.addressof(code))
    # Killable: else a signal would be seen to interrupt calls that are never interrupted.
    flags = _NEW_LISTENER | _WAIT_KILLABLE
    listener: int = _LIBC.syscall(
        ctypes.c_long(machine[2]), ctypes.c_uint(_SET_MODE_FILTER), ctypes.c_uint(flags),
        ctypes.byref(filter_),
    )  # fmt: skip
    if listener < 0:
        raise CannotWatch(f"seccomp: {os.strerror(ctypes.get_errno())} (Linux 5.19 has it)")
    return listener


def assemble(architecture: int, column: int) -> bytes:
    """The filter, as the kernel reads it."""
    out = [
        _jump(_LOAD, 4),
        _jump(_EQUAL, architecture, 1, 0),
        _jump(_RETURN, _ALLOW),
        _jump(_LOAD, 0),
    ]
    for name, call in _CALLS.items():
        number = call[0] if column == 0 else call[1]
        if number is None:
            continue
        if name not in _FLAGS:
            out += [_jump(_EQUAL, number, 0, 1), _jump(_RETURN, _NOTIFY)]
            continue
        out += [
            _jump(_EQUAL, number, 0, 6),
            _jump(_LOAD, 16 + 8 * _FLAGS[name]),
            _jump(_HAS, _AT_EMPTY_PATH, 0, 3),
            _jump(_LOAD, 16),
            _jump(_AT_LEAST, 1 << 31, 1, 0),  # a negative number: the current folder
            _jump(_RETURN, _ALLOW),
            _jump(_RETURN, _NOTIFY),
        ]
    return b"".join([*out, _jump(_RETURN, _ALLOW)])


def _jump(code: int, value: int, if_true: int = 0, if_false: int = 0) -> bytes:
    return struct.pack("<HBBI", code, if_true, if_false, value)


class _Vector(ctypes.Structure):
    _fields_ = (("base", ctypes.c_void_p), ("length", ctypes.c_size_t))


class CallWatcher:
    """Answers calls; what they look at is in ``seen``, in the form of the report."""

    def __init__(self, listener: int, seen: dict[bytes, None]) -> None:
        self._listener = listener
        self._seen = seen
        column = _ARCHITECTURES[os.uname().machine][1]
        self._calls = {
            number: (name, call[2])
            for name, call in _CALLS.items()
            if (number := call[0] if column == 0 else call[1]) is not None
        }
        self._notice = bytearray(80)
        self._text = ctypes.create_string_buffer(_LONGEST)
        self._into = _Vector(ctypes.addressof(self._text), _LONGEST)
        self._from = (_Vector * 2)()
        self._arguments = (ctypes.byref(self._into), 1, self._from, 2, 0)
        self._read = _LIBC.process_vm_readv
        self._read.restype = ctypes.c_ssize_t
        self._read.argtypes = [
            ctypes.c_int, ctypes.c_void_p, ctypes.c_ulong, ctypes.c_void_p, ctypes.c_ulong,
            ctypes.c_ulong,
        ]  # fmt: skip

    def answer(self) -> None:
        """Note what one call looks at, and let it go on."""
        self._notice[:] = bytes(80)  # the kernel wants it empty
        try:
            fcntl.ioctl(self._listener, _RECEIVE, self._notice)
        except OSError:
            return  # it was killed meanwhile
        identity, process, _, number, _, _, *arguments = struct.unpack(
            "<QIIiIQ6Q", self._notice
        )  # fmt: skip
        try:
            self._note(process, number, arguments)
        finally:
            try:
                reply = struct.pack("<QqiI", identity, 0, 0, _CONTINUE)
                fcntl.ioctl(self._listener, _SEND, reply)
            except OSError:
                pass  # as above

    def _note(self, process: int, number: int, arguments: list[int]) -> None:
        found = self._calls.get(number)
        if found is None:
            return
        name, places = found
        kind = b"s"
        if name in _OPENS:
            flags = arguments[_OPENS[name]]
            if flags & _BLIND == _WRITES:
                return  # whatever is there: it is made, or written
            if not flags & _O_PATH:
                kind = b"o"
        elif name == "openat2":
            kind = b"o"
        elif name in _EXECUTES:
            kind = b"x"
        for place, folder in places:
            path = self._path(process, arguments[place])
            if not path:
                continue
            if path[:1] != b"/":
                base = _AT_FDCWD if folder == _HERE else _signed(arguments[folder])
                where = "cwd" if base == _AT_FDCWD else f"fd/{base}"
                try:
                    path = os.fsencode(os.readlink(f"/proc/{process}/{where}")) + b"/" + path
                except OSError:
                    continue  # there is no such descriptor: the call will fail
            self._seen[kind + b" " + path] = None

    def _path(self, process: int, address: int) -> bytes:
        """A text in the memory of another process; empty if there is none."""
        first = min(_PAGE - address % _PAGE, _LONGEST)
        self._from[0].base, self._from[0].length = address, first
        self._from[1].base, self._from[1].length = address + first, _LONGEST - first
        count = self._read(process, *self._arguments)
        if count <= 0:
            return b""
        end = self._text.raw.find(b"\0", 0, count)
        return self._text.raw[:end] if end >= 0 else b""

    def until_alone(self) -> None:
        """Answer until nobody is left who could ask."""
        poll = select.poll()
        poll.register(self._listener, select.POLLIN)
        while True:
            for _, events in poll.poll():
                if events & select.POLLIN:
                    self.answer()
                elif events:
                    return


def _signed(word: int) -> int:
    return struct.unpack("<i", struct.pack("<I", word & 0xFFFFFFFF))[0]  # type: ignore[no-any-return]


def _watch(listener: int, child: int, seen: dict[bytes, None]) -> tuple[int, bool]:
    """Answer until the child ends: its status, and whether others are left."""
    try:
        # The caller goes on at once, on the same processor (since Linux 6.6).
        fcntl.ioctl(listener, _SET_FLAGS, _SAME_PROCESSOR)
    except OSError:
        pass
    watcher = CallWatcher(listener, seen)
    exited = os.pidfd_open(child)
    poll = select.poll()
    poll.register(listener, select.POLLIN)
    poll.register(exited, select.POLLIN)
    while True:
        for descriptor, events in poll.poll():
            if descriptor == listener and events & select.POLLIN:
                watcher.answer()
            elif descriptor == listener:
                poll.unregister(listener)  # nobody is left who could ask
            else:
                status = os.waitpid(child, 0)[1]
                rest = select.poll()
                rest.register(listener, 0)
                return status, not rest.poll(0)


def _close_all_but(keep: set[int]) -> None:
    for name in os.listdir("/proc/self/fd"):
        if int(name) not in keep:
            try:
                os.close(int(name))
            except OSError:
                pass  # the listing's own


def _end_like(status: int) -> NoReturn:
    if status < 0:
        _LIBC.prctl(_PR_SET_DUMPABLE, 0, 0, 0, 0)  # one core is enough
        signal.signal(-status, signal.SIG_DFL) if -status not in (9, 19) else None
        os.kill(os.getpid(), -status)
    os._exit(status if status >= 0 else 128 - status)


if __name__ == "__main__":
    main()
