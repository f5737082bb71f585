"""Tests that begin alike are run together, and the answers are the same."""

from __future__ import annotations

import threading
from collections.abc import Sequence

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from stripe.dd import (
    Budget,
    Configuration,
    Outcome,
    Reason,
    Result,
    Tester,
    TestEvent,
    branches,
    certify,
    ddmin,
)
from stripe.dd.branches import FEWEST, LONG_SECONDS, MOST, PATIENT

SIZE = FEWEST + 100

type Asked = tuple[int, Outcome]


class World:
    """Fails as long as all that is ``needed`` is there; what ``breaks`` is needed to go on."""

    def __init__(self, needed: set[int], breaks: set[int] = frozenset(), every: int = 1) -> None:  # type: ignore[assignment]
        self.needed = needed
        self.breaks = breaks
        self.every = every
        self.together: list[int] = []
        self.alone = 0

    def outcome(self, configuration: Configuration[int]) -> Outcome:
        there = set(configuration)
        if not self.breaks <= there:
            return Outcome.UNRESOLVED
        return Outcome.FAIL if self.needed <= there else Outcome.PASS

    def test(self, configuration: Configuration[int]) -> Outcome:
        self.alone += 1
        return self.outcome(configuration)

    def branching(self, configurations: Sequence[Configuration[int]]) -> Sequence[Outcome | None]:
        self.together.append(len(configurations))
        return [
            self.outcome(each) if number % self.every == 0 else None
            for number, each in enumerate(configurations)
        ]

    def certified(self, *, together: bool, **more: object) -> tuple[Result[int], list[Asked]]:
        asked: list[Asked] = []

        def note(event: TestEvent[int]) -> None:
            asked.append((hash(event.configuration), event.outcome))

        tester = Tester(
            self.test,
            branching=self.branching if together else None,
            listeners=[note],
            **more,  # type: ignore[arg-type]
        )
        return certify(range(SIZE), tester), asked


@settings(max_examples=15, deadline=None)
@given(
    st.sets(st.integers(0, SIZE - 1), max_size=8),
    st.sets(st.integers(0, SIZE - 1), max_size=3),
    st.sampled_from([1, 2, 5]),
    st.sampled_from([1, 3]),
)
def test_the_same_questions_have_the_same_answers(left, breaks, every, jobs):
    needed = set(range(SIZE)) - left
    alone, asked = World(needed, breaks).certified(together=False)
    world = World(needed, breaks, every)
    together, also = world.certified(together=True, jobs=jobs)
    assert also == asked
    assert together.configuration == alone.configuration
    assert together.certificate == alone.certificate
    assert together.statistics.tests == alone.statistics.tests
    # What was run for nothing is less than what was asked for.
    assert 0 <= together.statistics.speculated <= max(jobs * len(asked), 1)


def test_a_certificate_takes_few_calls():
    world = World(set(range(SIZE)))
    result, asked = world.certified(together=True)
    assert result.certified
    assert sum(world.together) == SIZE
    assert len(world.together) < 12
    assert max(world.together) <= MOST
    assert world.alone == len(asked) - SIZE
    assert result.statistics.speculated == 0


@pytest.mark.parametrize("long", [True, False])
def test_few_deltas_are_tested_together_where_a_test_takes_long(long, monkeypatch):
    monkeypatch.setattr(branches, "LONG_SECONDS", 0.0 if long else LONG_SECONDS)
    world = World(set(range(12)))
    asked = certify(range(12), Tester(world.test, branching=world.branching))
    assert asked.certified
    assert (max(world.together, default=0) > 1) is long


def test_what_is_tested_is_closed_once():
    world = World(set(range(SIZE)))
    closed: list[Configuration[int]] = []

    def close(configuration: Configuration[int]) -> Configuration[int]:
        closed.append(configuration)
        return configuration

    tester = Tester(world.test, branching=world.branching, close=close)
    assert certify(range(SIZE), tester).certified
    # Where a batch ends, what is tried next is closed to see whether it begins alike.
    assert len(closed) < SIZE + 8 * len(world.together)


def test_no_more_tests_are_run_than_may_be():
    world = World(set(range(SIZE)))
    result, _ = world.certified(together=True, budget=Budget(100))
    assert result.reason is Reason.MAX_TESTS
    assert world.alone + sum(world.together) == 100


def test_what_runs_ahead_is_held_up_by_nothing_less_than_several_tests():
    world = World(set(range(0, SIZE, 2)))
    result, _ = world.certified(together=True, jobs=2)
    assert result.certified
    assert world.together == []


def test_what_has_begun_ahead_is_not_begun_again_with_others():
    world = World(set(range(SIZE)))
    result, _ = world.certified(together=True, jobs=2)
    assert sum(world.together) > SIZE // 2
    assert result.statistics.speculated <= 2


def test_what_is_likely_runs_ahead_where_it_begins_otherwise():
    everything = tuple(range(SIZE))
    half = everything[: SIZE // 2]
    begun = threading.Event()

    def test(configuration: Configuration[int]) -> Outcome:
        if configuration == half:
            begun.set()
        return Outcome.PASS

    tester = Tester(test, branching=World(set()).branching, jobs=2)
    for left_out in range(PATIENT + 1):
        tester.test((*everything[:left_out], *everything[left_out + 1 :]), iter([half, ()]))
    assert begun.wait(60)  # before it is settled: a busy machine begins it late
    tester.cancel_ahead()


def test_an_error_passes_through_and_ends_the_others():
    ended: list[Configuration[int]] = []

    def fail(configurations: Sequence[Configuration[int]]) -> Sequence[Outcome | None]:
        raise OSError("no more")

    world = World(set(range(SIZE)))
    tester = Tester(world.test, branching=fail, jobs=2, cancel=ended.append)
    with pytest.raises(OSError, match="no more"):
        certify(range(SIZE), tester)
    assert len(ended) == 2


def test_short_tests_and_halves_are_run_alone():
    world = World({3, 40})
    ddmin(range(FEWEST), Tester(world.test, branching=world.branching))
    assert len(world.together) == 0


def test_what_was_run_for_nothing_makes_patient(monkeypatch):
    # Every fifth removal fails: what is run ahead of it is of no use then.
    world = World(set(range(SIZE)) - set(range(0, SIZE, 5)))
    world.certified(together=True)
    monkeypatch.setattr(branches, "MOST_PATIENT", PATIENT)
    as_before = World(world.needed)
    as_before.certified(together=True)
    assert sum(world.together) < 0.8 * sum(as_before.together)
