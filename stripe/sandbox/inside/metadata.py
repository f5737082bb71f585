"""Modes, owners, times and attributes of files, changed by the guard for a program behind Landlock.

Landlock does not cover these calls, and a filter of system calls cannot read the paths in their
arguments.  So the guard opens the file, looks where it is, and makes the change itself if that is
in a folder the program may write (``supervisor.py``).
"""

from __future__ import annotations

import errno
import os
import time

from .supervisor import AT_SYMLINK_NOFOLLOW as _LINK

TYPE_CHECKING = False  # importing more takes longer than all that is done here
if TYPE_CHECKING:
    from collections.abc import Callable

    from .supervisor import Caller, Handler

_UTIME_NOW, _UTIME_OMIT = (1 << 30) - 1, (1 << 30) - 2
_VALUE_BYTES = 4096  # of extended attributes; larger ones do not fit into most file systems


def _change_mode(path: str, mode: int) -> None:
    os.chmod(path, mode & 0o7777)


def _change_owner(path: str, user: int, group: int) -> None:
    """As without privileges: a file stays with its owner."""
    found = os.stat(path)
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
    _change_owner(caller.by_path(0, flags=flags), caller.number(1), caller.number(2))


def _fchownat(caller: Caller) -> None:
    path = caller.by_path(1, directory=0, flags=caller.arguments[4])
    _change_owner(path, caller.number(2), caller.number(3))


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


def _attribute(caller: Caller, place: int) -> bytes:
    """The name of an extended attribute: of the user's, for others need privileges."""
    name = caller.text(place)
    if not name.startswith(b"user."):
        raise PermissionError(errno.EPERM, "")
    return name


def _set_attribute(caller: Caller, path: str) -> None:
    name, (address, size, flags) = _attribute(caller, 1), caller.arguments[2:5]
    if size > _VALUE_BYTES:
        raise OSError(errno.ENOSPC, "")
    value = caller.read_bytes(address, size) if size else b""
    os.setxattr(path, name, value, flags & 0xFFFFFFFF)


def _remove_attribute(caller: Caller, path: str) -> None:
    os.removexattr(path, _attribute(caller, 1))


_CALLS: dict[str, Callable[[Caller], None]] = {
    "chmod": lambda caller: _change_mode(caller.by_path(0), caller.arguments[1]),
    "fchmod": lambda caller: _change_mode(caller.by_descriptor(0), caller.arguments[1]),
    "fchmodat": _fchmodat,
    "fchmodat2": lambda caller: _fchmodat(caller, caller.arguments[3]),
    "chown": _chown,
    "lchown": lambda caller: _chown(caller, _LINK),
    "fchown": lambda caller: _change_owner(
        caller.by_descriptor(0), caller.number(1), caller.number(2)
    ),
    "fchownat": _fchownat,
    "utime": _utime,
    "utimes": _utimes,
    "futimesat": _futimesat,
    "utimensat": _utimensat,
    "setxattr": lambda caller: _set_attribute(caller, caller.by_path(0)),
    "lsetxattr": lambda caller: _set_attribute(caller, caller.by_path(0, flags=_LINK)),
    "fsetxattr": lambda caller: _set_attribute(caller, caller.by_descriptor(0)),
    "removexattr": lambda caller: _remove_attribute(caller, caller.by_path(0)),
    "lremovexattr": lambda caller: _remove_attribute(caller, caller.by_path(0, flags=_LINK)),
    "fremovexattr": lambda caller: _remove_attribute(caller, caller.by_descriptor(0)),
}


def _made(change: Callable[[Caller], None]) -> Handler:
    def handle(caller: Caller) -> int:
        change(caller)
        return 0

    return handle


HANDLERS: dict[str, Handler] = {name: _made(change) for name, change in _CALLS.items()}
