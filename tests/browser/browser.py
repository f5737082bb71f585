"""A real browser for the tests of the page, where one can be had.

Needed: ``chromium`` (a Debian package), ``node`` and ``npm``.  The two npm packages are installed
into ``.venv/browser/`` of the checkout at first use.  Where something is missing, the tests are
skipped, and say what.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import tempfile
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import pytest

HERE = Path(__file__).parent
MODULES = HERE.parents[1] / ".venv" / "browser"
PATIENCE = 300.0


@dataclass(frozen=True)
class Seen:
    """What a reader did and saw: messages, requests, accessibility violations, facts."""

    console: list[str]
    requests: list[str]
    violations: list[Any]
    facts: dict[str, Any]


@cache
def missing() -> str:
    """Why there is no browser here; empty if there is one."""
    for command in ("node", "npm"):
        if shutil.which(command) is None:
            return f"there is no {command}"
    if chromium() is None:
        return "there is no chromium (apt-get install chromium)"
    if not all((modules() / name).is_dir() for name in ("playwright-core", "axe-core")):
        MODULES.mkdir(parents=True, exist_ok=True)
        shutil.copy(HERE / "package.json", MODULES)
        done = subprocess.run(
            ["npm", "install", "--no-audit", "--no-fund", "--no-package-lock", "--silent"],
            cwd=MODULES, stdin=subprocess.DEVNULL, capture_output=True, text=True,
            timeout=PATIENCE,
        )  # fmt: skip
        if done.returncode:
            return f"npm cannot install playwright-core and axe-core: {done.stderr[-200:]}"
    return ""


def chromium() -> str | None:
    return shutil.which("chromium") or shutil.which("chromium-browser")


def modules() -> Path:
    return MODULES / "node_modules"


def look(page: Path, scenarios: str) -> dict[str, Seen]:
    """Open ``page`` and do what each of ``scenarios`` (with commas) in ``look.mjs`` says.

    ``STRIPE_PICTURES`` names a directory for screenshots.
    """
    if why := missing():
        pytest.skip(why)
    pictures = os.environ.get("STRIPE_PICTURES")
    words = [str(page), scenarios, *([pictures] if pictures else [])]
    # Of a short name: Chromium has a socket in it, whose path is of 107 characters at most.
    with tempfile.TemporaryDirectory(prefix="look-") as folder:
        done = subprocess.run(
            ["node", str(HERE / "look.mjs"), *words],
            stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=PATIENCE,
            env={**os.environ, "STRIPE_NODE_MODULES": str(modules()),
                 "STRIPE_CHROMIUM": str(chromium()), "TMPDIR": folder},
        )  # fmt: skip
    assert done.returncode == 0, done.stderr[-3000:]
    return {name: Seen(**facts) for name, facts in json.loads(done.stdout).items()}
