"""Scratch copies of the working directory, so that no run can touch the user's files.

A :class:`Workspace` owns one temporary directory::

    <root>/pristine            the user's directory, copied once
    <root>/0000/cwd/<name>     slot 0: where a run works; <name> as the user's directory
    <root>/0000/tmp            its TMPDIR
    <root>/0000/out, err       files for its output
    <root>/0001/...            slot 1; all slots have paths of the same length
    <root>/trash               on its way out

Runs go behind walls (:mod:`stripe.sandbox.walls`).  In namespaces a slot's directory stands where
the user's directory does, and what was not copied (``.git``, environments) is shown there, as all
else outside is: as a copy on write, which is renewed when a run has written in it.

A *large* directory is not copied at all there, but shown in that way (:mod:`.overlaid`).  Elsewhere
there is no pristine copy of it: slots are made from the directory itself, once for each that runs.
"""

from __future__ import annotations

import atexit
import os
import shutil
import subprocess
import tempfile
from collections.abc import Callable, Collection, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Self

from stripe.errors import UsageError
from stripe.sandbox import places
from stripe.sandbox.copies import (
    FULL,
    Trash,
    can_clone,
    copy_tree,
    finish_folder,
    is_in_memory,
    join,
)
from stripe.sandbox.edits import Edits
from stripe.sandbox.overlaid import Overlaid, forget
from stripe.sandbox.reads import Reads, Stamps
from stripe.sandbox.restoration import Pristine, Slot
from stripe.sandbox.scratch import Scratch, is_special
from stripe.sandbox.survey import (
    CACHES,
    FolderSurvey,
    printable,
    readable_size,
    survey_within,
    unreadable_note,
)
from stripe.sandbox.walls import Layer, Walls

LARGE_BYTES, LARGE_FILES = 64 * 10**6, 2_000
"""A working directory of more bytes or entries than this is large: copying it would be noticed."""

MAX_BYTES = 10**10
"""The largest working directory we copy, in bytes."""

MAX_FILES = 400_000
"""The most entries (files, links, folders) of a working directory we copy."""

_PROBE_SECONDS = 30.0

_SHOWN_NOTE = (
    "The working directory is large: runs work in an overlay of it, not in a copy. What is changed "
    "there while STRIPE runs shows through; a change of what the program reads ends it."
)
"""A note."""

TMP_NAME = b"/tmp/stripe-run"
"""What :meth:`Workspace.canonical` writes for a slot's TMPDIR."""


class Workspace:
    """Scratch copies of ``directory`` for up to ``jobs`` runs at the same time.

    A context manager; :meth:`close` removes everything, and so does the end of the process.
    Different slots may be used from different threads at once, one slot only from one.
    ``layer`` is what runs are kept in by, but in the slots that are ``live``; those
    in the slots ``networked`` may use the network.
    ``notes`` are one-line facts the user may want to know (what was not copied, and why).
    ``check`` is called while ``directory`` is copied, and may raise; ``tell`` hears how far it is.
    Nothing is ever written in ``directory``.

    Raises :class:`~stripe.errors.UsageError`: ``no-such-directory``, ``directory-too-large``,
    ``no-space-for-copies``.
    """

    def __init__(
        self,
        directory: Path,
        jobs: int = 1,
        *,
        layer: Layer = Layer.NONE,
        live: Collection[int] = (),
        networked: Collection[int] = (),
        max_bytes: int = MAX_BYTES,
        max_files: int = MAX_FILES,
        check: Callable[[], object] = bool,
        tell: Callable[[str], object] = bool,
    ) -> None:
        if jobs < 1:
            raise ValueError(f"jobs must be at least 1, not {jobs}")
        # What os.getcwd() tells a program, whatever symbolic links the user came through.
        self.directory = Path(os.path.realpath(directory))
        self.jobs = jobs
        self.layer = layer
        self._live, self._networked = live, networked
        self._spellings = frozenset({str(self.directory), os.path.abspath(directory)})
        # Survey first: directory may be the place where temporary files go, and must not be
        # found to contain the copy of itself.
        top = str(self.directory)
        survey = survey_within(top, LARGE_BYTES, LARGE_FILES, check)
        self._large = survey is None
        self._slots: dict[int, Slot] = {}
        self._owner = os.getpid()
        self._scratch = Scratch(self._away())
        self.root = self._scratch.path
        self.notes: list[str] = []
        self._kept: list[str] = []
        self._copies: Overlaid | Pristine
        self._overlaid = False
        self._edits: Edits | None = None
        self._pristine = top
        self._check, self._tell = check, tell
        atexit.register(self.close)
        try:
            self._trash = Trash(str(self.root / "trash"))
            os.mkdir(self.root / "trash", 0o700)
            if self._large and self._can_overlay():
                self._copies, self._overlaid = Overlaid(self.directory, self._trash), True
                self.notes.append(_SHOWN_NOTE)
                return
            if survey is None:
                survey = FolderSurvey(top, max_bytes, max_files, check)
            else:
                survey.require_at_most(max_bytes, max_files)
            self._clones = can_clone(str(self.root))
            self._require_space(survey.bytes)
            self._copies = self._copy_once(survey)
        except BaseException:
            self.close()
            raise
        self.notes += survey.notes(set(self._kept))
        if self._large:
            self.notes.append(self._copied_note(survey))

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *exception: object) -> None:
        self.close()

    def close(self) -> None:
        """Remove every scratch copy; harmless when called again.

        End the processes that run there first, or they may write on while we remove.
        """
        if os.getpid() != self._owner:
            return  # a fork of the host process: the copies are not ours to remove
        atexit.unregister(self.close)
        forget(self.root)
        places.end_below(self.root)
        root = str(self.root)
        trash = Trash(root)
        for _ in range(3):
            try:
                os.chmod(root, 0o700)
                trash.empty(root)
                os.rmdir(root)
                break
            except FileNotFoundError:
                break
            except OSError:
                continue  # somebody still writes there: once more
        self._scratch.close()

    @property
    def copied(self) -> bool:
        """Whether slots are copies, and no overlays of the directory."""
        return not self._overlaid

    def slot(self, i: int) -> Slot:
        """Slot number ``i`` (0 to jobs-1), made from the pristine copy when first asked for."""
        if i not in self._slots:
            if not 0 <= i < self.jobs:
                raise IndexError(f"slot {i} of {self.jobs}")
            home = self.root / str(i).zfill(max(4, len(str(self.jobs - 1))))
            # The copy keeps the folder's own name, as programs print and test it.
            work = home / "cwd" / (self.directory.name or "root")
            inside = self.directory if self._stands_there(i) else work
            if self._overlaid:
                work = self.root / f"left-{home.name}" / "cwd" / work.name
            slot = Slot(i, work, inside, home / "tmp", home / "out", home / "err")
            self._bring_back(slot)
            self._slots[i] = slot
        return self._slots[i]

    def restore(self, i: int) -> None:
        """Bring slot ``i`` back to the pristine state and empty its TMPDIR.

        Costs one look at every file of the slot, and a copy of each that was changed.  The
        slot's directory itself stays the same (a process may have it as its working
        directory) unless the run removed it.
        """
        if i in self._slots:
            self._bring_back(self._slots[i])
        else:
            self.slot(i)

    def _bring_back(self, slot: Slot) -> None:
        with self._explaining_full_disk():
            if isinstance(self._copies, Overlaid):
                self._copies.bring_back(slot)
                return
            left_out = self._copies.bring_back(slot, self._check, self._tell)
            if left_out:
                self.notes.append(unreadable_note(left_out))

    def changes(self, i: int) -> list[str]:
        """The paths that a run added, changed or removed in slot ``i``, sorted.

        Relative to the slot's directory; ``../name`` for something it put beside it.  What
        is in a ``__pycache__`` does not count, nor a folder that is only newer.
        """
        return self._copies.changes(self.slot(i))

    def layer_of(self, i: int) -> Layer:
        """What runs in slot ``i`` are kept in by."""
        return Layer.NONE if i in self._live else self.layer

    def walled(
        self,
        i: int,
        command: Sequence[str],
        *,
        cwd: Path | None = None,
        terminal: str = "",
        ours: bool = False,
        renews: bool = True,
    ) -> list[str]:
        """The command line that runs ``command`` in slot ``i``, in its directory unless told.

        For the other arguments see :meth:`stripe.sandbox.walls.Walls.command`.
        """
        at = cwd or self.slot(i).inside
        walls = self.walls(i)
        return walls.command(command, at, terminal=terminal, ours=ours, renews=renews)

    def denied(self, i: int) -> list[str]:
        """What nothing but walls has denied the last command in slot ``i``, in words."""
        return self.walls(i).denied()

    def walls(self, i: int) -> Walls:
        """What is around slot ``i``."""
        slot = self.slot(i)
        home = slot.tmp.parent
        return Walls(
            self.layer_of(i),
            self.root,
            home,
            self.root / f"room-{home.name}",
            slot.directory,
            str(self.directory) if self._stands_there(i) else "",
            tuple(str(self.directory / path) for path in self._kept),
            i in self._networked,
            self._overlaid,
        )

    def stamps(self, i: int) -> Stamps:
        """What makes stamps of what runs in slot ``i`` read."""
        alias = str(self.slot(i).directory)
        return Stamps(self.directory, Path(self._pristine), (self.root,), alias)

    def watch(self, stamps: Stamps, reads: Reads) -> None:
        """Look from now on whether what a run has read in the directory stays the same.

        Nothing has to be looked at where there is a copy of it.
        """
        if self._large:
            self._edits = Edits(self.directory, stamps, reads.stamps)

    def require_unchanged(self) -> None:
        """Raises :class:`~stripe.errors.UsageError` (``directory-changed``)."""
        if self._edits is not None:
            self._edits.require_none()

    def _stands_there(self, i: int) -> bool:
        """Whether runs in slot ``i`` find the copy where the user's directory is."""
        if self.layer_of(i) is not Layer.NAMESPACES or is_special(self.directory):
            return False
        return not self.root.is_relative_to(self.directory)

    def _away(self) -> str | None:
        """Where to make copies: not in what is copied, which they are to stand for."""
        for place in (None, "/tmp", "/var/tmp"):
            folder = os.path.realpath(place or tempfile.gettempdir())
            if not Path(folder).is_relative_to(self.directory) and os.access(folder, os.W_OK):
                return place
        return None

    def _can_overlay(self) -> bool:
        """Whether all slots can be overlays of the directory, found out by trying."""
        if self._live or not self._stands_there(0) or _has_mounts(self.directory):
            return False
        home, room, left = (self.root / f"probe-{name}" for name in ("home", "room", "left"))
        work = left / "cwd" / "work"
        for folder in (home, work):
            folder.mkdir(parents=True)
        walls = Walls(self.layer, self.root, home, room, work, str(self.directory), overlaid=True)
        command = ["/bin/sh", "-c", ': > "$0" && rm "$0"', f".stripe-{os.urandom(8).hex()}"]
        try:
            done = subprocess.run(
                walls.command(command, self.directory, renews=False),
                stdin=subprocess.DEVNULL,
                capture_output=True,
                timeout=_PROBE_SECONDS,
            )
        except (OSError, subprocess.TimeoutExpired):
            return False
        finally:
            for folder in (home, room, left):
                self._trash.discard(str(folder))
        return not done.returncode

    def _copy_once(self, survey: FolderSurvey) -> Pristine:
        """What slots are made from: a copy, or the directory itself if that is large."""
        namespaces = self.layer is Layer.NAMESPACES
        if self._large:
            self._pristine = str(self.directory)
            kept = self._shown_folders(survey) if namespaces else []
            found = survey.found | {path: os.stat(join(survey.top, path)) for path in kept}
        else:
            self._pristine = str(self.root / "pristine")
            found = None
            with self._explaining_full_disk():
                survey.unreadable += copy_tree(
                    survey.top, survey.found, self._pristine, self._clones, self._check
                )
            kept = self._stand_ins(survey) if namespaces else []
        self._kept = kept
        return Pristine(
            self._pristine, self.directory, self._spellings, self._trash, self._clones, found
        )

    def _shown_folders(self, survey: FolderSurvey) -> list[str]:
        """The folders that were not copied and can be shown."""
        return [
            path
            for path in survey.left_out
            if os.path.basename(path) not in CACHES - {"node_modules"}
            and os.path.isdir(join(survey.top, path))
        ]

    def _stand_ins(self, survey: FolderSurvey) -> list[str]:
        """Make empty folders for what was not copied, in which it can be shown; their paths."""
        kept = []
        for path in self._shown_folders(survey):
            old, new = join(survey.top, path), join(self._pristine, path)
            parent = os.path.dirname(path)
            try:
                os.chmod(join(self._pristine, parent), 0o700)
                os.mkdir(new)
                finish_folder(new, os.stat(old))
                kept.append(path)
            except OSError:
                continue  # it is not shown, then
            finally:
                finish_folder(join(self._pristine, parent), survey.found[parent])
        return kept

    def canonical(self, data: bytes, i: int) -> bytes:
        """``data``, a run's output, as it would be had the run worked in the user's directory.

        The path of slot ``i`` becomes that of the original, and its TMPDIR a fixed name, so
        that the outputs of different slots can be compared.
        """
        slot = self.slot(i)
        home = os.fsencode(slot.tmp.parent)
        if home not in data:
            return data
        original = os.fsencode(self.directory)
        work = os.fsencode(slot.directory)
        if original == b"/":
            data = data.replace(work + b"/", b"/")
        data = data.replace(work, original)
        data = data.replace(os.fsencode(slot.tmp), TMP_NAME)
        # The folder above, alone or with the name written in some escaped form.
        return data.replace(home + b"/cwd", os.path.dirname(original))

    def _require_space(self, size: int) -> None:
        copies = self.jobs if self._large else self.jobs + 1
        needed = size if self._clones else size * copies
        free = shutil.disk_usage(self.root).free
        if needed > free:
            raise self._no_space(
                f"needs {readable_size(needed)} for {copies} copies of "
                f"{printable(self.directory)}, and {readable_size(free)} are free"
            )

    def _copied_note(self, survey: FolderSurvey) -> str:
        """What the copies of a large directory take, and where."""
        what = f"{len(survey.found):,} files and folders, {readable_size(survey.bytes)}"
        where = "in memory" if is_in_memory(str(self.root)) else "on disk"
        shared = ", which share their blocks until they are changed" if self._clones else ""
        return (
            f"The working directory is large, and copied ({what}) for each of up to {self.jobs} "
            f"runs at a time: {where}, in {printable(self.root.parent)}{shared}."
        )

    def _no_space(self, why: str) -> UsageError:
        place = printable(self.root.parent)
        return UsageError(
            "no-space-for-copies",
            f"There is not enough room in {place}: STRIPE runs the program in scratch copies of "
            f"the working directory; this {why}.",
            "Use fewer at a time (--jobs 1), set TMPDIR to a folder on a larger disk, or run "
            "from a smaller directory.",
        )

    @contextmanager
    def _explaining_full_disk(self) -> Iterator[None]:
        try:
            yield
        except OSError as error:
            if error.errno in FULL:
                raise self._no_space("filled the disk") from error
            raise


def _has_mounts(directory: Path) -> bool:
    """Whether something is mounted in it, which an overlay would not show."""
    from stripe.sandbox.inside.tree import mount_points  # lazy

    return any(directory in Path(point).parents for point in mount_points())
