"""What tests that run ahead will need is started while the program is recorded."""

from __future__ import annotations

import threading
from contextlib import closing
from pathlib import Path

import pytest

from stripe.backend import End, Target
from stripe.errors import BackendError, NotReducible
from stripe_pytrace.backend import PythonBackend
from stripe_pytrace.host import AgentProcess, Role
from stripe_pytrace.recording import PythonRecording
from stripe_pytrace.runner import Runner
from tests.support.patience import PATIENCE, wait_until

CHANGING = "import time\nprint(time.monotonic())\n"


def test_agents_are_there_when_all_is_recorded(tmp_path: Path, walled: list[AgentProcess]) -> None:
    (tmp_path / "prog.py").write_text("print(1)\n")
    with closing(PythonBackend().record(Target("prog.py", directory=tmp_path, jobs=3))) as opened:
        assert isinstance(opened, PythonRecording)
        wait_until(lambda: not opened._slots._warming)
        assert sorted(each.role for each in walled) == [Role.AGENT, Role.AGENT, Role.SERVER]
        with opened._slots.one(), opened._slots.one(), opened.replay([0]) as run:
            assert (run.end, run.stdout) == (End.EXITED, b"1\n")
        assert len(walled) == 3
    assert [each.process.poll() is None for each in walled] == [False] * 3


def test_with_one_job_there_is_nobody_to_start(tmp_path: Path, walled: list[AgentProcess]) -> None:
    (tmp_path / "prog.py").write_text("print(1)\n")
    with closing(PythonBackend().record(Target("prog.py", directory=tmp_path))):
        pass
    assert len(walled) == 1


def test_what_is_about_to_start_when_a_run_is_refused_is_ended(
    tmp_path: Path, walled: list[AgentProcess], monkeypatch: pytest.MonkeyPatch
) -> None:
    refused = threading.Event()
    load, close = Runner._load, Runner.close
    warming: list[threading.Thread] = []

    def slowly(self: Runner, resident: AgentProcess, slot: object) -> None:
        if threading.current_thread() is not threading.main_thread():
            warming.append(threading.current_thread())
            assert refused.wait(PATIENCE)
        load(self, resident, slot)  # type: ignore[arg-type]

    def closed(self: Runner) -> None:
        refused.set()
        close(self)

    monkeypatch.setattr(Runner, "_load", slowly)
    monkeypatch.setattr(Runner, "close", closed)
    (tmp_path / "prog.py").write_text(CHANGING)
    with pytest.raises(NotReducible):
        PythonBackend().record(Target("prog.py", directory=tmp_path, jobs=2))
    for thread in warming:
        thread.join()
    assert [each.process.poll() is None for each in walled] == [False] * len(walled)


def test_one_that_cannot_be_started_is_missed_when_it_is_needed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(self: Runner, number: int) -> None:
        raise BackendError("agent-failed", "There is no room for it.")

    monkeypatch.setattr(Runner, "warm", fail)
    (tmp_path / "prog.py").write_text("print(1)\n")
    with closing(PythonBackend().record(Target("prog.py", directory=tmp_path, jobs=2))) as opened:
        assert isinstance(opened, PythonRecording)
        with opened._slots.one(), opened.replay([0]) as run:
            assert run.stdout == b"1\n"
