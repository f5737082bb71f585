"""Seeded faults: mostly they are where the cause passes from one variable to another."""

from __future__ import annotations

import re
import shutil
from pathlib import Path

import pytest

from stripe.cli.causes import read_input
from stripe.results.causes import CausesResult, Shown
from stripe.states.causes import find_causes

FAULTS = Path(__file__).parent / "faults"

FAR = {"invoice", "matrix"}
"""In these the same variable is to blame before and after the fault: no cause passes there."""


def searched(path: Path, directory: Path) -> CausesResult:
    """The causes of the exception that a program ends with."""
    shutil.copy(path, directory)
    said = dict(re.findall(r"^# (fail|pass): (.*)", path.read_text(), re.M))
    return find_causes(
        path.name,
        failing=read_input("--fail", said["fail"]),
        passing=read_input("--pass", said["pass"]),
        check="exception",
        directory=directory,
    )


def near(result: CausesResult, path: Path) -> bool:
    """Whether the fault is at a direct transition, or in the line before or after it."""
    [fault] = [
        number for number, line in enumerate(path.read_text().splitlines(), 1) if "FAULT" in line
    ]
    lines = {
        cause.line
        for each in result.transitions
        if each.direct
        for cause in (result.chain[each.before], result.chain[each.after])
    }
    return any(abs(fault - line) <= 1 for line in lines)


@pytest.mark.parametrize("path", sorted(FAULTS.glob("*.py")), ids=lambda path: path.stem)
def test_most_faults_are_at_a_transition(path: Path, tmp_path: Path) -> None:
    result = searched(path, tmp_path)
    assert result.certified
    assert [each.shown for each in result.links] == [Shown.VALUES] * (len(result.steps) - 1)
    assert near(result, path) is (path.stem not in FAR)
