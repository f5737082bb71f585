"""Splitting: two halves in turns, neither of which waits for the other."""

from __future__ import annotations

from stripe.dd import Configuration, Outcome, Tester, splitting
from tests.dd.functions import FAIL, PASS, Needs


def test_the_question_about_one_half_does_not_depend_on_the_other() -> None:
    test = Needs(5, 27)
    splitting(range(32), test, check=False, certify=False)

    low, high = tuple(range(16)), tuple(range(16, 32))
    assert test.seen[:2] == [low, high]  # neither half can go as a whole
    assert test.seen[2:4] == [(*low, *range(16, 24)), (*range(8), *high)]
    # 24 to 31 cannot go, 8 to 15 can: so 8 to 15 are gone from now on.
    assert test.seen[4:6] == [
        (*range(8), *range(16, 28)),
        (*range(4), *high),
    ]


def test_both_halves_are_asked_for_together_when_each_can_go() -> None:
    def test(configuration: Configuration[int]) -> Outcome:
        """Either half will do."""
        seen.append(configuration)
        low, high = {3} <= set(configuration), {19} <= set(configuration)
        return FAIL if low or high else PASS

    seen: list[Configuration[int]] = []
    result = splitting(range(32), test, check=False)
    assert seen[0] == tuple(range(16))
    assert seen[1] == tuple(range(16, 32))
    # Both can go alone. That nothing at all passes is an axiom, so it is not tested.
    assert () not in seen
    assert result.configuration == (19,)
    assert result.certified


def test_few_tests_when_little_is_needed() -> None:
    for needed in range(0, 1024, 31):
        result = splitting(range(1024), Needs(needed), check=False)
        assert result.configuration == (needed,)
        assert result.statistics.tests <= 17


def test_few_deltas_and_closed_ones_are_swept() -> None:
    assert splitting(range(5), Needs(1, 3)).configuration == (1, 3)
    pairs = Tester(
        Needs(10, 11),
        close=lambda configuration: tuple(
            delta for delta in configuration if delta % 2 == 0 or delta - 1 in configuration
        ),
    )
    assert splitting(range(40), pairs).configuration == (10, 11)
