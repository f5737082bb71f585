"""Files in /tmp and sockets of loopback: the same in both layers; nothing outside is changed."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
from pathlib import Path

import pytest

from stripe.sandbox.walls import Layer, Walls
from tests.support.layers import WALLED, forced
from tests.support.patience import PATIENCE
from tests.support.tables import tables

PROGRAM = """
import errno, os, shutil, sys
def tried(what):
    try:
        return what()
    except OSError as error:
        return errno.errorcode[error.errno]
there = sys.argv[1]
os.umask(0o027)
def shown(path):
    status = os.stat(path)
    return oct(status.st_mode), status.st_size
"""

TABLES = tables(__file__)
FILES = TABLES["files"]

SOCKETS = TABLES["sockets"]


def printed(layer: Layer, folder: Path, code: str, there: Path) -> str:
    """What a program prints behind walls, or says when it fails."""
    home = folder / f"home-{layer.value}"
    for each in (home, home / "tmp", home / "cwd"):
        each.mkdir()
    (home / "cwd" / "mine").write_text("mine")
    (home / "cwd" / "program.py").write_text(PROGRAM + code + "\n")
    walls = Walls(layer, folder, home, folder / f"room-{layer.value}", home / "cwd")
    done = subprocess.run(
        walls.command([sys.executable, "program.py", str(there)], home / "cwd"),
        capture_output=True,
        text=True,
        timeout=PATIENCE,
        env={**os.environ, "TMPDIR": str(home / "tmp")},
    )
    return done.stdout + done.stderr


@pytest.mark.parametrize("code", (FILES | SOCKETS).values(), ids=[*FILES, *SOCKETS])
def test_a_program_does_the_same_in_both_layers(tmp_path: Path, code: str) -> None:
    there = tmp_path / "there"
    (there / "sub").mkdir(parents=True)
    (there / "a").write_text("old")
    (there / "sub" / "c").write_text("deep")
    folder = tmp_path / "scratch"
    folder.mkdir()
    outside = set(os.listdir("/tmp")) | set(os.listdir("/dev/shm"))
    found = []
    for layer in WALLED:
        with forced(layer):
            found.append(printed(layer, folder, code, there))
    assert found[0] == found[1]
    assert "Traceback" not in found[0]
    assert (there / "a").read_text() == "old"
    assert sorted(os.listdir(there)) == ["a", "sub"]
    left = (set(os.listdir("/tmp")) | set(os.listdir("/dev/shm"))) - outside
    assert not [name for name in left if "own-" in name]


def test_whoever_listens_on_all_addresses_of_the_machine_is_not_reached(tmp_path: Path) -> None:
    with forced(Layer.LANDLOCK), socket.create_server(("0.0.0.0", 0)) as server:
        port = server.getsockname()[1]
        code = f"""
import socket
print(tried(lambda: socket.create_connection(('127.0.0.1', {port}))))
"""
        assert printed(Layer.LANDLOCK, tmp_path, code, tmp_path) == "ECONNREFUSED\n"


ESCAPES = TABLES["escapes"]


@pytest.mark.parametrize("code", ESCAPES.values(), ids=ESCAPES)
def test_what_the_guard_does_stays_inside(tmp_path: Path, code: str) -> None:
    """It has rights that a program has not, so it must not be led outside."""
    there = tmp_path / "there"
    there.mkdir()
    (there / "a").write_text("old")
    folder = tmp_path / "scratch"
    folder.mkdir()
    with forced(Layer.LANDLOCK):
        assert "Traceback" not in printed(Layer.LANDLOCK, folder, code, there)
    assert (there / "a").read_text() == "old"
    assert os.listdir(there) == ["a"]
