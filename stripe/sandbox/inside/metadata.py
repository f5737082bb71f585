"""Modes, owners and times of files, changed by the guard for a program behind Landlock.

Landlock does not cover these calls, and a filter of system calls cannot read the paths in their
arguments.  So the program's thread waits in the call (``seccomp_unotify(2)``) while the guard opens
the file, looks where it is, and makes the change itself if that is in a folder the program may
write.  Invariant: what was checked is what is changed, for both go through one descriptor, and no
memory of the program is read twice.
"""

from __future__ import annotations

import errno
import fcntl
import os
import struct
import time

TYPE_CHECKING = False  # importing more takes longer than all that is done here
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

_RECEIVE, _SEND, _IS_VALID = 0xC0502100, 0xC0182101, 0x40082102
_NOTICE = struct.Struct("=QIIiIQ6Q")  # id, thread, flags, number, architecture, place, arguments
_ANSWER = struct.Struct("=QqiI")  # id, result, error, flags

_AT_FDCWD, _AT_SYMLINK_NOFOLLOW, _AT_EMPTY_PATH = -100, 0x100, 0x1000
_UTIME_NOW, _UTIME_OMIT = (1 << 30) - 1, (1 << 30) - 2
_PATH_BYTES = 4096


class Supervisor:
    """Answers calls that change metadata; ``names`` are those of the calls by their numbers."""

    def __init__(self, listener: int, names: dict[int, str], writable: Iterable[str]) -> None:
        self._listener = listener
        self._calls: dict[int, Callable[[Caller], None]] = {
            number: _CALLS[name] for number, name in names.items()
        }
        self._folders = tuple(os.path.realpath(os.fsencode(each)) for each in writable)

    def answer(self) -> None:
        """Answer the call that waits, if its thread still does."""
        notice = bytearray(_NOTICE.size)
        try:
            fcntl.ioctl(self._listener, _RECEIVE, notice)
            identity, thread, _, number, _, _, *arguments = _NOTICE.unpack(notice)
            error = self._try(identity, thread, number, arguments)
            answer = _ANSWER.pack(identity, 0, -error, 0)
            fcntl.ioctl(self._listener, _SEND, answer)
        except OSError:
            pass  # it was killed, or interrupted and will call again

    def _try(self, identity: int, thread: int, number: int, arguments: list[int]) -> int:
        """Make the change; the error number, or 0."""
        try:
            caller = Caller(thread, arguments, self._folders)
            try:
                # Only now is it certain that the files of /proc are those of this thread.
                fcntl.ioctl(self._listener, _IS_VALID, struct.pack("=Q", identity))
                self._calls[number](caller)
            finally:
                caller.close()
        except OSError as error:
            return error.errno or errno.EPERM
        except (OverflowError, struct.error):
            return errno.EFAULT
        return 0


class Caller:
    """A thread that waits in a call: its arguments, and the files that they name."""

    def __init__(self, thread: int, arguments: list[int], folders: tuple[bytes, ...]) -> None:
        self.arguments = arguments
        self._thread = thread
        self._folders = folders
        self._process = os.open(f"/proc/{thread}", os.O_PATH | os.O_DIRECTORY | os.O_CLOEXEC)
        self._opened = [self._process]
        try:
            self._memory = self._open("mem", os.O_RDONLY, at=self._process)
        except OSError:
            self.close()
            raise

    def close(self) -> None:
        for each in self._opened:
            os.close(each)

    def read(self, address: int, layout: str) -> tuple[int, ...]:
        """Numbers of its memory."""
        shape = struct.Struct(layout)
        return shape.unpack(os.pread(self._memory, shape.size, address))

    def by_descriptor(self, place: int) -> str:
        """Its own file with the descriptor that is the argument ``place``."""
        return self._own(self._by_number(_signed(self.arguments[place])))

    def by_path(self, place: int, *, directory: int | None = None, flags: int = 0) -> str:
        """Its own file with the path that is the argument ``place``, as a path of ours.

        ``directory``: the argument that says what the path is relative to.

        Raises:
            OSError: when there is none, or it is in no folder that may be written.
        """
        if flags & ~(_AT_SYMLINK_NOFOLLOW | _AT_EMPTY_PATH):
            raise OSError(errno.EINVAL, "")
        path = self._text(self.arguments[place])
        start = _AT_FDCWD if directory is None else _signed(self.arguments[directory])
        if not path:
            if not flags & _AT_EMPTY_PATH:
                raise OSError(errno.ENOENT, "")
            return self._own(self._by_number(start))
        if path.startswith(b"/proc/self/"):
            path = b"/proc/%d/" % self._thread + path.removeprefix(b"/proc/self/")
        base = None if path.startswith(b"/") else self._by_number(start)
        how = os.O_PATH | (os.O_NOFOLLOW if flags & _AT_SYMLINK_NOFOLLOW else 0)
        return self._own(self._open(path, how, at=base))

    def _by_number(self, number: int) -> int:
        if number == _AT_FDCWD:
            return self._open("cwd", os.O_PATH, at=self._process)
        try:
            return self._open(f"fd/{number}", os.O_PATH, at=self._process)
        except FileNotFoundError:
            raise OSError(errno.EBADF, "") from None

    def _own(self, descriptor: int) -> str:
        path = f"/proc/self/fd/{descriptor}"
        place = os.readlink(os.fsencode(path))
        if not any(place == each or place.startswith(each + b"/") for each in self._folders):
            raise PermissionError(errno.EPERM, "")
        return path

    def _text(self, address: int) -> bytes:
        text = b""
        while b"\0" not in text:
            if len(text) >= _PATH_BYTES:
                raise OSError(errno.ENAMETOOLONG, "")
            here = address + len(text)
            text += os.pread(self._memory, _PATH_BYTES - here % _PATH_BYTES, here)
        return text.partition(b"\0")[0]

    def _open(self, path: str | bytes, how: int, *, at: int | None) -> int:
        descriptor = os.open(path, how | os.O_CLOEXEC, dir_fd=at)
        self._opened.append(descriptor)
        return descriptor


def _signed(argument: int) -> int:
    """An argument of the type int."""
    return (argument & 0xFFFFFFFF ^ 0x80000000) - 0x80000000


def _change_mode(path: str, mode: int) -> None:
    os.chmod(path, mode & 0o7777)


def _change_owner(path: str, user: int, group: int) -> None:
    """As without privileges: a file stays with its owner."""
    found = os.stat(path)
    user, group = _signed(user), _signed(group)
    if user not in (-1, found.st_uid) or group not in (-1, found.st_gid):
        raise PermissionError(errno.EPERM, "")
    os.chown(path, user, group)


def _change_times(path: str, times: tuple[int, ...] | None, unit: int) -> None:
    """``times``: seconds and parts of a second (``unit`` nanoseconds), of access and change."""
    if times is None:
        os.utime(path)
        return
    found, now = os.stat(path), time.time_ns()
    accessed, changed = found.st_atime_ns, found.st_mtime_ns
    moments = []
    for seconds, part, old in ((*times[:2], accessed), (*times[2:], changed)):
        special = {_UTIME_NOW: now, _UTIME_OMIT: old} if unit == 1 else {}
        if part not in special and not 0 <= part * unit < 10**9:
            raise OSError(errno.EINVAL, "")
        moments.append(special.get(part, seconds * 10**9 + part * unit))
    os.utime(path, ns=(moments[0], moments[1]))


def _fchmodat(caller: Caller, flags: int = 0) -> None:
    _change_mode(caller.by_path(1, directory=0, flags=flags), caller.arguments[2])


def _chown(caller: Caller, flags: int = 0) -> None:
    _change_owner(caller.by_path(0, flags=flags), *caller.arguments[1:3])


def _fchownat(caller: Caller) -> None:
    path = caller.by_path(1, directory=0, flags=caller.arguments[4])
    _change_owner(path, *caller.arguments[2:4])


def _utime(caller: Caller) -> None:
    address = caller.arguments[1]
    if not address:
        _change_times(caller.by_path(0), None, 1)
        return
    accessed, changed = caller.read(address, "qq")
    _change_times(caller.by_path(0), (accessed, 0, changed, 0), 1)


def _utimes(caller: Caller) -> None:
    address = caller.arguments[1]
    _change_times(caller.by_path(0), caller.read(address, "4q") if address else None, 1000)


def _futimesat(caller: Caller) -> None:
    address = caller.arguments[2]
    times = caller.read(address, "4q") if address else None
    _change_times(caller.by_path(1, directory=0), times, 1000)


def _utimensat(caller: Caller) -> None:
    _, name, address, flags = caller.arguments[:4]
    times = caller.read(address, "4q") if address else None
    if name:
        path = caller.by_path(1, directory=0, flags=flags)
    else:
        path = caller.by_descriptor(0)
    _change_times(path, times, 1)


_CALLS: dict[str, Callable[[Caller], None]] = {
    "chmod": lambda caller: _change_mode(caller.by_path(0), caller.arguments[1]),
    "fchmod": lambda caller: _change_mode(caller.by_descriptor(0), caller.arguments[1]),
    "fchmodat": _fchmodat,
    "fchmodat2": lambda caller: _fchmodat(caller, caller.arguments[3]),
    "chown": _chown,
    "lchown": lambda caller: _chown(caller, _AT_SYMLINK_NOFOLLOW),
    "fchown": lambda caller: _change_owner(caller.by_descriptor(0), *caller.arguments[1:3]),
    "fchownat": _fchownat,
    "utime": _utime,
    "utimes": _utimes,
    "futimesat": _futimesat,
    "utimensat": _utimensat,
}
SUPERVISED = tuple(_CALLS)
