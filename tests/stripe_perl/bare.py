"""Perl programs that do no harm, recorded and replayed by the host alone: without a sandbox."""

from __future__ import annotations

import os
import random
import subprocess
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from stripe.trace import Trace
from stripe_perl.host import Server
from stripe_perl.interpreter import find_perl
from stripe_perl.runner import SAME_HASHES
from stripe_perl.runtime_library import built_runtime
from stripe_perl.trace_model import make_trace

SECONDS = 60
"""For one run, on a busy machine."""

PERLS_OWN = ("panic:", "Bizarre", "Attempt to free", "Assertion")
"""What perl says when it is broken, whatever the program does."""

Run = dict[str, Any]


class BareHost:
    """A program in the working directory, compiled once; a replay takes some milliseconds."""

    def __init__(self, program: str) -> None:
        perl = find_perl()
        self._command = [perl, program]
        library = str(built_runtime(perl))
        self._server = Server(Path("shared").absolute(), library, (0, 0), self._command)
        self.recorded: Run = self._ask()
        make = make_trace(Path.cwd(), str, self.recorded["path"]) if self._server.ready else None
        self.trace: Trace = make or Trace([], [], [])

    def _ask(self, **more: object) -> Run:
        return self._server.answer({"stdin": "", "seconds": SECONDS, **more})

    def plain(self) -> tuple[str, str, int]:
        run = subprocess.run(
            self._command,
            capture_output=True,
            stdin=subprocess.DEVNULL,
            check=False,
            timeout=SECONDS,
        )
        text = [each.decode("utf-8", "surrogateescape") for each in (run.stdout, run.stderr)]
        return text[0], text[1], abs(run.returncode)

    def replay(self, kept: Sequence[int], mode: str = "replay") -> Run:
        return self._ask(kept=list(kept), mode=mode)

    def some(self, dice: random.Random) -> tuple[int, ...]:
        """A random closed configuration."""
        share = dice.choice([0.1, 0.3, 0.5, 0.7, 0.9, 0.97])
        return self.trace.close([e for e in range(len(self.trace)) if dice.random() < share])

    def close(self) -> None:
        os.close(self._server._requests)
        self._server._process.wait(SECONDS)
        self._server._answers.close()


def said(run: Run) -> tuple[str, str, int]:
    """What a run printed, and its status."""
    return run["stdout"], run["stderr"], run["status"]


@contextmanager
def bare(folder: Path, text: str, monkeypatch: pytest.MonkeyPatch) -> Iterator[BareHost]:
    """A program with this text, run in a folder."""
    (folder / "prog.pl").write_text(text, "utf-8")
    monkeypatch.chdir(folder)
    for name, value in SAME_HASHES.items():
        monkeypatch.setenv(name, value)
    host = BareHost("prog.pl")
    try:
        yield host
    finally:
        host.close()
