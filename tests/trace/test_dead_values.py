"""Dead values: programs, and what is told of each."""

from __future__ import annotations

from pathlib import Path

import pytest

from stripe.trace import Trace
from stripe.trace.dead_values import dead_values
from tests.support.recordings import recorded
from tests.support.tables import tables

CASES = tables(__file__)["told"]


def told(trace: Trace) -> list[str]:
    """What is told, in the form of the table."""

    def line(event: int) -> int:
        return trace.statements[trace.statement[event]].line

    return [
        f"{each.name} {line(each.event)} -> "
        f"{'end' if each.overwritten is None else line(each.overwritten)} x{each.times}"
        for each in dead_values(trace)
    ]


@pytest.mark.parametrize("case", CASES)
def test_what_is_told(case: str, tmp_path: Path) -> None:
    program, expected = CASES[case]
    with recorded(tmp_path, program) as recording:
        assert told(recording.trace) == expected
