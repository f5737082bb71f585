"""Variables and types, as the debug information has them."""

from __future__ import annotations

from pathlib import Path

from stripe_gdb.elf import read_program
from stripe_gdb.variables import Variables
from tests.stripe_gdb.native import build, needs_cc, sample

pytestmark = [needs_cc]

VOID = sample("variables/void.c")


def test_what_has_no_type_is_void(tmp_path: Path) -> None:
    program = read_program(build(VOID, tmp_path), "prog", lambda _: True)
    variables = Variables([program])
    lows = {each.symbol: each.low for each in program.functions}
    assert variables.returned(lows["note"]) is None
    returned = variables.returned(lows["main"])
    assert returned is not None
    assert returned.size == 4
    assert [size for _, size in variables.parameters(lows["note"])] == [4]
    place = variables.find(lows["main"], "place")
    assert place is not None
    assert (place.type.tag, place.type.size) == ("pointer_type", 8)
    assert variables.find(lows["note"], "place") is None
