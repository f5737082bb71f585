"""The file tree that processes behind walls see: the whole of this machine's, as a copy on write.

Every folder of the root is an *overlay*: its lower layer is the real folder, its upper layer is in
memory, and gone with the processes.  Before Linux 6.6 a file system in memory keeps no attributes
of users, without which an overlay cannot replace a folder: there upper layers are on the disk, in
the room, and gone with that.  A folder with mounts below it cannot be one (the kernel would
have to show what these hide), so it is taken apart: an overlay over a skeleton, in which each of
its own folders is an overlay in turn.

The tree is made in one mount namespace and used in another, to which changes propagate.  So the
real folders can be reached where the tree is made, and nowhere else.
"""

from __future__ import annotations

import os
import stat

from . import remains, removal, system

TYPE_CHECKING = False  # importing more takes longer than all that is done here
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

_SPECIAL = ("/proc", "/sys", "/dev")
_NODES = ("null", "zero", "full", "random", "urandom", "tty")
_LINKS = (("fd", "fd"), ("stdin", "fd/0"), ("stdout", "fd/1"), ("stderr", "fd/2"))
_MEMORY = "25%"  # of the machine's, for all that is written outside of the home
_UPPER = "STRIPE_SANDBOX_UPPER"  # "disk": what is written outside of the home goes there
_LARGEST_COPY = 1 << 20  # a larger file in a skeleton is shown, and cannot be written


class TreePlan:
    """What the tree has beside copies of the machine's folders.

    - ``room``: an empty folder for what we need ourselves
    - ``root``: a folder shown as it is, read-only, and ``home``, one in it that can be written
      (both empty: there are none)
    - ``directory``: where ``home``'s folder ``work`` is shown as well (empty: nowhere)
    - ``kept``: folders below ``directory`` that are not in ``work``
    - ``overlaid``: ``directory`` is an overlay of what is there, and ``work``, which is not in
      ``home``, holds what a run has left in it (`remains.py`)
    """

    def __init__(
        self,
        room: str,
        root: str,
        home: str,
        work: str,
        directory: str,
        kept: tuple[str, ...],
        overlaid: bool = False,
    ) -> None:
        self.room, self.root, self.home, self.work = room, root, home, work
        self.directory, self.kept, self.overlaid = directory, kept, overlaid


class _Mounted:
    """Something mounted in the tree; ``upper`` is where writes go, if it is an overlay.

    ``own``: it belongs to the run.  Others may go away outside at any time.
    """

    def __init__(self, target: str, mount: Callable[[], str], *, own: bool = False) -> None:
        self.target, self.mount, self.own = target, mount, own
        self.upper = mount()


class FileTree:
    """The tree, made at ``<room>/root``.

    Raises:
        OSError: when the kernel does not allow what is needed.
    """

    def __init__(self, plan: TreePlan) -> None:
        self._plan = plan
        self.top = f"{plan.room}/root"
        self._memory = f"{plan.room}/memory"
        self._count = 0
        self._layers: list[_Mounted] = []
        self._directory: _Mounted | None = None
        self._renewed = False
        self._mounts = list(mount_points())
        self._room = os.open(plan.room, os.O_PATH | os.O_CLOEXEC)  # which memory is about to cover
        system.mount("tmpfs", plan.room, "tmpfs", system.MS_NOSUID | system.MS_NODEV, "mode=700")
        for folder in (self.top, self._memory, f"{plan.room}/skeletons"):
            os.mkdir(folder, 0o755)
        # Inodes are counted, so that one look tells whether anything was written.
        data = f"mode=700,nr_inodes=1m,size={_MEMORY}"
        system.mount("tmpfs", self._memory, "tmpfs", system.MS_NOSUID | system.MS_NODEV, data)
        system.mount("tmpfs", self.top, "tmpfs", system.MS_NODEV, "mode=755")
        system.mount(None, self.top, None, system.MS_SHARED, None)
        self._open_memory()
        self._on_disk = ""
        if os.environ.get(_UPPER) == "disk" or not _keeps_attributes(self._memory):
            self._on_disk = f"layers-{os.urandom(8).hex()}"
            os.mkdir(self._on_disk, 0o700, dir_fd=self._room)
            folder = f"/proc/self/fd/{self._room}/{self._on_disk}"
            system.bind(folder, f"{self._memory}/layers")
        self._make_root()
        self._make_devices()
        self._show_own()
        self._make_mark()
        system.mount(None, self.top, None, system.MS_REMOUNT | system.MS_BIND | 1, None)
        self._clean = self._look()

    def mark(self) -> int:
        """A descriptor that tells, by ``fstatvfs``, how many inodes are free (see `dirty`).

        It is of a folder. In it ``0``, ``1``, … lead to overlays whose own mode and times are to be
        looked at: that of the working directory, as these may change without another inode, and
        all whose upper layers are on the disk, where others make inodes, too.
        """
        path = f"{self._memory}/mark"
        return os.open(path, os.O_PATH | os.O_CLOEXEC)

    def dirty(self) -> bool:
        """Whether anything was written into the copies since they were made or renewed."""
        return self._look() != self._clean or self._is_touched()

    def renew(self) -> None:
        """Make the copies as they were."""
        if not self.dirty():
            return
        self.leave()
        self._renewed = True
        removal.empty(f"{self._memory}/shm")
        written = [
            index
            for index, layer in enumerate(self._layers)
            if layer.upper
            and os.path.isdir(layer.upper)
            and (os.listdir(layer.upper) or (layer is self._directory and self._is_touched()))
        ]
        again: set[int] = set()
        for index in written:
            above = self._layers[index].target + "/"
            inner = (i for i, each in enumerate(self._layers) if each.target.startswith(above))
            again.update((index, *inner))
        for index in sorted(again, reverse=True):
            system.detach(self._layers[index].target)
        away = []
        for index in sorted(again):
            layer = self._layers[index]
            old = layer.upper
            try:
                layer.upper = layer.mount()
            except FileNotFoundError:
                if layer.own:
                    raise
                away.append(layer)
            if old:
                removal.remove(os.path.dirname(old))
        self._layers = [layer for layer in self._layers if layer not in away]
        self._clean = self._look()

    def needed(self) -> set[int]:
        """Descriptors that it needs to its end."""
        return {self._room}

    def end(self) -> None:
        """Leave what is to be seen; what is on the disk goes."""
        self.leave()
        if self._on_disk:
            removal.empty(f"{self._memory}/layers")
            os.rmdir(self._on_disk, dir_fd=self._room)

    def leave(self) -> None:
        """Put what was written in the overlay of the working directory where it can be seen."""
        layer, lower = self._directory, self._plan.directory
        if layer is None:
            return
        if not self._renewed or self._is_touched() or os.listdir(layer.upper):
            # Else nobody has written there since it was renewed, and what was left before stays.
            remains.export(layer.upper, lower, self._plan.work)

    def _is_touched(self) -> bool:
        """Whether the working directory itself, which is an overlay, has other attributes now."""
        if self._directory is None:
            return False
        here, there = os.stat(self._directory.upper), os.stat(self._plan.directory)
        return (here.st_mode, here.st_mtime_ns) != (there.st_mode, there.st_mtime_ns)

    def _look(self) -> list[float]:
        """What differs after anything was written."""
        seen: list[float] = [os.statvfs(self._memory).f_ffree]
        if self._on_disk:
            uppers = [os.stat(layer.upper) for layer in self._layers if layer.upper]
            seen += [each.st_ctime_ns for each in uppers]
        return seen

    # -- making

    def _open_memory(self) -> None:
        for name, mode in (("layers", 0o700), ("shm", 0o1777)):
            os.mkdir(f"{self._memory}/{name}")
            os.chmod(f"{self._memory}/{name}", mode)
        os.mkdir(f"{self._memory}/mark", 0o755)

    def _make_mark(self) -> None:
        looked_at = [each for each in self._layers if each.upper and self._on_disk]
        if not self._on_disk and self._directory is not None:
            looked_at = [self._directory]
        for number, layer in enumerate(looked_at):
            inside = layer.target.removeprefix(self.top)
            os.symlink(inside, f"{self._memory}/mark/{number}")

    def _make_root(self) -> None:
        for name in os.listdir("/"):
            path, target = f"/{name}", f"{self.top}/{name}"
            if path not in _SPECIAL:
                self._show(path, target)
        os.makedirs(f"{self.top}/tmp", exist_ok=True)
        for name in ("proc", "sys"):
            os.mkdir(f"{self.top}/{name}", 0o555)
        system.mount("/sys", f"{self.top}/sys", None, system.MS_BIND | system.MS_REC, None)
        system.read_only(f"{self.top}/sys")

    def _show(self, path: str, target: str) -> None:
        """Show one thing of the real tree; what is neither file, folder nor link is left out."""
        mode = os.lstat(path).st_mode
        if stat.S_ISLNK(mode):
            os.symlink(os.readlink(path), target)
        elif stat.S_ISREG(mode):
            with open(target, "wb"):
                pass
            system.bind(path, target)
            system.read_only(target)
        elif stat.S_ISDIR(mode):
            os.mkdir(target)
            self._cover(path, target)

    def _cover(self, path: str, target: str) -> None:
        """Mount a copy of the folder ``path`` at the folder ``target``."""
        inside = path + "/"
        if any(point.startswith(inside) for point in self._mounts):
            self._take_apart(path, target)
            return
        try:
            self._add(target, lambda: self._overlay(path, target))
        except OSError:  # a file system that no overlay can be made of
            self._only_show(path, target)

    def _only_show(self, path: str, target: str) -> None:
        try:
            system.mount(path, target, None, system.MS_BIND | system.MS_REC, None)
        except OSError:
            return  # nor that: it is empty
        system.read_only(target)

    def _add(self, target: str, mount: Callable[[], str]) -> None:
        self._layers.append(_Mounted(target, mount))

    def _overlay(self, lower: str, target: str) -> str:
        """Mount an overlay; where its writes go."""
        self._count += 1
        place = f"{self._memory}/layers/{self._count}"
        upper, work = f"{place}/upper", f"{place}/work"
        status = os.stat(lower)
        for folder in (place, upper, work):
            os.mkdir(folder, 0o700)
        # The upper folder is what is seen of the lower one.
        os.chmod(upper, stat.S_IMODE(status.st_mode))
        try:
            os.chown(upper, status.st_uid, status.st_gid)
        except OSError:
            pass  # not ours: then it could not be written anyway, but through us
        os.utime(upper, ns=(status.st_atime_ns, status.st_mtime_ns))
        below = _escaped(lower).replace(":", "\\:")
        data = f"lowerdir={below},upperdir={_escaped(upper)},workdir={_escaped(work)},userxattr"
        try:
            system.mount("overlay", target, "overlay", system.MS_NODEV, data)
        except OSError:
            removal.remove(place)
            raise
        return upper

    def _take_apart(self, path: str, target: str) -> None:
        """Cover a folder that has mounts below it."""
        self._count += 1
        skeleton = f"{self._plan.room}/skeletons/{self._count}"
        os.mkdir(skeleton)
        try:
            entries = sorted(os.scandir(path), key=lambda entry: entry.name)
        except OSError:
            entries = []
        _dress(skeleton, os.stat(path), path)
        os.chmod(skeleton, os.stat(path).st_mode & 0o7777 | 0o700)
        folders, large = [], []
        for entry in entries:
            new = f"{skeleton}/{entry.name}"
            try:
                status = entry.stat(follow_symlinks=False)
                if stat.S_ISLNK(status.st_mode):
                    os.symlink(os.readlink(entry.path), new)
                elif stat.S_ISDIR(status.st_mode):
                    os.mkdir(new, 0o755)
                    folders.append(entry.name)
                elif not stat.S_ISREG(status.st_mode):
                    continue
                elif status.st_size <= _LARGEST_COPY:
                    with open(entry.path, "rb") as source, open(new, "wb") as copy:
                        copy.write(source.read())
                    _dress(new, status, entry.path)
                else:
                    with open(new, "wb"):
                        pass
                    large.append(entry.name)
            except OSError:
                continue
        self._add(target, lambda: self._overlay(skeleton, target))
        for name in folders:
            self._cover(f"{path}/{name}", f"{target}/{name}")
        for name in large:
            try:
                self._add(
                    f"{target}/{name}",
                    lambda n=name: _shown(f"{path}/{n}", f"{target}/{n}"),  # type: ignore[misc]
                )
            except FileNotFoundError:
                continue  # it has gone meanwhile

    def _make_devices(self) -> None:
        top = f"{self.top}/dev"
        os.mkdir(top, 0o755)
        system.mount("tmpfs", top, "tmpfs", system.MS_NOSUID, "mode=755")
        for name in _NODES:
            if os.path.exists(f"/dev/{name}"):
                with open(f"{top}/{name}", "wb"):
                    pass
                system.bind(f"/dev/{name}", f"{top}/{name}")
                system.read_only(f"{top}/{name}")  # its mode and times; devices can be written
        for name, goal in _LINKS:
            os.symlink(f"/proc/self/{goal}", f"{top}/{name}")
        os.mkdir(f"{top}/pts")
        data = "newinstance,ptmxmode=0666,mode=0620"
        flags = system.MS_NOSUID | system.MS_NOEXEC
        system.mount("devpts", f"{top}/pts", "devpts", flags, data)
        os.symlink("pts/ptmx", f"{top}/ptmx")
        for name in ("shm", "mqueue"):
            os.mkdir(f"{top}/{name}")
        system.bind(f"{self._memory}/shm", f"{top}/shm")
        try:
            system.mount("mqueue", f"{top}/mqueue", "mqueue", flags | system.MS_NODEV, None)
        except OSError:
            pass  # a kernel without: then there are no queues either
        system.mount(None, top, None, system.MS_REMOUNT | system.MS_BIND | 1, None)

    def _show_own(self) -> None:
        """Show what belongs to the run."""
        plan = self._plan
        if plan.overlaid:
            self._overlay_directory()
        elif plan.directory:
            self._bind(plan.work, plan.directory)
        for path in plan.kept:
            # In the copy there is an empty folder, on which this is mounted.
            self._cover(path, self.top + path)
        if plan.root:
            self._bind(plan.root, plan.root, read_only=True)
            self._bind(plan.home, plan.home)
        if self._on_disk:  # it holds the upper layers
            self._hide(plan.room)

    def _overlay_directory(self) -> None:
        directory, target = self._plan.directory, self.top + self._plan.directory
        self._directory = _Mounted(target, lambda: self._overlay(directory, target), own=True)
        self._layers.append(self._directory)
        remains.bring(self._plan.work, target)

    def _bind(self, source: str, path: str, *, read_only: bool = False) -> None:
        target = self.top + path

        def again() -> str:
            system.bind(source, target)
            if read_only:
                system.read_only(target)
            return ""

        self._layers.append(_Mounted(target, again, own=True))

    def _hide(self, path: str) -> None:
        target = self.top + path

        def again() -> str:
            system.mount("tmpfs", target, "tmpfs", system.MS_NODEV, "mode=700,size=4k")
            system.read_only(target)
            return ""

        self._layers.append(_Mounted(target, again, own=True))


def _keeps_attributes(folder: str) -> bool:
    """Whether files there can have attributes of users, as overlays need."""
    try:
        os.setxattr(folder, "user.stripe", b"")
    except OSError:
        return False
    os.removexattr(folder, "user.stripe")
    return True


def _escaped(path: str) -> str:
    """A path among the options of a mount."""
    return path.replace("\\", "\\\\").replace(",", "\\,")


def _dress(copy: str, status: os.stat_result, path: str) -> None:
    """Give a copy what ``path`` has besides its content (importing shutil takes too long)."""
    os.utime(copy, ns=(status.st_atime_ns, status.st_mtime_ns))
    try:
        for name in os.listxattr(path):
            os.setxattr(copy, name, os.getxattr(path, name))
    except OSError:
        pass  # not there, or not for us
    os.chmod(copy, stat.S_IMODE(status.st_mode))


def _shown(path: str, target: str) -> str:
    system.bind(path, target)
    system.read_only(target)
    return ""


def mount_points() -> Iterator[str]:
    """Where something is mounted."""
    with open("/proc/self/mountinfo", "rb") as lines:
        for line in lines:
            first, *others = line.split(b" ")[4].split(b"\\")
            # Blanks and the like are written in three octal digits.
            path = first + b"".join(bytes([int(part[:3], 8)]) + part[3:] for part in others)
            yield os.fsdecode(path)
