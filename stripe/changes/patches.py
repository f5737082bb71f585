"""The answer as a patch that git applies."""

from __future__ import annotations

import errno
import shutil
import subprocess
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

from stripe.changes.git import quoted, without_settings
from stripe.changes.snapshots import Tree
from stripe.sandbox.commands import limit_error, limit_told
from stripe.sandbox.scratch import Scratch

LITTLE_ROOM = 1 << 16
"""Bytes that are free where a disk is as good as full."""


def patch_between(before: Tree, after: Tree) -> bytes:
    """What ``git apply`` makes the one tree to the other with; empty where git is not installed.

    It is made from commits of a repository of its own: there no attributes, settings or names of
    folders get into it.
    """
    git = shutil.which("git")
    if git is None:
        return b""
    with closing(Scratch()) as scratch:
        for folder in ("objects", "refs"):
            (scratch.path / folder).mkdir()
        (scratch.path / "HEAD").write_text("ref: refs/heads/after\n")
        _run(git, scratch.path, ["fast-import", "--quiet"], b"".join(_commits(before, after)))
        options = ("--binary", "-M", "--no-color", "--no-ext-diff", "--no-textconv")
        return _run(git, scratch.path, ["diff-tree", "-p", *options, "before", "after"])


def _run(git: str, repository: Path, words: list[str], said: bytes = b"") -> bytes:
    command = [git, "--git-dir", str(repository), "-c", "core.quotePath=true", *words]
    try:
        return subprocess.run(
            command,
            input=said,
            env=without_settings(),
            cwd=repository,
            capture_output=True,
            check=True,
            start_new_session=True,  # Ctrl-C is for the search, whose answer this is
        ).stdout
    except subprocess.CalledProcessError as error:
        told = limit_told(error.stderr.decode("utf-8", "replace"))
        if told is None and shutil.disk_usage(repository).free < LITTLE_ROOM:
            told = limit_error(errno.ENOSPC)  # of which git does not always tell
        raise told or error from None


def _commits(before: Tree, after: Tree) -> Iterator[bytes]:
    """Both versions, as far as they differ, in the language of ``git fast-import``."""
    for name, tree, other in (("before", before, after), ("after", after, before)):
        yield b"commit refs/heads/%s\ncommitter S <> 0 +0000\ndata 0\n" % name.encode()
        for path, (mode, content) in tree.items():
            if other.get(path) != (mode, content):
                words = (mode, quoted(path), len(content), content)
                yield b"M %o inline %s\ndata %d\n%s\n" % words
