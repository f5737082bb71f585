"""What the debugger cannot follow backwards, or bring back, is told by name."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

import stripe_pytrace.timetravel
from stripe.errors import NotReducible
from tests.debug.test_moments import MEAN, refusal, travelled, value
from tests.support.killing import kill
from tests.support.patience import wait_until

ALL_TAKEN = """\
import sys
for number in range(6):
    sys.monitoring.use_tool_id(number, "theirs")
"""


def test_a_run_of_more_lines_than_can_be_counted(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(stripe_pytrace.timetravel, "MOST_EVENTS", 20)
    error = refusal(tmp_path, MEAN.replace("[4]", "list(range(100_000))"))
    assert error.slug == "too-long-to-debug"
    assert "more than 20 lines of your code" in error.message


def test_an_interpreter_in_which_others_have_all_tools(tmp_path: Path) -> None:
    (tmp_path / "site").mkdir()
    (tmp_path / "site" / "sitecustomize.py").write_text(ALL_TAKEN)
    with (
        pytest.raises(NotReducible) as caught,
        travelled(tmp_path, MEAN, environment={**os.environ, "PYTHONPATH": str(tmp_path / "site")}),
    ):
        pass
    assert caught.value.slug == "no-tool-id"
    assert "3: theirs" in caught.value.message


def kill_the_last(count: int) -> None:
    """Kill the processes furthest below us: who stands at a moment, then its checkpoint."""

    def line_of(process: int) -> list[int]:
        text = Path(f"/proc/{process}/task/{process}/children").read_text()
        return [process, *max(map(line_of, map(int, text.split())), key=len, default=[])]

    for process in line_of(os.getpid())[-count:]:
        kill(process)
        wait_until(lambda: "\nState:\tZ" in status_of(process))  # noqa: B023


def status_of(process: int) -> str:
    try:
        return Path(f"/proc/{process}/status").read_text()
    except OSError:
        return "\nState:\tZ"


def test_a_moment_whose_process_was_killed_is_gone_to_again(tmp_path: Path) -> None:
    """Its checkpoint took what was asked of it for an order of its own, and all waited."""
    with travelled(tmp_path, MEAN.replace('"c": []', '"c": [5]')) as journey:
        event = journey.events_at("prog.py", 5)[-1]
        journey.go(event)
        kill_the_last(1)
        with pytest.raises(NotReducible) as caught:
            value(journey, "total")
        assert caught.value.slug == "moment-lost"
        journey.go(event)
        assert value(journey, "total") == "5"
        kill_the_last(1)
        journey.go(event - 2)
        assert value(journey, "total") == "0"
        kill_the_last(2)
        with pytest.raises(NotReducible) as caught:
            journey.go(event)
    assert caught.value.slug == "moment-lost"
