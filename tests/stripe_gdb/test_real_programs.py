"""Programs nobody here wrote, from Debian's sources: recorded, fully replayed, reduced."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

import stripe
from benchmarks.debian.programs import TESTED, DebianProgram, Unavailable
from stripe.backend import Target
from stripe_gdb.preparation import open_recording
from tests.stripe_gdb.differential import facts
from tests.stripe_gdb.native import needs_gdb

pytestmark = [pytest.mark.realworld, needs_gdb]

# It hashes inode numbers, which are others in each scratch copy (docs/gdb-backend.md).
UNSTEADY = ("tree",)
TOO_LONG = ("figlet",)
"""Take minutes to record."""
LONG = ("ed", "mawk", "dc", "units", "bzip2", "luac")
"""Take ten seconds to a minute under gdb: the other engine runs these."""
REDUCED = {"dos2unix": "gdb", "banner": "ptrace"}
"""By which engine."""


def placed(program: DebianProgram, folder: Path) -> str:
    """The program's path, with the files it reads in ``folder``."""
    try:
        executable = program.executable()
    except Unavailable as error:
        pytest.skip(f"{program} cannot be fetched or built: {error}")
    program.place(folder)
    return str(executable)


STEADY = [each for each in TESTED if each.name not in TOO_LONG + UNSTEADY]


@pytest.mark.parametrize("program", STEADY, ids=str)
def test_replays_as_it_ran(program: DebianProgram, tmp_path: Path) -> None:
    path = placed(program, tmp_path)
    recording = open_recording(
        Target(
            path,
            program.arguments,
            directory=tmp_path,
            stdin=program.stdin,
            engine="ptrace" if program.name in LONG else None,
        )
    )
    try:
        assert recording.plain.stdout == program.stdout
        assert facts(recording.recorded) == facts(recording.plain)
        everything = range(len(recording.trace))
        assert len(everything) > 100
        full, executed = recording.executed(everything)
        assert facts(full) == facts(recording.plain)
        assert executed == tuple(everything)
    finally:
        recording.close()


@pytest.mark.parametrize("program", [p for p in TESTED if p.name in REDUCED], ids=str)
def test_is_reduced(program: DebianProgram, tmp_path: Path) -> None:
    path = placed(program, tmp_path)
    work = tmp_path / "work"
    work.mkdir()
    program.place(work)
    result = stripe.trace(
        path,
        *program.arguments,
        directory=work,
        stdin=program.stdin,
        check=program.check,
        engine=REDUCED[program.name],
        max_tests=60,
    )
    [found] = result.slices
    assert found.verified
    assert len(found.events) < found.of
    shutil.rmtree(work)


def test_is_certified_at_the_level_of_calls(tmp_path: Path) -> None:
    [program] = [each for each in TESTED if each.name == "bzip2"]
    path = placed(program, tmp_path)
    result = stripe.trace(
        path,
        *program.arguments,
        directory=tmp_path,
        stdin=program.stdin,
        check="stdout",
        engine="ptrace",
        level="calls",
    )
    [found] = result.slices
    assert (found.certified_at, found.verified) == ("calls", True)
    [answer] = found.levels
    assert answer.before > 9_000
    assert answer.kept < answer.units
