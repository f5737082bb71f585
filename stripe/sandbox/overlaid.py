"""The user's directory as an overlay: nothing is copied, and a slot holds what its last run left.

Only for large directories, since an overlay is no exact copy: it does not rename folders that were
there before, and what the user edits meanwhile shows through.
"""

from __future__ import annotations

import os
import stat
from contextlib import suppress
from pathlib import Path

from stripe.sandbox.copies import Trash, is_folder, join, read_tree, same_content
from stripe.sandbox.inside.remains import failed_file, gone_file
from stripe.sandbox.restoration import Slot, strays

_CACHE = "__pycache__"
_LINKS = 40

_SHOWN: dict[Path, Path] = {}
"""By the folder of a slot, the directory of which it holds what a run has changed."""


class Overlaid:
    """Slots for runs in overlays of ``directory``.

    ``trash``: where to put what does not belong into a slot.
    """

    def __init__(self, directory: Path, trash: Trash) -> None:
        self._directory = directory
        self._trash = trash

    def bring_back(self, slot: Slot) -> None:
        """Make the slot what it was when it was new, or make it if it is.

        Raises:
            OSError: as when the disk is full.
        """
        for folder in (slot.tmp.parent, slot.tmp, *_left_in(slot)):
            folder.mkdir(mode=0o700, exist_ok=True)
        _SHOWN[slot.directory] = self._directory
        for name in strays(slot):
            self._trash.discard(os.path.normpath(slot.directory / name))
        for folder in (slot.tmp, slot.directory):
            folder.chmod(0o700)
            self._trash.empty(str(folder))
        for file in (gone_file, failed_file):
            with suppress(FileNotFoundError):
                os.unlink(file(str(slot.directory)))

    def changes(self, slot: Slot) -> list[str]:
        """The paths that a run added, changed or removed; see :meth:`Workspace.changes`.

        Raises:
            UsageError: ``system-limit``, when the system did not let them be seen.
        """
        found, gone = strays(slot), _gone(slot.directory)
        if gone is None:
            return sorted(found)
        there = read_tree(str(slot.directory))
        found += [
            path or "." for path, status in there.items() if self._differs(slot, path, status)
        ]
        for path in gone - there.keys():
            below = read_tree(str(self._directory / path))
            found += [os.path.normpath(f"{path}/{name}") for name in below]
        return sorted(found)

    def _differs(self, slot: Slot, path: str, status: os.stat_result) -> bool:
        """Whether what a run left differs from the original in a way that a program can see."""
        old, new = str(self._directory / path), str(slot.directory / path)
        try:
            wanted = os.lstat(old)
        except OSError:
            return _CACHE not in path.split("/")
        if status.st_mode != wanted.st_mode:
            return True
        if is_folder(wanted):
            return False
        if stat.S_ISLNK(wanted.st_mode):
            return os.readlink(old) != os.readlink(new)
        if (status.st_size, status.st_mtime_ns) != (wanted.st_size, wanted.st_mtime_ns):
            return True
        return not same_content(old, new)


def shown_in(folder: Path) -> Path | None:
    """The directory of which ``folder`` holds what a run has changed; ``None`` if it is a copy."""
    return _SHOWN.get(folder)


def forget(root: Path) -> None:
    """Forget the slots in a folder that is removed."""
    for folder in [each for each in _SHOWN if each.is_relative_to(root)]:
        del _SHOWN[folder]


def find(folder: Path, path: str) -> Path:
    """Where the content of ``path`` is, as it was in the working directory when a run had ended."""
    directory = shown_in(folder)
    if directory is None:
        return folder / path
    gone = _gone(folder) or set()
    found, ahead, links = "", list(reversed(Path(path).parts)), 0
    while ahead:
        name = ahead.pop()
        if name == "..":
            found = os.path.dirname(found)
            continue
        place = _place(folder, directory, gone, join(found, name))
        if not place.is_symlink() or links > _LINKS:
            found = join(found, name)
            continue
        links += 1
        goal = Path(os.path.normpath(directory / found / place.readlink()))
        if not goal.is_relative_to(directory):
            return goal.joinpath(*reversed(ahead))
        found, ahead = "", [*ahead, *reversed(goal.relative_to(directory).parts)]
    return _place(folder, directory, gone, found)


def _place(folder: Path, directory: Path, gone: set[str], path: str) -> Path:
    """Where something is whose path has no links."""
    left = folder / path
    if os.path.lexists(left):
        return left
    parts = Path(path).parts
    removed = any(str(Path(*parts[:count])) in gone for count in range(1, len(parts) + 1))
    return left if removed else directory / path


def _left_in(slot: Slot) -> tuple[Path, ...]:
    above = slot.directory.parent
    return above.parent, above, slot.directory


def _gone(folder: Path) -> set[str] | None:
    """What a run has removed; ``None`` if it has changed nothing.

    Raises:
        UsageError: ``system-limit``, when what it has left could not be kept.
    """
    with suppress(FileNotFoundError):
        number = int(Path(failed_file(str(folder))).read_text(encoding="ascii"))
        error = OSError(number, os.strerror(number))
        from stripe.sandbox.commands import system_limit  # lazy

        raise system_limit(error) or error
    try:
        data = Path(gone_file(str(folder))).read_bytes()
    except FileNotFoundError:
        return None
    return {os.fsdecode(path) for path in data.split(b"\0") if path}
