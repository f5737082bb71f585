"""Landlock: the second layer, where namespaces may not be made.

The file tree stays what it is; nothing can be written outside of given folders.  There is no
network, no abstract socket, no signal to processes outside.  ``seccomp.BESIDE_LANDLOCK`` has
the rest; what a program may do all the same, the guard does for it (``answers.py``).
"""

from __future__ import annotations

import ctypes
import os
import stat

from .system import syscall

TYPE_CHECKING = False  # importing more takes longer than all that is done here
if TYPE_CHECKING:
    from collections.abc import Iterable

_CREATE, _ADD_RULE, _RESTRICT = 444, 445, 446
_VERSION, _PATH_BENEATH = 1, 1

_READ = 0b1101  # execute, read files, read folders
_WRITE_FILE, _IOCTL = 1 << 1, 1 << 15
_ALL = (1 << 16) - 1
_OF_FILES = 0b111 | 1 << 14 | _IOCTL  # execute, write, read, truncate, control devices
_TCP = 0b11
_SCOPES = 0b11  # abstract sockets, signals

NEEDED = 6
"""The first version that keeps signals and abstract sockets inside (Linux 6.12)."""

DEVICES = ("/dev/null", "/dev/zero", "/dev/full", "/dev/random", "/dev/urandom", "/dev/tty")


def version() -> int:
    """The version of Landlock here; 0 where there is none."""
    try:
        return syscall(_CREATE, None, ctypes.c_size_t(0), ctypes.c_uint32(_VERSION))
    except OSError:
        return 0


def restrict(writable: Iterable[str], terminal: str = "") -> None:
    """Let this process, and all that it starts, write only in these folders and this terminal.

    Needs ``no_new_privs``.

    Raises:
        OSError: when the system cannot do that.
    """
    attributes = (ctypes.c_uint64 * 3)(_ALL, _TCP, _SCOPES)
    rules = syscall(_CREATE, attributes, ctypes.c_size_t(24), ctypes.c_uint32(0))
    try:
        # Not "/" as a whole: who may read a terminal can take it away from its user.
        for name in os.listdir("/"):
            if name != "dev" and os.path.exists(f"/{name}"):
                _allow(rules, f"/{name}", _READ)
        for device in (*DEVICES, terminal):
            if os.path.exists(device):
                _allow(rules, device, _READ | _WRITE_FILE | _IOCTL)
        for folder in writable:
            _allow(rules, folder, _ALL)
        syscall(_RESTRICT, rules, ctypes.c_uint32(0))
    finally:
        os.close(rules)


def _allow(rules: int, path: str, access: int) -> None:
    place = os.open(path, os.O_PATH | os.O_CLOEXEC)
    try:
        if not stat.S_ISDIR(os.fstat(place).st_mode):
            access &= _OF_FILES
        # packed: 8 bytes of access, 4 of descriptor
        rule = access.to_bytes(8, "little") + place.to_bytes(4, "little")
        syscall(_ADD_RULE, rules, _PATH_BENEATH, rule, ctypes.c_uint32(0))
    finally:
        os.close(place)
