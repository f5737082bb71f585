"""Kept events see what they saw in the recorded run, or it is told what they see instead."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

import pytest

import stripe
from stripe.backend import Differences, End, Observation, Target, Values
from stripe.checks import parse_check
from stripe.dd import Outcome, Reason
from stripe.errors import NotReducible, UsageError
from stripe.reduce import Result, Settings, reduce
from stripe.reduce.journals import Journals
from stripe.reduce.reading import from_json
from stripe.reduce.value_check import judged
from tests.support.fake import FakeRecording, Program, record

TEXT = "a = 0\nb = 7\nb = bool(a)\nprint('b is', b)\n"


class ComparingRecording(FakeRecording):
    """Also tells what events see, as ``tell`` says."""

    tell: Callable[[tuple[int, ...], bool], Differences]

    def differences(
        self, events: Sequence[int], *, strict: bool = False, fresh: bool = False
    ) -> Differences:
        return self.tell(tuple(events), fresh)


def comparing(
    text: str = "a = 0\nb = 7\nprint('b')\n",
    tell: Callable[[tuple[int, ...], bool], Differences] = (
        lambda events, fresh: {} if 0 in events else {2: {"a": ("0", "None")}}
    ),
) -> ComparingRecording:
    recording = ComparingRecording(Program("prog.py", text), Target("prog.py"), ())
    recording.tell = tell
    return recording


def search(recording: FakeRecording, **settings: str) -> Result:
    return reduce(recording, [parse_check("stdout")], Settings(**settings))  # type: ignore[arg-type]


@pytest.mark.parametrize("control", ["trace", "program"])
def test_reductions_must_keep_values_only_if_asked_to(control: str) -> None:
    (free,) = search(comparing(), control=control).slices
    assert free.events == (2,)
    assert free.others == {2: {"a": ("0", "None")}}
    assert free.held(2) == {"a": "0 in the run, None in the slice"}
    assert free.looks == 1
    (same,) = search(comparing(), control=control, values="same").slices
    assert same.events == (0, 2)
    assert same.others == {}
    assert (same.certified, same.verified) == (True, True)
    assert same.outcomes[Outcome.UNRESOLVED] >= 1
    assert same.looks >= 2


@pytest.mark.parametrize("algorithm", ["auto", "ddmin", "dd", "dd+"])
def test_with_any_algorithm(algorithm: str) -> None:
    (same,) = search(comparing(), algorithm=algorithm, values="same").slices
    assert same.events == (0, 2)


def test_it_is_asked_only_after_a_test_that_would_be_accepted() -> None:
    asked = []

    def tell(events: tuple[int, ...], fresh: bool) -> Differences:
        asked.append(events)
        return {}

    (found,) = search(comparing(tell=tell), values="same", algorithm="ddmin").slices
    reproduced = [entry for entry in found.log if entry.outcome is Outcome.FAIL]
    assert len(asked) <= len(reproduced) + 2 < len(found.log) + 2


def test_a_test_says_what_differs_where() -> None:
    recording = comparing()
    criterion = parse_check("stdout").reference(recording.recorded)
    outcome, seen = judged(recording, criterion, (2,), strict=False, same=True, fresh=False)
    assert outcome is Outcome.UNRESOLVED
    assert seen.end is End.DIFFERED
    assert seen.detail == "values differ at 3_3: a was 0 in the run, is None"


def test_the_fresh_process_must_keep_values_too() -> None:
    recording = comparing(tell=lambda events, fresh: {2: {"a": ("0", "1")}} if fresh else {})
    (found,) = search(recording, values="same").slices
    assert found.verified is False


def test_where_nothing_can_be_told() -> None:
    with pytest.raises(NotReducible) as refusal:
        search(record(TEXT), values="same")
    assert refusal.value.slug == "values-unknown"
    assert search(record(TEXT)).slices[0].others is None

    def refuse(events: tuple[int, ...], fresh: bool) -> Differences:
        raise NotReducible("values-unknown", "It cannot be looked at.", "")

    assert search(comparing(tell=refuse)).slices[0].others is None
    with pytest.raises(NotReducible):
        search(comparing(tell=refuse), values="same")


def test_an_answer_stays_where_the_search_with_the_values_of_the_run_cannot_look() -> None:
    def tell(events: tuple[int, ...], fresh: bool) -> Differences:
        if events == (2,) and not fresh and not asked:
            asked.append(events)
            return {2: {"a": ("0", "None")}}
        raise NotReducible("values-unknown", "It ran into the time limit.", "")

    asked: list[tuple[int, ...]] = []
    result = search(comparing(tell=tell), values="auto")
    (found,) = result.slices
    assert (found.events, found.certified, found.same) == ((2,), True, False)
    assert found.others == {2: {"a": ("0", "None")}}
    (note,) = [each for each in result.notes if "other values" in each]
    assert "That they keep those of the run could not be asked for" in note
    assert "It ran into the time limit." in note


def test_it_is_in_the_result() -> None:
    result = search(comparing())
    again = from_json(result.to_json())
    assert again.to_json() == result.to_json()
    assert again.slices[0].others == result.slices[0].others
    assert "1-minimal      yes, but 1 of 1 saw other values" in stripe.render(result)
    assert "values         1 of 1 kept events saw others" in stripe.render(result)
    assert "other values: 3_3: a was 0 in the run, is None" in stripe.render(result)
    same = search(comparing(), values="same")
    assert from_json(same.to_json()).values == "same"
    assert "values         as in the run" in stripe.render(same)
    assert "values" not in stripe.render(search(record(TEXT))).split("fresh process")[1]


def test_journals_of_one_are_not_used_for_the_other(tmp_path: Path) -> None:
    def run(values: str, *, resume: bool) -> Result:
        settings = Settings(
            values=values, algorithm="ddmin", max_tests=1 if not resume else None,
            journals=Journals(tmp_path, b"", resume),
        )  # fmt: skip
        return reduce(comparing(), [parse_check("stdout")], settings)

    assert run("free", resume=False).slices[0].stopped is Reason.MAX_TESTS
    assert run("same", resume=True).slices[0].resumed == 0
    assert run("free", resume=True).slices[0].resumed == 1


class WatchingRecording(ComparingRecording):
    """Also tells what variables hold, in replays that print what ``printed`` says."""

    printed: bytes

    @contextmanager
    def watch(
        self, events: Sequence[int], *, strict: bool = False
    ) -> Iterator[tuple[Observation, Values]]:
        with self.replay(events, strict=strict, fresh=True) as run:
            yield replace(run, stdout=self.printed), {0: {"a": "0"}}


@pytest.mark.parametrize(("printed", "told"), [(b"b is False\n", True), (b"b is 7\n", False)])
def test_variables_are_told_if_looking_at_them_changed_nothing(printed: bytes, told: bool) -> None:
    recording = WatchingRecording(Program("prog.py", TEXT), Target("prog.py"), ())
    recording.printed = printed
    recording.tell = lambda events, fresh: {}
    (found,) = reduce(recording, [parse_check("stdout")], Settings(watch=True)).slices
    assert found.values == ({0: {"a": "0"}} if told else {})


def test_values_that_nobody_compared_with_the_run_are_not_told() -> None:
    def refuse(events: tuple[int, ...], fresh: bool) -> Differences:
        raise NotReducible("values-unknown", "It cannot be looked at.", "")

    recording = WatchingRecording(Program("prog.py", TEXT), Target("prog.py"), ())
    recording.printed, recording.tell = b"b is False\n", refuse
    (found,) = reduce(recording, [parse_check("stdout")], Settings(watch=True)).slices
    assert (found.others, found.values) == (None, {})


def test_a_mode_of_values_that_is_none_is_told() -> None:
    with pytest.raises(UsageError) as refused:
        Settings(values="other")
    assert refused.value.slug == "unknown-value-mode"
