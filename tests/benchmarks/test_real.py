"""A few of the real programs: what a slice does not keep does not execute, told by the copy itself.

``python -m benchmarks.real`` tries all of them; see ``docs/real-programs.md``.
"""

from __future__ import annotations

import pytest

from benchmarks.real.catalog import standard
from benchmarks.real.trial import try_out

PROGRAMS = {program.name: program for program in standard()}


@pytest.mark.realworld
@pytest.mark.parametrize("control", ["trace", "program"])
@pytest.mark.parametrize("name", ["colorsys", "getopt", "heapq"])
def test_a_slice_executes_kept_events_only(name, control, tmp_path):
    row = try_out(PROGRAMS[f"std:{name}"], tmp_path, control=control, tests=400)
    assert not row.refused
    assert 0 < row.kept < row.events
    assert not row.wrong
