"""What came of steps of a search says what will come of their like."""

from __future__ import annotations

import pytest

from stripe.reduce.outcome_predictor import PRIOR, OutcomePredictor, Step


def step(kind: str = "event", *events: int, more: int = 0, statement: int = 1) -> Step:
    return Step(kind, events or (1,), more, statement)


@pytest.fixture
def foresight() -> OutcomePredictor:
    return OutcomePredictor()


def test_nothing_is_known_at_first(foresight):
    assert foresight.chance(step()) == pytest.approx(PRIOR)


@pytest.mark.parametrize("went", [True, False])
def test_what_came_comes_again(foresight, went):
    for _ in range(3):
        foresight.record(step("body", 1, 2), went=went)
    assert (foresight.chance(step("body", 8, 9)) > 0.5) is went
    assert foresight.chance(step("half", 8, 9)) == pytest.approx(PRIOR)


def test_what_came_last_counts_most(foresight):
    for went in [True] * 10 + [False] * 3:
        foresight.record(step("body", 1, 2), went=went)
    assert foresight.chance(step("body", 1, 2)) < 0.5


def test_its_statement_has_the_last_word(foresight):
    for event in range(2, 10, 2):
        foresight.record(step("event", event, statement=1), went=False)
        foresight.record(step("event", event + 1, statement=2), went=True)
    assert foresight.chance(step("event", 10, statement=1)) < PRIOR
    assert foresight.chance(step("event", 11, statement=2)) > 0.5


def test_what_takes_others_along_is_of_another_kind(foresight):
    for _ in range(4):
        foresight.record(step("body", 1, 2, more=3), went=False)
        foresight.record(step("body", 3, 4), went=True)
    assert foresight.chance(step("body", 5, 6, more=1)) < 0.5
    assert foresight.chance(step("body", 5, 6)) > 0.5


def test_what_stayed_once_most_likely_stays(foresight):
    foresight.record(step("event", 1), went=False)
    for number in range(2, 6):
        foresight.record(step("event", number), went=True)
    assert foresight.chance(step("event", 1)) < 0.5
    assert foresight.chance(step("event", 7)) > 0.5
