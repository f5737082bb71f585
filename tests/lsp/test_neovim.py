"""A real editor as client: Neovim, without a screen (``apt-get install neovim``)."""

from __future__ import annotations

import json
import shutil
import subprocess
from pathlib import Path

import pytest

from tests.e2e.harness import TIMEOUT, Room, command
from tests.lsp.editor import sample

SCRIPT = Path(__file__).with_name("neovim.lua")

needs_neovim = pytest.mark.skipif(shutil.which("nvim") is None, reason="nvim is not installed")


@needs_neovim
def test_neovim_shows_a_slice(room: Room) -> None:
    name = sample(room)
    answer = room.elsewhere / "answer.json"
    environment = {
        **room.environment,
        "HOME": str(room.elsewhere),
        "XDG_CONFIG_HOME": str(room.elsewhere),
        "XDG_DATA_HOME": str(room.elsewhere),
        "XDG_STATE_HOME": str(room.elsewhere),
        "STRIPE_SERVER": json.dumps([*command(), "lsp"]),
        "STRIPE_FILE": str(room.work / name),
        "STRIPE_INPUT": "0\n5\n",
        "STRIPE_ANSWER": str(answer),
    }
    process = subprocess.Popen(
        ["nvim", "--headless", "--clean", "-n", "-c", f"luafile {SCRIPT}"],
        cwd=room.work,
        env=environment,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        process_group=0,
    )
    with room.never_outlived_by(process):
        said, _ = process.communicate(timeout=TIMEOUT)
    found = json.loads(answer.read_text()) if answer.exists() else {}
    assert found.get("done"), (found, said.decode(errors="replace"))

    assert found["messages"] == []
    assert found["progress"] >= 2
    assert found["before"] == ["Critical slice of this file"]
    assert found["answer"]["slices"][0]["kept"] == 16
    assert found["after"][0] == "Printed: mul = 0 · stdout: 16 of 31 executions kept"
    hint, information = sorted(found["diagnostics"], key=lambda each: each["first"])
    assert (hint["first"], hint["last"], hint["severity"]) == (6, 6, 4)
    assert (information["first"], information["severity"]) == (12, 3)
    assert "`9_7`  `mul = 0, a = 0`" in found["hover"]
    assert "7: decides 6 of 7x" in found["hints"]
    assert "8: 5 of 6x" in found["hints"]
    # Neovim left without a word of farewell may do: the server ends all the same.
    for temporary in room.tmp.glob("nvim*"):
        room.remove(temporary)
    room.must_be_clean()
