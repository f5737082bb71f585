"""Repositories of git for tests."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Mapping
from pathlib import Path

from stripe.changes.snapshots import EXECUTABLE, FILE, LINK, Tree

_NEUTRAL = {
    "GIT_CONFIG_GLOBAL": os.devnull,
    "GIT_CONFIG_SYSTEM": os.devnull,
    "GIT_AUTHOR_DATE": "2026-01-02T03:04:05Z",
    "GIT_COMMITTER_DATE": "2026-01-02T03:04:05Z",
}


class Repo:
    """A repository in a folder."""

    def __init__(self, path: Path) -> None:
        self.path = path
        path.mkdir(exist_ok=True)
        self.git("init", "-q", "-b", "main")
        self.git("config", "user.name", "Ada")
        self.git("config", "user.email", "ada@example.org")

    def git(self, *words: str) -> str:
        """Run git there; what it printed."""
        return subprocess.run(
            ["git", "-C", str(self.path), *words],
            env=os.environ | _NEUTRAL,
            check=True,
            capture_output=True,
            text=True,
        ).stdout.strip()

    def write(self, files: Mapping[str, str | bytes | None]) -> None:
        """Write files; those that are None are removed."""
        for name, content in files.items():
            path = self.path / name
            if content is None:
                path.unlink()
                continue
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(content.encode() if isinstance(content, str) else content)

    def commit(self, subject: str, files: Mapping[str, str | bytes | None]) -> str:
        """Commit files with all else that has changed; the hash."""
        self.write(files)
        self.git("add", "-A")
        self.git("commit", "-q", "--allow-empty", "-m", subject)
        return self.git("rev-parse", "HEAD")

    def blob(self, name: str) -> bytes:
        """The content of an object."""
        words = ["git", "-C", str(self.path), "cat-file", "blob", name]
        return subprocess.run(words, check=True, capture_output=True).stdout


def tree_of(folder: Path) -> Tree:
    """The version that is in a folder."""
    tree: Tree = {}
    for place in folder.rglob("*"):
        path = str(place.relative_to(folder))
        if path.partition("/")[0] == ".git":
            continue
        if place.is_symlink():
            tree[path] = LINK, os.fsencode(os.readlink(place))
        elif place.is_file():
            executable = place.stat().st_mode & 0o100
            tree[path] = EXECUTABLE if executable else FILE, place.read_bytes()
    return tree
