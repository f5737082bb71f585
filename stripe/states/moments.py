"""Moments of two runs that match (Why Programs Fail, A.3)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import NamedTuple

from stripe.snapshots import Backtrace, Moment
from stripe.units.alignment import increasing


class Match(NamedTuple):
    """A moment of the failing run, and the one of the passing run that has the same backtrace."""

    failing: Moment
    passing: Moment
    backtrace: Backtrace


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
    pairs: list[tuple[int, int]] = []
    for index, (_, backtrace) in enumerate(failing):
        partner = where.get((backtrace, counts[backtrace]))
        counts[backtrace] += 1
        if partner is not None:
            pairs.append((index, partner))
    kept = increasing([partner for _, partner in pairs])
    return [
        Match(failing[pairs[each][0]][0], passing[pairs[each][1]][0], failing[pairs[each][0]][1])
        for each in kept
    ]
