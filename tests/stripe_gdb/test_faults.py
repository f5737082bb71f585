"""Seeded faults: the faulty line is in the slice if kept events see what they saw."""

from __future__ import annotations

import operator
import re
import subprocess
from pathlib import Path

import pytest

from benchmarks.c_faults import FAULTS, Fault, compiled
from benchmarks.faults import Budget, Found, measure
from tests.stripe_gdb.native import needs_cc, needs_gdb

name = operator.attrgetter("name")
STATEMENT = re.compile(r" *[a-z][^ (]*( \S?= .*|\(.*\));")
WHOLE = [
    each
    for each in FAULTS
    if not each.omission and STATEMENT.fullmatch(each.wrong.split("\n")[each.line - 1])
]
QUICK = ("dates:21", "dates:113", "vm:160")


def test_each_fault_is_one_line() -> None:
    lines = {fault.name for fault in FAULTS}
    assert len(lines) == len(FAULTS) >= 40
    assert sum(fault.aside for fault in FAULTS) == len(FAULTS) // 2


@needs_cc
@pytest.mark.parametrize("fault", WHOLE, ids=name)
def test_what_is_no_omission_does_not_show_without_its_statement(
    fault: Fault, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("MALLOC_PERTURB_", "165")  # not by the zeros of fresh memory
    check = fault.check(tmp_path).removeprefix("stdout:/").removesuffix("/")
    lines = fault.wrong.split("\n")
    lines[fault.line - 1] = ";"
    try:
        without = fault.run(compiled("without", "\n".join(lines), tmp_path), seconds=5)
    except subprocess.TimeoutExpired:
        return
    assert not re.search(check, without.stdout, re.MULTILINE)


@needs_gdb
@needs_cc
@pytest.mark.parametrize("name", QUICK)
def test_the_faulty_line_is_in_the_slice(name: str) -> None:
    (fault,) = (each for each in FAULTS if each.name == name)
    found: list[Found] = list(measure(fault, "ptrace", Budget(400, 60.0), [("program", "same")]))
    assert [each.found for each in found] == [True]
    assert found[0].share < 1
