"""Seeded faults: the faulty line is in the slice if kept events see what they saw."""

from __future__ import annotations

import pytest

from benchmarks.faults import Budget, Found, measure
from tests.stripe_gdb.faults.collection import FAULTS, HELD_BACK
from tests.stripe_gdb.native import needs_cc, needs_gdb

QUICK = ("dates:21", "dates:113", "vm:160")


def test_each_fault_is_one_line() -> None:
    lines = {fault.name for fault in FAULTS}
    assert len(lines) == len(FAULTS) >= 40
    assert lines >= HELD_BACK
    assert len(HELD_BACK) == len(FAULTS) // 2


@needs_gdb
@needs_cc
@pytest.mark.parametrize("name", QUICK)
def test_the_faulty_line_is_in_the_slice(name: str) -> None:
    (fault,) = (each for each in FAULTS if each.name == name)
    found: list[Found] = list(measure(fault, "ptrace", Budget(400, 60.0), [("program", "same")]))
    assert [each.found for each in found] == [True]
    assert found[0].share < 1
