"""The parts of recording that the benchmark of a million events takes the time of."""

from __future__ import annotations

from benchmarks.million import PARTS, stopwatches
from benchmarks.programs import recorded, statement_program, statements


def test_each_part_takes_time():
    with (
        statement_program() as directory,
        stopwatches() as taken,
        recorded(statements(directory, 1000)),
    ):
        pass
    assert taken.keys() == PARTS.keys()
    assert all(seconds > 0 for seconds in taken.values())
