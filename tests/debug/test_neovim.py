"""Neovim drives ``stripe debug`` by a client of ours, in its own event loop, as nvim-dap would.

nvim-dap itself is in no package of Debian or npm.
"""

from __future__ import annotations

import json
import shutil
import subprocess
from pathlib import Path

import pytest

from tests.debug.test_moments import MEAN
from tests.e2e.harness import Room, command
from tests.support.patience import PATIENCE

SCRIPT = Path(__file__).parent / "client" / "session.lua"


def test_a_session_in_neovim(tmp_path: Path) -> None:
    nvim = shutil.which("nvim")
    if nvim is None or len(command()) > 1:
        pytest.skip("there is no nvim (apt-get install neovim), or no command stripe")
    room = Room(tmp_path)
    room.program(MEAN)
    process = room.start(
        "--clean", "--headless", "-c", f"luafile {SCRIPT}", "-c", "qall!",
        words=[nvim], environment={"STRIPE": command()[0], "FOLDER": str(room.work)},
        stdin=subprocess.DEVNULL,
    )  # fmt: skip
    with room.never_outlived_by(process):
        _, error = process.communicate(timeout=PATIENCE)
    told = json.loads((room.work / "told").read_text("utf-8")) if process.returncode == 0 else error
    assert told == {
        "reason": "exception", "failure": 5, "stepped": "step", "back": 3, "value": "(0, [])",
    }, error.decode()  # fmt: skip
