"""A real editor as client: Neovim, without a screen (``apt-get install neovim``)."""

from __future__ import annotations

import json
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest

from tests.e2e.harness import Room, command
from tests.lsp.editor import sample
from tests.support.patience import PATIENCE

SCRIPT = Path(__file__).with_name("neovim.lua")

needs_neovim = pytest.mark.skipif(shutil.which("nvim") is None, reason="nvim is not installed")


def neovim(room: Room, name: str, **variables: str) -> dict[str, Any]:
    """What the script finds with a file."""
    answer = room.elsewhere / "answer.json"
    environment = {
        **room.environment,
        "HOME": str(room.elsewhere),
        "XDG_CONFIG_HOME": str(room.elsewhere),
        "XDG_DATA_HOME": str(room.elsewhere),
        "XDG_STATE_HOME": str(room.elsewhere),
        "STRIPE_SERVER": json.dumps([*command(), "lsp"]),
        "STRIPE_FILE": str(room.work / name),
        "STRIPE_ANSWER": str(answer),
        **variables,
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
        said, _ = process.communicate(timeout=PATIENCE)
    found: dict[str, Any] = json.loads(answer.read_text()) if answer.exists() else {}
    assert found.get("done"), (found, said.decode(errors="replace"))
    # Neovim left without a word of farewell may do: the server ends all the same.
    for temporary in room.tmp.glob("nvim*"):
        room.remove(temporary)
    room.must_be_clean()
    return found


@needs_neovim
def test_neovim_shows_a_slice(room: Room) -> None:
    found = neovim(room, sample(room), STRIPE_INPUT="0\n5\n")
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


@needs_neovim
def test_neovim_tries_a_change(room: Room) -> None:
    room.file("half.py", "def half(n):\n    return n / 2\n")
    room.file(
        "test_half.py",
        "from half import half\ndef test_odd():\n    assert half(3) == 1\n"
        "def test_even():\n    assert half(4) == 2\n",
    )
    found = neovim(room, "test_half.py", STRIPE_TEST="test_odd", STRIPE_TESTS="12")
    assert "Suspects of this test" in found["before"]
    assert "breaks none of 1 passing test" in found["diagnostic"]
    assert found["title"] == "Try this change: `n // 2` instead of `n / 2`"
    assert found["untouched"] == ["def half(n):", "    return n / 2"]
    assert found["tried"] == ["def half(n):", "    return n // 2"]
