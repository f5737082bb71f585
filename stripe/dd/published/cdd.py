"""Counter-based delta debugging (Zhang et al., 2024): probabilistic dd without probabilities."""

from __future__ import annotations

import math
from collections.abc import Hashable, Iterable

from stripe.dd.outcomes import TestFunction
from stripe.dd.published.weighted_removal import Draw, Urn, draw_until_settled
from stripe.dd.result import Result
from stripe.dd.search import Search, minimise
from stripe.dd.tester import Tester


def cdd[D: Hashable](
    deltas: Iterable[D],
    test: Tester[D] | TestFunction[D],
    *,
    probability: float = 0.1,
    check: bool = True,
    certify: bool = True,
) -> Result[D]:
    """Leave out deltas in rounds of fixed, falling sizes.

    Each delta counts the tests that it was left out of in vain. The next test leaves out the
    deltas with the lowest counts, as many as their round allows: the sizes start at the one that
    maximises the expected gain for ``probability`` and fall by the factor 1 - 1/e (9, 5, 3, 1 for
    0.1). Alone the result is not always 1-minimal; the certificate makes it so.

    Args:
        deltas: the universe, in order, each delta once. All of them together fail.
        test: a tester, or a test function.
        probability: of a delta being needed, above 0 and below 1: it sets the first size.
        check: test the full and the empty configuration first: see ``minimise``.
        certify: test every single removal in the end.

    Raises:
        ValueError: when ``probability`` is not between 0 and 1.
        AxiomViolated: when the full configuration does not fail.
    """
    if not 0 < probability < 1:
        raise ValueError(f"the probability must lie between 0 and 1: {probability}")
    sizes = _sizes(probability)

    def strategy(search: Search[D]) -> None:
        urn = Urn(len(search.current), 0)

        lowest = 0

        def room(in_vain: float, drawn: int) -> int:
            # The round of a draw is that of its lowest count.
            nonlocal lowest
            if not drawn:
                lowest = int(in_vain)
            return sizes[min(lowest, len(sizes) - 1)] - drawn

        def put_back(drawn: Draw) -> None:
            if sum(len(positions) for _, positions in drawn) > 1:
                for count, positions in drawn:
                    urn.put_back(count + 1, positions)

        draw_until_settled(search, urn, room, put_back)

    return minimise(deltas, test, strategy, check=check, certify=certify)


def _sizes(probability: float) -> list[int]:
    """How many deltas are left out together, by round, down to 1."""
    sizes = [max(1, round(-1 / math.log(1 - probability)))]
    while sizes[-1] > 1:
        sizes.append(max(1, math.floor(sizes[-1] * (1 - math.exp(-1)))))
    return sizes
