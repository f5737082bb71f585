"""On a terminal, a long report goes through the user's pager, which has the keyboard then."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import pexpect
import pytest

from stripe.report.jsonfile import as_json
from tests.support.patience import PATIENCE
from tests.support.results import result_of, slice_of, trace_of

SHOW = ["-m", "stripe", "show", "r.json"]
PAGED = "pager: "
PAGER = """\
import signal, sys
signal.signal(signal.SIGINT, lambda *about: print("pager: interrupted", flush=True))
lines = sys.stdin.readlines()
print("pager:", len(lines), "lines", flush=True)
sys.stdin = open("/dev/tty")
sys.stdin.readline()
"""


@pytest.fixture
def terminal(tmp_path: Path) -> Any:
    """Shows a result with so many lines of source on a terminal whose pager tells what it gets."""
    (tmp_path / "pager.py").write_text(PAGER)
    started = []

    def terminal(lines: int, pager: str = f"{sys.executable} pager.py", term: str = "xterm") -> Any:
        trace = trace_of(range(1, lines + 1), "".join(f"x{i} = {i}\n" for i in range(lines)))
        (tmp_path / "r.json").write_bytes(
            as_json(result_of(trace, slice_of(trace, range(lines))).to_json())
        )
        environment = {**os.environ, "PAGER": pager, "TERM": term}
        environment.pop("FORCE_COLOR", None)
        started.append(
            pexpect.spawn(
                sys.executable,
                SHOW,
                cwd=tmp_path,
                env=environment,
                encoding="utf-8",
                timeout=PATIENCE,
            )
        )
        return started[-1]

    yield terminal
    for each in started:
        each.close(force=True)


def rest(shown: Any) -> tuple[str, int]:
    """What is still printed, and the exit status."""
    shown.expect(pexpect.EOF)
    shown.close()
    return shown.before, shown.exitstatus


def test_the_pager_has_a_long_report_and_the_keyboard(terminal: Any) -> None:
    shown = terminal(300)
    shown.expect(r"pager: 4\d\d lines")
    shown.sendintr()
    shown.expect("pager: interrupted")
    shown.sendline("q")
    text, status = rest(shown)
    assert status == 0
    assert "nterrupted;" not in text


def test_sigterm_ends_it_and_the_pager(terminal: Any) -> None:
    shown = terminal(300)
    shown.expect(r"pager: 4\d\d lines")
    os.kill(shown.pid, signal.SIGTERM)
    text, status = rest(shown)
    assert (status, "Ended by SIGTERM" in text) == (128 + signal.SIGTERM, True), text


def test_a_pager_that_wants_no_more_is_no_error(terminal: Any) -> None:
    text, status = rest(terminal(300, pager="head -n 2"))
    assert status == 0, text
    assert len(text.splitlines()) == 2


@pytest.mark.parametrize(
    ("lines", "pager", "term"),
    [(20, None, "xterm"), (300, None, "dumb"), (300, "/no/pager", "xterm")],
)
def test_short_reports_and_what_no_pager_can_show_are_printed(
    lines: int, pager: str | None, term: str, terminal: Any
) -> None:
    text, status = rest(terminal(lines, **({} if pager is None else {"pager": pager}), term=term))
    assert status == 0, text
    assert PAGED not in text
    assert "1-minimal" in text


def test_what_is_no_terminal_gets_all_of_it(terminal: Any, tmp_path: Path) -> None:
    rest(terminal(300, pager="head -n 2"))
    environment = {**os.environ, "PAGER": "false"}
    done = subprocess.run(
        [sys.executable, *SHOW], cwd=tmp_path, env=environment, capture_output=True, text=True
    )
    assert done.stdout.splitlines()[-1] == (
        "Not shown: 150 rows of the table. --show all shows everything."
    )
