"""Slots brought back to the pristine copy, and what a run changed in one.

**Restoring is a comparison, not a copy.**  Thousands of runs use the same slot, and most
change little.  For every file placed in a slot we keep its inode, status change time, size,
modification time and mode; a file whose stamp is the same was not written.  The status change
time cannot be set by a program, so a file modified in place whose modification time was put
back is found too.  Known limit: the kernel's clock ticks every few milliseconds; a file that
is placed, changed and given its old modification time within one tick, at equal size, is
missed.

**Why not** hard links to the pristine files: a program that writes in place would change
all copies.  Directories too large to be copied are overlays (`overlaid.py`), where there are any.
"""

from __future__ import annotations

import errno
import os
import stat
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from stripe.errors import UsageError
from stripe.sandbox.copies import (
    FULL,
    Stamp,
    Trash,
    Tree,
    copy_file,
    copy_link,
    finish_folder,
    is_folder,
    join,
    read_tree,
    same_content,
    scan,
    stamp,
    twins,
)
from stripe.sandbox.survey import printable

OURS = frozenset({"cwd", "tmp", "out", "err", "log", "children", "reads", "report", "report.new"})
"""What is in the home of a slot but not of its program's making."""

_PART = 500
"""Files that are copied before anybody hears of it."""

_THREADS = 4


@dataclass(frozen=True, slots=True)
class Slot:
    """One scratch directory and what belongs to it.

    ``directory`` is the copy of the working directory, ``inside`` what it is called by programs
    that run there, ``tmp`` is for TMPDIR, ``out`` and ``err`` are paths (not created here) for what
    a server that starts there prints.
    """

    number: int
    directory: Path
    inside: Path
    tmp: Path
    out: Path
    err: Path


class Pristine:
    """What slots are made from, and brought back to: a copy of the user's directory, or itself.

    Args:
        path: where it is; nothing is written there any more.
        directory: the user's, of which it is a copy.
        spellings: the paths by which links may name that.
        trash: where to put what does not belong into a slot.
        clones: whether files are copied without copying their content.
        found: what counts, if ``path`` is the user's directory itself; it has to stay like that.
    """

    def __init__(
        self,
        path: str,
        directory: Path,
        spellings: frozenset[str],
        trash: Trash,
        clones: bool,
        found: Tree | None = None,
    ) -> None:
        self._pristine = path
        self._directory = directory
        self._spellings = spellings
        self._trash = trash
        self._clones = clones
        self._is_own = found is not None
        self._tree = read_tree(path) if found is None else found
        self._twins = twins(self._tree)
        self._stamps: dict[int, dict[str, Stamp]] = {}

    def bring_back(
        self,
        slot: Slot,
        check: Callable[[], object] = bool,
        tell: Callable[[str], object] = bool,
    ) -> list[str]:
        """Make the slot what it was when it was new, or make it if it is.

        ``check`` is called meanwhile, and may raise; ``tell`` hears how far it is.

        Returns:
            what is left out from now on, as it cannot be read.

        Raises:
            OSError: as when the disk is full.
            UsageError: ``directory-changed``, when somebody has changed what is needed.
        """
        home, holder = slot.tmp.parent, slot.directory.parent
        for folder in (home, slot.tmp, holder, slot.directory):
            self._make_folder(str(folder))
        self._trash.empty(str(slot.tmp))
        for name in strays(slot):
            self._trash.discard(os.path.normpath(slot.directory / name))
        return self._restore_tree(slot, check, tell)

    def changes(self, slot: Slot) -> list[str]:
        """The paths that a run added, changed or removed; see :meth:`Workspace.changes`."""
        there = read_tree(str(slot.directory))
        found = strays(slot)
        found += [
            path or "."
            for path in self._tree
            if path not in there or self._differs(slot, path, there[path])
        ]
        found += [
            path
            for path in there.keys() - self._tree.keys()
            if "__pycache__" not in path.split("/")
        ]
        return sorted(found)

    def _make_folder(self, path: str) -> None:
        """Make sure that ``path`` is a folder and that we can work in it."""
        try:
            mode = os.lstat(path).st_mode
        except FileNotFoundError:
            mode = 0
        if stat.S_ISDIR(mode):
            os.chmod(path, 0o700)
        else:
            self._trash.discard(path)
            os.mkdir(path, 0o700)

    def _restore_tree(
        self, slot: Slot, check: Callable[[], object], tell: Callable[[str], object]
    ) -> list[str]:
        work, tree, stamps = (
            str(slot.directory),
            self._tree,
            self._stamps.setdefault(slot.number, {}),
        )
        opened: set[str] = set()  # folders that lack their own mode and time

        def open_folder(rel: str) -> None:
            if rel not in opened:
                opened.add(rel)
                os.chmod(join(work, rel), 0o700)

        # Away with what does not belong there.
        present = {""}
        pending = [("", os.lstat(work))]
        while pending:
            rel, status = pending.pop()
            if (
                status.st_mtime_ns != tree[rel].st_mtime_ns
                or status.st_mode != tree[rel].st_mode
                or status.st_mode & 0o500 != 0o500  # else we could not look into it
            ):
                open_folder(rel)
            for entry in scan(join(work, rel)):
                path = join(rel, entry.name)
                status = entry.stat(follow_symlinks=False)
                if stat.S_ISDIR(status.st_mode) and is_folder(tree.get(path)):
                    present.add(path)
                    pending.append((path, status))
                elif stamps.get(path) == stamp(status):
                    present.add(path)
                else:
                    open_folder(rel)
                    self._trash.discard(entry.path)
        # Here with what is missing now, folders before what they hold.
        missing = [path for path in tree if path not in present]
        for path in missing:
            open_folder(os.path.dirname(path))
            if is_folder(tree[path]):
                os.mkdir(join(work, path))
                open_folder(path)
                present.add(path)
        files = [path for path in missing if path not in present]
        unreadable = self._place_all(slot, files, present, check, tell)
        for path in unreadable:
            del tree[path]
        for path in missing:
            # Each hard link made changed the status of all.
            for name in self._twins.get(path, [path]):
                if name in tree:
                    stamps[name] = stamp(os.lstat(join(work, name)))
        # From below, as the folders above may not let us in once they have their own mode.
        for rel in sorted(opened, key=len, reverse=True):
            finish_folder(join(work, rel), tree[rel])
        return unreadable

    def _place_all(
        self,
        slot: Slot,
        files: list[str],
        present: set[str],
        check: Callable[[], object],
        tell: Callable[[str], object],
    ) -> list[str]:
        """Put files and links into the slot; those that could not be read."""
        alone = [path for path in files if path not in self._twins]
        parts = [alone[place : place + _PART] for place in range(0, len(alone), _PART)]
        unreadable: list[str] = []
        if len(parts) > 1:
            from concurrent.futures import ThreadPoolExecutor  # lazy

            with ThreadPoolExecutor(_THREADS) as pool:
                work = [pool.submit(self._place_some, slot, part, present) for part in parts]
                try:
                    for number, each in enumerate(work):
                        unreadable += each.result()
                        check()
                        tell(f"copying the working directory: {number * _PART:,} of {len(files):,}")
                except BaseException:
                    pool.shutdown(cancel_futures=True)
                    raise
        else:
            unreadable = self._place_some(slot, alone, present)
        return unreadable + self._place_some(
            slot, [path for path in files if path in self._twins], present
        )

    def _place_some(self, slot: Slot, files: list[str], present: set[str]) -> list[str]:
        unreadable = []
        for path in files:
            try:
                self._place(slot, path, present)
            except OSError as error:
                if not self._is_own or error.errno in FULL:
                    raise
                if error.errno in (errno.ENOENT, errno.ENOTDIR, errno.ELOOP):
                    raise changed_meanwhile([path]) from None
                unreadable.append(path)
                self._trash.discard(str(slot.directory / path))
            else:
                present.add(path)
        return unreadable

    def _place(self, slot: Slot, path: str, present: set[str]) -> None:
        """Put one pristine file or link into the slot, where nothing has its name."""
        old, new = join(self._pristine, path), str(slot.directory / path)
        twin = next((name for name in self._twins.get(path, ()) if name in present), None)
        if stat.S_ISLNK(self._tree[path].st_mode):
            copy_link(self._goal(slot, path), new, self._tree[path])
        elif twin is not None:
            os.link(slot.directory / twin, new)
        else:
            status = copy_file(old, new, self._clones)
            if self._is_own and stamp(status) != stamp(self._tree[path]):
                raise changed_meanwhile([path])

    def _goal(self, slot: Slot, path: str) -> str:
        """Where a copied link has to point, so that runs neither miss nor harm files.

        An absolute link into the user's directory would let a run write there: it goes to
        the slot's own copy.  A relative link out of the directory would point to somewhere
        in our temporary directory: it goes to the original target.
        """
        goal = os.readlink(join(self._pristine, path))
        inside = os.path.normpath(join(os.path.dirname(path), goal))
        if not os.path.isabs(goal) and inside.split("/")[0] != "..":
            return goal
        here = self._directory / os.path.dirname(path)
        wanted = os.path.normpath(os.path.join(here, goal))
        for top in self._spellings:
            if wanted == top or wanted.startswith(os.path.join(top, "")):
                return os.path.normpath(slot.directory / os.path.relpath(wanted, top))
        return os.path.join(here, goal)

    def _differs(self, slot: Slot, path: str, status: os.stat_result) -> bool:
        """Whether what is there differs from the original in a way that a program can see."""
        wanted = self._tree[path]
        copy = join(str(slot.directory), path)
        if stamp(status) == self._stamps[slot.number].get(path):
            return False
        if status.st_mode != wanted.st_mode:
            return True
        if is_folder(wanted):
            return False
        try:
            if stat.S_ISLNK(wanted.st_mode):
                return os.readlink(copy) != self._goal(slot, path)
            if (status.st_size, status.st_mtime_ns) != (wanted.st_size, wanted.st_mtime_ns):
                return True
            # Only the stamp differs: linked, given the same mode - or written, and its time
            # put back.
            return not same_content(copy, join(self._pristine, path))
        except OSError:
            return True


def strays(slot: Slot) -> list[str]:
    """What a run put beside the slot's directory, relative to that."""
    above, beside = _names(slot.tmp.parent), _names(slot.directory.parent)
    strays = [f"../../{name}" for name in above - OURS]
    return strays + [f"../{name}" for name in beside - {slot.directory.name}]


def _names(folder: Path) -> set[str]:
    try:
        return set(os.listdir(folder))
    except OSError:
        return set()


def changed_meanwhile(paths: Sequence[str]) -> UsageError:
    """The error for files that are not any more what the recorded run has read."""
    shown = ", ".join(printable(path) for path in paths[:3])
    more = f" and {len(paths) - 3} more" if len(paths) > 3 else ""
    return UsageError(
        "directory-changed",
        f"While STRIPE ran, somebody changed what the program reads: {shown}{more}. What was found "
        "until then would be of two programs.",
        "Run it again, and change nothing meanwhile. A directory of less than 64 MB and 2,000 "
        "files is copied first, and can be changed.",
    )
