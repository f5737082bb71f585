"""Interpreters of versions that have no row are tried before anything is concluded from them."""

from __future__ import annotations

import subprocess
import sys

import pytest

import stripe
from stripe.errors import UsageError
from stripe_pytrace import unknown
from stripe_pytrace.agent.versions import HERE, NEWEST


@pytest.fixture
def result(tmp_path, monkeypatch):
    """Traces a program by an interpreter that is newer than those we know."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "caches"))
    monkeypatch.setattr(unknown, "NEWEST", NEWEST._replace(number=(3, 11)))
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
    monkeypatch.setattr(unknown, "PROGRAMS", ((text, events),))
    for _ in range(2):
        with pytest.raises(UsageError) as refused:
            result()
        assert refused.value.slug == "unknown-version"
        assert why in refused.value.message
        assert "--python 3.11" in refused.value.hint
        assert "passed" not in capfd.readouterr().err


def test_another_build_is_tried_anew(result, monkeypatch):
    monkeypatch.setattr(unknown, "PROGRAMS", unknown.PROGRAMS[:1])
    result()
    monkeypatch.setattr(unknown, "_ours", lambda: "another agent")
    monkeypatch.setattr(unknown, "PROGRAMS", (("print(1)\n", 0),))
    with pytest.raises(UsageError):
        result()


def test_one_that_is_known_is_not_tried(result, monkeypatch):
    monkeypatch.setattr(unknown, "NEWEST", HERE)
    monkeypatch.setattr(unknown, "PROGRAMS", None)
    assert not any("self-check" in note for note in result().notes)


@pytest.mark.parametrize("text", [text for text, _ in unknown.PROGRAMS])
def test_the_programs_tell_whether_lines_were_left_out(text, tmp_path):
    without = unknown._OUT.sub(r"\1pass", text)
    outputs = [
        subprocess.run([sys.executable, "-c", each], capture_output=True, check=False)
        for each in (text, without)
    ]
    assert outputs[0].stdout != outputs[1].stdout
    assert {each.stderr for each in outputs} == {b""}
    assert without.count("pass") == text.count("# out") >= 2
