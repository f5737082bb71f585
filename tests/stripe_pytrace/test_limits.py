"""Limits of replays, as a recording keeps them."""

from __future__ import annotations

import time
from pathlib import Path

import pytest

from stripe.backend import Deadline, End, OutOfTime, Target
from stripe_pytrace.backend import PythonBackend

SLEEPER = """\
import time
n = 600
n = 0
time.sleep(n)
print(n)
"""


def test_a_replay_ends_with_the_time_for_all(tmp_path: Path) -> None:
    (tmp_path / "prog.py").write_text(SLEEPER)
    deadline = Deadline(3600)
    target = Target("prog.py", directory=tmp_path, timeout=300, deadline=deadline)
    recording = PythonBackend().record(target)
    try:
        with recording.replay([0, 1, 2, 3, 4]) as run:
            assert run.end is End.EXITED
        deadline._until = time.monotonic() + 0.5
        for fresh in (False, True):
            with pytest.raises(OutOfTime), recording.replay([0, 1, 3, 4], fresh=fresh):
                pass
        deadline._until = time.monotonic() + 3600
        with recording.replay([0, 1, 2, 3, 4]) as run:  # it is not the worse for it
            assert run.end is End.EXITED
    finally:
        recording.close()
