"""The playground as ``make playground`` has built it, under Node."""

from __future__ import annotations

import json
import shutil
import subprocess
import threading
from pathlib import Path
from typing import Any

from tests.support.patience import PATIENCE
from tools.playground import PYODIDE, ROOT

BUILT = ROOT / "build" / "playground"


def missing() -> str:
    """Why there is no playground here; empty if there is one."""
    if shutil.which("node") is None:
        return "there is no node"
    if not (BUILT / "assets" / "programs.js").is_file() or not PYODIDE.is_dir():
        return "make playground has not been called"
    return ""


class Playground:
    """A session in a process of Node."""

    def __init__(self) -> None:
        script = Path(__file__).with_name("session.mjs")
        self._process = subprocess.Popen(
            ["node", script, BUILT / "assets", PYODIDE],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        assert self._read() == {"ready": True}

    def ask(self, do: str, **request: Any) -> dict[str, Any]:
        """The answer to a request (``stripe_wasm/session.py``)."""
        assert self._process.stdin is not None
        print(json.dumps({"do": do, **request}), file=self._process.stdin, flush=True)
        return self._read()

    def _read(self) -> dict[str, Any]:
        assert self._process.stdout is not None
        patience = threading.Timer(PATIENCE, self._process.kill)
        patience.start()
        try:
            answer: dict[str, Any] = json.loads(self._process.stdout.readline() or "{}")
            return answer
        finally:
            patience.cancel()

    def close(self) -> None:
        self._process.communicate(timeout=PATIENCE)
