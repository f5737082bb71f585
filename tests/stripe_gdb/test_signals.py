"""A signal that comes while gdb steps over a breakpoint hits it once more: that is no event."""

from __future__ import annotations

from pathlib import Path

from tests.stripe_gdb.differential import facts
from tests.stripe_gdb.native import build, needs_cc, needs_gdb, recorded, sample

pytestmark = [needs_gdb, needs_cc]

TICKING = sample("signals/ticking.c")


def test_signals_make_no_events(tmp_path: Path) -> None:
    with recorded(build(TICKING, tmp_path)) as recording:
        lines = [recording.trace.statements[s].line for s in recording.trace.statement]
        assert lines.count(11) == 400
        assert lines.count(13) == 3, "a loop in one block"
        everything = range(len(lines))
        run, executed = recording.executed(everything)
        assert facts(run) == facts(recording.plain)
        assert executed == tuple(everything)
