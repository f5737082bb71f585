"""The extension of Visual Studio Code, compiled and packaged."""

from __future__ import annotations

import hashlib
import os
import shutil
import subprocess
import tempfile
from pathlib import Path

import pytest

from tests.support.caching import cache_folder, locked
from tests.support.patience import PATIENCE

EXTENSION = Path(__file__).parents[2] / "editors" / "vscode"
PACKAGE = "stripe-trace.vsix"
UNREACHABLE = ("ENOTFOUND", "EAI_AGAIN", "ECONNREFUSED", "ECONNRESET", "ETIMEDOUT", "ENETUNREACH")


def npm(folder: Path, *words: str, **environment: str) -> None:
    """Run npm, without input; skips the test where it cannot reach its registry."""
    done = subprocess.run(
        ["npm", *words], cwd=folder, stdin=subprocess.DEVNULL, capture_output=True, text=True,
        timeout=4 * PATIENCE,
        env={**os.environ, "npm_config_update_notifier": "false", **environment},
    )  # fmt: skip
    said = done.stdout + done.stderr
    if done.returncode and any(code in said for code in UNREACHABLE):
        pytest.skip(f"npm cannot reach its registry: {said[-200:]}")
    assert done.returncode == 0, said[-3000:]


def built_extension() -> Path:
    """A copy of the extension, packaged as its README says; kept for as long as it is the same."""
    for command in ("node", "npm"):
        if shutil.which(command) is None:
            pytest.skip(f"there is no {command}")
    version = subprocess.run(["node", "--version"], capture_output=True, text=True).stdout
    if int(version.strip("v\n").partition(".")[0]) < 20:
        pytest.skip(f"node {version.strip()} is too old for vsce, which needs 20")
    unwanted = shutil.ignore_patterns("node_modules", "out", "*.vsix")
    cache = cache_folder("vscode")
    with locked(cache), tempfile.TemporaryDirectory(dir=cache) as scratch:
        folder = Path(scratch, "vscode")
        shutil.copytree(EXTENSION, folder, ignore=unwanted)
        kept = cache / digest(folder, version)
        if not kept.exists():
            npm(folder, "ci", "--no-audit", "--no-fund", "--prefer-offline")
            npm(folder, "run", "--silent", "package")
            folder.rename(kept)
    return kept


def digest(folder: Path, *more: str) -> str:
    """Of all that is in the folder."""
    found = hashlib.sha256(repr(more).encode())
    for path in sorted(folder.rglob("*")):
        content = path.read_bytes() if path.is_file() else b""
        found.update(repr((str(path.relative_to(folder)), content)).encode())
    return found.hexdigest()
