"""Memory that replays fill: the pattern, and when the variables of inner blocks begin anew."""

from __future__ import annotations

import ctypes
import os
import sys
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from stripe_gdb import scopes as found
from stripe_gdb.elf import read_program
from stripe_gdb.inside.poison import PERIOD, Poison
from stripe_gdb.inside.scopes import Scopes
from stripe_gdb.scopes import inner_scopes
from stripe_gdb.variables import address_ranges
from tests.stripe_gdb.native import build, needs_cc


@pytest.mark.skipif(sys.platform != "linux", reason="writes memory as Linux does")
@pytest.mark.parametrize("number", range(3))
def test_the_pattern_goes_on_however_much_is_filled(number: int) -> None:
    poison = Poison(number, 1 << 40, 4096)
    pattern = poison.period * 12
    memory = ctypes.create_string_buffer(10 * PERIOD)
    start = ctypes.addressof(memory)
    for size in (8, 3 * PERIOD, 9 * PERIOD):
        ctypes.memset(memory, 1, len(memory))
        poison.fill(SimpleNamespace(pid=os.getpid()), start + 8, start + 8 + size)
        phase = (start + 8) % PERIOD
        assert memory.raw[:8] == b"\1" * 8
        assert memory.raw[8 : 8 + size] == pattern[phase : phase + size]
        assert memory.raw[8 + size : 16 + size] == b"\1" * 8


def test_when_variables_of_inner_blocks_begin() -> None:
    # A function: before the loop, in it its first statement, one more, and the last one of all
    # blocks, in an inner block of its own.
    blocks = [(0, 0), (10, 0), (20, 0), (30, 0)]
    loop, last = [(-8, 4)], [(-16, 8)]
    scopes = Scopes([([(10, 30)], loop), ([(30, 40)], last)], blocks)
    # The events of an activation, by places: two rounds, and the last statement.
    ran = [0, 1, 2, 1, 2, 3]

    def begun(since: int, until: int) -> object:
        return list(scopes.begun(7, 0, range(6), ran, since, until))

    assert begun(-1, 0) == []
    assert begun(0, 1) == loop
    assert begun(1, 2) == []
    assert begun(2, 3) == loop
    assert begun(3, 4) == []
    assert begun(4, 5) == last
    assert begun(5, 9) == []
    assert scopes.begun(8, 5, range(6), ran, -1, 9) == ()


@needs_cc
def test_inner_blocks_of_functions_in_several_pieces(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    source = "int main(void)\n{\n    {\n        int inner = 3;\n        return inner;\n    }\n}\n"
    program = read_program(build(source, tmp_path), "prog", lambda _: True)
    main = {each.low for each in program.functions if each.symbol == "main"}
    [(ranges, variables)] = inner_scopes([program], main)
    assert [size for _, size in variables] == [4]

    def also_elsewhere(entry: Any, bias: int) -> list[tuple[int, int]]:
        return [(1, 2), *address_ranges(entry, bias)]

    monkeypatch.setattr(found, "address_ranges", also_elsewhere)
    assert inner_scopes([program], main) == [([(1, 2), *ranges], variables)]
    assert inner_scopes([program], {3}) == []
