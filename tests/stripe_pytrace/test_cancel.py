"""A replay whose outcome nobody needs any more is ended at once."""

from __future__ import annotations

import threading
import time
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path

import pytest

from stripe.backend import End, Observation, Recording, Target
from stripe.sandbox.layers import find_layer
from stripe.sandbox.walls import Layer
from stripe_pytrace.backend import PythonBackend
from stripe_pytrace.host import AgentProcess
from stripe_pytrace.recording import PythonRecording
from tests.stripe_pytrace.test_zygotes import running, started
from tests.support.patience import PATIENCE
from tests.support.recordings import recorded

SLEEPER = """\
import time
seconds = 0
seconds = 60
seconds = 0
print("slept")
time.sleep(seconds)
print("awake")
"""


LEAVER = """\
import os, time
seconds = 0
seconds = 60
seconds = 0
if seconds and os.fork() == 0:
    os.setsid()
    os.execvp("sleep", ["sleep", "601"])
time.sleep(seconds)
print("awake")
"""


def cancelled(recording: Recording, events: Sequence[int]) -> Observation:
    """A replay that sleeps, cancelled."""
    found: list[Observation] = []

    def replay() -> None:
        with recording.replay(events) as run:
            found.append(run)

    thread = threading.Thread(target=replay)
    thread.start()
    deadline = time.monotonic() + PATIENCE
    while thread.is_alive() and time.monotonic() < deadline:
        recording.cancel(range(len(recording.trace)))  # another one
        time.sleep(0.5)
        recording.cancel(events)
        thread.join(0.1)
    thread.join()
    (run,) = found
    return run


def but_for(recording: Recording, event: int) -> tuple[int, ...]:
    return tuple(each for each in range(len(recording.trace)) if each != event)


@pytest.mark.parametrize("jobs", [1, 2])  # one beside the workers of a cluster is, too
def test_cancel(jobs: int, tmp_path: Path) -> None:
    with recorded(tmp_path, SLEEPER, jobs=jobs, timeout=50) as recording:
        everything = tuple(range(len(recording.trace)))
        sleeping = but_for(recording, 3)
        recording.cancel(sleeping)  # there is none yet
        assert cancelled(recording, sleeping).end is End.CANCELLED
        for _ in range(3):
            recording.cancel(everything)
            with recording.replay(everything) as run:
                assert (run.end, run.stdout) == (End.EXITED, b"slept\nawake\n")


def test_what_follows_a_search_need_not_be_started_anew_then(
    tmp_path: Path, walled: list[AgentProcess]
) -> None:
    (tmp_path / "prog.py").write_text(SLEEPER)
    target = Target("prog.py", directory=tmp_path, timeout=50)
    with closing(PythonBackend().record(target)) as recording:
        assert isinstance(recording, PythonRecording)
        everything = range(len(recording.trace))
        with recording.replay(everything, fresh=True):
            pass
        [zygote] = started(recording)
        recording.differences(everything)
        assert cancelled(recording, but_for(recording, 3)).end is End.CANCELLED
        with recording.replay(everything, fresh=True) as run:
            assert run.stdout == b"slept\nawake\n"
        recording.differences(everything)
        assert started(recording) == [zygote]
    assert len(walled) == 1


@pytest.mark.skipif(find_layer()[0] is Layer.NONE, reason="no program may start others then")
def test_what_a_cancelled_one_leaves_behind_is_ended(tmp_path: Path) -> None:
    (tmp_path / "prog.py").write_text(LEAVER)
    target = Target("prog.py", directory=tmp_path, timeout=50)
    with closing(PythonBackend().record(target)) as recording:
        assert isinstance(recording, PythonRecording)
        assert cancelled(recording, but_for(recording, 3)).end is End.CANCELLED
        assert [each for each in running(recording).values() if b"sleep\x00601" in each] == []
        with recording.replay(range(len(recording.trace)), fresh=True) as run:
            assert run.stdout == b"awake\n"
