"""What is launched: arguments as an editor gives them, and where the session can go from there."""

from __future__ import annotations

import json
import os
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from stripe.backend import TravelError
from stripe.cli.debug import travel
from stripe.debug.launch import launch_of
from stripe.debug.session import Session
from stripe_pytrace.agent.timetravel import stopped_process
from tests.debug.test_moments import MEAN, travelled, value
from tests.support.answers import answer_of, place_of

READER = """\
import os
import sys
import time

def parse(lines):
    def price(line):
        return int(line) * factor
    factor = int(os.environ["FACTOR"])
    return [price(line) for line in lines]

prices = parse(sys.stdin)
assert sum(prices) == int(sys.argv[1]), prices
"""


@contextmanager
def launched(folder: Path, **arguments: Any) -> Iterator[Session]:
    session = launch_of({"cwd": str(folder), **arguments}).begin(travel)
    try:
        yield session
    finally:
        session.close()


def test_a_module_with_arguments_variables_and_standard_input(tmp_path: Path) -> None:
    """And what encloses a function is seen in it."""
    (tmp_path / "shop").mkdir()
    (tmp_path / "shop" / "__main__.py").write_text(READER)
    given = {"args": ["7"], "stdin": "1\n2\n", "env": {"FACTOR": "5", "HOME": None}}
    with launched(tmp_path, module="shop", python=sys.executable, **given) as session:
        assert session.is_at_failure
        assert value(session.journey, "prices, sys.argv[1:]") == "([5, 10], ['7'])"
        assert value(session.journey, "os.environ.get('HOME')") == "None"
        assert session.run_to("shop/__main__.py", 7, backwards=True)
        assert value(session.journey, "line, factor") == r"('2\n', 5)"
    assert "HOME" in os.environ


def test_a_result_names_the_cause_or_the_slice(tmp_path: Path) -> None:
    (tmp_path / "prog.py").write_text(MEAN)
    answer = answer_of("", place_of(2, file="prog.py"))
    (tmp_path / "why.json").write_text(json.dumps(answer.to_json()))
    with launched(tmp_path, program="prog.py", result="why.json") as session:
        session.go_to_cause()
        assert session.journey.place(session.event) == ("prog.py", 2)
        assert value(session.journey, "values") == "[]"  # the last call, which failed
    with launched(tmp_path, program="prog.py") as session, pytest.raises(TravelError, match="why"):
        session.go_to_cause()


def test_files_are_read_as_they_are_at_the_moment(tmp_path: Path) -> None:
    (tmp_path / "data").write_text("5")
    text = "factor = int(open('data').read())\nassert factor == 6\n"
    with travelled(tmp_path, text) as journey:
        journey.go(journey.failure)
        assert value(journey, "factor, open('data').read()") == "(5, '5')"


@pytest.mark.filterwarnings("ignore:.*fork")  # the child sleeps, and no more
def test_an_evaluation_has_limits_of_memory_and_time(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with travelled(tmp_path, MEAN, memory=1 << 30) as journey:
        journey.go(journey.failure)
        with pytest.raises(TravelError, match="MemoryError"):
            value(journey, "len(bytearray(1 << 31))")
        assert value(journey, "total") == "0"
    monkeypatch.setattr(stopped_process, "LOOK_SECONDS", 0.1)
    stands = stopped_process.StoppedProcess([], (-1, -1), os.fork, lambda: None, os._exit)
    monkeypatch.setattr(stands, "_answer", lambda _: time.sleep(600))
    assert "did not end within" in stands._look({})["failed"]
