"""A crash that depends on where memory lies: it is said that it does."""

from __future__ import annotations

from pathlib import Path

import pytest

from stripe.checks import parse_check
from stripe.errors import NotReducible
from tests.stripe_gdb.native import build, engines, needs_cc, needs_gdb, recorded

pytestmark = [needs_gdb, needs_cc]

# Whether the kernel was told to choose addresses at random.
CRASHES = """\
#include <stdio.h>
#include <stdlib.h>
#include <sys/personality.h>
int main(void)
{{
    int fixed = (personality(0xffffffff) & ADDR_NO_RANDOMIZE) != 0;
    puts("begun");
    fflush(stdout);
    if ({condition})
        abort();
    return 0;
}}
"""


@engines
def test_only_with_its_own(engine: str, tmp_path: Path) -> None:
    program = build(CRASHES.format(condition="!fixed"), tmp_path)
    with recorded(program, engine=engine) as recording:
        [note] = [note for note in recording.notes if "addresses" in note]
        assert "killed by signal 6 with the addresses that the system gives it" in note
        for check in ("crash", "signal", "exception"):
            with pytest.raises(NotReducible, match="addresses that the system gives it"):
                parse_check(check).reference(recording.recorded)


@engines
def test_only_with_fixed_ones(engine: str, tmp_path: Path) -> None:
    program = build(CRASHES.format(condition="fixed"), tmp_path)
    with recorded(program, engine=engine) as recording:
        [note] = [note for note in recording.notes if "addresses" in note]
        assert "exited with status 0 with the addresses that the system gives it" in note


@engines
def test_nothing_is_said_of_others(engine: str, tmp_path: Path) -> None:
    for condition in ("1", "0"):
        program = build(CRASHES.format(condition=condition), tmp_path)
        with recorded(program, engine=engine) as recording:
            assert not any("addresses" in note for note in recording.notes)
