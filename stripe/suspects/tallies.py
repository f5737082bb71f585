"""What came of the changes at each line: how many were tried there, and what they did."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from enum import Enum

from stripe.interventions import Intervention, Line
from stripe.results.suspects import Tally
from stripe.suspects.ranks import Repair


class Effect(Enum):
    """What a change does, as far as it was tried."""

    REPAIRED = "all failing tests pass, and none breaks"
    PARTLY = "some failing tests pass, and none breaks"
    BROKEN = "failing tests pass, and passing ones break"
    NOTHING = "no failing test passes"
    LOST = "killed, out of fuel, or no program"


def effect(repair: Repair) -> Effect:
    """What a change does with which a failing test passes."""
    if repair.whole:
        return Effect.REPAIRED
    return Effect.BROKEN if repair.broken else Effect.PARTLY


def tallies(offered: Iterable[Intervention], effects: Mapping[int, Effect]) -> tuple[Tally, ...]:
    """By line, in order; ``effects``: of those that were tried, by ``id``."""
    names = ("offered", *(each.name.lower() for each in Effect))
    counts: dict[Line, dict[str, int]] = {}
    for change in offered:
        at = counts.setdefault(change.at, dict.fromkeys(names, 0))
        at["offered"] += 1
        if (found := effects.get(id(change))) is not None:
            at[found.name.lower()] += 1
    return tuple(Tally(line.file, line.line, **counts[line]) for line in sorted(counts))
