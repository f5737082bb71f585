"""Limits of replays, as a recording keeps them."""

from __future__ import annotations

import time
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from stripe.backend import Deadline, End, OutOfTime, Target
from stripe_pytrace.backend import PythonBackend
from stripe_pytrace.host import AgentProcess

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


@pytest.mark.parametrize(("timeout", "waits"), [(None, True), (30.0, False)])
def test_the_plain_and_the_recorded_run_may_wait_for_a_processor(
    timeout: float | None, waits: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Two tests of alembic were refused as too slow: they took 1 s of a processor, of the 30 s."""
    requests = []
    ask = AgentProcess.ask

    def noted(self: AgentProcess, request: Mapping[str, Any]) -> dict[str, Any]:
        requests.append(request)
        return ask(self, request)

    monkeypatch.setattr(AgentProcess, "ask", noted)
    (tmp_path / "prog.py").write_text("print(1)\n")
    target = Target("prog.py", directory=tmp_path, timeout=timeout, deadline=Deadline(3600))
    PythonBackend().record(target).close()
    plain, recorded = [each for each in requests if "job" in each and "zygote" not in each]
    for each in (plain, recorded):
        assert (each["wall"] > each["timeout"]) is waits
