"""The end of a search leaves no engine, no program and nothing it started.

Kills at random moments are in ``tests/sandbox/test_kills.py``.
"""

from __future__ import annotations

import os
import platform
import subprocess
import sys
from pathlib import Path

import pytest

from tests.stripe_gdb.native import build, needs_cc, needs_gdb, sample

pytestmark = [needs_gdb, needs_cc]

ENGINES = ("gdb", "ptrace") if platform.machine() == "x86_64" else ("gdb", "gdb")

MARK = "STRIPE_TEST_KILLS_MARK"

# Leaves a child behind that would run for hours, in a session of its own.
PROGRAM = sample("kills/program.c")


def marked(mark: str) -> dict[int, str]:
    """The processes that have ``mark`` in their environment, but for zombies."""
    found = {}
    wanted = f"{MARK}={mark}".encode()
    for entry in Path("/proc").glob("[0-9]*"):
        try:
            if wanted in (entry / "environ").read_bytes().split(b"\0"):
                found[int(entry.name)] = (entry / "comm").read_text().strip()
        except OSError:
            continue
    return found


@pytest.fixture(scope="module")
def short(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Its reduction takes some hundred runs."""
    return build(PROGRAM, tmp_path_factory.mktemp("kills"), "-DROUNDS=8")


def start(program: Path, mark: str, scratch: Path, engine: str) -> subprocess.Popen[bytes]:
    scratch.mkdir(exist_ok=True)
    command = [sys.executable, "-m", "stripe.cli.main", "trace", "./prog", "--check", "stdout"]
    environment = os.environ | {MARK: mark, "TMPDIR": str(scratch)}
    return subprocess.Popen(
        [*command, "-q", "--algorithm", "ddmin", "--jobs", "2", "--engine", engine],
        cwd=program.parent,
        env=environment,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )


@pytest.mark.parametrize("engine", ENGINES)
def test_the_end_leaves_nothing(engine: str, short: Path, tmp_path: Path) -> None:
    mark = f"{os.getpid()}-end-{engine}"
    running = start(short, mark, tmp_path / "scratch", engine)
    assert running.wait(300) == 0
    assert marked(mark) == {}
    assert list((tmp_path / "scratch").iterdir()) == []
