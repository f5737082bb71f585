"""The two versions that a user names: revisions, directories, or a working tree."""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path

from stripe.changes.git import Repository, steps_of
from stripe.changes.snapshots import (
    EXECUTABLE,
    FILE,
    LINK,
    SUBMODULE,
    Entry,
    History,
    Snapshot,
    Step,
    name_of,
)
from stripe.errors import UsageError
from stripe.sandbox.survey import CACHES, VERSION_CONTROL

WORKING_TREE = "."
"""What names the working tree of a repository."""


@dataclass(frozen=True, slots=True)
class _Found:
    """A version as it was named: a commit, or files that are there."""

    commit: str | None
    snapshot: Snapshot
    parent: str | None = None


def history_of(stack: ExitStack, good: str, bad: str, repo: str | None = None) -> History:
    """How the version ``good`` became ``bad``.

    Args:
        stack: closes what reads the versions.
        good: a revision, a directory, or ``.`` for the working tree.
        bad: the same.
        repo: a directory in the repository, if not the current one.

    Raises:
        UsageError: ``no-such-revision``, ``no-repository``, ``no-git``, ``same-version``.
    """
    if _is_folder(good) and _is_folder(bad):
        steps = (_single(_folder(Path(bad)), bad, ()),)
        history = History(_folder(Path(good)), steps, good, bad, "")
        return _differing(history)
    repository = stack.enter_context(Repository(Path(repo or ".")))
    one, other = (_version(repository, each) for each in (good, bad))
    directory = str(repository.top)
    commits = [each.commit or each.parent for each in (one, other)]
    first, last = commits
    root = None if first is None or last is None else repository.shared(first, last)
    if root is None:
        steps = (_single(other.snapshot, bad, ()),)
        note = f"{good} and {bad} have no history in common: they are compared as they are."
        return _differing(History(one.snapshot, steps, good, bad, directory, (note,)))
    assert first is not None, "it has a history"
    assert last is not None, "it has a history"
    found = list(steps_of(repository, root, first, last))
    names = {each.name: place for place, each in enumerate(found)}
    for version, parent, side in ((other, last, 1), (one, first, -1)):
        if version.commit is None:
            above = names.get(parent[:10])
            parents = () if above is None else (above,)
            found.append(_single(version.snapshot, "working tree", parents, side))
    return _differing(History(repository.snapshot(root), tuple(found), good, bad, directory))


def _differing(history: History) -> History:
    if not history.steps:
        raise UsageError(
            "same-version",
            f"{history.good!r} and {history.bad!r} are the same version.",
            "The good version comes first, then the bad one: stripe changes v1.0 HEAD --test ...",
        )
    return history


def _single(snapshot: Snapshot, name: str, parents: tuple[int, ...], side: int = 1) -> Step:
    """All the difference as one step."""
    return Step(name, "", "", "", parents, side, snapshot)


def _is_folder(name: str) -> bool:
    return name != WORKING_TREE and Path(name).is_dir()


def _version(repository: Repository, name: str) -> _Found:
    if name == WORKING_TREE:
        return _Found(None, _working_tree(repository), repository.commit("HEAD"))
    if _is_folder(name):
        return _Found(None, _folder(Path(name)))
    commit = repository.commit(name)
    return _Found(commit, repository.snapshot(commit))


def _working_tree(repository: Repository) -> Snapshot:
    """The files of the working tree but those that git ignores."""
    head = repository.snapshot("HEAD").entries
    there = (path for path in repository.tracked() if os.path.lexists(repository.top / path))
    snapshot = _read(repository.top, there)
    modules = {path: entry for path, entry in head.items() if entry.mode == SUBMODULE}
    return Snapshot({**snapshot.entries, **modules}, snapshot.read)


def _folder(top: Path) -> Snapshot:
    """All files below a folder, but caches and what belongs to version control."""

    def paths() -> Iterator[str]:
        for folder, below, names in os.walk(top):
            below[:] = sorted(set(below) - CACHES - VERSION_CONTROL)
            links = [name for name in below if os.path.islink(os.path.join(folder, name))]
            for name in sorted([*names, *links]):
                yield os.path.relpath(os.path.join(folder, name), top)

    return _read(top, paths())


def _read(top: Path, paths: Iterator[str]) -> Snapshot:
    """Files that are there; their content is kept, as they may change meanwhile.

    Raises:
        UsageError: ``unreadable``.
    """
    entries: dict[str, Entry] = {}
    contents: dict[str, bytes] = {}
    for path in paths:
        place = top / path
        try:
            mode = place.lstat().st_mode
            if stat.S_ISLNK(mode):
                content = os.fsencode(os.readlink(place))
            elif stat.S_ISREG(mode):
                content = place.read_bytes()
            else:
                continue  # a folder that git knows is a submodule; pipes and sockets are no source
        except OSError as error:
            raise UsageError(
                "unreadable",
                f"{str(place)!r} cannot be read: {error.strerror}.",
                "It is a part of the version; make it readable, or compare revisions.",
            ) from None
        name = name_of(content)
        contents[name] = content
        kept = LINK if stat.S_ISLNK(mode) else EXECUTABLE if mode & 0o100 else FILE
        entries[path] = Entry(kept, name)
    return Snapshot(entries, contents.__getitem__)
