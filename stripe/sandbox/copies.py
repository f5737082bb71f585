"""Copying and removing files and trees, with their modes, times and links.

Where the file system can share blocks (Btrfs, XFS, ...), copies are reflinks.
"""

from __future__ import annotations

import errno
import fcntl
import itertools
import os
import stat
from collections.abc import Callable

_FICLONE = 0x40049409  # _IOW(0x94, 9, int), linux/fs.h; in the fcntl module only from 3.14 on
_CHUNK = 1 << 20

FULL = (errno.ENOSPC, errno.EDQUOT)
"""What the system says when there is no more room."""

type Tree = dict[str, os.stat_result]
"""Everything in a folder by its path there; the folder itself is ``""``; parents come first."""

type Stamp = tuple[int, int, int, int, int]
"""Inode, status change time, size, modification time (ns) and mode: other after any write."""


def join(folder: str, name: str) -> str:
    """``folder/name``, where either may be empty."""
    return f"{folder}/{name}" if folder and name else folder or name


def scan(path: str) -> list[os.DirEntry[str]]:
    """What is in a folder."""
    with os.scandir(path) as entries:
        return list(entries)


def read_tree(top: str) -> Tree:
    """All that can be seen in ``top``; links are not followed."""
    try:
        tree = {"": os.lstat(top)}
    except OSError:
        return {}
    pending = [""] if stat.S_ISDIR(tree[""].st_mode) else []
    while pending:
        rel = pending.pop()
        try:
            for entry in scan(join(top, rel)):
                path = join(rel, entry.name)
                tree[path] = status = entry.stat(follow_symlinks=False)
                if stat.S_ISDIR(status.st_mode):
                    pending.append(path)
        except OSError:
            continue
    return tree


def is_folder(status: os.stat_result | None) -> bool:
    """Whether something is there and is a folder."""
    return status is not None and stat.S_ISDIR(status.st_mode)


def stamp(status: os.stat_result) -> Stamp:
    """What tells whether a file was written since."""
    return (
        status.st_ino,
        status.st_ctime_ns,
        status.st_size,
        status.st_mtime_ns,
        status.st_mode,
    )


def twins(tree: Tree) -> dict[str, list[str]]:
    """For each file that has several names (hard links) all of them."""
    names: dict[tuple[int, int], list[str]] = {}
    for path, status in tree.items():
        if stat.S_ISREG(status.st_mode) and status.st_nlink > 1:
            names.setdefault((status.st_dev, status.st_ino), []).append(path)
    return {path: paths for paths in names.values() for path in paths}


# ------------------------------------------------------------------------ copying


def copy_tree(
    source: str, found: Tree, target: str, clone: bool, check: Callable[[], object] = bool
) -> list[str]:
    """Make the folder ``target`` of what was ``found`` in ``source``.

    ``check`` is called before each file, and may raise.  Returns the paths left out as they could
    not be read.
    """
    unreadable: list[str] = []
    made: set[str] = set()
    links: dict[tuple[int, int], str] = {}
    for rel, status in found.items():
        if rel and os.path.dirname(rel) not in made:
            continue  # its folder could not be made
        check()
        old, new = join(source, rel), join(target, rel)
        mode = status.st_mode
        try:
            if stat.S_ISDIR(mode):
                os.mkdir(new, 0o700)
                made.add(rel)
            elif stat.S_ISLNK(mode):
                copy_link(os.readlink(old), new, status)
            else:
                key = (status.st_dev, status.st_ino)
                if status.st_nlink > 1 and key in links:
                    os.link(links[key], new)
                else:
                    copy_file(old, new, clone)
                    links[key] = new
        except OSError as error:
            if error.errno in FULL:
                raise
            unreadable.append(rel)
            if not stat.S_ISDIR(mode) and os.path.lexists(new):
                os.unlink(new)
    # Last and from below, as making an entry changes the folder's time and needs its mode.
    for rel in reversed(found):
        if rel in made:
            finish_folder(join(target, rel), found[rel])
    return unreadable


def copy_link(goal: str, new: str, status: os.stat_result) -> None:
    """Make a symbolic link with the times of ``status``."""
    os.symlink(goal, new)
    if os.utime in os.supports_follow_symlinks:
        os.utime(new, ns=(status.st_atime_ns, status.st_mtime_ns), follow_symlinks=False)


def finish_folder(path: str, status: os.stat_result) -> None:
    """Give a folder, complete by now, the times and the mode of ``status``."""
    os.utime(path, ns=(status.st_atime_ns, status.st_mtime_ns))
    os.chmod(path, stat.S_IMODE(status.st_mode))


def copy_file(old: str, new: str, clone: bool) -> os.stat_result:
    """Copy a regular file with mode and times; ``new`` must not exist.

    Returns:
        the status of ``old`` when it was opened.
    """
    # NONBLOCK: should a FIFO have taken the place of the file, do not wait for its writer.
    source = os.open(old, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC)
    try:
        status = os.fstat(source)
        target = os.open(new, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o600)
        try:
            if not (clone and _clone(source, target)):
                _copy_bytes(source, target, status.st_size)
            os.utime(target, ns=(status.st_atime_ns, status.st_mtime_ns))
            os.fchmod(target, stat.S_IMODE(status.st_mode))
            return status
        finally:
            os.close(target)
    finally:
        os.close(source)


def _clone(source: int, target: int) -> bool:
    """Share the blocks of ``source`` with ``target`` (a reflink), if the file system can."""
    try:
        fcntl.ioctl(target, _FICLONE, source)
    except OSError:
        return False
    return True


def is_in_memory(folder: str) -> bool:
    """Whether the files of a folder are in memory (tmpfs)."""
    device = os.stat(folder).st_dev
    name = f"{os.major(device)}:{os.minor(device)}"
    with open("/proc/self/mountinfo", encoding="utf-8", errors="surrogateescape") as stream:
        mounts = [line.partition(" - ") for line in stream]
    return any(
        mount.split()[2] == name and system.split()[0] == "tmpfs" for mount, _, system in mounts
    )


def can_clone(folder: str) -> bool:
    """Whether files in ``folder`` can be cloned; tried with a file of one block."""
    old, new = f"{folder}/probe", f"{folder}/probe2"
    try:
        with open(old, "xb") as source, open(new, "xb") as target:
            source.write(bytes(4096))
            source.flush()
            return _clone(source.fileno(), target.fileno())
    finally:
        os.unlink(old)
        os.unlink(new)


def _copy_bytes(source: int, target: int, size: int) -> None:
    # In the kernel where it can be done and is worth it; for small files read and write are
    # as fast.  Whatever the kernel refuses (other file system, special file) is then read.
    if size > _CHUNK and hasattr(os, "copy_file_range"):
        try:
            while os.copy_file_range(source, target, 1 << 30):
                pass
        except OSError as error:
            if error.errno in FULL:
                raise
    # To the end, not up to size: also the rest of a file that the kernel copied in part.
    while data := os.read(source, _CHUNK):
        view = memoryview(data)
        while view:
            view = view[os.write(target, view) :]


def same_content(one: str, other: str) -> bool:
    """Whether two files hold the same bytes."""
    with open(one, "rb") as left, open(other, "rb") as right:
        while True:
            data = left.read(_CHUNK)
            if data != right.read(_CHUNK):
                return False
            if not data:
                return True


# ----------------------------------------------------------------------- removing


class Trash:
    """Removes what programs left, however deep and whatever its modes.

    Every folder met is first moved into ``folder`` (on the same file system), so that no path
    grows: a program can make trees deeper than any path may be long.
    """

    def __init__(self, folder: str) -> None:
        self._folder = folder
        self._names = itertools.count()

    def discard(self, path: str) -> None:
        """Remove a file, link or whole folder of which nothing is known."""
        try:
            os.unlink(path)
        except FileNotFoundError:
            return
        except (IsADirectoryError, PermissionError):  # macOS says EPERM for folders
            if not stat.S_ISDIR(os.lstat(path).st_mode):
                raise
            box = self._move_in(path)
            self.empty(box)
            os.rmdir(box)

    def empty(self, top: str) -> None:
        """Remove all that is in the folder ``top``."""
        boxes: list[str] = []
        pending = [top]
        while pending:
            for entry in scan(pending.pop()):
                try:
                    if entry.is_dir(follow_symlinks=False):
                        boxes.append(self._move_in(entry.path))
                        pending.append(boxes[-1])
                    else:
                        os.unlink(entry.path)
                except FileNotFoundError:
                    continue
        for box in boxes:
            os.rmdir(box)

    def _move_in(self, path: str) -> str:
        """Where the folder ``path`` is now."""
        os.chmod(path, 0o700)  # a folder must be writable to be moved
        box = f"{self._folder}/x{next(self._names)}"
        os.rename(path, box)
        return box
