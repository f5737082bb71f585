"""Probabilistic delta debugging (Wang et al., ESEC/FSE 2021)."""

from __future__ import annotations

import math
from collections.abc import Hashable, Iterable

from stripe.dd.outcomes import TestFunction
from stripe.dd.published.weighted_removal import Draw, Urn, draw_until_settled
from stripe.dd.result import Result
from stripe.dd.search import Search, minimise
from stripe.dd.tester import Tester

# Two gains this close are equal: probabilities come from products that are rounded.
_CLOSE = 1e-12


def probdd[D: Hashable](
    deltas: Iterable[D],
    test: Tester[D] | TestFunction[D],
    *,
    probability: float = 0.1,
    check: bool = True,
    certify: bool = True,
) -> Result[D]:
    """Leave out the deltas whose removal promises most, and learn from every test.

    Each delta has a probability of being needed. The next test leaves out the least probable
    deltas, as many as maximise the expected number removed (Wang et al., section 3.2). If it does
    not fail, the probability of each rises to what Bayes' rule says (section 3.3). It ends when
    all are 0 or 1. Alone the result is not always 1-minimal; the certificate makes it so.

    Args:
        deltas: the universe, in order, each delta once. All of them together fail.
        test: a tester, or a test function.
        probability: of each delta in the beginning, above 0 and below 1.
        check: test the full and the empty configuration first: see ``minimise``.
        certify: test every single removal in the end.

    Raises:
        ValueError: when ``probability`` is not between 0 and 1.
        AxiomViolated: when the full configuration does not fail.
    """
    if not 0 < probability < 1:
        raise ValueError(f"the probability must lie between 0 and 1: {probability}")

    def strategy(search: Search[D]) -> None:
        urn = Urn(len(search.current), probability)

        def put_back(drawn: Draw) -> None:
            if sum(len(positions) for _, positions in drawn) == 1:
                return  # needed: its probability is 1
            some_needed = 1 - math.prod((1 - weight) ** len(there) for weight, there in drawn)
            for weight, positions in drawn:
                urn.put_back(min(1.0, weight / some_needed), positions)

        draw_until_settled(search, urn, _room, put_back)

    return minimise(deltas, test, strategy, check=check, certify=certify)


def _room(weight: float, drawn: int) -> int:
    """How many deltas of probability ``weight`` raise the expected number removed.

    The gain of s deltas is s * product(1 - p): the next one multiplies it by (1 - p)(s + 1)/s,
    which is more than 1 as long as p (s + 1) < 1.
    """
    return math.ceil((1 - _CLOSE) / weight) - 1 - drawn
