"""What each pass of the search has done is counted, and a search can do without some of them."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from stripe.backend import Target
from stripe.checks import parse_checks
from stripe.dd import Outcome, TestEvent
from stripe.reduce import Result, Settings, reduce
from stripe.reduce.passes import CERTIFICATE, DISPENSABLE, EVENTS, LEVELS, PASSES, Passes
from stripe.reduce.reading import from_json
from stripe.report.style import Style
from stripe.report.summary import summary
from stripe_pytrace.backend import PythonBackend
from stripe_pytrace.recording import PythonRecording

PROGRAM = """\
def made(number):
    value = square(number)
    return value % 7
def square(number):
    return number * number
data = []
for number in range(7):
    data.append(made(number))
total = 0
while data:
    total += data.pop()
    unused = total * 2
print("total", total % 5)
"""


@pytest.fixture(scope="module")
def recording(tmp_path_factory):
    folder = tmp_path_factory.mktemp("program")
    (folder / "p.py").write_text(PROGRAM)
    recording = PythonBackend().record(Target("p.py", directory=folder))
    yield recording
    recording.close()


def searched(recording: PythonRecording, *without: str, **more: object) -> Result:
    settings = Settings(without=frozenset(without), **{"values": "free", **more})  # type: ignore[arg-type]
    try:
        return reduce(recording, parse_checks(["stdout"]), settings)
    finally:
        recording.without = frozenset()


@pytest.fixture(scope="module")
def result(recording):
    """The search with all parts, for who only looks at it."""
    return searched(recording)


def test_each_test_and_each_event_that_went_is_told_of_one_pass(result):
    (found,) = result.slices
    assert found.certified
    assert sum(each.tests for each in found.passes) == found.tests
    assert sum(each.events for each in found.passes) == found.of - len(found.events)
    assert sum(each.successes for each in found.passes) <= found.outcomes[Outcome.FAIL]
    assert sum(each.seconds for each in found.passes) <= found.seconds
    assert {each.name for each in found.passes} <= set(PASSES)


def test_they_are_read_again_as_they_were_written(result):
    again = from_json(result.to_json())
    assert again.slices[0].passes == result.slices[0].passes
    assert again.statistics == result.statistics


def test_a_result_of_before_has_none(result):
    data = json.loads(json.dumps(result.to_json()))
    del data["slices"][0]["passes"], data["statistics"]["uses"]
    again = from_json(data)
    assert (again.slices[0].passes, again.statistics.uses) == ((), {})


def test_another_search_has_no_passes(recording):
    assert searched(recording, algorithm="sweep").slices[0].passes == ()


@pytest.mark.parametrize("name", sorted({*DISPENSABLE, "following", "looks"}))
def test_without_any_part_the_answer_is_certified(recording, name):
    result = searched(recording, name)
    (found,) = result.slices
    assert found.certified
    assert found.verified
    assert name not in {each.name for each in found.passes}
    used, _ = result.statistics.uses.get(name, (0, 0))
    assert used == 0 or name in ("following", "looks")  # these are of the whole recording


def test_fast_paths_and_caches_tell_how_often_they_served(recording):
    uses = searched(recording, values="same").statistics.uses
    for name in ("outcomes", "engines", "following", "looks"):
        assert uses[name][0] > 0, name


def test_a_recording_that_does_without_a_fast_path_replays_alike(recording):
    everything, before = range(len(recording.trace)), recording.uses()
    with recording.replay(everything) as seen:
        as_ever = seen
    fast = recording.uses()
    recording.without = frozenset({"following"})
    try:
        with recording.replay(everything) as seen:
            slow = seen
    finally:
        recording.without = frozenset()
    after = recording.uses()
    assert fast["following"][0] > before["following"][0]
    assert after["following"][0] == fast["following"][0]
    assert (
        after["following"][1] - fast["following"][1] > fast["following"][1] - before["following"][1]
    )
    assert slow.stdout == as_ever.stdout


def test_seconds_are_those_without_the_passes_inside():
    passes = Passes(8)
    with passes.entered(EVENTS):
        passes.record(TestEvent(1, (1, 2, 3, 4), Outcome.FAIL, False, 0.1))
        with passes.entered(LEVELS):
            passes.record(TestEvent(2, (1, 2), Outcome.PASS, False, 0.1))
        passes.record(TestEvent(2, (1, 2), Outcome.PASS, True, 0.0))
    passes.record(TestEvent(3, (1, 2, 3), Outcome.FAIL, False, 0.1))
    done = {each.name: each[1:4] for each in passes.done()}
    assert done == {EVENTS: (1, 1, 4), LEVELS: (1, 0, 0), CERTIFICATE: (1, 1, 1)}


def test_a_summary_shows_them_if_asked_to(result):
    verbose = "\n".join(summary(result, Style(verbose=True)))
    plain = "\n".join(summary(result, Style()))
    assert "pass for stdout" in verbose
    assert "fast path or cache" in verbose
    assert "pass for stdout" not in plain
    for each in result.slices[0].passes:
        assert re.search(rf"^  {each.name} +{each.tests} ", verbose, re.MULTILINE)


def test_the_libraries_that_are_measured_are_there_as_data():
    from benchmarks.passes import DATA, libraries

    found = libraries()
    assert Path(DATA).suffix == ".toml"
    assert len({each.name for each in found}) == 10
    for each in found:
        parse_checks([each.check])
        compile(each.program, each.name, "exec")
