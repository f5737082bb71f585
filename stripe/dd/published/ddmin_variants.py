"""The ddmin of the textbooks: after every success it cuts anew."""

from __future__ import annotations

from collections.abc import Hashable, Iterable

from stripe.dd.outcomes import TestFunction
from stripe.dd.result import Result
from stripe.dd.search import Search, minimise
from stripe.dd.searches.ddmin import ddmin_strategy
from stripe.dd.splits import Split, larger_first
from stripe.dd.tester import Tester


def ddmin_textbook[D: Hashable](
    deltas: Iterable[D],
    test: Tester[D] | TestFunction[D],
    *,
    split: Split[D] = larger_first,
    complements_of_halves: bool = True,
    check: bool = True,
    certify: bool = True,
) -> Result[D]:
    """Find a 1-minimal failing configuration as in Figure 1 of Hildebrandt & Zeller (ISSTA 2000).

    As ``ddmin``, but after a complement fails it cuts anew and begins with the first piece.

    Args:
        deltas: the universe, in order, each delta once. All of them together fail.
        test: a tester, or a test function.
        split: how to cut. ``smaller_first`` gives the counts of the paper.
        complements_of_halves: whether the complements are asked for when n = 2, although each is
            the other half. With a cache it makes no difference to the tests run.
        check: test the full and the empty configuration first: see ``minimise``.
        certify: test every single removal in the end.

    Raises:
        AxiomViolated: when the full configuration does not fail.
    """

    def strategy(search: Search[D]) -> None:
        ddmin_strategy(
            search,
            split=split,
            after_complement="restart",
            complements_of_halves=complements_of_halves,
        )

    return minimise(deltas, test, strategy, check=check, certify=certify)


def ddmin_complements[D: Hashable](
    deltas: Iterable[D],
    test: Tester[D] | TestFunction[D],
    *,
    split: Split[D] = larger_first,
    check: bool = True,
    certify: bool = True,
) -> Result[D]:
    """Find a 1-minimal failing configuration by complements alone.

    As ``ddmin_textbook``, but no piece is tested by itself (Zeller, "Why Programs Fail", appendix
    A; the Debugging Book's ``ddmin()``, whose counts ``steps`` gives).

    Args:
        deltas: the universe, in order, each delta once. All of them together fail.
        test: a tester, or a test function.
        split: how to cut.
        check: test the full and the empty configuration first: see ``minimise``.
        certify: test every single removal in the end.

    Raises:
        AxiomViolated: when the full configuration does not fail.
    """

    def strategy(search: Search[D]) -> None:
        ddmin_strategy(search, split=split, subsets=False, after_complement="restart")

    return minimise(deltas, test, strategy, check=check, certify=certify)
