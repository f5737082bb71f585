"""Filters of system calls: what neither namespaces nor Landlock cover."""

from __future__ import annotations

import ctypes
import errno
import struct

from .system import LIBC, MACHINE, check, syscall

TYPE_CHECKING = False  # importing more takes longer than all that is done here
if TYPE_CHECKING:
    from collections.abc import Iterable

_ARCHITECTURES = {"x86_64": 0xC000003E, "aarch64": 0xC00000B7}
_PR_SET_SECCOMP, _MODE_FILTER = 22, 2
_ALLOW, _ERRNO, _ASK = 0x7FFF0000, 0x00050000, 0x7FC00000
_SET_FILTER, _NEW_LISTENER = 1, 8
_LOAD, _EQUAL, _AT_LEAST, _RETURN = 0x20, 0x15, 0x35, 0x06
_AND, _SHIFT_RIGHT = 0x54, 0x74
_NUMBER, _ARCHITECTURE, _ARGUMENTS = 0, 4, 16
_X32 = 0x40000000

# Name: number on x86-64, and on architectures with the generic table (None: it has none).
_NUMBERS: dict[str, tuple[int | None, int | None]] = {
    "socket": (41, 198), "socketpair": (53, 199),
    "shmget": (29, 194), "shmat": (30, 196), "shmctl": (31, 195), "semget": (64, 190),
    "semctl": (66, 191), "semop": (65, 193), "msgget": (68, 186), "msgsnd": (69, 189),
    "msgctl": (71, 187), "mq_open": (240, 180), "mq_unlink": (241, 181),
    "chmod": (90, None), "fchmod": (91, 52), "fchmodat": (268, 53), "fchmodat2": (452, 452),
    "chown": (92, None), "fchown": (93, 55), "lchown": (94, None), "fchownat": (260, 54),
    "utime": (132, None), "utimes": (235, None), "futimesat": (261, None),
    "utimensat": (280, 88), "setxattr": (188, 5), "lsetxattr": (189, 6), "fsetxattr": (190, 7),
    "removexattr": (197, 14), "lremovexattr": (198, 15), "fremovexattr": (199, 16),
    "setxattrat": (463, 463), "removexattrat": (466, 466), "file_setattr": (469, 469),
    "io_uring_setup": (425, 425), "add_key": (248, 217), "request_key": (249, 218),
    "keyctl": (250, 219), "bpf": (321, 280), "perf_event_open": (298, 241),
    "open_by_handle_at": (304, 265), "fanotify_init": (300, 262), "acct": (163, 89),
    "ioprio_set": (251, 30), "sched_setaffinity": (203, 122), "sched_setscheduler": (144, 119),
    "sched_setparam": (142, 118), "sched_setattr": (314, 274), "setpriority": (141, 140),
    "prlimit64": (302, 261), "migrate_pages": (256, 238), "move_pages": (279, 239),
    "fcntl": (72, 25), "ioctl": (16, 29), "seccomp": (317, 277),
    "open": (2, None), "openat": (257, 56), "openat2": (437, 437), "creat": (85, None),
    "stat": (4, None), "lstat": (6, None), "newfstatat": (262, 79), "statx": (332, 291),
    "access": (21, None), "faccessat": (269, 48), "faccessat2": (439, 439),
    "readlink": (89, None), "readlinkat": (267, 78), "chdir": (80, 49), "execve": (59, 221),
    "execveat": (322, 281), "truncate": (76, 45), "mkdir": (83, None), "mkdirat": (258, 34),
    "mknod": (133, None), "mknodat": (259, 33), "symlink": (88, None), "symlinkat": (266, 36),
    "rmdir": (84, None), "unlink": (87, None), "unlinkat": (263, 35), "rename": (82, None),
    "renameat": (264, 38), "renameat2": (316, 276), "link": (86, None), "linkat": (265, 37),
    "bind": (49, 200), "listen": (50, 201), "connect": (42, 203), "getsockname": (51, 204),
    "getpeername": (52, 205), "sendto": (44, 206), "sendmsg": (46, 211), "sendmmsg": (307, 269),
}  # fmt: skip

KEYS = ("add_key", "request_key", "keyctl")
"""Keys are kept by the kernel for a user, not for a namespace."""

BESIDE_NAMESPACES = (*KEYS, "io_uring_setup")
"""What can reach outside of namespaces.  Requests by io_uring are seen by no filter of calls."""

FAMILIES = (1, 2, 10, 16)
"""Families of addresses that namespaces keep apart: Unix, IPv4, IPv6, netlink.

Others are of the whole kernel: ``AF_VSOCK`` reaches the machine around this one, ``AF_ALG`` and
``AF_BLUETOOTH`` its devices.
"""

METADATA = (
    *("chmod", "fchmod", "fchmodat", "fchmodat2", "chown", "fchown", "lchown", "fchownat"),
    *("utime", "utimes", "futimesat", "utimensat", "setxattr", "lsetxattr", "fsetxattr"),
    *("removexattr", "lremovexattr", "fremovexattr", "setxattrat", "removexattrat"),
    *("file_setattr", "io_uring_setup"),
)
"""What changes a file that is open for reading only; with ``beside_landlock`` of `forbid`."""

BESIDE_LANDLOCK = (
    *KEYS,
    *METADATA,
    *("socket", "shmget", "shmat", "shmctl", "semget", "semctl", "semop"),
    *("msgget", "msgsnd", "msgctl", "mq_open", "mq_unlink"),
    *("bpf", "perf_event_open", "open_by_handle_at"),
    *("fanotify_init", "acct", "migrate_pages", "move_pages"),
)
"""What can reach outside although Landlock is in force: metadata, sockets, kernel objects.

Most may be answered one by one instead (`supervise`)."""

OF_OTHERS = {
    "prlimit64": 0, "sched_setaffinity": 0, "sched_setscheduler": 0, "sched_setparam": 0,
    "sched_setattr": 0, "setpriority": 1, "ioprio_set": 1,
}  # fmt: skip
"""Calls that change another process if this argument is not 0 (which is the caller itself)."""

_TERMINAL_WRITES = (0x5412, 0x541C)  # TIOCSTI, TIOCLINUX: type on behalf of the user
_OF_FILE_SYSTEMS = (0x66, 0x58, 0x76, 0x94, 0xF5)  # all, ext4 and XFS, XFS, versions, btrfs, f2fs
_DATAGRAMS = 2
_FAST_OPEN, _SENDS = 0x20000000, {"sendto": 3, "sendmsg": 2, "sendmmsg": 3}
"""A flag by which to send connects a socket, and the argument that may have it."""
_AT_EMPTY_PATH = 0x1000


def supported() -> bool:
    """Whether we know the numbers of this machine's system calls."""
    return MACHINE in _ARCHITECTURES


def forbid(
    names: Iterable[str],
    of_others: dict[str, int],
    *,
    beside_landlock: bool = False,
    families: tuple[int, ...] = (),
) -> None:
    """Let system calls fail with EPERM from here on, in all that this process starts.

    ``beside_landlock``: also the requests to file systems (``ioctl``) that change a file, as its
    flags, though it is open for reading only.  They fail as on a file system that does not know
    them.  And filters with a listener, which could let pass what ours has wait (`supervise`); pairs
    of sockets for datagrams, for either end can send to any socket that has a path; and what is
    sent by a socket that this connects.

    ``families``: sockets of other ones cannot be made, as on a kernel that does not have them.

    Needs ``no_new_privs``.

    Raises:
        OSError: when the system cannot filter.
    """
    program = _assemble(tuple(names), of_others, beside_landlock, families)
    filter_ = _filter(program)
    done = LIBC.prctl(_PR_SET_SECCOMP, _MODE_FILTER, ctypes.byref(filter_), 0, 0)
    check(done, "seccomp")


def supervise(names: Iterable[str], looks: dict[str, int]) -> int:
    """Have these calls wait for an answer, which is read and written by the descriptor returned.

    ``looks``: those of them that are to look at a descriptor if the argument with this number has
    ``AT_EMPTY_PATH``: that is no business of ours.

    It is closed when something is executed: who has it may let any of these calls pass.

    Needs ``no_new_privs``.

    Raises:
        OSError: when the system cannot do that, or somebody listens already.
    """
    out = _preamble()
    for number, name in numbers(names).items():
        if name in looks:
            out += [
                _jump(_EQUAL, number, 0, 4),
                _jump(_LOAD, _ARGUMENTS + 8 * looks[name]),
                _jump(_AND, _AT_EMPTY_PATH),
                _jump(_EQUAL, 0, 0, 1),
                _jump(_RETURN, _ASK),
                _jump(_LOAD, _NUMBER),
            ]
        else:
            out += [_jump(_EQUAL, number, 0, 1), _jump(_RETURN, _ASK)]
    filter_ = _filter(b"".join([*out, _jump(_RETURN, _ALLOW)]))
    number = _number("seccomp", _column())
    return syscall(number, _SET_FILTER, ctypes.c_ulong(_NEW_LISTENER), ctypes.byref(filter_))


def numbers(names: Iterable[str]) -> dict[int, str]:
    """The numbers of these calls on this machine, with their names."""
    found = ((_NUMBERS[name][_column()], name) for name in names)
    return {number: name for number, name in found if number is not None}


class _Filter(ctypes.Structure):
    """``struct sock_fprog``."""

    _fields_ = (("length", ctypes.c_ushort), ("code", ctypes.c_char_p))


def _filter(program: bytes) -> _Filter:
    return _Filter(len(program) // 8, program)


def _column() -> int:
    return 0 if MACHINE == "x86_64" else 1


def _preamble() -> list[bytes]:
    """Denies calls of other architectures; loads the number of the call."""
    deny = _ERRNO | errno.EPERM
    out = [
        _jump(_LOAD, _ARCHITECTURE),
        _jump(_EQUAL, _ARCHITECTURES[MACHINE], 1, 0),
        _jump(_RETURN, deny),  # calls of another architecture, as of 32-bit programs
        _jump(_LOAD, _NUMBER),
    ]
    if MACHINE == "x86_64":
        out += [_jump(_AT_LEAST, _X32, 0, 1), _jump(_RETURN, deny)]
    return out


def _assemble(
    names: tuple[str, ...],
    of_others: dict[str, int],
    beside_landlock: bool,
    families: tuple[int, ...],
) -> bytes:
    """The filter, as the kernel reads it."""
    column = _column()
    deny = _ERRNO | errno.EPERM
    out = _preamble()
    for each in numbers(names):
        out += [_jump(_EQUAL, each, 0, 1), _jump(_RETURN, deny)]
    for name, argument in of_others.items():
        number = _NUMBERS[name][column]
        if number is not None:
            out += [
                _jump(_EQUAL, number, 0, 4),
                _jump(_LOAD, _ARGUMENTS + 8 * argument),
                _jump(_EQUAL, 0, 1, 0),
                _jump(_RETURN, deny),
                _jump(_RETURN, _ALLOW),
            ]
    if beside_landlock:
        for name, argument in _SENDS.items():
            out += [
                _jump(_EQUAL, _number(name, column), 0, 5),
                _jump(_LOAD, _ARGUMENTS + 8 * argument),
                _jump(_AND, _FAST_OPEN),
                _jump(_EQUAL, 0, 1, 0),
                _jump(_RETURN, deny),
                _jump(_RETURN, _ALLOW),
            ]
        out += [
            _jump(_EQUAL, _number("socketpair", column), 0, 5),
            _jump(_LOAD, _ARGUMENTS + 8),
            _jump(_AND, 0xF),
            _jump(_EQUAL, _DATAGRAMS, 0, 1),
            _jump(_RETURN, deny),
            _jump(_RETURN, _ALLOW),
        ]
        # Who listens may let calls pass that another filter has wait for an answer.
        out += [
            _jump(_EQUAL, _number("seccomp", column), 0, 5),
            _jump(_LOAD, _ARGUMENTS + 8),
            _jump(_AND, _NEW_LISTENER),
            _jump(_EQUAL, 0, 1, 0),
            _jump(_RETURN, deny),
            _jump(_RETURN, _ALLOW),
        ]
    if families:
        unknown = _ERRNO | errno.EAFNOSUPPORT
        family = [_jump(_LOAD, _ARGUMENTS)]
        family += [_jump(_EQUAL, kind, left, 0) for left, kind in _counted_down(families)]
        family += [_jump(_RETURN, unknown), _jump(_RETURN, _ALLOW)]
        out += [_jump(_EQUAL, _number("socket", column), 0, len(family)), *family]
    requests = [_jump(_LOAD, _ARGUMENTS + 8)]
    for request in _TERMINAL_WRITES:
        requests += [_jump(_EQUAL, request, 0, 1), _jump(_RETURN, deny)]
    if beside_landlock:
        requests += [_jump(_SHIFT_RIGHT, 8), _jump(_AND, 0xFF)]
        for kind in _OF_FILE_SYSTEMS:
            unknown = _ERRNO | errno.EOPNOTSUPP
            requests += [_jump(_EQUAL, kind, 0, 1), _jump(_RETURN, unknown)]
    out += [_jump(_EQUAL, _number("ioctl", column), 0, len(requests)), *requests]
    return b"".join([*out, _jump(_RETURN, _ALLOW)])


def _counted_down(items: tuple[int, ...]) -> Iterable[tuple[int, int]]:
    """Each of some items, with how many there are from it on."""
    return ((len(items) - place, each) for place, each in enumerate(items))


def _number(name: str, column: int) -> int:
    number = _NUMBERS[name][column]
    assert number is not None
    return number


def _jump(code: int, value: int, if_true: int = 0, if_false: int = 0) -> bytes:
    return struct.pack("<HBBI", code, if_true, if_false, value)
