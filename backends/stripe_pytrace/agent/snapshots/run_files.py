"""The files in a run's own folders, which each fork of a process finds as the first one did.

What a fork has added is removed, what it has removed is made again, and what it has changed gets
its content back from a copy in memory: in place, so that who has it open has the same file.  A file
that is open and removed is the same one only if it has another name; see :meth:`RunFiles.link`.
"""

from __future__ import annotations

import os
import stat

TYPE_CHECKING = False  # typing takes as long to import as much of the agent
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

MOST_COMPARED_FILES = 5000
"""Files and folders of a run that are compared after each of its forks: that takes 10 ms."""

MOST_COPIED_BYTES = 16 << 20
"""Of files that forks may write."""

LINKS = "links"
"""The folder beside those of the run where open files have another name."""

type Stamp = tuple[int, ...]


class RunFiles:
    """What is in some folders: the working directory, by two names, and that for TMPDIR.

    ``changed``: whether that is not what was there when this was made; ``compared``: whether it is
    few enough to be compared after each fork.  Both are known once it is noted.
    """

    def __init__(self, folders: Sequence[str]) -> None:
        self._folders = folders
        self._stamps = stamps(folders)
        self._copies: dict[str, bytes] = {}
        self._links: dict[str, str] = {}
        self.changed = self.compared = False

    def note(self, every: bool = False) -> str:
        """Take what is there now for what forks find; why that cannot be, if it cannot.

        What has changed since this was made is copied, so that it can be put back, and with
        ``every`` all else.  Files with several names or attributes of users are not.
        """
        before, self._stamps = self._stamps, stamps(self._folders)
        changed = {path for path, _ in {*before.items()} ^ {*self._stamps.items()}}
        self.changed = bool(changed)
        self.compared = len(self._stamps) <= MOST_COMPARED_FILES
        if changed and not self.compared:
            return f"a change of {min(changed)}, among {len(self._stamps)} files"
        wanted = sorted(changed & self._stamps.keys())
        if every and self.compared:
            wanted += sorted(self._stamps.keys() - changed)
        room = MOST_COPIED_BYTES
        for path in wanted:
            if (copy := self._copy(path, room)) is not None:
                self._copies[path] = copy
                room -= len(copy)
        return ""

    def look(self) -> None:
        """Take what is there now for what forks find, as it was brought back from outside."""
        self._stamps = stamps(self._folders)

    def holds(self, descriptor: int) -> bool:
        """Whether an open file is one of those that are compared."""
        return self.compared and self._name(descriptor) is not None

    def link(self, descriptors: Iterable[int]) -> None:
        """Give open files another name, by which they can be put back when they are removed.

        It is outside of what is compared, and seen by who asks how many names a file has.
        """
        folder = f"{os.path.dirname(self._folders[-1])}/{LINKS}"
        for each in descriptors:
            path = self._name(each)
            if path is None or path not in self._copies:
                continue
            link = f"{folder}/{len(self._links)}"
            try:
                os.makedirs(folder, exist_ok=True)
                os.link(self._beside_links(path), link)
            except OSError:
                continue  # the working directory is an overlay
            self._links[path] = link
            self._stamps[path] = stamp(path)

    def put_back(self, descriptors: Iterable[int]) -> bool:
        """Have the files as they were noted; whether they are so.

        ``descriptors`` are files that are open: another file of the same name is none of them.
        """
        now = stamps(self._folders)
        held = {os.fstat(each).st_ino for each in descriptors} | mapped()
        try:
            for path in sorted(now, reverse=True):
                if path not in self._stamps or identity(now[path]) != identity(self._stamps[path]):
                    (os.rmdir if is_folder(now[path]) else os.unlink)(path)
                    del now[path]
            known = sorted(self._stamps.items())
            for path, wanted in known:
                if path not in now:
                    if wanted[INODE] in held and path not in self._links:
                        return False
                    self._make(path, wanted)
                if not is_folder(wanted) and now.get(path) != wanted:
                    self._write(path, wanted)
            for path, wanted in reversed(known):  # what is in a folder changes its time
                if is_folder(wanted) and stamp(path) != wanted:
                    self._dress(path, wanted)
        except (OSError, KeyError):
            return False
        return stamps(self._folders) == self._stamps

    def _name(self, descriptor: int) -> str | None:
        file = os.fstat(descriptor)
        for path, known in self._stamps.items():
            if known[:2] == (file.st_dev, file.st_ino):
                return path
        return None

    def _copy(self, path: str, room: int) -> bytes | None:
        """What is in a file, or where a link leads; None if it cannot be made again as it is."""
        known = self._stamps[path]
        try:
            if stat.S_ISLNK(known[MODE]):
                return os.fsencode(os.readlink(path))
            if not stat.S_ISREG(known[MODE]) or known[NAMES] > 1 or known[SIZE] > room:
                return None
            if os.listxattr(path):
                return None
            with open(os.open(path, os.O_RDONLY | os.O_NOATIME), "rb") as file:
                return file.read()
        except OSError:
            return None

    def _make(self, path: str, wanted: Stamp) -> None:
        """Make what was removed; a file is empty, or as it was when it was removed."""
        if is_folder(wanted):
            os.mkdir(path)
            return
        copy = self._copies[path]
        if path in self._links:
            os.link(self._links[path], self._beside_links(path))
        elif stat.S_ISLNK(wanted[MODE]):
            os.symlink(copy, os.fsencode(path))
        else:
            os.close(os.open(path, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600))

    def _write(self, path: str, wanted: Stamp) -> None:
        """Give a file its content."""
        copy = self._copies[path]
        if stat.S_ISREG(wanted[MODE]):
            with open(path, "r+b") as file:
                file.write(copy)
                file.truncate()
            for name in os.listxattr(path):
                os.removexattr(path, name)
        self._dress(path, wanted)

    def _dress(self, path: str, wanted: Stamp) -> None:
        """Give something its mode and time; raises OSError if it is not what is wanted then."""
        status = os.lstat(path)
        if status.st_mode != wanted[MODE]:
            os.chmod(path, stat.S_IMODE(wanted[MODE]))
        os.utime(path, ns=(status.st_atime_ns, wanted[MODIFIED]), follow_symlinks=False)
        found = stamp(path)
        if found[MODE:TOUCHED] != wanted[MODE:TOUCHED]:
            raise OSError(path)
        self._stamps[path] = found  # it may be another file, and was touched

    def _beside_links(self, path: str) -> str:
        """A file by its name on the mount that has the links."""
        inside, directory, _ = self._folders
        inner = path.removeprefix(f"{inside}/")
        return path if inner == path else f"{directory}/{inner}"


INODE, MODE, MODIFIED, NAMES, SIZE, TOUCHED = 1, 2, 5, 6, 7, 8
"""Places in a stamp; ``TOUCHED`` is the time of the last change of all of them."""


def stamps(folders: Sequence[str]) -> dict[str, Stamp]:
    """What is in some folders, each of them once: which file, and when it was changed."""
    pending = list({number_of(each): each for each in reversed(folders)}.values())
    found = {each: stamp(each) for each in pending if os.path.isdir(each)}
    while pending:
        try:
            entries = list(os.scandir(pending.pop()))
        except OSError:
            continue
        for each in entries:
            found[each.path] = stamp_of(each.stat(follow_symlinks=False))
            if each.is_dir(follow_symlinks=False):
                pending.append(each.path)
    return found


def stamp(path: str) -> Stamp:
    """Which file it is, and all that tells that it was changed; but for a folder what is in it."""
    return stamp_of(os.lstat(path))


def stamp_of(status: os.stat_result) -> Stamp:
    """See :func:`stamp`."""
    known = (
        status.st_dev, status.st_ino, status.st_mode, status.st_uid, status.st_gid,
        status.st_mtime_ns,
    )  # fmt: skip
    if stat.S_ISDIR(status.st_mode):
        return known
    return (*known, status.st_nlink, status.st_size, status.st_ctime_ns)


def identity(known: Stamp) -> tuple[int, ...]:
    """What a file keeps for as long as it is there."""
    device, inode, mode, *_ = known
    return device, inode, stat.S_IFMT(mode)


def is_folder(known: Stamp) -> bool:
    return stat.S_ISDIR(known[MODE])


def number_of(path: str) -> tuple[int, int] | None:
    """Which file has a name, whatever others it has."""
    try:
        status = os.stat(path)
    except OSError:
        return None
    return status.st_dev, status.st_ino


def mapped() -> set[int]:
    """Numbers of the files that are in this process's memory."""
    with open("/proc/self/maps", encoding="utf-8", errors="replace") as stream:
        return {int(line.split(maxsplit=5)[4]) for line in stream} - {0}
