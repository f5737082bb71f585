"""Moments of two runs that match (Why Programs Fail, A.3)."""

from __future__ import annotations

from bisect import bisect_right
from collections import Counter
from collections.abc import Sequence
from typing import NamedTuple

from stripe.snapshots import Backtrace, Later, Moment
from stripe.units.alignment import increasing


class Match(NamedTuple):
    """A moment of the failing run, and the one of the passing run that has the same backtrace.

    In both it is there for the ``number``-th time.
    """

    failing: Moment
    passing: Moment
    backtrace: Backtrace
    number: int = 1


def matches(
    failing: Sequence[tuple[Moment, Backtrace]], passing: Sequence[tuple[Moment, Backtrace]]
) -> list[Match]:
    """Pairs of moments with equal backtraces, in the order of both runs.

    Of moments with one backtrace the first is matched with the first, and so on; then as many stay
    as can without one of them going back.
    """
    where: dict[tuple[Backtrace, int], int] = {}
    counts: Counter[Backtrace] = Counter()
    for index, (_, backtrace) in enumerate(passing):
        where[backtrace, counts[backtrace]] = index
        counts[backtrace] += 1
    counts.clear()
    pairs: list[tuple[int, Match]] = []
    for moment, backtrace in failing:
        partner = where.get((backtrace, counts[backtrace]))
        counts[backtrace] += 1
        if partner is not None:
            match = Match(moment, passing[partner][0], backtrace, counts[backtrace])
            pairs.append((partner, match))
    return [pairs[each][1] for each in increasing([partner for partner, _ in pairs])]


class Places:
    """Where the moments of a run are in it."""

    def __init__(self, moments: Sequence[tuple[Moment, Backtrace]]) -> None:
        self._where = {moment: index for index, (moment, _) in enumerate(moments)}
        self._of: dict[Backtrace, list[int]] = {}
        for index, (_, backtrace) in enumerate(moments):
            self._of.setdefault(backtrace, []).append(index)

    def later(self, start: Moment, match: Match) -> Later:
        """Where the run comes to a match, counted from one of its moments on."""
        before = bisect_right(self._of[match.backtrace], self._where[start])
        return Later(match.backtrace, match.number - before)
