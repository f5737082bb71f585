"""What a run has left in the overlay of its working directory, for those who look from outside.

An overlay goes with its processes, and its upper layer is in memory.  So what differs from the
lower layer is copied to a *tree*: files, links and folders by their paths.  Beside the folder that
holds the tree, ``gone`` has the paths of what was removed, a zero byte behind each, and ``failed``
the number of the error that ended the copy, if one did.
"""

from __future__ import annotations

import os
import stat

from . import removal

TYPE_CHECKING = False  # importing more takes longer than all that is done here
if TYPE_CHECKING:
    from collections.abc import Iterator

_OPAQUE = "user.overlay.opaque"
_CHUNK = 1 << 24


def gone_file(tree: str) -> str:
    """The list of what was removed."""
    return os.path.join(os.path.dirname(os.path.dirname(tree)), "gone")


def failed_file(tree: str) -> str:
    """Why the tree is not complete."""
    return os.path.join(os.path.dirname(os.path.dirname(tree)), "failed")


def export(upper: str, lower: str, tree: str) -> None:
    """Have in ``tree`` what an upper layer holds, and nothing else."""
    removal.empty(tree)
    gone: list[str] = []
    folders = [("", os.stat(upper))]
    try:
        for path, status in _below(upper):
            old = f"{upper}/{path}"
            if stat.S_ISCHR(status.st_mode):
                gone.append(path)  # a whiteout: devices cannot be made
            elif stat.S_ISDIR(status.st_mode):
                os.mkdir(f"{tree}/{path}", 0o700)
                folders.append((path, status))
                if _is_opaque(old):
                    gone += _hidden(f"{lower}/{path}", path, set(os.listdir(old)))
            else:
                _copy(old, f"{tree}/{path}", status)
        for path, status in reversed(folders):
            _finish(f"{tree}/{path}", status)
        with open(gone_file(tree), "wb") as stream:
            stream.writelines(os.fsencode(path) + b"\0" for path in gone)
    except OSError as error:
        with open(failed_file(tree), "w", encoding="ascii") as stream:
            stream.write(f"{error.errno}")


def bring(tree: str, target: str) -> None:
    """Do to the folder ``target`` what led to ``tree``."""
    try:
        with open(gone_file(tree), "rb") as stream:
            gone = [os.fsdecode(path) for path in stream.read().split(b"\0") if path]
    except FileNotFoundError:
        return
    for path in gone:
        if os.path.lexists(f"{target}/{path}"):
            removal.remove(f"{target}/{path}")
    folders = [("", os.stat(tree))]
    for path, status in _below(tree):
        new = f"{target}/{path}"
        is_folder = stat.S_ISDIR(status.st_mode)
        if os.path.lexists(new) and not (is_folder and stat.S_ISDIR(os.lstat(new).st_mode)):
            removal.remove(new)
        if not is_folder:
            _copy(f"{tree}/{path}", new, status)
            continue
        folders.append((path, status))
        if not os.path.isdir(new):
            os.mkdir(new, 0o700)
    for path, status in reversed(folders):
        _finish(f"{target}/{path}", status)


def _below(top: str) -> Iterator[tuple[str, os.stat_result]]:
    """All that is in a folder, by its path there; folders before what they hold."""
    pending = [""]
    while pending:
        folder = pending.pop()
        with os.scandir(f"{top}/{folder}") as entries:
            for entry in entries:
                path = f"{folder}/{entry.name}" if folder else entry.name
                status = entry.stat(follow_symlinks=False)
                yield path, status
                if stat.S_ISDIR(status.st_mode):
                    pending.append(path)


def _is_opaque(folder: str) -> bool:
    """Whether nothing of the lower layer is seen through a folder of the upper one."""
    try:
        return os.getxattr(folder, _OPAQUE) == b"y"
    except OSError:
        return False


def _hidden(lower: str, path: str, shown: set[str]) -> list[str]:
    """What of the lower layer such a folder hides."""
    try:
        return [f"{path}/{name}" for name in os.listdir(lower) if name not in shown]
    except OSError:
        return []  # there is no such folder


def _copy(old: str, new: str, status: os.stat_result) -> None:
    """Copy what is no folder; sockets become pipes, which nobody listens to either."""
    if stat.S_ISLNK(status.st_mode):
        os.symlink(os.readlink(old), new)
        os.utime(new, ns=(status.st_atime_ns, status.st_mtime_ns), follow_symlinks=False)
        return
    if stat.S_ISREG(status.st_mode):
        source = os.open(old, os.O_RDONLY | os.O_CLOEXEC)
        target = os.open(new, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o600)
        try:
            offset = 0
            while count := os.sendfile(target, source, offset, _CHUNK):
                offset += count
        finally:
            os.close(source)
            os.close(target)
    else:
        os.mkfifo(new)
    _finish(new, status)


def _finish(path: str, status: os.stat_result) -> None:
    os.utime(path, ns=(status.st_atime_ns, status.st_mtime_ns))
    os.chmod(path, stat.S_IMODE(status.st_mode))
