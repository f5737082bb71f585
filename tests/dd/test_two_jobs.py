"""What a second worker brings, by a clock that only tests move: each takes one tick."""

from __future__ import annotations

import importlib
import random
from collections.abc import Callable, Iterable
from concurrent.futures import Executor
from typing import Any

import pytest

from stripe.dd import Configuration, Outcome, Tester, minimise, splitting_strategy
from stripe.dd.search import Search

type Test = Callable[[Configuration[int]], Outcome]


class Clock(Executor):
    """Runs as many tests as there are, each for a tick; who waits moves the clock."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.now = 0
        speculation = importlib.import_module("stripe.dd.speculation")
        monkeypatch.setattr(speculation, "wait", self.wait)

    def submit(self, timed: Any, function: Any, configuration: Any, /) -> Any:  # type: ignore[override]
        return Running(self, function(configuration))

    def wait(self, futures: Iterable[Running], return_when: object) -> None:
        self.now = min(future.end for future in futures)


class Running:
    """A test that ends a tick after it has begun."""

    def __init__(self, clock: Clock, outcome: Outcome) -> None:
        self.clock = clock
        self.end = clock.now + 1
        self.outcome = outcome

    def done(self) -> bool:
        return self.clock.now >= self.end

    def result(self) -> tuple[Outcome, float]:
        return self.outcome, 1.0

    def exception(self) -> None:
        return None

    def cancel(self) -> bool:
        return False

    def cancelled(self) -> bool:
        return False


def strategy(search: Search[int]) -> None:
    """As inputs are reduced: until little is gained."""
    while True:
        before = len(search.current)
        splitting_strategy(search)
        if len(search.current) > before * 0.9:
            return


def reduced(test: Test, count: int, clock: Clock | None) -> tuple[Configuration[int], int]:
    tester = (
        Tester(test)
        if clock is None
        else Tester(test, jobs=2, executor=clock, cancel=lambda configuration: None)
    )
    result = minimise(range(count), tester, strategy, check=False)
    assert result.certified
    return result.configuration, result.statistics.tests


@pytest.mark.parametrize(
    ("count", "needed", "tests", "factor"),
    [(896, 8, 90, 1.85), (896, 60, 455, 1.9), (896, 200, 1040, 1.9), (2000, 2, 30, 1.6)],
)
def test_two_jobs(
    monkeypatch: pytest.MonkeyPatch, count: int, needed: int, tests: int, factor: float
) -> None:
    alone = ticks = 0
    seeds = range(3, 8)
    for seed in seeds:
        places = set(random.Random(seed).sample(range(count), needed))

        def test(configuration: Configuration[int], places: set[int] = places) -> Outcome:
            return Outcome.FAIL if places.issubset(configuration) else Outcome.PASS

        clock = Clock(monkeypatch)
        one = reduced(test, count, None)
        assert reduced(test, count, clock) == one == (tuple(sorted(places)), one[1])
        alone += one[1]
        ticks += clock.now
    assert alone / len(seeds) <= tests
    assert alone / ticks >= factor


def test_what_cannot_go_together_is_found_out_later(monkeypatch: pytest.MonkeyPatch) -> None:
    """One of each pair is needed, whichever: halves can go alone, never together."""

    def test(configuration: Configuration[int]) -> Outcome:
        left = set(configuration)
        fails = all(number in left or number + 32 in left for number in range(32))
        return Outcome.FAIL if fails else Outcome.UNRESOLVED

    clock = Clock(monkeypatch)
    answer, tests = reduced(test, 64, None)
    assert len(answer) == 32
    assert test(answer) is Outcome.FAIL
    assert reduced(test, 64, clock) == (answer, tests)
