"""Interpreters of versions that have no row are tried before anything is concluded from them."""

from __future__ import annotations

import subprocess
import sys
from dataclasses import replace

import pytest

import stripe
from stripe.backend import Target
from stripe.errors import NotReducible, UsageError
from stripe_pytrace import interpreter, recording, self_check
from stripe_pytrace.agent.compiling.versions import HERE, NEWEST, Version
from stripe_pytrace.backend import PythonBackend
from stripe_pytrace.interpreter_choice import choose_interpreter


def know_until(monkeypatch, version):
    for module in (interpreter, self_check):
        monkeypatch.setattr(module, "NEWEST", version)


@pytest.fixture
def result(tmp_path, monkeypatch):
    """Traces a program by an interpreter that is newer than those we know."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "caches"))
    know_until(monkeypatch, Version((3, 11)))
    (tmp_path / "program").mkdir()
    (tmp_path / "program" / "program.py").write_text("unused = 1\nprint('done')\n")

    def traced():
        return stripe.trace("program.py", directory=tmp_path / "program", check="stdout")

    return traced


def test_one_that_passes_is_told_once_and_noted_always(result, capfd):
    number = ".".join(map(str, sys.version_info[:2]))
    what = f"Python {number} is not known to this version of STRIPE"
    for told in (f"stripe: {what} (3.12 to 3.11 are): self-check passed\n", ""):
        found = result()
        assert f"{what} (3.12 to 3.11 are): its self-check passed." in found.notes
        assert len(found.slices[0].events) == 1
        assert capfd.readouterr().err == told


@pytest.mark.parametrize(
    ("text", "events", "why"),
    [
        ("print(1)\n", 2, "1 events instead of 2"),
        # The name of the program tells which of the two it is: they end otherwise.
        ("import sys\nprint(sys.argv[0])\nsys.argv = 1  # out\n", 3, "it ends otherwise"),
        ("print(id(object()))\n", 1, "differ"),
    ],
)
def test_one_that_fails_is_refused_each_time(result, capfd, monkeypatch, text, events, why):
    monkeypatch.setattr(self_check, "PROGRAMS", ((text, events),))
    for _ in range(2):
        with pytest.raises(UsageError) as refused:
            result()
        assert refused.value.slug == "unknown-version"
        assert why in refused.value.message
        assert "--python 3.11" in refused.value.hint
        assert "passed" not in capfd.readouterr().err


def test_another_build_is_tried_anew(result, monkeypatch):
    monkeypatch.setattr(self_check, "PROGRAMS", self_check.PROGRAMS[:1])
    result()
    monkeypatch.setattr(self_check, "_ours", lambda: "another agent")
    monkeypatch.setattr(self_check, "PROGRAMS", (("print(1)\n", 0),))
    with pytest.raises(UsageError):
        result()


def test_a_free_threaded_build_is_tried(result, capfd, monkeypatch):
    """Such a build is pretended: the decision is what is tested, the rest where there is one."""
    know_until(monkeypatch, NEWEST)
    monkeypatch.setattr(self_check, "PROGRAMS", self_check.PROGRAMS[:1])
    chosen = "stripe_pytrace.backend.choose_interpreter"
    monkeypatch.setattr(
        chosen, lambda target: (replace(choose_interpreter(target)[0], gil=False), [])
    )
    assert "is a free-threaded build: its self-check passed." in "".join(result().notes)
    assert capfd.readouterr().err.endswith("is a free-threaded build: self-check passed\n")


def test_threads_of_a_free_threaded_build_are_refused(tmp_path, monkeypatch):
    (tmp_path / "program.py").write_text(
        "import threading\nthread = threading.Thread(target=print, args=('hi',))\n"
        "thread.start()\nthread.join()\n"
    )
    if getattr(sys, "_is_gil_enabled", lambda: True)():
        monkeypatch.setattr(recording.PythonRecording, "_run_once", free)
    with pytest.raises(NotReducible) as refused:
        stripe.trace("program.py", directory=tmp_path, check="stdout")
    assert refused.value.slug == "free-threaded"
    assert "PYTHON_GIL=1" in refused.value.hint


def free(self, *arguments, once=recording.PythonRecording._run_once):
    """What the agent of a free-threaded build says of threads."""
    facts = once(self, *arguments)
    return {**facts, "detail": "free"} if facts["end"] == "threads" else facts


def test_one_that_is_known_is_not_tried(result, monkeypatch):
    know_until(monkeypatch, HERE)
    monkeypatch.setattr(self_check, "PROGRAMS", None)
    assert not any("self-check" in note for note in result().notes)


@pytest.mark.parametrize("text", [text for text, _ in self_check.PROGRAMS])
def test_the_programs_tell_whether_lines_were_left_out(text, tmp_path):
    without = self_check._OUT.sub(r"\1pass", text)
    outputs = [
        subprocess.run([sys.executable, "-c", each], capture_output=True, check=False)
        for each in (text, without)
    ]
    assert outputs[0].stdout != outputs[1].stdout
    assert {each.stderr for each in outputs} == {b""}
    assert without.count("pass") == text.count("# out") >= 2


JIT = getattr(getattr(sys, "_jit", None), "is_available", bool)()

HOT = """\
import sys
total = 0
for number in range(6000):
    total += number % 7
    if number == 5999:
        total = 1
print(total, sys._jit.is_enabled())
"""


@pytest.mark.skipif(not JIT, reason="this Python was built without the JIT")
def test_the_jit_changes_nothing(tmp_path, monkeypatch):
    monkeypatch.setenv("PYTHON_JIT", "1")
    (tmp_path / "program.py").write_text(HOT)
    recorded = PythonBackend().record(Target("program.py", directory=tmp_path))
    try:
        assert recorded.plain.stdout.endswith(b" True\n")
        trace = recorded.trace
        lines = [trace.statements[each].line for each in trace.statement]
        kept = [event for event, line in enumerate(lines) if line != 4]
        for strict in (False, True):
            with recorded.replay(kept, strict=strict) as seen:
                assert seen.stdout == b"1 True\n"
    finally:
        recorded.close()
