"""Histories made by hand, for tests that need no repository."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from stripe.changes.snapshots import FILE, Entry, History, Snapshot, Step, Tree, name_of


def snapshot(files: Mapping[str, str | bytes | tuple[int, str]]) -> Snapshot:
    """A version: files by path, with a mode if they are not plain."""
    entries: dict[str, Entry] = {}
    contents: dict[str, bytes] = {}
    for path, what in files.items():
        mode, content = what if isinstance(what, tuple) else (FILE, what)
        data = content.encode() if isinstance(content, str) else content
        entries[path] = Entry(mode, name_of(data))
        contents[entries[path].name] = data
    return Snapshot(entries, contents.__getitem__)


def step(version: Snapshot, parents: Sequence[int] = (), side: int = 1, name: str = "c") -> Step:
    """A step that leads to a version."""
    return Step(name, f"subject of {name}", "A <a@b>", "2026-01-01", tuple(parents), side, version)


def history(*versions: Mapping[str, str | bytes | tuple[int, str]]) -> History:
    """Versions one after the other."""
    root, *later = map(snapshot, versions)
    steps = tuple(
        step(version, (number - 1,) if number else (), name=f"c{number}")
        for number, version in enumerate(later)
    )
    return History(root, steps, "good", "bad", "")


def tree_of(version: Snapshot) -> Tree:
    """The files of a version as they are to be rendered."""
    return {path: (e.mode, version.read(e.name)) for path, e in version.entries.items()}
