"""Programs that note themselves where they are: traced as by events, and else recorded by these."""

from __future__ import annotations

import textwrap
from pathlib import Path

import pytest

from stripe.backend import Target
from stripe.trace import Trace
from stripe_pytrace.backend import PythonBackend
from stripe_pytrace.recording import PythonRecording
from tests.support.tables import tables

PROGRAMS = tables(__file__)["programs"]
UNFIT = {
    "a finalizer": "class A:\n    def __del__(self): print(1)\n",
    "a generator that sees to its end": """\
def f():
    try:
        yield
    finally:
        print(1)
""",
    "one with a context": "def f():\n    with open('x') as file:\n        yield\n",
    "a module": "import other\n",
}
WATCHING = """\
import sys
def watch(frame, event, argument):
    global seen
    seen += 1
def f():
    return 1
seen = 0
getattr(sys, "settra" + "ce")(watch)
f()
getattr(sys, "settra" + "ce")(None)
print(seen)
"""
LIMIT = """\
def f(n):
    try:
        return f(n + 1)
    except RecursionError:
        return n
print(f(0))
"""


def recorded(folder: Path, source: str) -> tuple[bool, Trace]:
    """Whether a program was recorded by its own notes, and the trace."""
    (folder / "program.py").write_text(source, "utf-8")
    (folder / "other.py").write_text("import weakref\n", "utf-8")
    recording = PythonBackend().record(Target("program.py", directory=folder))
    assert isinstance(recording, PythonRecording)
    with_notes = recording.direct
    recording.close()
    return with_notes, recording.trace


def by_events(folder: Path, source: str, monkeypatch: pytest.MonkeyPatch) -> Trace:
    monkeypatch.setattr("stripe_pytrace.recording.direct_first", lambda target: False)
    direct, trace = recorded(folder, source)
    assert not direct
    return trace


def told(trace: Trace) -> list[tuple[int, ...]]:
    columns = trace.statement, trace.activation, trace.caller, trace.scope, trace.control
    return list(zip(*columns, strict=True))


@pytest.mark.parametrize("source", PROGRAMS.values(), ids=PROGRAMS)
def test_the_trace_is_that_of_events(tmp_path, monkeypatch, source):
    direct, trace = recorded(tmp_path, source)
    assert direct
    assert told(trace) == told(by_events(tmp_path, source, monkeypatch))


@pytest.mark.parametrize("source", UNFIT.values(), ids=UNFIT)
def test_what_may_run_in_the_middle_of_callbacks_is_recorded_by_events(tmp_path, source):
    direct, _ = recorded(tmp_path, source + "print(2)\n")
    assert not direct


@pytest.mark.parametrize("source", [WATCHING, LIMIT], ids=["watching", "recursion"])
def test_so_is_what_turns_out_while_it_runs(tmp_path, monkeypatch, source):
    direct, trace = recorded(tmp_path, textwrap.dedent(source))
    assert not direct
    assert told(trace) == told(by_events(tmp_path, source, monkeypatch))


@pytest.mark.parametrize("where", ["_is_unlike", "_calibrate"])
def test_so_is_a_program_that_notes_disturb(tmp_path, monkeypatch, where):
    usual = getattr(PythonRecording, where)

    def disturbed(self, *arguments):
        found = usual(self, *arguments)
        if self.direct and where == "_calibrate":
            self._engines.drop_all()
        return found if not self.direct else where == "_is_unlike"

    monkeypatch.setattr(PythonRecording, where, disturbed)
    direct, trace = recorded(tmp_path, "def f(n):\n    return n\nprint(f(2))\n")
    assert not direct
    assert len(trace) == 3
