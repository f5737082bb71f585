"""Debug information in a file of its own."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest
from elftools.elf.elffile import ELFFile

import stripe
from stripe.errors import UsageError
from stripe_gdb import debug_files
from tests.stripe_gdb.native import build, engines, needs_cc, needs_gdb, sample

pytestmark = [needs_gdb, needs_cc]

TEXT = sample("debug_files/text.c")


def separated(folder: Path, place: str) -> Path:
    """A stripped program, and its debug file at ``place`` below its folder."""
    program = build(TEXT, folder, "-Wl,--build-id")
    debug = folder / place
    debug.parent.mkdir(parents=True, exist_ok=True)
    for command in (
        ("objcopy", "--only-keep-debug", str(program), str(debug)),
        ("strip", str(program)),
        ("objcopy", f"--add-gnu-debuglink={debug}", str(program)),
    ):
        subprocess.run(command, check=True, cwd=folder)
    return program


@engines
@pytest.mark.parametrize("place", ["prog.debug", ".debug/prog.debug"])
def test_beside_the_program(engine, place, tmp_path):
    program = separated(tmp_path, place)
    for check, kept in (("stdout", [5, 7]), ("var:kept@prog.c:7", [5, 7])):
        if engine == "ptrace" and check != "stdout":
            continue
        result = stripe.trace(program, directory=tmp_path, check=check, engine=engine)
        trace, [found] = result.trace, result.slices
        assert [trace.statements[trace.statement[event]].line for event in found.events] == kept
        assert found.certified
        assert found.verified


def test_among_those_of_the_system_by_build_id(tmp_path, monkeypatch):
    program = separated(tmp_path, "elsewhere/prog.debug")
    monkeypatch.setattr(debug_files, "SYSTEM", tmp_path / "system")
    with open(program, "rb") as file:
        name = debug_files.build_id(ELFFile(file))
    place = tmp_path / "system" / ".build-id" / name[:2] / f"{name[2:]}.debug"
    place.parent.mkdir(parents=True)
    (tmp_path / "elsewhere/prog.debug").rename(place)
    result = stripe.trace(program, directory=tmp_path, check="stdout")
    assert len(result.slices[0].events) == 2


@pytest.mark.parametrize("content", [None, b"", b"no ELF file", b"another"])
def test_where_it_was_looked_for_is_told(content, tmp_path):
    program = separated(tmp_path, "prog.debug")
    debug = tmp_path / "prog.debug"
    if content is None:
        debug.unlink()
    elif content == b"another":
        debug.write_bytes(debug.read_bytes() + b"more")
    else:
        debug.write_bytes(content)
    with pytest.raises(UsageError) as raised:
        stripe.trace(program, directory=tmp_path)
    assert raised.value.slug == "stripped"
    why = "of another build" if content == b"another" else "not there, or not readable"
    assert f"{debug} ({why})" in raised.value.message
