"""What a run read, and whether it is still the same.

A run is *witnessed*: ``inside/witness.py`` runs the command, and the kernel tells it of every path
that the command, and all that it starts, opens, executes, or only looks for.  Each such path gets a
*stamp*, a short text that is another one when what is there has changed:

- files in the working directory, as they were copied: by content (above :data:`LARGE` bytes, as
  those outside)
- files elsewhere: by size, modification time, status change time (which no program can set) and
  inode number
- folders that were opened: by the names in them; others: that they are there
- links: by what they say, and the stamp of what they lead to
- ``absent``: a run may depend on there being nothing

Left out are ``/proc``, ``/sys`` and ``/dev``, which are no files, what is the run's own (scratch
copies, TMPDIR), and ``__pycache__``, which follows from files that are looked at, too.
"""

from __future__ import annotations

import functools
import os
import stat
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from hashlib import blake2b
from pathlib import Path

from stripe.sandbox.survey import CACHES, VERSION_CONTROL
from stripe.sandbox.walls import script

WITNESS = Path(__file__).parent / "inside" / "witness.py"

LARGE = 16 << 20
"""Bytes up to which a file of the working directory is known by its content."""

MANY = 1000
"""Names up to which a folder of the working directory is known by the names themselves."""

ABSENT = "absent"
LISTED = "/"
"""At the end of a path: the names in the folder are meant."""

LIVE = "it acted for real, once (--live)"
UNLIKE = "the program did something else when it was watched"

_ELSEWHERE = ("/proc", "/sys", "/dev")
_LINKS = 40


@dataclass(frozen=True, slots=True)
class Reads:
    """The stamps of what a run read, by path; those in the working directory are relative to it.

    ``unseen`` says why it is not known what it read, and is empty if it is.
    """

    stamps: Mapping[str, str] = field(default_factory=dict)
    unseen: str = ""


@dataclass(frozen=True, slots=True)
class Seen:
    """A report: what was seen, how long the command took, and why nothing could be seen."""

    sights: Sequence[tuple[str, str]]
    seconds: float
    refused: str


def witnessed(command: Sequence[str], report: Path) -> list[str]:
    """The command line that runs ``command`` (its first word is a path) and leaves a report."""
    return script(WITNESS, report, *command)


def read_report(report: Path) -> Seen:
    """What the witness tells; it is taken away."""
    try:
        data = report.read_bytes()
        report.unlink()
    except OSError:
        return Seen((), 0.0, "the witness of the run left no report")
    head, *records = data.split(b"\0")
    word, _, rest = os.fsdecode(head).partition(" ")
    if word != "ok":
        return Seen((), 0.0, rest or "no reason given")
    sights = [(each[:1].decode("ascii"), os.fsdecode(each[2:])) for each in records]
    return Seen(sights, float(rest), "")


def unwitnessed(stamps: Stamps, why: str) -> Reads:
    """What is said to have been read by a run that was not witnessed."""
    return stamps.reads(Seen((), 0.0, why))


class Stamps:
    """Makes stamps of paths, as a run in a copy of ``directory`` sees them.

    ``pristine`` is that copy, ``own`` are folders that are the run's own, and ``alias`` is what the
    directory is called in the run.
    """

    def __init__(
        self, directory: Path, pristine: Path | None, own: Sequence[Path] = (), alias: str = ""
    ) -> None:
        self._directory = str(directory)
        self._pristine = None if pristine is None else str(pristine)
        self._own = tuple(str(each) for each in own)
        self._alias = alias or self._directory
        self._folder = functools.cache(os.path.realpath)

    def reads(self, seen: Seen) -> Reads:
        """The stamps of all that was seen; if nothing could be, of the whole copy."""
        found: dict[str, str] = {}
        if seen.refused:
            for folder, folders, names in os.walk(self._pristine or ""):
                folders[:] = [each for each in folders if each not in CACHES | VERSION_CONTROL]
                here = os.path.relpath(folder, self._pristine)
                paths = (os.path.normpath(os.path.join(here, name)) for name in names)
                found.update((path, self.stamp(path)) for path in paths)
            return Reads(found, seen.refused)
        for kind, path in seen.sights:
            key = self.key(path)
            if key is None:
                continue
            if key not in found:
                found[key] = self.stamp(key)
            if kind == "o" and found[key] == "folder":
                found[key + LISTED] = self.stamp(key + LISTED)
            if kind == "x":
                for script in self._interpreters(key):
                    found[script] = self.stamp(script)
        return Reads(found)

    def key(self, path: str) -> str | None:
        """A path as it is kept, or ``None`` for what does not count."""
        if "__pycache__" in path:
            return None
        path = os.path.join(self._directory, path)
        if _below(path, self._alias):
            path = self._directory + path[len(self._alias) :]
        elif any(_below(path, own) for own in self._own):
            return None
        if any(_below(path, top) for top in _ELSEWHERE):
            return None
        path = path.rstrip("/") or "/"
        if ".." not in path and "/./" not in path and "//" not in path:
            if path.endswith("/."):
                path = path[:-2] or "/"
        else:
            # Not normpath alone: behind a link, a/.. need not be where a is.
            path = os.path.join(self._folder(os.path.dirname(path)), os.path.basename(path))
            path = os.path.normpath(path)
        if path == self._directory:
            return "."
        inside = os.path.join(self._directory, "")
        return path[len(inside) :] if path.startswith(inside) else path

    def stamp(self, key: str) -> str:
        """The stamp of what is there now."""
        listed = key.endswith(LISTED) and key != LISTED
        path = os.path.join(self._directory, key)
        return self._stamp(os.path.normpath(path), listed=listed, links=0)

    def _stamp(self, path: str, *, listed: bool, links: int) -> str:
        place, copied = self._place(path)
        try:
            status = os.lstat(place)
            if stat.S_ISLNK(status.st_mode):
                goal = os.readlink(place)
                if links > _LINKS:
                    return f"link {goal}"
                there = os.path.join(self._folder(os.path.dirname(path)), goal)
                there = os.path.join(self._folder(os.path.dirname(there)), os.path.basename(there))
                return f"link {goal} {self._stamp(there, listed=listed, links=links + 1)}"
            if stat.S_ISDIR(status.st_mode):
                near = _below(path, self._directory)
                return _listing(place, near=near) if listed else "folder"
            if stat.S_ISREG(status.st_mode):
                return self._file(path, place, status, copied=copied)
            return f"special {status.st_mode:o}"
        except OSError:
            return ABSENT

    def _file(self, path: str, place: str, status: os.stat_result, *, copied: bool) -> str:
        if copied and status.st_size <= LARGE:
            with open(place, "rb") as stream:
                return f"content {status.st_mode:o} {digest(stream.read())}"
        if copied:
            status = os.lstat(path)  # the copy has an inode and times of its own
        return (
            f"file {status.st_mode:o} {status.st_size} {status.st_mtime_ns} {status.st_ctime_ns} "
            f"{status.st_ino}"
        )

    def _place(self, path: str) -> tuple[str, bool]:
        """Where a path is to be looked at, and whether that is in the copy."""
        parent, name = os.path.split(path)
        path = os.path.join(self._folder(parent), name)
        if name in ("", ".", ".."):
            path = os.path.normpath(path)
        if self._pristine is not None and _below(path, self._directory):
            copy = self._pristine + path[len(self._directory.rstrip("/")) :]
            if os.path.lexists(copy):
                return copy, True
        return path, False

    def _interpreters(self, key: str) -> list[str]:
        """What the kernel opens by itself to run a script: its first line names it."""
        found: list[str] = []
        while len(found) < 4:
            place, _ = self._place(os.path.realpath(os.path.join(self._directory, key)))
            try:
                with open(place, "rb") as stream:
                    first = stream.readline(256)
            except OSError:
                break
            words = os.fsdecode(first[2:]).split() if first.startswith(b"#!") else []
            named = self.key(words[0]) if words else None
            if named is None:
                break
            found.append(named)
            key = named
        return found


def digest(data: bytes) -> str:
    """A short text that stands for ``data``."""
    return blake2b(data, digest_size=16).hexdigest()


def _listing(place: str, *, near: bool) -> str:
    names = sorted(name for name in os.listdir(place) if name != "__pycache__")
    if near and len(names) <= MANY:
        return "names " + "/".join(names)
    return "names/ " + digest("/".join(names).encode("utf-8", "surrogateescape"))


def _below(path: str, top: str) -> bool:
    return path == top or path.startswith(top if top.endswith("/") else f"{top}/")
