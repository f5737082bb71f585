"""The native corpus as files; what its programs do is tested in ``differential.py``."""

from __future__ import annotations

from tests.stripe_gdb.programs import FOLDER, PROGRAMS, SUFFIXES


def test_every_file_is_listed():
    listed = set()
    for program in PROGRAMS:
        names = (program.path.name, *program.sources, *program.headers)
        listed |= {program.path.parent / name for name in names} | {program.expected}
    assert {path for path in FOLDER.rglob("*") if path.is_file()} == listed
    assert len(PROGRAMS) == len(set(map(str, PROGRAMS)))


def test_programs_are_small_and_many():
    count = dict.fromkeys(SUFFIXES, 0)
    for program in PROGRAMS:
        count[program.language] += 1
        assert 15 <= len(program.path.read_text("utf-8").splitlines()) <= 60, program
    assert count["c"] + count["cpp"] >= 60
    assert count["rust"] >= 10
