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
import threading
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from tests.support.npm import why_no_packages
from tests.support.patience import PATIENCE

HERE = Path(__file__).parent
MODULES = HERE.parents[1] / ".venv" / "browser"


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
    if chromium() is None:
        return "there is no chromium (apt-get install chromium)"
    return why_no_packages(HERE, MODULES, "playwright-core", "axe-core")


def chromium() -> str | None:
    return shutil.which("chromium") or shutil.which("chromium-browser")


def modules() -> Path:
    return MODULES / "node_modules"


class Browser:
    """One that is started once, and opens each page with nothing known of the others.

    ``STRIPE_PICTURES`` names a directory for screenshots.
    """

    def __init__(self) -> None:
        # Of a short name: Chromium has a socket in it, whose path is of 107 characters at most.
        self._folder = tempfile.TemporaryDirectory(prefix="look-")
        pictures = os.environ.get("STRIPE_PICTURES")
        self._process = subprocess.Popen(
            ["node", str(HERE / "look.mjs"), *([pictures] if pictures else [])],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
            env={**os.environ, "STRIPE_NODE_MODULES": str(modules()),
                 "STRIPE_CHROMIUM": str(chromium()), "TMPDIR": self._folder.name},
        )  # fmt: skip

    def look(self, page: Path, *scenarios: str) -> dict[str, Seen]:
        """Open ``page`` and do what each of ``scenarios`` in ``look.mjs`` says."""
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        patience = threading.Timer(PATIENCE, self._process.kill)
        patience.start()
        try:
            print(
                json.dumps({"page": str(page), "scenarios": scenarios}),
                file=self._process.stdin,
                flush=True,
            )
            answer = json.loads(self._process.stdout.readline() or '{"error": "no answer"}')
        finally:
            patience.cancel()
        assert "error" not in answer, answer["error"]
        return {name: Seen(**facts) for name, facts in answer.items()}

    def close(self) -> None:
        try:
            self._process.communicate(timeout=PATIENCE)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.communicate()
        self._folder.cleanup()
