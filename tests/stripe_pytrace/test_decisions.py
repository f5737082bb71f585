"""``STRIPE_LOG=replay``: a line for each decision of a replay, so that a wrong one can be read."""

from __future__ import annotations

from pathlib import Path

import pytest

from stripe.backend import Target
from stripe.errors import UsageError
from stripe_pytrace.backend import PythonBackend
from stripe_pytrace.recording import PythonRecording

PROGRAM = """\
def whole(x):
    return part(x) + 1
def part(x):
    if x > 1:
        x = x * 2
    return x
def raises(x):
    try:
        return 1 // x
    except ZeroDivisionError:
        return 5
print(whole(3))
print(raises(0))
"""


@pytest.fixture
def log(tmp_path, monkeypatch):
    path = tmp_path / "decisions"
    monkeypatch.setenv("STRIPE_LOG", f"replay={path}")
    return path


def recorded(tmp_path: Path, text: str, timeout: float | None = None) -> PythonRecording:
    folder = tmp_path / "program"
    folder.mkdir()
    (folder / "p.py").write_text(text)
    recording = PythonBackend().record(Target("p.py", directory=folder, timeout=timeout))
    assert isinstance(recording, PythonRecording)
    return recording


def lines(recording: PythonRecording, log: Path, lost: str = "", **how: bool) -> list[str]:
    """What is told of a replay without the events of the line that begins so."""
    trace = recording.trace
    text = trace.files[0].lines
    kept = [
        event
        for event, number in enumerate(trace.statement)
        if not (lost and text[trace.statements[number].line - 1].strip().startswith(lost))
    ]
    log.write_text("")
    with recording.replay(kept, **how):
        pass
    return [each.partition(": ")[2] for each in log.read_text().splitlines()]


@pytest.mark.parametrize("fresh", [False, True])
def test_a_line_says_of_each_event_whether_it_takes_effect(tmp_path, log, fresh):
    recording = recorded(tmp_path, PROGRAM)
    try:
        told = lines(recording, log, "x = x * 2", fresh=fresh)
        name = next(
            recording.trace.name(event)
            for event, number in enumerate(recording.trace.statement)
            if recording.trace.statements[number].line == 5
        )
    finally:
        recording.close()
    assert told[0].startswith(f"{len(recording.trace) - 1} of {len(recording.trace)} events kept")
    assert told[-1] == "ends: exited"
    assert [each for each in told if "left out" in each] == [
        next(each for each in told if f"({name}) is left out" in each)
    ]
    assert any(each.startswith("begins part() ") and "2 of 3 events" in each for each in told)
    assert any(each.startswith("begins raises() ") and "all of it kept" in each for each in told)
    assert any(each.endswith("raises ZeroDivisionError") for each in told)
    assert any(each.startswith("lands at site ") for each in told)


def test_where_a_replay_leaves_the_recorded_path_its_last_line_says_why(tmp_path, log):
    recording = recorded(
        tmp_path, "n = 0\ndef f(x):\n    return 1\nif n == 0:\n    f = len\nf('a')\n"
    )
    try:
        told = lines(recording, log, "f = len")
    finally:
        recording.close()
    assert told[-2].startswith("diverges: calls f() ")
    assert told[-1].startswith("ends: diverged calls f() ")


ENDLESS = """\
from collections import deque
end = 1
end = 0
deque(iter(int, end), 0)
print(1)
"""


def test_what_is_killed_leaves_its_decisions(tmp_path, log):
    recording = recorded(tmp_path, ENDLESS)
    recording._runner.timeout = 2.0
    try:
        told = lines(recording, log, "end = 0")
    finally:
        recording.close()
    assert told[-1].startswith("ends: timeout")
    assert told[-2].startswith("event 3 ")
    assert sum(each.endswith("is kept") for each in told) == 3
    assert sum(each.endswith("is left out") for each in told) == 1


def test_it_goes_to_standard_error_without_a_file(tmp_path, monkeypatch, capsys):
    monkeypatch.setenv("STRIPE_LOG", "replay")
    recorded(tmp_path, "print(1)\n").close()
    told = capsys.readouterr().err
    assert "replay 1: 1 of 1 events kept\n" in told
    assert "replay 1: event 0 (1_1) is kept\n" in told


def test_another_log_there_is_not(tmp_path, monkeypatch):
    monkeypatch.setenv("STRIPE_LOG", "everything")
    with pytest.raises(UsageError) as caught:
        recorded(tmp_path, "print(1)\n")
    assert caught.value.slug == "bad-log"
    assert "STRIPE_LOG=replay" in caught.value.hint


def test_nothing_is_told_unasked(tmp_path, monkeypatch, capsys):
    monkeypatch.delenv("STRIPE_LOG", raising=False)
    recorded(tmp_path, "print(1)\n").close()
    assert capsys.readouterr().err == ""
