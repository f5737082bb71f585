"""From a recording and a check to a critical slice."""

from __future__ import annotations

import json
import os
import signal
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from itertools import pairwise
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from stripe.backend import Deadline, End, Observation, OutOfTime, Target
from stripe.campaign.progress import Progress
from stripe.checks import parse_check
from stripe.dd import Outcome, Reason
from stripe.errors import NotReducible, UsageError
from stripe.intervals import ends
from stripe.reduce import ALGORITHMS, Result, Settings, reduce
from stripe.reduce.reading import from_json
from stripe.reduce.result import Dependence
from stripe.reduce.slice_dependences import variables
from stripe.report.summary import minimality
from tests.support.fake import SAMPLE, SAMPLE_INPUT, SAMPLE_SLICE, FakeRecording, Program, record


def reduced(
    text: str, *checks: str, stdin: bytes = b"", settings: Settings | None = None
) -> tuple[FakeRecording, Result]:
    parsed = [parse_check(check) for check in checks]
    recording = record(text, stdin, [probe for check in parsed for probe in check.probes])
    return recording, reduce(recording, parsed, settings)


def names(result: Result, index: int = 0) -> str:
    """The kept events as the paper writes them."""
    return " ".join(result.trace.name(event) for event in result.slices[index].events)


def test_the_papers_sample_keeps_16_of_its_events() -> None:
    _, result = reduced(SAMPLE, "stdout", stdin=SAMPLE_INPUT)
    assert names(result) == SAMPLE_SLICE
    (found,) = result.slices
    assert (len(found.events), found.of) == (16, 31)
    assert found.certified
    assert found.verified
    assert found.stopped is Reason.FINISHED
    assert found.tests == len(found.log) == sum(found.outcomes.values())


def test_each_check_makes_a_slice_of_its_own() -> None:
    _, result = reduced(SAMPLE, "sum=stdout:/^sum/", "mul=stdout:/^mul/", stdin=SAMPLE_INPUT)
    assert [each.name for each in result.slices] == ["sum", "mul"]
    assert len(result["sum"].events) == 13
    assert names(result, 1).split()[:2] == ["2_2", "3_3"]
    assert names(result, 1).split()[-1] == "10_31"
    assert len(result["mul"].events) == 4
    with pytest.raises(KeyError):
        result["other"]


def test_statements_are_counted_from_events() -> None:
    _, result = reduced(SAMPLE, "sum=stdout:/^sum/", stdin=SAMPLE_INPUT)
    found = result.slices[0]
    assert found.statements(result.trace) == {0: 1, 2: 1, 5: 5, 7: 5, 8: 1}
    assert found.lines(result.trace) == {(0, 1), (0, 3), (0, 6), (0, 8), (0, 9)}


CONDITION = """\
limit = 10
size = 3
big = False
if size < limit:
    big = True
print("big", big)
"""


def test_only_control_mode_program_explains_conditions() -> None:
    _, trace = reduced(CONDITION, "stdout")
    assert names(trace) == "5_5 6_6"
    _, program = reduced(CONDITION, "stdout", settings=Settings(control="program"))
    assert names(program) == "1_1 2_2 4_4 5_5 6_6"


def test_a_condition_that_is_kept_is_what_events_under_it_depend_on() -> None:
    _, result = reduced(CONDITION, "stdout", settings=Settings(control="program"))
    assert Dependence(4, 3, "control", ()) in result.slices[0].dependences


def test_variables_have_the_names_that_people_know() -> None:
    assert variables(["x", "f:y", "*z", "::g", "<stdin>", ""]) == {"x", "y", "z", "g"}


def test_a_log_that_has_grown_too_large_forgets_which_events(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("stripe.campaign.log.LOG_NUMBERS", 3)
    _, result = reduced(SAMPLE, "stdout", stdin=SAMPLE_INPUT)
    (found,) = result.slices
    known = [each.ranges is not None for each in found.log]
    assert known == sorted(known, reverse=True)
    assert 0 < sum(known) <= 3
    assert len(known) == found.tests


def test_without_a_check_the_exception_is_the_criterion() -> None:
    _, result = reduced("a = 1\nb = 0\nprint(a)\nc = a / b\n")
    assert result.slices[0].name == "exception"
    assert names(result) == "1_1 2_2 4_4"


def test_a_variable_can_be_the_criterion() -> None:
    _, result = reduced("a = 2\nb = 3\nprint(b)\nc = a * 2\n", "var:c@prog.py:4")
    assert names(result) == "1_1 4_4"


def test_a_file_can_be_the_criterion() -> None:
    _, result = reduced("a = 2\nb = 3\nprint(b)\nwrite('out', str(a))\n", "file:out")
    assert names(result) == "1_1 4_4"


def test_the_slice_is_verified_in_a_fresh_process_and_the_result_says_if_not() -> None:
    recording = record("a = 2\nprint(a)\nb = 1\n")
    recording.change = lambda events, fresh, run: replace(run, stdout=b"?") if fresh else run
    result = reduce(recording, [parse_check("stdout")])
    assert result.slices[0].verified is False


def change(**facts: Any) -> FakeRecording:
    """A recording whose full replay differs from its recorded run."""
    recording = record("a = 2\nprint(a)\nprint('same')\n")

    def changed(events: Sequence[int], fresh: bool, run: Observation) -> Observation:
        return replace(run, **facts) if len(events) == 3 else run

    recording.change = changed
    return recording


@pytest.mark.parametrize(
    ("facts", "says"),
    [
        ({"stdout": b"3\nsame\n"}, "-2\n+3\n same"),
        ({"stderr": b"\x1b[31mwarning"}, r"+\x1b[31mwarning"),
        ({"status": 1}, "exited with status 0, the full replay exited with status 1"),
        ({"end": End.SIGNAL, "status": 11}, "status 0, the full replay was killed by signal 11"),
    ],
)
def test_a_replay_that_differs_is_refused_with_the_difference(
    facts: dict[str, Any], says: str
) -> None:
    with pytest.raises(NotReducible) as caught:
        reduce(change(**facts), [parse_check("stdout:/same/")])
    assert caught.value.slug == "not-reproducible"
    assert says in caught.value.message
    assert "random" in caught.value.hint


def test_a_replay_that_its_limit_ended_says_nothing_of_the_program() -> None:
    with pytest.raises(NotReducible) as caught:
        reduce(change(end=End.TIMEOUT), [parse_check("stdout:/same/")])
    assert caught.value.slug == "too-slow"
    assert "random" not in str(caught.value)


def test_a_refusal_quotes_how_the_recorded_run_ended() -> None:
    recording = change(status=0)
    last = b"".join(b"%d\n" % number for number in range(9)) + b"Error: \x1b[m\n"
    recording.recorded = replace(recording.recorded, status=1, stderr=last)
    recording.plain = recording.recorded
    with pytest.raises(NotReducible) as caught:
        reduce(recording, [parse_check("exit")])
    said = "with exit status 1; its last words on standard error:\n    4\n"
    assert said in caught.value.message
    assert caught.value.message.endswith("\n    Error: \\x1b[m")


def test_a_recorded_run_that_differs_from_the_plain_one_is_refused() -> None:
    recording = record("print(1)\n")
    recording.plain = replace(recording.recorded, stdout=b"2\n")
    with pytest.raises(NotReducible, match="plain run and the recorded run do not agree"):
        reduce(recording, [])


def test_a_long_difference_is_cut() -> None:
    recording = record("print(1)\n")
    recording.plain = replace(recording.recorded, stdout=b"x\n" * 1000)
    with pytest.raises(NotReducible) as caught:
        reduce(recording, [])
    assert "lines more" in caught.value.message
    assert caught.value.message.count("\n") < 25


def test_a_criterion_that_holds_with_nothing_kept_is_refused() -> None:
    with pytest.raises(NotReducible) as caught:
        reduced("print(1)\n", "exit")
    assert caught.value.slug == "trivial"


def test_a_run_without_events_is_refused() -> None:
    with pytest.raises(NotReducible) as caught:
        reduced("# nothing\n", "stdout")
    assert caught.value.slug == "no-events"


def test_refusals_come_before_any_search() -> None:
    recording = record("print(1)\n")
    with pytest.raises(NotReducible):
        reduce(recording, [parse_check("stdout"), parse_check("stderr")])
    assert recording.replays == []


def test_max_tests_ends_with_the_best_slice_so_far() -> None:
    settings = Settings(max_tests=30)
    _, result = reduced(
        SAMPLE, "stdout", "sum=stdout:/^sum/", stdin=SAMPLE_INPUT, settings=settings
    )
    assert sum(each.tests for each in result.slices) == 30  # dealt out fairly
    assert [each.tests for each in result.slices] == [15, 15]
    for each in result.slices:
        assert each.stopped is Reason.MAX_TESTS
        assert not each.certified
        assert each.verified


def test_max_time_ends_the_search() -> None:
    recording = record(SAMPLE, SAMPLE_INPUT)

    def run_out(events: Sequence[int]) -> None:
        if len(recording.replays) == 20:
            raise OutOfTime("out-of-time", "as a backend says that has to end a replay")

    recording.before_replay = run_out
    result = reduce(recording, [parse_check("stdout")], Settings(deadline=Deadline(3600)))
    (found,) = result.slices
    assert (found.stopped, found.certified) == (Reason.MAX_TIME, False)
    assert len(found.events) < found.of


def test_without_time_for_a_single_test_there_is_nothing_to_show() -> None:
    with pytest.raises(OutOfTime, match="replaying all of it"):
        reduced(SAMPLE, "stdout", stdin=SAMPLE_INPUT, settings=Settings(deadline=Deadline(1e-9)))


def test_ctrl_c_ends_with_the_best_slice_so_far() -> None:
    recording = record(SAMPLE, SAMPLE_INPUT)
    before = signal.getsignal(signal.SIGINT)

    def interrupt(events: Sequence[int]) -> None:
        if len(recording.replays) == 120:
            os.kill(os.getpid(), signal.SIGINT)

    recording.before_replay = interrupt
    checks = [parse_check("stdout"), parse_check("sum=stdout:/^sum/")]
    result = reduce(recording, checks, Settings(algorithm="ddmin"))
    first, second = result.slices
    assert result.interrupted
    assert first.stopped is second.stopped is Reason.STOPPED
    assert not first.certified
    assert first.verified  # the test that ran was not torn apart
    assert 16 <= len(first.events) < 31
    assert second.tests == 0
    assert signal.getsignal(signal.SIGINT) is before


def test_a_keyboard_interrupt_inside_a_replay_tears_it_and_nothing_more_is_replayed() -> None:
    recording = record(SAMPLE, SAMPLE_INPUT)

    def interrupt(events: Sequence[int]) -> None:
        if len(recording.replays) == 50:
            raise KeyboardInterrupt

    recording.before_replay = interrupt
    result = reduce(recording, [parse_check("stdout")])
    assert result.interrupted
    assert result.slices[0].verified is None
    assert len(recording.replays) == 50


@pytest.mark.parametrize("settings", [{"control": "x"}, {"algorithm": "x"}])
def test_unknown_settings_are_refused(settings: dict[str, str]) -> None:
    with pytest.raises(UsageError, match="There is no"):
        Settings(**settings)  # type: ignore[arg-type]


def test_progress_is_told_after_every_test() -> None:
    seen: list[Progress] = []
    result = reduce(record(SAMPLE, SAMPLE_INPUT), [parse_check("stdout")], progress=seen.append)
    assert [each.tests for each in seen[:-1]] == list(range(1, result.slices[0].tests + 1))
    assert seen[-1].stage == "verifying"
    assert seen[-1].best == 16
    assert all(before.best >= after.best for before, after in pairwise(seen))


def test_a_result_is_plain_json_with_a_version() -> None:
    recording, result = reduced(SAMPLE, "sum=stdout:/^sum/", stdin=SAMPLE_INPUT)
    data = json.loads(json.dumps(result.to_json()))
    assert (data["format"], data["version"]) == ("stripe-result", 3)
    assert data["files"] == [{"path": "prog.py", "text": SAMPLE}]
    assert len(data["trace"]["statement"]) == 31
    (found,) = data["slices"]
    assert found["name"] == "sum"
    assert found["check"] == "stdout:/^sum/"
    assert found["events"] == list(result.slices[0].events)
    assert {"statement": 5, "kept": 5, "executed": 6} in found["statements"]
    assert found["tests"]["executed"] == len(found["log"])
    assert found["certified"] is True
    assert found["stopped"] == "finished"
    assert data["statistics"]["replays"] == len(recording.replays)


def test_full_replays_of_the_backend_count() -> None:
    recording = record(SAMPLE, stdin=SAMPLE_INPUT)
    vars(recording)["proved"] = 3  # see stripe.backend.Proved
    result = reduce(recording, [])
    assert result.statistics.replays == len(recording.replays) + 3


def test_the_log_holds_every_executed_configuration() -> None:
    recording, result = reduced(SAMPLE, "stdout", stdin=SAMPLE_INPUT)
    logged = [
        tuple(event for stretch in entry.kept() for event in stretch)
        for entry in result.slices[0].log
    ]
    assert logged == recording.replays[2:-1]  # without full, empty, and the verification
    assert [len(events) for events in logged] == [entry.size for entry in result.slices[0].log]


def test_no_configuration_is_run_twice() -> None:
    recording, _ = reduced(CONDITION, "stdout", settings=Settings(control="program"))
    tested = recording.replays[2:-1]
    assert len(set(tested)) == len(tested)


@given(st.sets(st.integers(0, 200)))
def test_ranges_hold_exactly_the_events(events: set[int]) -> None:
    pairs = ends(sorted(events))
    back = [e for i in range(0, len(pairs), 2) for e in range(pairs[i], pairs[i + 1])]
    assert back == sorted(events)
    assert list(pairs) == sorted(set(pairs)), "stretches neither touch nor overlap"


@given(st.integers(0, 4), st.integers(0, 4))
def test_the_slice_alone_reproduces_the_criterion_and_is_1_minimal(a: int, b: int) -> None:
    recording, result = reduced(SAMPLE, "stdout", stdin=f"{a}\n{b}\n".encode())
    criterion = parse_check("stdout").reference(recording.recorded)
    events = result.slices[0].events

    def outcome(kept: tuple[int, ...]) -> Outcome:
        with recording.replay(kept) as run:
            return criterion.judge(run)

    assert outcome(events) is Outcome.FAIL
    for event in events:
        assert outcome(tuple(e for e in events if e != event)) is not Outcome.FAIL


def test_several_jobs_find_the_same_slice_with_the_same_tests() -> None:
    _, one = reduced(SAMPLE, "stdout", stdin=SAMPLE_INPUT)
    _, three = reduced(SAMPLE, "stdout", stdin=SAMPLE_INPUT, settings=Settings(jobs=3))
    assert one.slices[0].events == three.slices[0].events
    assert one.slices[0].outcomes == three.slices[0].outcomes


@pytest.mark.parametrize("algorithm", sorted(ALGORITHMS))
def test_every_algorithm_finds_a_certified_slice(algorithm: str) -> None:
    settings = Settings(algorithm=algorithm)
    _, result = reduced(SAMPLE, "sum=stdout:/^sum/", stdin=SAMPLE_INPUT, settings=settings)
    assert result.slices[0].certified
    assert len(result.slices[0].events) == 13


ALL_NEEDED = "a = 1\nb = a + 1\nprint(b)\n"


def crashing(events: Sequence[int], fresh: bool, seen: Observation) -> Observation:
    """Of all that leaves something out, as if leaving out did not work at all."""
    return seen if len(events) == 3 else replace(seen, end=End.SIGNAL, status=11, stdout=b"")


def test_a_run_of_which_all_is_needed_is_certified_in_these_words() -> None:
    result = reduce(record(ALL_NEEDED), [parse_check("stdout")])
    assert result.slices[0].certified
    assert minimality(result.slices[0]) == "yes: all of it is needed"


def test_where_the_control_fails_nothing_is_certified() -> None:
    recording = record(ALL_NEEDED)
    recording.change = crashing
    result = reduce(recording, [parse_check("stdout")])
    (found,) = result.slices
    assert len(found.events) == 3
    assert not found.certified
    assert minimality(found) == (
        "could not be tried: with nothing kept, the program was killed by signal 11"
    )
    assert from_json(result.to_json()).slices[0].untried == found.untried


def test_a_control_that_the_time_limit_may_have_cut_off_is_no_reason() -> None:
    """It was told as one: "with nothing kept, the program did not end"."""
    recording = record(ALL_NEEDED)
    recording.change = crashing
    settings = Settings(search_time=1e-9)
    (found,) = reduce(recording, [parse_check("stdout")], settings).slices
    assert found.stopped is Reason.MAX_TIME
    assert minimality(found) == "no: the time limit was reached"


class Rehearsing(FakeRecording):
    """Also replays by the means of partial replays, which comes out as ``rehearsed``."""

    rehearsed: dict[str, Any]

    @contextmanager
    def rehearse(self, *, strict: bool = False) -> Iterator[Observation]:
        yield replace(self.recorded, **self.rehearsed)


@pytest.mark.parametrize(
    ("rehearsed", "slug", "ours"),
    [({"stdout": b"other\n"}, "not-reproducible", True), ({"end": End.TIMEOUT}, "too-slow", False)],
)
def test_whose_fault_it_is_that_only_the_rehearsal_differs(
    rehearsed: dict[str, Any], slug: str, ours: bool
) -> None:
    recording = Rehearsing(Program("prog.py", "print('b')\n"), Target("prog.py"), ())
    recording.rehearsed = rehearsed
    with pytest.raises(NotReducible) as caught:
        reduce(recording, [parse_check("stdout")])
    assert caught.value.slug == slug
    assert ("it is STRIPE that fails here" in caught.value.hint) is ours
    assert "The program seems to depend on" not in str(caught.value)
