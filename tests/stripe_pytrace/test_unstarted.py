"""Exceptions thrown into generators and coroutines that have not started, or elsewhere did.

Each program prints a letter a line between what is tried; leaving out any of these prints leaves
the others, and nothing else changes.
"""

from __future__ import annotations

from contextlib import closing
from itertools import combinations

import pytest

from stripe.backend import End, Target
from stripe_pytrace.backend import PythonBackend
from tests.support.tables import tables

PROGRAMS = tables(__file__)["programs"]


@pytest.mark.parametrize("name", PROGRAMS)
def test_prints_around_it_can_be_left_out_one_by_one(name, tmp_path):
    source = PROGRAMS[name]
    (tmp_path / "program.py").write_text(source)
    with closing(PythonBackend().record(Target("program.py", directory=tmp_path))) as recording:
        trace = recording.trace
        assert min(trace.activation) >= 0
        printed = recording.plain.stdout.decode().split()
        rows = source.splitlines()
        prints = {}
        for event, statement in enumerate(trace.statement):
            row = rows[trace.statements[statement].line - 1].strip()
            if row.startswith("print("):
                prints[event] = row.rpartition('"')[0][-1]
        assert sorted(prints.values()) == sorted(printed)
        for size in range(len(prints) + 1):
            for gone in combinations(prints, size):
                kept = [event for event in range(len(trace)) if event not in gone]
                with recording.replay(kept) as run:
                    assert run.end is End.EXITED
                    left = [each for event, each in prints.items() if event not in gone]
                    assert run.stdout.decode().split() == left
