"""Where a line stands in a ranking, ties counted as they are worst; and spectrum formulas."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from itertools import groupby

from benchmarks.suspects.trying import Observed, Place

type Groups = Sequence[Collection[Place]]
"""Lines, the most suspect first; those of a group are equally suspect."""


def worst_rank(groups: Groups, faulty: Collection[Place]) -> int | None:
    """How many lines somebody reads up to a faulty one, as late as ties allow; None if never."""
    before = 0
    for group in groups:
        if found := sum(place in faulty for place in group):
            return before + len(group) - found + 1
        before += len(group)
    return None


def by_score(scores: Mapping[Place, float]) -> Groups:
    """Lines with scores, the highest first."""
    return as_groups(sorted(scores.items(), key=lambda item: -item[1]))


def as_groups(ranked: Iterable[tuple[Place, float]]) -> Groups:
    """Lines that are in order already, with their scores: neighbours of one score are a group."""
    return [[place for place, _ in each] for _, each in groupby(ranked, key=lambda item: item[1])]


def ochiai(failing: int, passing: int, all_failing: int) -> float:
    """Ochiai's coefficient (Abreu and others, 2007): of a line that so many tests execute."""
    return failing / math.sqrt(all_failing * (failing + passing))


def dstar(failing: int, passing: int, all_failing: int) -> float:
    """D* with the exponent 2 (Wong and others, 2014)."""
    others = passing + all_failing - failing
    return failing**2 / others if others else math.inf


def spectrum(seen: Observed, formula: Callable[[int, int, int], float]) -> Groups:
    """The lines that failing tests execute, by a formula of how many tests execute them."""
    counts: dict[Place, list[int]] = defaultdict(lambda: [0, 0])
    for test, lines in seen.lines.items():
        for place in lines:
            counts[place][not seen.failed.get(test, False)] += 1
    failing = sum(seen.failed.values())
    return by_score(
        {place: formula(bad, good, failing) for place, (bad, good) in counts.items() if bad}
    )
