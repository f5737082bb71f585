"""Sweeps: how the steps grow and shrink."""

from stripe.dd import Tester, sweep
from tests.dd.functions import Needs


def test_steps_grow_while_deltas_can_go() -> None:
    test = Needs(0)
    sweep(range(16), test, certify=False)

    # From the end: 1, 2, 4 and 8 deltas go; the last one is known to be needed by the axiom.
    assert [len(configuration) for configuration in test.seen] == [15, 13, 9, 1]


def test_steps_shrink_to_the_delta_that_cannot_go() -> None:
    test = Needs(10)
    sweep(range(16), test, certify=False)

    assert test.seen[:6] == [
        tuple(range(15)),
        tuple(range(13)),
        tuple(range(9)),  # 9 to 12 cannot go together
        tuple(range(11)),  # 11 and 12 can
        tuple(range(10)),  # 10 cannot
        (*range(9), 10),  # 9 can, and steps grow again
    ]


def test_a_needed_delta_costs_one_test() -> None:
    result = sweep(range(20), Needs(*range(20)))

    assert result.configuration == tuple(range(20))
    assert result.statistics.tests == 20


def test_forwards_begins_at_the_first_delta() -> None:
    test = Needs(15)
    sweep(range(16), test, forwards=True, certify=False)

    assert test.seen[:2] == [tuple(range(1, 16)), tuple(range(3, 16))]


def test_closing_may_take_more_than_the_step() -> None:
    def without_orphans(configuration: tuple[int, ...]) -> tuple[int, ...]:
        kept = set(configuration)
        return tuple(delta for delta in configuration if delta < 8 or delta - 8 in kept)

    result = sweep(range(16), Tester(Needs(3, 11), close=without_orphans), forwards=True)

    assert result.configuration == (3, 11)
    assert result.certified
