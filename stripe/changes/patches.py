"""The answer as a patch that git applies."""

from __future__ import annotations

import os
import shutil
import subprocess
from contextlib import closing
from pathlib import Path

from stripe.changes.snapshots import EXECUTABLE, LINK, Tree
from stripe.sandbox.scratch import Scratch

_CONFIGURATION = {"GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_SYSTEM": os.devnull, "LC_ALL": "C"}


def patch_between(before: Tree, after: Tree) -> bytes:
    """What ``git apply`` makes the one tree to the other with; empty where git is not installed."""
    git = shutil.which("git")
    if git is None:
        return b""
    with closing(Scratch()) as scratch:
        folder = scratch.path
        for name, tree, other in (("a", before, after), ("b", after, before)):
            (folder / name).mkdir()
            for path, (mode, content) in tree.items():
                if other.get(path) != (mode, content):
                    _write(folder / name / path, mode, content)
        return subprocess.run(
            [
                *(git, "-c", "core.quotePath=true", "-c", "core.fileMode=true", "diff"),
                *("--no-index", "--no-prefix", "--no-color", "--no-ext-diff", "--no-textconv"),
                *("--binary", "-M", "a", "b"),
            ],
            cwd=folder,
            env=os.environ | _CONFIGURATION,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            check=False,  # 1 says that there are differences
        ).stdout


def _write(path: Path, mode: int, content: bytes) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    if mode == LINK:
        os.symlink(os.fsdecode(content), path)
    else:
        path.write_bytes(content)
        path.chmod(0o755 if mode == EXECUTABLE else 0o644)
