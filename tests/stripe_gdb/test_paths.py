"""Folders may have any name: no command of gdb's is made of a path."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from stripe import trace
from tests.stripe_gdb.native import needs_cc, needs_gdb, sample

PROGRAM = sample("paths/program.c")


@needs_cc
@needs_gdb
@pytest.mark.parametrize("name", ["a b", 'it\'s "so"', "back\\slash", "line\nend"])
def test_a_program_in_a_folder_of_any_name(tmp_path: Path, name: str) -> None:
    folder = tmp_path / name
    folder.mkdir()
    (folder / "program.c").write_text(PROGRAM)
    subprocess.run(["cc", "-O0", "-g", "-o", "program", "program.c"], cwd=folder, check=True)
    found = trace("./program", directory=folder)
    (kept,) = found.slices
    assert kept.verified
    assert len(kept.events) < kept.of
