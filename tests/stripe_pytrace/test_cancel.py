"""A replay whose outcome nobody needs any more is ended at once."""

from __future__ import annotations

import threading
import time
from pathlib import Path

import pytest

from stripe.backend import End, Observation, Target
from stripe_pytrace.backend import PythonBackend

SLEEPER = """\
import time
seconds = 0
seconds = 60
seconds = 0
print("slept")
time.sleep(seconds)
print("awake")
"""


@pytest.mark.parametrize("jobs", [1, 2])  # one beside the workers of a cluster is, too
def test_cancel(jobs: int, tmp_path: Path) -> None:
    (tmp_path / "prog.py").write_text(SLEEPER)
    recording = PythonBackend().record(Target("prog.py", directory=tmp_path, jobs=jobs, timeout=50))
    try:
        everything = tuple(range(len(recording.trace)))
        sleeping = tuple(event for event in everything if event != 3)
        found: list[Observation] = []

        def replay() -> None:
            with recording.replay(sleeping) as run:
                found.append(run)

        recording.cancel(sleeping)  # there is none yet
        thread = threading.Thread(target=replay)
        thread.start()
        deadline = time.monotonic() + 40
        while thread.is_alive() and time.monotonic() < deadline:
            recording.cancel(everything)  # another one
            time.sleep(0.5)
            recording.cancel(sleeping)
            thread.join(0.1)
        thread.join()
        assert [run.end for run in found] == [End.CANCELLED]
        for _ in range(3):
            recording.cancel(everything)
            with recording.replay(everything) as run:
                assert (run.end, run.stdout) == (End.EXITED, b"slept\nawake\n")
    finally:
        recording.close()
