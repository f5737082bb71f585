"""System calls that :mod:`os` does not know, through the C library."""

from __future__ import annotations

import ctypes
import os

TYPE_CHECKING = False  # importing more takes longer than all that is done here
if TYPE_CHECKING:
    from typing import Any

MACHINE = os.uname().machine

LIBC: Any = ctypes.CDLL(None, use_errno=True)

CLONE_NEWNS = 0x00020000
CLONE_NEWUTS = 0x04000000
CLONE_NEWIPC = 0x08000000
CLONE_NEWUSER = 0x10000000
CLONE_NEWPID = 0x20000000
CLONE_NEWNET = 0x40000000

MS_RDONLY, MS_NOSUID, MS_NODEV, MS_NOEXEC = 1, 2, 4, 8
MS_REMOUNT, MS_BIND, MS_REC = 32, 4096, 16384
MS_PRIVATE, MS_SLAVE, MS_SHARED = 1 << 18, 1 << 19, 1 << 20
MNT_DETACH = 2

PR_SET_PDEATHSIG, PR_SET_DUMPABLE, PR_CAPBSET_DROP, PR_SET_SECUREBITS = 1, 4, 24, 28
PR_SET_CHILD_SUBREAPER = 36
PR_SET_NO_NEW_PRIVS, PR_CAP_AMBIENT, PR_CAP_AMBIENT_CLEAR_ALL = 38, 47, 4
# NOROOT, NO_SETUID_FIXUP, NO_CAP_AMBIENT_RAISE and the locks of all four: root is nobody special.
_SECUREBITS = 0x01 | 0x02 | 0x04 | 0x08 | 0x20 | 0x40 | 0x80

# x86-64, and the numbers that all newer architectures share.
_X86 = MACHINE == "x86_64"
_PIVOT_ROOT = 155 if _X86 else 41
_CAPSET = 126 if _X86 else 91
_MOUNT_SETATTR = 442
_CAPABILITY_VERSION = 0x20080522
_LAST_CAPABILITY = 63
_AT_FDCWD, _AT_RECURSIVE = -100, 0x8000
_MOUNT_ATTR_RDONLY = 1


def check(result: int, what: str) -> int:
    """The result of a call of the C library.

    Raises:
        OSError: when it failed; its file name says ``what`` was tried.
    """
    if result < 0:
        error = ctypes.get_errno()
        raise OSError(error, os.strerror(error), what)
    return result


def syscall(number: int, *arguments: Any) -> int:
    """A system call by its number."""
    return check(LIBC.syscall(ctypes.c_long(number), *arguments), f"system call {number}")


def _bytes(text: str | None) -> bytes | None:
    return None if text is None else os.fsencode(text)


def mount(source: str | None, target: str, kind: str | None, flags: int, data: str | None) -> None:
    """``mount(2)``."""
    done = LIBC.mount(
        _bytes(source), _bytes(target), _bytes(kind), ctypes.c_ulong(flags), _bytes(data)
    )
    check(done, f"mount {target}")


def bind(source: str, target: str) -> None:
    """Show what is at ``source`` at ``target`` as well, without what is mounted below it."""
    mount(source, target, None, MS_BIND, None)


def detach(target: str) -> None:
    """Take away what is mounted at ``target``, and below it, though it may be in use."""
    check(LIBC.umount2(_bytes(target), MNT_DETACH), f"umount {target}")


def read_only(target: str) -> None:
    """Let nobody write through the mount at ``target``, nor through those below it."""
    attributes = (ctypes.c_uint64 * 4)(_MOUNT_ATTR_RDONLY, 0, 0, 0)
    arguments = (_AT_FDCWD, _bytes(target), _AT_RECURSIVE, attributes, ctypes.c_size_t(32))
    syscall(_MOUNT_SETATTR, *arguments)


def pivot_root(root: str) -> None:
    """Make the mount at ``root`` the root, and take the old one away for good."""
    os.chdir(root)
    syscall(_PIVOT_ROOT, b".", b".")
    detach(".")
    os.chdir("/")


def prctl(option: int, *arguments: int) -> int:
    """``prctl(2)``."""
    words = [ctypes.c_ulong(word) for word in (*arguments, 0, 0, 0, 0)[:4]]
    return check(LIBC.prctl(option, *words), f"prctl {option}")


def die_with_parent(signal: int) -> None:
    """Have this process killed when its parent (the very thread) ends."""
    prctl(PR_SET_PDEATHSIG, signal)


def unshare(flags: int) -> None:
    """``unshare(2)``."""
    check(LIBC.unshare(flags), "unshare")


def drop_privileges() -> None:
    """Give up every capability, for good: no file that is executed brings one back."""
    for capability in range(_LAST_CAPABILITY):
        try:
            prctl(PR_CAPBSET_DROP, capability)
        except OSError:
            break  # behind the last one, or there was none to drop
    for option, arguments in (
        (PR_SET_SECUREBITS, (_SECUREBITS,)),
        (PR_CAP_AMBIENT, (PR_CAP_AMBIENT_CLEAR_ALL,)),
    ):
        try:
            prctl(option, *arguments)
        except OSError:
            pass  # needs a capability: then there is none that could be kept
    header = (ctypes.c_uint32 * 2)(_CAPABILITY_VERSION, 0)
    syscall(_CAPSET, header, (ctypes.c_uint32 * 6)())
    prctl(PR_SET_NO_NEW_PRIVS, 1)
