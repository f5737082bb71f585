"""Plain run = recorded run = full replay, for the corpus; see ``differential.py``."""

from __future__ import annotations

import pytest

from tests.stripe_gdb.differential import check_plain_runs, check_program
from tests.stripe_gdb.native import needs_gdb
from tests.stripe_gdb.programs import PROGRAMS, Program

pytestmark = needs_gdb

SEEDED = "rust-collections"
"""Its hash tables are seeded at random, so each run makes other comparisons."""

ALL = [program for program in PROGRAMS if program.language == "rust"]
CHOSEN = [program for program in ALL if str(program) != SEEDED]
OTHERS = [program for program in ALL if str(program) == SEEDED]


@pytest.mark.parametrize("program", CHOSEN, ids=str)
def test_replays_as_it_ran(program: Program, tmp_path, monkeypatch) -> None:
    monkeypatch.setenv("RUST_BACKTRACE", "0")
    if why := program.unavailable():
        pytest.skip(why)
    check_program(program, tmp_path)


@pytest.mark.parametrize("program", OTHERS, ids=str)
def test_does_what_is_listed_and_twice_the_same(program: Program, tmp_path) -> None:
    if why := program.unavailable():
        pytest.skip(why)
    check_plain_runs(program, program.compiled(), tmp_path)
