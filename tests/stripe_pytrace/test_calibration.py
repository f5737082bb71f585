"""The way in which a program is replayed is one in which what was recorded takes place."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path

import pytest

from stripe.backend import Target
from stripe.checks import parse_checks
from stripe.reduce import Settings, reduce
from stripe_pytrace.backend import PythonBackend
from stripe_pytrace.recording import PythonRecording

LIBRARY = """\
import sys
late = "helper" in sys.modules
def each(call):
    if late and call() is None:
        raise RuntimeError("it returned nothing")
    return 1
"""
"""What it does depends on whether it is imported before all else, as replays do it to save time."""

PROGRAM = """\
import helper, library
def hook():
    value = 1
    return value
raise ValueError(library.each(hook))
"""
"""Nobody sees whether `hook` is called."""


@pytest.fixture
def recording(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> PythonRecording:
    project, library = tmp_path / "project", tmp_path / "library"
    project.mkdir()
    library.mkdir()
    (library / "library.py").write_text(LIBRARY)
    (project / "helper.py").write_text("ready = True\n")
    (project / "prog.py").write_text(PROGRAM)
    monkeypatch.setenv("PYTHONPATH", str(library))
    found = PythonBackend().record(Target("prog.py", directory=project, exclude=(f"{library}/*",)))
    assert isinstance(found, PythonRecording)
    return found


def test_calls_that_nobody_sees_take_place_in_replays(recording: PythonRecording) -> None:
    with closing(recording):
        assert len(recording.trace.activations) == 3
        begun = sum(recording.uses()["following"])
        with recording.replay(range(len(recording.trace))):
            pass
        assert sum(recording.uses()["following"]) - begun == 3


def test_what_fresh_processes_do_is_what_was_searched(recording: PythonRecording) -> None:
    with closing(recording):
        [found] = reduce(recording, parse_checks(["exception"]), Settings()).slices
        assert found.certified
        assert found.verified
