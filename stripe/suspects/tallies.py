"""What came of the changes at each line: how many were tried there, and what they did."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from enum import Enum

from stripe.interventions import Intervention, Line
from stripe.suspects.ranks import Repair


class Effect(Enum):
    """What a change does, as far as it was tried."""

    REPAIRED = "all failing tests pass, and none breaks"
    PARTLY = "some failing tests pass, and none breaks"
    BROKEN = "failing tests pass, and passing ones break"
    NOTHING = "no failing test passes"
    LOST = "killed, out of fuel, or no program"


@dataclass(frozen=True, slots=True)
class Tally:
    """How many changes of a line there are (``offered``), and how many did what.

    The others are counted as in :class:`Effect`.
    """

    offered: int = 0
    repaired: int = 0
    partly: int = 0
    broken: int = 0
    nothing: int = 0
    lost: int = 0

    @property
    def tried(self) -> int:
        """How many of them were."""
        return self.repaired + self.partly + self.broken + self.nothing + self.lost


def effect(repair: Repair) -> Effect:
    """What a change does with which a failing test passes."""
    if repair.whole:
        return Effect.REPAIRED
    return Effect.BROKEN if repair.broken else Effect.PARTLY


def tallies(offered: Iterable[Intervention], effects: Mapping[int, Effect]) -> dict[Line, Tally]:
    """By line, in order; ``effects``: of those that were tried, by ``id``."""
    counts: dict[Line, dict[str, int]] = {}
    for change in offered:
        at = counts.setdefault(change.at, {"offered": 0})
        at["offered"] += 1
        if (found := effects.get(id(change))) is not None:
            name = found.name.lower()
            at[name] = at.get(name, 0) + 1
    return {line: Tally(**counts[line]) for line in sorted(counts)}
