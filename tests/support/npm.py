"""Packages of npm that tests use, installed where they stay."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

from tests.support.patience import PATIENCE


def why_no_packages(here: Path, kept: Path, *packages: str) -> str:
    """Install what ``here/package.json`` names into ``kept``; why that cannot be, or empty."""
    for command in ("node", "npm"):
        if shutil.which(command) is None:
            return f"there is no {command}"
    if all((kept / "node_modules" / each).is_dir() for each in packages):
        return ""
    kept.mkdir(parents=True, exist_ok=True)
    shutil.copy(here / "package.json", kept)
    done = subprocess.run(
        ["npm", "install", "--no-audit", "--no-fund", "--no-package-lock", "--silent"],
        cwd=kept, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=PATIENCE,
    )  # fmt: skip
    return f"npm cannot install {', '.join(packages)}: {done.stderr[-200:]}" * bool(done.returncode)
