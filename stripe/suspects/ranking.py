"""Lines by what changing them does: evidence by experiment first, the spectrum after it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from stripe.interventions import Intervention, Line

MOST_BROKEN = 0.25
"""The share of passing tests that a change may break and still say something of its place."""


@dataclass(frozen=True, slots=True)
class Repair:
    """A change with which at least one failing test passes.

    ``repaired`` of ``failing`` tests do; ``broken`` of ``passing`` ones pass no more, and ``known``
    says that the others have been run with it and pass.
    """

    change: Intervention
    repaired: int
    failing: int
    broken: int
    passing: int
    known: bool = True

    @property
    def whole(self) -> bool:
        """Whether it repairs all and breaks none, as far as tests say."""
        return self.repaired == self.failing and not self.broken and self.known

    @property
    def counts(self) -> bool:
        """Whether it says anything of its place: it does not if it spoils much else."""
        return self.known and self.broken <= MOST_BROKEN * self.passing

    @property
    def merit(self) -> tuple[float, ...]:
        """For comparison: less is better."""
        return (
            not self.whole,
            -self.repaired / self.failing,
            self.broken / max(1, self.passing) + (not self.known),
            self.change.size,
        )


@dataclass(frozen=True, slots=True)
class Suspect:
    """A line of the ranking.

    ``rank`` counts from 1; lines that nothing tells apart have the same.
    """

    file: str
    line: int
    rank: int
    ochiai: float
    repairs: int


def ranked(
    lines: Sequence[Line], repairs: Sequence[Repair], suspicion: Mapping[Line, float]
) -> list[Suspect]:
    """All lines, the most suspicious first."""
    best: dict[Line, tuple[float, ...]] = {}
    count: dict[Line, int] = {}
    for repair in repairs:
        at = repair.change.at
        best[at] = min(best.get(at, repair.merit), repair.merit)
    for repair in repairs:  # as many as are as good as its best one
        at = repair.change.at
        count[at] = count.get(at, 0) + (repair.merit == best[at])

    def merit(line: Line) -> tuple[float, ...]:
        # Repairs that break others say less than the spectrum does where tests can tell.
        found = best.get(line)
        if found is None:
            return (2.0, 0.0, 0.0, 0.0, 0.0, -suspicion.get(line, 0.0))
        return (*(float(each) for each in found), -count[line], -suspicion.get(line, 0.0))

    order = sorted(lines, key=lambda line: (merit(line), line))
    found: list[Suspect] = []
    before = None
    for index, line in enumerate(order):
        now = merit(line)
        rank = found[-1].rank if now == before else index + 1
        before = now
        found.append(
            Suspect(line.file, line.line, rank, suspicion.get(line, 0.0), count.get(line, 0))
        )
    return found
