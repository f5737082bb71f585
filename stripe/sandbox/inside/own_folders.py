"""Folders of the machine that a run behind Landlock has for its own: ``/tmp``, ``/dev/shm``.

No mount can show a run another folder there, so the guard makes the calls that name one
(``supervisor.py``): what is written goes *above*, into a folder of the run; what is there already
is seen *below* and stays what it is.  As in an overlay, what is above hides what is below.

Invariant: nothing that is made here leaves the folder above, whatever links are in it
(``RESOLVE_IN_ROOT``), and no link is followed on the way there, where the run may write
(``RESOLVE_NO_SYMLINKS``); what goes on to the kernel is behind Landlock.

Left out, and denied: to enter, or to run, what is only above.
"""

from __future__ import annotations

import ctypes
import errno
import os
import stat
import struct

from .supervisor import AT_EMPTY_PATH, AT_SYMLINK_NOFOLLOW, Opened
from .system import MACHINE, syscall

TYPE_CHECKING = False  # importing more takes longer than all that is done here
if TYPE_CHECKING:
    from collections.abc import Callable

    from .supervisor import Caller, Handler

_OPENAT2 = 437
_IN_ROOT, _NO_LINKS = 0x10 | 0x02, 0x08 | 0x04  # the former without magic links, the latter beneath
_NEWFSTATAT, _STATX = (262, 332) if MACHINE == "x86_64" else (79, 291)
_STAT_BYTES, _STATX_BYTES = 144 if MACHINE == "x86_64" else 128, 256
_RENAME_NOREPLACE, _AT_REMOVEDIR = 1, 0x200
_O_TMPFILE = os.O_TMPFILE & ~os.O_DIRECTORY
_LARGEST_COPY = 1 << 28
_TEMPORARY = b"tmp"
_HIDDEN = _TEMPORARY + b"/.stripe"
_REMOVED = _HIDDEN + b"/gone"
_MARK = b".gone"
_DEVICES = (b"/dev/", b"/proc/")
_NOT_THERE = (errno.ENOENT, errno.ENOTDIR, errno.ELOOP, errno.EXDEV)


class OwnFolders:
    """Those of a run.

    Args:
        home: the folder in which ``tmp`` is the run's ``TMPDIR``; without that it has none.
        shown: folders that are what they are, wherever they may be.
    """

    def __init__(self, home: bytes, shown: tuple[bytes, ...]) -> None:
        self._shown = shown
        self._home = os.open(home, os.O_PATH | os.O_DIRECTORY | os.O_CLOEXEC)
        self._places = (
            (b"/tmp", _TEMPORARY),
            (b"/dev/shm", _HIDDEN + b"/shm"),
            (b"/var/tmp", _HIDDEN + b"/var"),
        )
        exists = self.has(_TEMPORARY, os.O_DIRECTORY)
        self._roots = tuple(logical for logical, _ in self._places) if exists else ()

    def has(self, path: bytes, kind: int = 0) -> bool:
        """Whether something (``os.O_DIRECTORY``: a folder) is at a path in ``home``."""
        try:
            os.close(_open_at(self._home, path, os.O_PATH | kind, 0, _NO_LINKS))
        except OSError:
            return False
        return True

    def make(self, caller: Caller, path: bytes) -> int:
        """The folder at a path in ``home``, made if it is not there; open to be named only.

        Raises:
            OSError: the run has put a link there.
        """
        folder = self._home
        for name in path.split(b"/"):
            try:
                os.mkdir(name, dir_fd=folder)
            except FileExistsError:
                pass
            flags = os.O_PATH | os.O_DIRECTORY
            folder = caller.keep(_open_at(folder, name, flags, 0, _NO_LINKS))
        return folder

    def find(self, path: bytes) -> Place | None:
        """The place of a path in one of them."""
        if not path.startswith(self._roots):
            return None
        if any(path == each or path.startswith(each + b"/") for each in self._shown):
            return None
        for logical, top in self._places:
            if path == logical or path.startswith(logical + b"/"):
                return Place(self, top, path, path[len(logical) + 1 :])
        return None


class Place:
    """A path in an own folder, where it is called ``rest``; it may be above, below, or both."""

    def __init__(self, folders: OwnFolders, top: bytes, path: bytes, rest: bytes) -> None:
        self._folders = folders
        self.top, self.path, self.rest = top, path, rest

    def parent(self) -> Place:
        path, rest = os.path.dirname(self.path), os.path.dirname(self.rest)
        return Place(self._folders, self.top, path, rest)

    def inner(self, name: bytes) -> Place:
        path, rest = self.path + b"/" + name, self.rest + b"/" + name
        return Place(self._folders, self.top, path, rest)

    @property
    def name(self) -> bytes:
        return os.path.basename(self.rest)

    def open(self, caller: Caller, flags: int, mode: int = 0) -> int:
        """Open what is above."""
        top = self._folders.make(caller, self.top)
        return _open_at(top, self.rest or b".", flags, mode, _IN_ROOT)

    def above(self, caller: Caller, *, follow: bool) -> int | None:
        """What is above, open to be named only; nothing that only stands for what is below."""
        if not self._folders.has(self.top, os.O_DIRECTORY):
            return None
        try:
            found = self.open(caller, os.O_PATH | (0 if follow else os.O_NOFOLLOW))
        except OSError as error:
            if error.errno in _NOT_THERE:
                return None
            raise
        caller.keep(found)
        is_link = stat.S_ISLNK(os.fstat(found).st_mode)
        return None if is_link and os.readlink(b"", dir_fd=found) == self.path else found

    def below(self) -> os.stat_result | None:
        """What is below, if the run has not removed it."""
        try:
            status = os.lstat(self.path)
        except OSError:
            return None
        return None if self.is_gone() else status

    def is_gone(self) -> bool:
        """Whether the run has removed what is below, or a folder that it is in."""
        if not self._folders.has(_REMOVED):
            return False
        path = self.path
        while path != b"/":
            if self._folders.has(_REMOVED + path + b"/" + _MARK):
                return True
            path = os.path.dirname(path)
        return False

    def lacks_some(self) -> bool:
        """Whether the run has removed something of what is in this folder below."""
        return self._folders.has(_REMOVED + self.path) and os.path.isdir(self.path)

    def remove_below(self, caller: Caller) -> None:
        """Let the run see no longer what is below."""
        folder = self._folders.make(caller, _REMOVED + self.path)
        flags = os.O_WRONLY | os.O_CREAT | os.O_NOFOLLOW | os.O_CLOEXEC
        os.close(os.open(_MARK, flags, 0o666, dir_fd=folder))

    def is_folder_above(self) -> bool:
        """Whether what is above is a folder, and no link to one."""
        path = self.top + b"/" + self.rest if self.rest else self.top
        return self._folders.has(path, os.O_DIRECTORY)

    def folder(self, caller: Caller) -> int:
        """The folder above in which this is, or is to be made.

        Raises:
            OSError: there is none, above or below; or the user may not write there.
        """
        parent = self.parent()
        if parent.rest:
            found = parent.above(caller, follow=True)
            if found is None:
                status = parent.below()
                if status is not None and stat.S_ISLNK(status.st_mode):
                    status = os.stat(parent.path)
                if status is None or not stat.S_ISDIR(status.st_mode):
                    raise OSError(errno.ENOENT if status is None else errno.ENOTDIR, "")
                if not os.access(parent.path, os.W_OK):
                    raise PermissionError(errno.EACCES, "")
                above = parent.folder(caller)
                parent.unlink_stand_in(above)
                os.mkdir(parent.name, stat.S_IMODE(status.st_mode) | 0o700, dir_fd=above)
        return caller.keep(parent.open(caller, os.O_PATH | os.O_DIRECTORY))

    def copy_up(self, caller: Caller, *, content: bool = True) -> None:
        """Have above what is below, a file, or an empty folder."""
        folder = self.folder(caller)
        self.unlink_stand_in(folder)
        status = os.stat(self.path)
        mode = stat.S_IMODE(status.st_mode)
        if stat.S_ISDIR(status.st_mode):
            os.mkdir(self.name, mode, dir_fd=folder)
            return
        if not stat.S_ISREG(status.st_mode) or status.st_size > _LARGEST_COPY:
            raise self.denied(caller)
        if not (_may(status, 4) and _may(status, 2)):
            raise PermissionError(errno.EACCES, "")
        flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW
        copy = caller.keep(os.open(self.name, flags | os.O_CLOEXEC, mode, dir_fd=folder))
        if content:
            source = caller.open(self.path, os.O_RDONLY | os.O_NONBLOCK)
            while part := os.read(source, 1 << 20):
                os.write(copy, part)

    def unlink_stand_in(self, folder: int) -> None:
        """Make room where a link only stands for what is below."""
        try:
            if os.readlink(self.name, dir_fd=folder) == self.path:
                os.unlink(self.name, dir_fd=folder)
        except OSError:
            pass  # nothing is there

    def stand_in(self, folder: int) -> None:
        """Let a folder above list what is below it, too: by links with their own paths."""
        if not self.rest or not os.path.isdir(self.path) or self.is_gone():
            return
        there = set(os.listdir(folder))
        for name in os.listdir(self.path):
            if os.fsdecode(name) not in there and not self.inner(name).is_gone():
                os.symlink(self.path + b"/" + name, name, dir_fd=folder)

    def denied(self, caller: Caller) -> PermissionError:
        """The error for what cannot be done here, though it could outside."""
        caller.denials.add("use", self.path)
        return PermissionError(errno.EACCES, "")


def _open_at(folder: int, path: bytes, flags: int, mode: int, resolve: int) -> int:
    """``openat2(2)``; ``resolve``: which links on the way may be followed."""
    how = struct.pack("=QQQ", flags | os.O_CLOEXEC, mode, resolve)
    return syscall(_OPENAT2, folder, path, how, ctypes.c_size_t(len(how)))


def _may(status: os.stat_result, right: int) -> bool:
    """Whether a process without privileges has a right to a file."""
    if status.st_uid == os.geteuid():
        return bool(status.st_mode & right << 6)
    if status.st_gid in (os.getegid(), *os.getgroups()):
        return bool(status.st_mode & right << 3)
    return bool(status.st_mode & right)


def _note(caller: Caller, path: bytes, *, makes: bool, what: str = "write") -> None:
    """Note a write outside that goes on, and fails, if it would not fail without us.

    ``makes``: whether it makes, or removes, a name.
    """
    if path.startswith(_DEVICES) or b"__pycache__" in path:
        return
    folder = os.path.realpath(os.path.dirname(path))
    name = os.path.basename(path)
    real = folder + b"/" + name if makes else os.path.realpath(path)
    if caller.is_own(real):
        return
    if os.access(folder if makes or not os.path.exists(real) else real, os.W_OK):
        caller.denials.add(what, path)


def _found(caller: Caller, argument: int, directory: int | None) -> tuple[bytes, Place | None]:
    path = caller.path(argument, directory)
    place = caller.own_folders.find(path)
    if place is not None:
        caller.process  # noqa: B018 - it is certain now that this is the caller
    return path, place


# -- open


def _open(
    caller: Caller, argument: int, directory: int | None, flags: int, mode: int
) -> Opened | None:
    if flags & os.O_PATH:
        writes = False
    else:
        writes = bool(flags & (os.O_ACCMODE | os.O_CREAT | os.O_TRUNC))
    path, place = _found(caller, argument, directory)
    if place is None:
        if writes and (flags & os.O_CREAT or os.path.exists(path)):
            exclusive = flags & os.O_CREAT and flags & os.O_EXCL
            if not (exclusive and os.path.lexists(path)):
                _note(caller, path, makes=bool(flags & _O_TMPFILE))
        return None
    follow = not flags & os.O_NOFOLLOW and not (flags & os.O_CREAT and flags & os.O_EXCL)
    above = place.above(caller, follow=follow)
    if above is None and place.rest:
        below = place.below()
        if not writes:
            if below is None and place.is_gone():
                raise FileNotFoundError(errno.ENOENT, "")
            if below is None or not place.lacks_some():
                return None
            place.copy_up(caller)
            return _open(caller, argument, directory, flags, mode)
        if below is not None:
            if flags & os.O_CREAT and flags & os.O_EXCL:
                raise FileExistsError(errno.EEXIST, "")
            place.copy_up(caller, content=not flags & os.O_TRUNC)
        elif not flags & os.O_CREAT:
            raise FileNotFoundError(errno.ENOENT, "")
        else:
            place.folder(caller)
    elif above is not None:
        kind = os.fstat(above).st_mode
        if stat.S_ISFIFO(kind) and not flags & os.O_PATH:
            raise place.denied(caller)
        if stat.S_ISDIR(kind):
            place.stand_in(caller.open(f"/proc/self/fd/{above}", os.O_RDONLY | os.O_DIRECTORY))
    creates = flags & (os.O_CREAT | _O_TMPFILE)
    allowed = mode & 0o7777 & ~caller.umask() if creates else 0
    return Opened(place.open(caller, flags & ~os.O_CLOEXEC, allowed), flags)


def _openat2(caller: Caller) -> Opened | None:
    flags, mode, _ = caller.read(caller.arguments[2], "QQQ")
    return _open(caller, 1, 0, flags, mode)


# -- look


def _look(
    caller: Caller, argument: int, directory: int | None, *, follow: bool = True
) -> tuple[Place | None, int | None]:
    """What is above, if anything."""
    _, place = _found(caller, argument, directory)
    if place is None:
        return None, None
    above = place.above(caller, follow=follow) if place.rest else None
    if above is None and place.is_gone():
        raise FileNotFoundError(errno.ENOENT, "")
    return place, above


def _stat(
    caller: Caller, argument: int, directory: int | None, result: int, *, follow: bool = True
) -> int | None:
    _, above = _look(caller, argument, directory, follow=follow)
    if above is None:
        return None
    buffer = ctypes.create_string_buffer(_STAT_BYTES)
    syscall(_NEWFSTATAT, above, b"", buffer, ctypes.c_int(AT_EMPTY_PATH))
    caller.write(caller.arguments[result], buffer.raw)
    return 0


def _statx(caller: Caller) -> int | None:
    flags, mask = caller.number(2), caller.number(3)
    _, above = _look(caller, 1, 0, follow=not flags & AT_SYMLINK_NOFOLLOW)
    if above is None:
        return None
    buffer = ctypes.create_string_buffer(_STATX_BYTES)
    syscall(_STATX, above, b"", ctypes.c_int(AT_EMPTY_PATH), ctypes.c_uint(mask), buffer)
    caller.write(caller.arguments[4], buffer.raw)
    return 0


def _access(caller: Caller, argument: int, directory: int | None, flags: int = 0) -> int | None:
    _, above = _look(caller, argument, directory, follow=not flags & AT_SYMLINK_NOFOLLOW)
    if above is None:
        return None
    if not os.access(f"/proc/self/fd/{above}", caller.number(argument + 1)):
        raise PermissionError(errno.EACCES, "")
    return 0


def _readlink(caller: Caller, argument: int, directory: int | None) -> int | None:
    _, above = _look(caller, argument, directory, follow=False)
    if above is None:
        return None
    address, size = caller.arguments[argument + 1], caller.arguments[argument + 2]
    goal = os.readlink(b"", dir_fd=above)[:size]
    caller.write(address, goal)
    return len(goal)


def _enter(caller: Caller, argument: int, directory: int | None = None) -> None:
    """To go there, or to run it, cannot be done for somebody else."""
    place, above = _look(caller, argument, directory)
    if place is not None and above is not None and place.below() is None:
        raise place.denied(caller)


# -- change names


def _require_new(place: Place, caller: Caller) -> int:
    """The folder in which something is made.

    Raises:
        FileExistsError: something is there.
    """
    if place.above(caller, follow=False) is not None or place.below() is not None:
        raise FileExistsError(errno.EEXIST, "")
    folder = place.folder(caller)
    place.unlink_stand_in(folder)
    return folder


def _make(
    caller: Caller, argument: int, directory: int | None, make: Callable[[bytes, int], object]
) -> int | None:
    path, place = _found(caller, argument, directory)
    if place is None:
        if not os.path.lexists(path):
            _note(caller, path, makes=True)
        return None
    make(place.name, _require_new(place, caller))
    return 0


def _mkdir(caller: Caller, argument: int, directory: int | None) -> int | None:
    def make(name: bytes, folder: int) -> None:
        mode = caller.number(argument + 1) & 0o1777 & ~caller.umask()
        os.mkdir(name, mode, dir_fd=folder)

    return _make(caller, argument, directory, make)


def _symlink(caller: Caller, argument: int, directory: int | None) -> int | None:
    goal = caller.text(0)
    return _make(
        caller, argument, directory, lambda name, folder: os.symlink(goal, name, dir_fd=folder)
    )


def _mknod(caller: Caller, argument: int, directory: int | None) -> int | None:
    kind = caller.number(argument + 1)

    def make(name: bytes, folder: int) -> None:
        if stat.S_IFMT(kind) not in (0, stat.S_IFREG):
            raise PermissionError(errno.EPERM, "")
        os.mknod(name, stat.S_IFREG | kind & 0o7777 & ~caller.umask(), dir_fd=folder)

    return _make(caller, argument, directory, make)


def _remove(caller: Caller, argument: int, directory: int | None, *, folder: bool) -> int | None:
    path, place = _found(caller, argument, directory)
    if place is None:
        if os.path.lexists(path):
            _note(caller, path, makes=True)
        return None
    above, below = place.above(caller, follow=False), place.below()
    if above is None and below is None:
        raise FileNotFoundError(errno.ENOENT, "")
    if not place.rest:
        raise OSError(errno.EBUSY, "")
    if below is not None:
        if not os.access(os.path.dirname(place.path), os.W_OK):
            raise PermissionError(errno.EACCES, "")
        if stat.S_ISDIR(below.st_mode) != folder and above is None:
            raise OSError(errno.ENOTDIR if folder else errno.EISDIR, "")
        if folder and any(_left(place, name) for name in os.listdir(place.path)):
            raise OSError(errno.ENOTEMPTY, "")
    if above is not None:
        (os.rmdir if folder else os.unlink)(place.name, dir_fd=place.folder(caller))
    if below is not None:
        place.remove_below(caller)
        if above is None:
            parent = place.parent().above(caller, follow=True)
            if parent is not None:
                place.unlink_stand_in(parent)
    return 0


def _left(place: Place, name: bytes) -> bool:
    """Whether the run has not removed what is below a folder; from above, the kernel tells."""
    if place.is_folder_above():
        return False  # it listed all of it, and removes that first
    return not place.inner(name).is_gone()


def _two(
    caller: Caller, old: tuple[int, int | None], new: tuple[int, int | None]
) -> tuple[Place, Place] | None:
    """The places of two names; ``None`` if neither is in an own folder.

    Raises:
        OSError: one is in another file system.
    """
    (old_path, here), (new_path, there) = (_found(caller, *each) for each in (old, new))
    if here is None and there is None:
        if os.path.lexists(old_path):
            for path in (old_path, new_path):
                _note(caller, path, makes=True)
        return None
    if here is None or there is None or here.top != there.top:
        raise OSError(errno.EXDEV, "")
    if here.above(caller, follow=False) is None:
        below = here.below()
        if below is None:
            raise FileNotFoundError(errno.ENOENT, "")
        if not stat.S_ISREG(below.st_mode):
            raise OSError(errno.EXDEV, "")
        here.copy_up(caller)
    return here, there


def _rename(
    caller: Caller, old: tuple[int, int | None], new: tuple[int, int | None], flags: int = 0
) -> int | None:
    places = _two(caller, old, new)
    if places is None:
        return None
    here, there = places
    if flags & ~_RENAME_NOREPLACE:
        raise OSError(errno.EINVAL, "")
    if flags and (there.above(caller, follow=False) or there.below()):
        raise FileExistsError(errno.EEXIST, "")
    source, target = here.folder(caller), there.folder(caller)
    os.rename(here.name, there.name, src_dir_fd=source, dst_dir_fd=target)
    if here.below() is not None:
        here.remove_below(caller)
    return 0


def _link(caller: Caller, old: tuple[int, int | None], new: tuple[int, int | None]) -> int | None:
    places = _two(caller, old, new)
    if places is None:
        return None
    here, there = places
    target = _require_new(there, caller)
    source = here.folder(caller)
    os.link(here.name, there.name, src_dir_fd=source, dst_dir_fd=target, follow_symlinks=False)
    return 0


def _truncate(caller: Caller) -> int | None:
    path, place = _found(caller, 0, None)
    if place is None:
        if os.path.exists(path):
            _note(caller, path, makes=False)
        return None
    if place.above(caller, follow=True) is None:
        if place.below() is None:
            raise FileNotFoundError(errno.ENOENT, "")
        place.copy_up(caller)
    os.truncate(caller.keep(place.open(caller, os.O_WRONLY)), caller.arguments[1])
    return 0


HANDLERS: dict[str, Handler] = {
    "open": lambda caller: _open(caller, 0, None, caller.number(1), caller.number(2)),
    "openat": lambda caller: _open(caller, 1, 0, caller.number(2), caller.number(3)),
    "openat2": _openat2,
    "creat": lambda caller: _open(
        caller, 0, None, os.O_CREAT | os.O_WRONLY | os.O_TRUNC, caller.number(1)
    ),
    "stat": lambda caller: _stat(caller, 0, None, 1),
    "lstat": lambda caller: _stat(caller, 0, None, 1, follow=False),
    "newfstatat": lambda caller: _stat(
        caller, 1, 0, 2, follow=not caller.number(3) & AT_SYMLINK_NOFOLLOW
    ),
    "statx": _statx,
    "access": lambda caller: _access(caller, 0, None),
    "faccessat": lambda caller: _access(caller, 1, 0),
    "faccessat2": lambda caller: _access(caller, 1, 0, caller.number(3)),
    "readlink": lambda caller: _readlink(caller, 0, None),
    "readlinkat": lambda caller: _readlink(caller, 1, 0),
    "chdir": lambda caller: _enter(caller, 0),
    "execve": lambda caller: _enter(caller, 0),
    "execveat": lambda caller: _enter(caller, 1, 0),
    "truncate": _truncate,
    "mkdir": lambda caller: _mkdir(caller, 0, None),
    "mkdirat": lambda caller: _mkdir(caller, 1, 0),
    "mknod": lambda caller: _mknod(caller, 0, None),
    "mknodat": lambda caller: _mknod(caller, 1, 0),
    "symlink": lambda caller: _symlink(caller, 1, None),
    "symlinkat": lambda caller: _symlink(caller, 2, 1),
    "rmdir": lambda caller: _remove(caller, 0, None, folder=True),
    "unlink": lambda caller: _remove(caller, 0, None, folder=False),
    "unlinkat": lambda caller: _remove(caller, 1, 0, folder=bool(caller.number(2) & _AT_REMOVEDIR)),
    "rename": lambda caller: _rename(caller, (0, None), (1, None)),
    "renameat": lambda caller: _rename(caller, (1, 0), (3, 2)),
    "renameat2": lambda caller: _rename(caller, (1, 0), (3, 2), caller.number(4)),
    "link": lambda caller: _link(caller, (0, None), (1, None)),
    "linkat": lambda caller: _link(caller, (1, 0), (3, 2)),
}
LOOKS = {"newfstatat": 3, "statx": 2, "execveat": 4, "faccessat2": 3}
"""Calls of these that may be told to look at a descriptor, and the argument with the flags."""
