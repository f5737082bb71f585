"""A run in which all is needed: its search ends, and what was not tried is not claimed."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path

import pytest

from stripe.backend import Target
from stripe.checks import parse_checks
from stripe.dd import Outcome, Reason
from stripe.intervals import stretches
from stripe.reduce import Result, Settings, reduce
from stripe.reduce.reading import from_json
from stripe.report.style import Style
from stripe.report.summary import minimality, summary
from stripe_pytrace.backend import PythonBackend
from tests.support.results import result_of, slice_of, trace_of

NEEDED = """\
s = 1
for i in range(60):
    s = s * 3 + i
print(s)
"""


def searched(folder: Path, text: str, max_idle: int) -> Result:
    (folder / "p.py").write_text(text)
    with closing(PythonBackend().record(Target("p.py", directory=folder))) as recording:
        return reduce(recording, parse_checks(["stdout"]), Settings(max_idle=max_idle))


@pytest.fixture
def slow(monkeypatch: pytest.MonkeyPatch) -> None:
    """Have no test count as quick."""
    monkeypatch.setattr("stripe.reduce.guided_search.CERTIFICATE_SECONDS", 0.0)


@pytest.mark.usefixtures("slow")
def test_a_run_in_which_all_is_needed_is_recognised_and_its_search_ended(tmp_path: Path) -> None:
    result = searched(tmp_path, NEEDED, 30)
    (found,) = result.slices
    assert found.stopped is Reason.IDLE
    assert found.tests < len(found.events) // 2
    assert not found.certified
    assert found.verified
    assert minimality(found) == "no: all may be needed, not all was tried"
    assert len(found.tried) == 30
    tested = [
        {event for run in stretches(entry.ranges) for event in run}
        for entry in found.log
        if entry.outcome is not Outcome.FAIL and entry.ranges is not None
    ]
    kept = set(found.events)
    for event in found.tried:  # each was left out, and nothing else
        assert kept - {event} in tested
    assert from_json(result.to_json()).slices[0].tried == found.tried
    told = " ".join("\n".join(summary(result, Style())).split())
    assert f"Not left out alone: {len(kept) - 30} of {len(kept)} executions" in told
    assert "p.py:1, 2, 3" in told


def test_it_goes_on_where_the_rest_takes_seconds(tmp_path: Path) -> None:
    (found,) = searched(tmp_path, NEEDED, 30).slices
    assert found.certified
    assert found.tests > 60


@pytest.mark.usefixtures("slow")
@pytest.mark.parametrize("max_idle", [0, 70])
def test_it_goes_on_where_that_was_asked_for_or_the_certificate_is_near(
    tmp_path: Path, max_idle: int
) -> None:
    (found,) = searched(tmp_path, NEEDED, max_idle).slices
    assert found.certified
    assert not found.tried


@pytest.mark.usefixtures("slow")
def test_it_goes_on_where_much_was_left_out(tmp_path: Path) -> None:
    (found,) = searched(tmp_path, NEEDED + "t = 1\n" * 20, 30).slices
    assert found.certified


def test_where_each_was_left_out_alone_none_is_named_that_was_not() -> None:
    """It is another thing that is not certified, as what a fresh process does."""
    trace = trace_of([1, 2], "a = 1\nprint(a)\n")
    found = slice_of(trace, [0, 1], certified=False, verified=False, tried=(0, 1))
    assert "Not left out alone" not in "\n".join(summary(result_of(trace, found), Style()))
