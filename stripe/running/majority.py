"""Tests that come out now this way, now that: the majority of several runs counts."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable

from stripe.dd import Outcome


def majority[T](repeat: int, run: Callable[[], T], outcome: Callable[[T], Outcome]) -> T | None:
    """What the majority of at most ``repeat`` runs gives; ``None`` where there is none."""
    counts: Counter[Outcome] = Counter()
    while counts.total() < repeat:
        found = run()
        counts[outcome(found)] += 1
        if counts[outcome(found)] > repeat // 2:
            return found
    return None
