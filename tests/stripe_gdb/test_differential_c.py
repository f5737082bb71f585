"""Plain run = recorded run = full replay, for the corpus; see ``differential.py``."""

from __future__ import annotations

import pytest

from tests.stripe_gdb.differential import check_program
from tests.stripe_gdb.native import needs_gdb
from tests.stripe_gdb.programs import PROGRAMS, Program

pytestmark = needs_gdb

CHOSEN = [program for program in PROGRAMS if program.language == "c"]


@pytest.mark.parametrize("program", CHOSEN, ids=str)
def test_replays_as_it_ran(program: Program, tmp_path) -> None:
    if why := program.unavailable():
        pytest.skip(why)
    check_program(program, tmp_path)
