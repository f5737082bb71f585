"""A replay whose outcome nobody needs any more is ended at once."""

from __future__ import annotations

import threading
import time
from pathlib import Path

from stripe.backend import End, Observation
from tests.stripe_gdb.native import build, engines, needs_cc, needs_gdb, recorded, sample
from tests.support.patience import PATIENCE

pytestmark = [needs_gdb, needs_cc]

SLEEPER = sample("cancel/sleeper.c")


@engines
def test_cancel(engine: str, tmp_path: Path) -> None:
    program = build(SLEEPER, tmp_path)
    with recorded(program, jobs=2, timeout=500, engine=engine) as recording:
        everything = tuple(range(len(recording.trace)))
        sleeping = tuple(event for event in everything if event != 2)
        found: list[Observation] = []

        def replay() -> None:
            with recording.replay(sleeping) as run:
                found.append(run)

        recording.cancel(sleeping)  # there is none yet
        thread = threading.Thread(target=replay)
        thread.start()
        deadline = time.monotonic() + PATIENCE
        while thread.is_alive() and time.monotonic() < deadline:
            recording.cancel(everything)  # another one
            recording.cancel(sleeping)
            thread.join(0.2)
        thread.join()
        assert [run.end for run in found] == [End.CANCELLED]
        for _ in range(3):
            recording.cancel(everything)
            with recording.replay(everything) as run:
                assert (run.end, run.stdout) == (End.EXITED, b"slept\nawake\n")
