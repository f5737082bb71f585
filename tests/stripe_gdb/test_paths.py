"""Folders and programs may have any name: no command of gdb's is made of a path."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest

from tests.stripe_gdb.native import engines, needs_cc, needs_gdb, recorded, reduced, sample

pytestmark = [needs_gdb, needs_cc]

TEXT = sample("paths/program.c")

NAMES = [
    b"a b",
    b'q"u',
    b"a'b",
    b"back\\slash",
    b"new\nline",
    b"no\xffutf8",
    b"$HOME;x",
    b"-d",
    b"#h",
]


@engines
@pytest.mark.parametrize("name", NAMES, ids=repr)
def test_whatever_is_in_a_path(engine: str, name: bytes, tmp_path: Path) -> None:
    folder = tmp_path / os.fsdecode(name)
    folder.mkdir()
    (folder / "prog.c").write_text(TEXT)
    program = folder / f"p {os.fsdecode(name)}"
    command = ["cc", "-O0", "-g", "prog.c", "-o", f"./{program.name}"]
    subprocess.run(command, cwd=folder, check=True)
    os.mkfifo(folder / "fifo")
    with recorded(program, engine=engine) as recording:
        [found] = reduced(recording, "stdout").slices
        lines = {
            recording.trace.statements[recording.trace.statement[each]].line
            for each in found.events
        }
    assert found.certified
    assert {5, 6, 8} <= lines
    assert 7 not in lines
