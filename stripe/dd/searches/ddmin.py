"""Minimising delta debugging (ddmin)."""

from __future__ import annotations

from collections import deque
from collections.abc import Hashable, Iterable, Iterator
from typing import Literal

from stripe.dd.outcomes import Configuration, TestFunction
from stripe.dd.result import Result
from stripe.dd.search import Search, minimise
from stripe.dd.splits import Split, larger_first
from stripe.dd.tester import Tester
from stripe.index_set import like


def ddmin[D: Hashable](
    deltas: Iterable[D],
    test: Tester[D] | TestFunction[D],
    *,
    check: bool = True,
    certify: bool = True,
) -> Result[D]:
    """Find a 1-minimal failing configuration by halves, quarters, and so on.

    It is the variant behind Figure 5 of Cleve & Zeller (AADEBUG 2000): all subsets, then all
    complements; after a subset fails go on in it with n = 2; after a complement fails go on with
    the next piece of the same pass and n - 1; passes until one brings nothing, then twice the
    pieces, up to single deltas. ``stripe.dd.published`` has others.

    Args:
        deltas: the universe, in order, each delta once. All of them together fail.
        test: a tester, or a test function.
        check: test the full and the empty configuration first: see ``minimise``.
        certify: test every single removal in the end. After a full search with a cache all of
            these outcomes are known and nothing is run.

    Raises:
        AxiomViolated: when the full configuration does not fail.
    """
    return minimise(deltas, test, ddmin_strategy, check=check, certify=certify)


def ddmin_strategy[D: Hashable](
    search: Search[D],
    *,
    split: Split[D] = larger_first,
    subsets: bool = True,
    after_complement: Literal["continue", "restart"] = "continue",
    complements_of_halves: bool = True,
) -> None:
    """Reduce the current configuration of ``search``.

    Args:
        search: what is reduced.
        split: how to cut.
        subsets: test the pieces themselves as well; without, only their complements.
        after_complement: "continue" with the next piece, or "restart" at the first one with a new
            split.
        complements_of_halves: whether the complements are asked for when n = 2, although each is
            the other half. With a cache it makes no difference to the tests run.

    Raises:
        BudgetExhausted: when no further test may be run.
    """
    n = 2
    while len(search.current) >= 2:
        outlook = _Outlook(split, n, subsets=subsets)
        pieces = split(search.current, n)
        if subsets and _reduce_to_subset(search, pieces, outlook):
            n = 2
            continue
        if complements_of_halves or not subsets or n > 2:
            once = after_complement == "restart"
            reductions = _reduce_to_complements(search, pieces, outlook, once=once)
            if reductions:
                n = min(max(n - reductions, 2), len(search.current))
                continue
        if n >= len(search.current):
            return
        n = min(2 * n, len(search.current))


def _reduce_to_subset[D: Hashable](
    search: Search[D], pieces: list[Configuration[D]], outlook: _Outlook[D]
) -> bool:
    """Take the first piece that fails by itself."""
    return any(
        search.fails(piece, outlook.in_subsets(search.current, pieces, number + 1))
        for number, piece in enumerate(pieces)
    )


def _reduce_to_complements[D: Hashable](
    search: Search[D],
    pieces: list[Configuration[D]],
    outlook: _Outlook[D],
    *,
    once: bool,
) -> int:
    """Leave out piece after piece where that still fails; return how many could go.

    With ``once``, stop after the first that could.
    """
    reductions = 0
    start = 0  # where the next piece begins in the shrinking configuration
    waiting = deque(pieces)
    while waiting:
        piece = waiting.popleft()
        current = search.current
        stop = start + len(piece)
        candidate = current[:start] + current[stop:]
        if not search.fails(candidate, outlook.in_complements(current, waiting, stop, reductions)):
            start = stop
            continue
        reductions += 1
        if once:
            break
        if len(search.current) < len(candidate):  # closing took more than the piece
            left = set(search.current)
            start = sum(1 for delta in candidate[:start] if delta in left)
            rest = [like(piece, filter(left.__contains__, piece)) for piece in waiting]
            waiting = deque(piece for piece in rest if piece)
    return reductions


class _Outlook[D: Hashable]:
    """What ddmin will test from some point on if nothing fails any more."""

    def __init__(self, split: Split[D], n: int, *, subsets: bool) -> None:
        self._split = split
        self._n = n
        self._subsets = subsets

    def in_subsets(
        self, current: Configuration[D], pieces: list[Configuration[D]], number: int
    ) -> Iterator[Configuration[D]]:
        """From the subset of that number on."""
        yield from pieces[number:]
        yield from self.in_complements(current, pieces, 0, 0)

    def in_complements(
        self,
        current: Configuration[D],
        pieces: Iterable[Configuration[D]],
        start: int,
        reductions: int,
    ) -> Iterator[Configuration[D]]:
        """From the complement of the first of ``pieces`` on, which begins at ``start``."""
        for piece in pieces:
            yield current[:start] + current[start + len(piece) :]
            start += len(piece)
        n = max(self._n - reductions, 2) if reductions else 2 * self._n
        if n <= len(current):
            finer = self._split(current, n)
            if self._subsets:
                yield from finer
            start = 0
            for piece in finer:
                yield current[:start] + current[start + len(piece) :]
                start += len(piece)
