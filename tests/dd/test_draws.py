"""Searches that leave out draw after draw, without the certificate that repairs their answers."""

from __future__ import annotations

from stripe.dd import Configuration, Tester
from stripe.dd.published.cdd import cdd
from stripe.dd.published.probdd import probdd
from stripe.dd.published.weighted_removal import Urn
from tests.dd.functions import Needs


def test_draws_alone_find_the_cause() -> None:
    test = Needs(3)
    result = probdd(range(64), test, certify=False)
    assert result.configuration == (3,)
    assert len(test.seen) < 30


def test_what_closing_takes_as_well_is_drawn_no_more() -> None:
    parents = {0: 3, 1: 6, 2: 5, 3: 6, 4: 8, 5: 8, 7: 9, 8: 9}

    def close(configuration: Configuration[int]) -> Configuration[int]:
        def stays(delta: int) -> bool:
            return delta in configuration and (delta not in parents or stays(parents[delta]))

        return tuple(filter(stays, configuration))

    tester = Tester(Needs(4, 5), close=close)
    result = cdd(range(10), tester, certify=False)
    assert result.configuration == (4, 5, 8, 9)


def test_the_lightest_deltas() -> None:
    urn = Urn(4, 0.5)
    urn.draw(lambda weight, drawn: 2 - drawn)
    urn.put_back(0.25, [0])
    urn.put_back(0.75, [1])
    assert urn.lightest(2) == [(0.25, [0]), (0.5, [2])]
    assert urn.lightest(9) == [(0.25, [0]), (0.5, [2, 3]), (0.75, [1])]
