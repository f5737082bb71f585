"""Programs that are refused for how they end."""

from __future__ import annotations

from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from stripe.backend import End, Observation, Target, UncaughtException
from stripe.errors import NotReducible, UsageError
from stripe_pytrace.backend import PythonBackend
from stripe_pytrace.recording import PythonRecording
from stripe_pytrace.refusals import require_memory, require_recording
from tests.support.recordings import recorded


@pytest.mark.parametrize(
    ("program", "told"),
    [
        ("print((1)\n", "SyntaxError: '(' was never closed"),
        ("if 1:\nprint(1)\n", "IndentationError: expected an indented block"),
        ("if 1:\n        print(1)\n\tprint(2)\n", "TabError: inconsistent use of tabs"),
    ],
)
def test_what_is_not_python(tmp_path: Path, program: str, told: str) -> None:
    (tmp_path / "prog.py").write_text(program)
    with pytest.raises(UsageError) as refused:
        PythonBackend().record(Target("prog.py", directory=tmp_path))
    assert refused.value.slug == "syntax-error"
    assert told in refused.value.message


def test_a_program_may_meet_what_is_not_python(tmp_path: Path) -> None:
    (tmp_path / "prog.py").write_text("compile('print((1)', 'other.py', 'exec')\n")
    with recorded(tmp_path) as recording:
        assert recording.recorded.exception is not None
        assert recording.recorded.exception.type == "SyntaxError"


def ended_with(exception: str) -> Observation:
    raised = UncaughtException(exception, "", "prog.py", 1, 0)
    stderr = f"{exception}\n".encode()
    return Observation(End.EXITED, 1, b"", stderr, Path(), raised)


def test_memory_that_is_short_only_while_recorded_is_told_apart() -> None:
    plain = Observation(End.EXITED, 0, b"", b"", Path())
    with pytest.raises(NotReducible, match="--max-events") as refused:
        require_memory(plain, ended_with("MemoryError"))
    assert refused.value.slug == "out-of-memory"
    require_memory(ended_with("MemoryError"), ended_with("MemoryError"))
    require_memory(plain, ended_with("KeyError"))


def test_a_replay_that_its_limit_ended_does_not_need_what_is_outside(tmp_path, monkeypatch):
    replayed = PythonRecording.replay

    @contextmanager
    def late(self, *arguments, **options):
        with replayed(self, *arguments, **options) as run:
            yield replace(run, end=End.TIMEOUT)

    monkeypatch.setattr(PythonRecording, "replay", late)
    with (
        pytest.raises(NotReducible) as refused,
        recorded(tmp_path, "print(1)\n", network=True),
    ):
        pass
    assert refused.value.slug == "too-slow"


def test_what_plain_runs_do_not_repeat_is_recorded_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """No other way of recording makes it repeat itself: four were tried one after another."""
    recordings = []
    run_once = PythonRecording._run_once

    def noted(self: PythonRecording, *arguments: Any) -> Any:
        recordings.append(self)
        return run_once(self, *arguments)

    monkeypatch.setattr(PythonRecording, "_run_once", noted)
    text = "import secrets\nclass Word:\n    pass\nprint(secrets.token_hex())\n"
    with pytest.raises(NotReducible) as refused, recorded(tmp_path, text):
        pass
    assert refused.value.slug == "nondeterministic"
    assert len(recordings) == 1


def test_a_recorded_run_that_ends_without_a_word() -> None:
    with pytest.raises(NotReducible, match="exit status -9") as caught:
        require_recording({"end": "signal", "status": -9}, False, 1.0)
    assert caught.value.slug == "lost-recording"


def test_a_live_run_is_not_done_twice_for_its_threads(tmp_path: Path) -> None:
    program = "import threading\nthread = threading.Thread(target=print)\nthread.start()\n"
    with pytest.raises(NotReducible) as caught, recorded(tmp_path, program, live=True):
        pass
    assert caught.value.slug == "live-threads"
