"""Seeded faults in C: mostly they are where the cause passes from one variable to another."""

from __future__ import annotations

import re
import shutil
from pathlib import Path

import pytest

from stripe.cli.causes import read_input
from stripe.results.causes import CausesResult, Shown
from stripe.snapshots import Moment
from stripe.states.causes import find_causes
from tests.states.test_faults import near
from tests.stripe_gdb.native import needs_calls, needs_cc, needs_gdb, sample

pytestmark = [needs_gdb, needs_cc, needs_calls]

FAULTS = Path(__file__).parent / "causes"

CHAINS = {
    "cells": ["*argv[2]", "whole", "made.value.whole", "cells[1].value.whole", "sum"],
    "heap": ["*argv[3]", "value", "heap[2]", "wrong"],
    "loans": ["*argv[1]", "account.spent", "limit", "left", "missing"],
    "queue": ["*argv[3]", "value", "value", "*place", "first", "count"],
    "words": ["*argv[1]", "*made.letters", "shown"],
}
"""The causes one after the other; a variable that goes by several names is one."""

FAR = {"heap", "words"}
"""In these the same variable is to blame before and after the fault: no cause passes there."""


def searched(path: Path, directory: Path) -> CausesResult:
    """The causes of the crash that a program ends with."""
    shutil.copy(path, directory)
    said = dict(re.findall(r"(fail|pass): ([^*\n]*)", path.read_text()))
    return find_causes(
        path.name,
        failing=read_input("--fail", said["fail"]),
        passing=read_input("--pass", said["pass"]),
        check="exception",
        directory=directory,
    )


@pytest.mark.parametrize("path", sorted(FAULTS.glob("*.c")), ids=lambda path: path.stem)
def test_most_faults_are_at_a_transition(path: Path, tmp_path: Path) -> None:
    result = searched(path, tmp_path)
    assert result.certified
    assert [each.name for step in result.steps for each in step.variables] == CHAINS[path.stem]
    assert near(result, path) is (path.stem not in FAR)
    assert {link.shown for link in result.links} == {Shown.VALUES}, "each makes the next one"


GARBAGE = sample("causes/garbage.c")


@pytest.mark.parametrize(
    ("line", "name", "values"),
    [(18, "limit", ("4", "7")), (21, "sum", ("6", "21")), (34, "first->count", ("4", "7"))],
)
def test_what_nobody_wrote_and_nobody_reads_is_no_cause(
    line: int, name: str, values: tuple[str, str], tmp_path: Path
) -> None:
    """On the stack as on the heap: other values in both runs, but not told."""
    (tmp_path / "garbage.c").write_text(GARBAGE)
    found = find_causes(
        "garbage.c",
        failing=read_input("--fail", "7"),
        passing=read_input("--pass", "4"),
        check="exit",
        at=Moment("garbage.c", line),
        directory=tmp_path,
    )
    (cause,) = found.chain
    assert cause.differences > 2, "there is garbage that differs"
    (variable,) = cause.variables
    assert (variable.name, (variable.passing, variable.failing)) == (name, values)
