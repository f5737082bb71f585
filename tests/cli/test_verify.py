"""``stripe verify`` asks before it runs anything, on a backend in memory."""

from __future__ import annotations

import io
import json
import os
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import stripe.backend
from stripe.cli.consent import width
from stripe.cli.main import main
from tests.support.fake import SAMPLE, FakeBackend


class Stream(io.StringIO):
    """A stream that may be a terminal."""

    def __init__(self, text: str = "", *, terminal: bool) -> None:
        super().__init__(text)
        self.terminal = terminal

    def isatty(self) -> bool:
        return self.terminal


class Desk:
    """A user with a result to verify."""

    def __init__(self, backend: FakeBackend, monkeypatch: pytest.MonkeyPatch) -> None:
        self.backend = backend
        self.monkeypatch = monkeypatch
        self.err = ""

    def change(self, change: Callable[[Any], object]) -> None:
        """Change what the file says."""
        data = json.loads(Path("r.json").read_text())
        change(data)
        Path("r.json").write_text(json.dumps(data))

    def verify(self, *words: str, answer: str | None = None, terminal: bool = True) -> int:
        """Run the command; with an answer there is a terminal to type it at."""
        del self.backend.recordings[:]
        stderr = Stream(terminal=terminal)
        self.monkeypatch.setattr(sys, "stdin", Stream(answer or "", terminal=answer is not None))
        self.monkeypatch.setattr(sys, "stderr", stderr)
        status = main(["verify", "r.json", "-q", *words])
        self.err = stderr.getvalue()
        return status

    @property
    def ran(self) -> bool:
        return bool(self.backend.recordings)


@pytest.fixture
def desk(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Desk:
    backend = FakeBackend()
    monkeypatch.setattr(stripe.backend, "backends", lambda: iter([backend]))
    monkeypatch.chdir(tmp_path)
    Path("sample.py").write_text(SAMPLE)
    words = ("--input", "0\n5\n", "--check", "stdout:/mul/", "--json", "r.json", "-q")
    assert main(["trace", "sample.py", *words]) == 0
    return Desk(backend, monkeypatch)


@pytest.mark.parametrize("answer", ["y\n", "Y\n", "yes\n", " yes"])
def test_yes(desk: Desk, answer: str) -> None:
    assert (desk.verify(answer=answer), desk.ran) == (0, True)
    assert desk.err.startswith("stripe: Verifying r.json runs this, again and again:\n")
    assert "\n  program      sample.py\n" in desk.err
    assert desk.err.endswith("Run this? [y/N] ")


@pytest.mark.parametrize("answer", ["\n", "n\n", "", "yeah\n", "ny\n"])
def test_anything_else_is_no(desk: Desk, answer: str) -> None:
    assert (desk.verify(answer=answer), desk.ran) == (2, False)
    assert "the answer was not yes. [not-confirmed]" in desk.err


def test_nobody_to_ask(desk: Desk) -> None:
    assert (desk.verify(), desk.ran) == (2, False)
    assert "  program      sample.py\n" in desk.err
    assert "[not-confirmed]" in desk.err
    assert "--yes" in desk.err
    assert "Run this?" not in desk.err
    # The question would not be seen.
    assert (desk.verify(answer="y\n", terminal=False), desk.ran) == (2, False)


def test_the_answer_beforehand(desk: Desk) -> None:
    assert (desk.verify("--yes"), desk.ran) == (0, True)
    assert "  program      sample.py\n" in desk.err
    assert "Run this?" not in desk.err


def test_commands_are_shown_and_asked_about(desk: Desk) -> None:
    command = "grep -q mul $STRIPE_STDOUT"
    desk.change(lambda data: data["slices"][0].update(check=f"cmd:{command}"))
    assert (desk.verify("--yes"), desk.ran) == (2, False)
    assert "[command-not-allowed]" in desk.err
    assert f"\n  --allow-command '{command}'\n" in desk.err
    assert (desk.verify("--yes", "--allow-command", "grep"), desk.ran) == (2, False)
    assert (desk.verify("--yes", "--allow-command", command), desk.ran) == (1, True)
    assert (desk.verify(answer="y\n"), desk.ran) == (1, True)
    assert f"  command      /bin/sh -c '{command}'\n" in desk.err


def test_what_lies_outside_is_not_even_asked_about(desk: Desk) -> None:
    desk.change(lambda data: data["target"].update(python="/bin/sh"))
    for words in (("--yes",), ()):
        assert (desk.verify(*words, answer="y\n"), desk.ran) == (2, False)
        assert "[outside-project]" in desk.err
        assert "\n  --python /bin/sh\n" in desk.err
    assert (desk.verify("--yes", "--python", "3.13"), desk.ran) == (0, True)
    assert desk.backend.recordings[0].target.python == "3.13"
    assert "  interpreter  3.13\n" in desk.err


def test_what_is_named_is_run(desk: Desk, tmp_path: Path) -> None:
    desk.change(lambda data: data["target"].update(directory="/nowhere", program="/x.py"))
    assert (desk.verify("--yes"), desk.ran) == (2, False)
    assert (desk.verify("--yes", "--directory", "."), desk.ran) == (2, False)
    assert "the program '/x.py'" in desk.err
    assert desk.verify("--yes", "--directory", ".", "--program", "sample.py") == 0
    target = desk.backend.recordings[0].target
    assert (target.directory.resolve(), target.program) == (tmp_path.resolve(), "sample.py")


def test_messages_do_not_control_the_terminal(desk: Desk) -> None:
    desk.change(lambda data: data["slices"][0].update(check="stdout:\x1b[31m\u202e"))
    assert (desk.verify("--yes"), desk.ran) == (2, False)
    assert "[bad-check]" in desk.err
    assert desk.err.replace("\n", "").isprintable()


@pytest.mark.parametrize(("columns", "used"), [(0, 100), (57, 57)])
def test_the_width_is_that_of_the_terminal_which_shows_it(
    monkeypatch: pytest.MonkeyPatch, columns: int, used: int
) -> None:
    monkeypatch.setattr(sys, "stderr", sys.__stderr__)
    monkeypatch.setattr(os, "get_terminal_size", lambda fd: os.terminal_size((columns, 24)))
    assert width() == used
