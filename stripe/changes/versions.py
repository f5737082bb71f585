"""The two versions that a user names: revisions, directories, or a working tree."""

from __future__ import annotations

import os
import stat
from collections.abc import Collection, Iterator
from contextlib import ExitStack
from dataclasses import dataclass
from os import PathLike
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


def history_of(
    stack: ExitStack,
    good: str,
    bad: str,
    repo: str | PathLike[str] | None = None,
    outputs: Collection[str | PathLike[str]] = (),
) -> History:
    """How the version ``good`` became ``bad``.

    Args:
        stack: closes what reads the versions.
        good: a revision, a directory, or ``.`` for the working tree.
        bad: the same.
        repo: a directory in the repository, if not the current one.
        outputs: files that are written by us, and are no part of the working tree.

    Raises:
        UsageError: ``no-such-revision``, ``no-repository``, ``no-git``, ``same-version``.
    """
    if _is_folder(good) and _is_folder(bad):
        steps = (_single(files_below(Path(bad)), bad, ()),)
        history = History(files_below(Path(good)), steps, good, bad, "")
        return _differing(history)
    repository = stack.enter_context(Repository(Path(repo or ".")))
    one, other = (_version(repository, each, outputs) for each in (good, bad))
    directory = "" if repository.bare else str(repository.top)
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


def _version(repository: Repository, name: str, outputs: Collection[str | PathLike[str]]) -> _Found:
    if name == WORKING_TREE:
        return _Found(None, _working_tree(repository, outputs), repository.commit("HEAD"))
    if _is_folder(name):
        return _Found(None, files_below(Path(name)))
    commit = repository.commit(name)
    return _Found(commit, repository.snapshot(commit))


def _working_tree(repository: Repository, outputs: Collection[str | PathLike[str]]) -> Snapshot:
    """The working tree as git would keep it, but what it ignores.

    Raises:
        UsageError: ``no-repository``, ``unreadable``.
    """
    if repository.bare:
        raise UsageError(
            "no-repository",
            f"The repository {str(repository.top)!r} is bare: it has no working tree.",
            "Compare two revisions, or two directories.",
        )
    entries = repository.index()
    ours = {os.path.relpath(os.path.realpath(each), repository.top) for each in outputs}
    changed = [path for path in repository.changed() if path in entries or path not in ours]
    for path in changed:
        known = entries.pop(path, None)
        if known is not None and known.mode == SUBMODULE and (repository.top / path).is_dir():
            entries[path] = Entry(SUBMODULE, "at another commit than the index says")
    raw = _read(repository.top, (p for p in changed if os.path.lexists(repository.top / p)))
    files = [path for path, entry in raw.entries.items() if entry.mode != LINK]
    contents = {path: raw.content(path) for path in raw.entries}
    contents |= zip(files, repository.cleaned(files), strict=True)
    for path, content in contents.items():
        entries[path] = Entry(raw.entries[path].mode, name_of(content))
    kept = {name_of(content): content for content in contents.values()}
    return Snapshot(entries, lambda name: kept[name] if name in kept else repository.read(name))


def files_below(top: Path, without: Collection[str] = ()) -> Snapshot:
    """All files below a folder, but caches and what belongs to version control.

    ``without``: names of folders at its top that are left out.

    Raises:
        UsageError: ``unreadable``.
    """

    def paths() -> Iterator[str]:
        for folder, below, names in os.walk(top):
            out = without if folder == os.fspath(top) else ()
            below[:] = sorted(set(below) - CACHES - VERSION_CONTROL - set(out))
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
