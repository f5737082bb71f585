"""Answers system calls of a program behind Landlock that wait for it (``seccomp_unotify(2)``).

The guard is asked, outside.  It lets a call go on, where Landlock decides; makes it itself, on what
belongs to the run; or has it fail.  Invariant: what was checked is what is done, for a call that is
made here never looks at the caller's memory twice, and one that goes on is still behind Landlock.

What fails only because of these rules is written down (`Denials`), for it is no failure of the
program, though that may catch it.
"""

from __future__ import annotations

import ctypes
import errno
import fcntl
import os
import struct

from . import seccomp
from .system import LIBC

TYPE_CHECKING = False  # importing more takes longer than all that is done here
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from .own_folders import OwnFolders

    Handler = Callable[["Caller"], "int | Opened | None"]
    """Makes a call: its result, an open file to hand over, or ``None``: it goes on."""

_RECEIVE, _SEND, _IS_VALID = 0xC0502100, 0xC0182101, 0x40082102
_ADD_DESCRIPTOR, _SET_FLAGS = 0x40182103, 0x40082104
_SAME_PROCESSOR, _CONTINUE, _ADD_AND_SEND = 1, 1, 2
_NOTICE = struct.Struct("=QIIiIQ6Q")  # id, thread, flags, number, architecture, place, arguments
_ANSWER = struct.Struct("=QqiI")  # id, result, error, flags
_ADDED = struct.Struct("=QIIII")  # id, flags, source, target, flags of the new descriptor

AT_FDCWD, AT_SYMLINK_NOFOLLOW, AT_EMPTY_PATH = -100, 0x100, 0x1000
_PAGE, _PATH_BYTES = 4096, 4096


class Opened:
    """An open file for the caller, which is closed here then."""

    def __init__(self, descriptor: int, flags: int = 0) -> None:
        self.descriptor = descriptor
        self.flags = flags & os.O_CLOEXEC


class Unreadable(PermissionError):
    """The caller's memory is closed to us: it is not dumpable, and we have no privilege."""


class Denials:
    """What our rules alone deny, by a word for what was wanted and the path, each once.

    They are appended to a file that nobody inside can write: a zero byte ends each.
    """

    def __init__(self, path: str) -> None:
        self._path = path
        self._known: set[bytes] = set()

    def add(self, what: str, path: bytes = b"") -> None:
        entry = what.encode() + b" " + path
        if entry in self._known or len(self._known) > 100:
            return
        self._known.add(entry)
        with open(self._path, "ab") as stream:
            stream.write(entry + b"\0")


class Supervisor:
    """Answers what ``listener`` asks by the handlers of calls, which are named."""

    def __init__(
        self,
        listener: int,
        handlers: dict[str, Handler],
        writable: Iterable[str],
        own_folders: OwnFolders,
        denials: Denials,
        checked: Iterable[str],
    ) -> None:
        """``checked``: calls that may go on in any case, as Landlock decides about them."""
        self._checked = frozenset(seccomp.numbers(checked))
        self._listener = listener
        self._handlers = {
            number: handlers[name] for number, name in seccomp.numbers(handlers).items()
        }
        self.folders = tuple(os.path.realpath(os.fsencode(each)) for each in writable)
        self.own_folders = own_folders
        self.denials = denials
        self.memory = _Memory()
        os.umask(0)  # files are made with the modes that callers ask for
        try:
            # The caller goes on at once, on the same processor (since Linux 6.6).
            fcntl.ioctl(listener, _SET_FLAGS, _SAME_PROCESSOR)
        except OSError:
            pass

    def answer(self) -> None:
        """Answer the call that waits, if its thread still does."""
        notice = bytearray(_NOTICE.size)
        try:
            fcntl.ioctl(self._listener, _RECEIVE, notice)
        except OSError:
            return  # it was killed
        identity, thread, _, number, _, _, *arguments = _NOTICE.unpack(notice)
        result, error, flags = 0, 0, 0
        try:
            caller = Caller(self, identity, thread, arguments)
            try:
                made = self._handlers[number](caller)
            finally:
                caller.close()
            if isinstance(made, Opened):
                self._hand_over(identity, made)
                return
            flags = _CONTINUE if made is None else 0
            result = made or 0
        except Unreadable:
            flags = _CONTINUE if number in self._checked else 0
            error = 0 if flags else errno.EPERM
        except OSError as failed:
            error = failed.errno or errno.EPERM
        except (OverflowError, ValueError, struct.error):
            error = errno.EFAULT
        self._send(identity, result, error, flags)

    def _send(self, identity: int, result: int, error: int, flags: int) -> None:
        try:
            fcntl.ioctl(self._listener, _SEND, _ANSWER.pack(identity, result, -error, flags))
        except OSError:
            pass  # it was killed, or interrupted and will call again

    def _hand_over(self, identity: int, opened: Opened) -> None:
        try:
            added = _ADDED.pack(identity, _ADD_AND_SEND, opened.descriptor, 0, opened.flags)
            fcntl.ioctl(self._listener, _ADD_DESCRIPTOR, added)
        except OSError as error:
            self._send(identity, 0, error.errno or errno.EPERM, 0)
        finally:
            os.close(opened.descriptor)

    def require_valid(self, identity: int) -> None:
        """Only then the files of /proc are those of the thread that calls.

        Raises:
            OSError: when it does not wait any more.
        """
        fcntl.ioctl(self._listener, _IS_VALID, struct.pack("=Q", identity))


class Caller:
    """A thread that waits in a call: its arguments, and what they name."""

    def __init__(
        self, supervisor: Supervisor, identity: int, thread: int, arguments: list[int]
    ) -> None:
        self.arguments = arguments
        self.denials = supervisor.denials
        self.folders = supervisor.folders
        self.own_folders = supervisor.own_folders
        self._supervisor, self._identity, self._thread = supervisor, identity, thread
        self._opened: list[int] = []
        self._place = -1

    def close(self) -> None:
        for each in self._opened:
            os.close(each)

    @property
    def process(self) -> int:
        """Its folder in /proc."""
        if self._place < 0:
            self._place = self.open(f"/proc/{self._thread}", os.O_PATH | os.O_DIRECTORY)
            self._supervisor.require_valid(self._identity)
        return self._place

    # -- arguments

    def number(self, place: int) -> int:
        """An argument of the type int."""
        return (self.arguments[place] & 0xFFFFFFFF ^ 0x80000000) - 0x80000000

    def read(self, address: int, layout: str) -> tuple[int, ...]:
        """Numbers of its memory."""
        shape = struct.Struct(layout)
        return shape.unpack(self.read_bytes(address, shape.size))

    def read_bytes(self, address: int, size: int) -> bytes:
        """A part of its memory, as far as there is any."""
        return self._supervisor.memory.read(self._thread, address, size)

    def write(self, address: int, data: bytes) -> None:
        """Change its memory."""
        self._supervisor.require_valid(self._identity)
        self._supervisor.memory.write(self._thread, address, data)

    def text(self, place: int) -> bytes:
        """The text that an argument points to."""
        return self.text_at(self.arguments[place])

    def text_at(self, address: int) -> bytes:
        """The text at an address."""
        text, end, _ = self.read_bytes(address, _PATH_BYTES).partition(b"\0")
        if not end:
            raise OSError(errno.ENAMETOOLONG if text else errno.EFAULT, "")
        return text

    def umask(self) -> int:
        """That of its process."""
        return int(self._status(b"Umask:"), 8)

    @property
    def leader(self) -> int:
        """The number of its process."""
        return int(self._status(b"Tgid:"))

    def _status(self, name: bytes) -> bytes:
        status = self.open("status", os.O_RDONLY, at=self.process)
        return os.read(status, 4096).partition(name)[2].split(None, 1)[0]

    # -- paths

    def path(self, place: int, directory: int | None = None) -> bytes:
        """The path of an argument, from the root; nothing is followed.

        ``directory``: the argument that says what the path is relative to.
        """
        start = AT_FDCWD if directory is None else self.number(directory)
        return self.joined(self.text(place), start)

    def joined(self, text: bytes, start: int = AT_FDCWD) -> bytes:
        """A path from the root; nothing is followed."""
        if not text.startswith(b"/"):
            text = self.location(start) + (b"/" + text if text else b"")
        if b"/." in text or b"//" in text:
            text = b"/" + os.path.normpath(text).lstrip(b"/")
        return text

    def location(self, number: int) -> bytes:
        """Where the folder with that descriptor is (``AT_FDCWD``: the working directory)."""
        try:
            return os.readlink(
                b"cwd" if number == AT_FDCWD else b"fd/%d" % number, dir_fd=self.process
            )
        except FileNotFoundError:
            raise OSError(errno.EBADF, "") from None

    def by_descriptor(self, place: int) -> str:
        """Its own file with the descriptor that is the argument ``place``."""
        return self.own(self._by_number(self.number(place)))

    def by_path(self, argument: int, *, directory: int | None = None, flags: int = 0) -> str:
        """Its own file with the path that is an argument, as a path of ours.

        Raises:
            OSError: when there is none, or it is in no folder that may be written.
        """
        if flags & ~(AT_SYMLINK_NOFOLLOW | AT_EMPTY_PATH):
            raise OSError(errno.EINVAL, "")
        path = self.text(argument)
        start = AT_FDCWD if directory is None else self.number(directory)
        if not path:
            if not flags & AT_EMPTY_PATH:
                raise OSError(errno.ENOENT, "")
            return self.own(self._by_number(start))
        follow = not flags & AT_SYMLINK_NOFOLLOW
        place = self.own_folders.find(self.path(argument, directory))
        above = None if place is None else place.above(self, follow=follow)
        return self.own(self.follow(path, start, follow=follow) if above is None else above)

    def follow(self, path: bytes, start: int = AT_FDCWD, *, follow: bool = True) -> int:
        """What is at a path, as the caller sees it; open to be named only."""
        if path.startswith(b"/proc/self/"):
            path = b"/proc/%d/" % self._thread + path.removeprefix(b"/proc/self/")
        base = None if path.startswith(b"/") else self._by_number(start)
        return self.open(path, os.O_PATH | (0 if follow else os.O_NOFOLLOW), at=base)

    def _by_number(self, number: int) -> int:
        if number == AT_FDCWD:
            return self.open("cwd", os.O_PATH, at=self.process)
        try:
            return self.open(f"fd/{number}", os.O_PATH, at=self.process)
        except FileNotFoundError:
            raise OSError(errno.EBADF, "") from None

    def own(self, descriptor: int) -> str:
        """A path of ours to an open file, if that is in a folder that may be written.

        Raises:
            PermissionError: it is not.
        """
        path = f"/proc/self/fd/{descriptor}"
        place = os.readlink(os.fsencode(path))
        if not self.is_own(place):
            if _is_ours(place):
                self.denials.add("change", place)
            raise PermissionError(errno.EPERM, "")
        return path

    def is_own(self, path: bytes) -> bool:
        """Whether a path, of which no part is a link, is in a folder that may be written."""
        return any(path == each or path.startswith(each + b"/") for each in self.folders)

    def open(self, path: str | bytes, how: int, *, at: int | None = None) -> int:
        """Open something here, until the call has been answered."""
        descriptor = os.open(path, how | os.O_CLOEXEC, dir_fd=at)
        self._opened.append(descriptor)
        return descriptor

    def keep(self, descriptor: int) -> int:
        """Have a descriptor closed when the call has been answered."""
        self._opened.append(descriptor)
        return descriptor


def _is_ours(place: bytes) -> bool:
    """Whether the user could change modes and times of a file."""
    try:
        return os.geteuid() in (0, os.stat(place).st_uid)
    except OSError:
        return False


class _Vector(ctypes.Structure):
    """``struct iovec``."""

    _fields_ = (("base", ctypes.c_void_p), ("length", ctypes.c_size_t))


class _Memory:
    """The memory of other processes."""

    def __init__(self) -> None:
        self._buffer = ctypes.create_string_buffer(_PATH_BYTES)
        self._here = _Vector(ctypes.addressof(self._buffer), 0)
        self._there = (_Vector * 2)()
        types = [ctypes.c_int, ctypes.c_void_p, ctypes.c_ulong]
        for call in (LIBC.process_vm_readv, LIBC.process_vm_writev):
            call.restype = ctypes.c_ssize_t
            call.argtypes = [*types, ctypes.c_void_p, ctypes.c_ulong, ctypes.c_ulong]

    def read(self, process: int, address: int, size: int) -> bytes:
        """At most a page; less where the memory ends."""
        first = min(_PAGE - address % _PAGE, size)
        self._here.length = size
        self._there[0].base, self._there[0].length = address, first
        self._there[1].base, self._there[1].length = address + first, size - first
        here = ctypes.byref(self._here)
        count: int = LIBC.process_vm_readv(process, here, 1, self._there, 2, 0)
        if count < 0:
            number = ctypes.get_errno()
            raise Unreadable(number, "") if number == errno.EPERM else OSError(number, "")
        return ctypes.string_at(self._here.base, count)

    def write(self, process: int, address: int, data: bytes) -> None:
        if not data:
            return
        here = _Vector(ctypes.cast(ctypes.c_char_p(data), ctypes.c_void_p), len(data))
        there = _Vector(address, len(data))
        count: int = LIBC.process_vm_writev(
            process, ctypes.byref(here), 1, ctypes.byref(there), 1, 0
        )
        if count != len(data):
            raise OSError(errno.EFAULT, "")
