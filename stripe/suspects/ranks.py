"""Lines by what changing them does: evidence by experiment first, the spectrum after it."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from stripe.interventions import Intervention, Line

MOST_BROKEN = 0.25
"""The share of passing tests that a change may break and still say something of its place."""

PARTLY = 0.2
"""What a change that repairs some, or breaks some, adds to the suspicion of its line at most."""

SIZE = 0.25
"""What a size is worth, of the largest suspicion: a line without any is four sizes behind."""

LARGER = 0.9
"""So much of that is left with each further size."""

SILENCES = 1
"""A change that only leaves something out counts as so many sizes larger: what it silences may have
been right."""

_WITHOUT = ("`True` instead of", "`False` instead of")


@dataclass(frozen=True, slots=True)
class Repair:
    """A change with which at least one failing test passes.

    ``repaired`` of ``failing`` tests do; ``broken`` of ``passing`` ones pass no more.  ``righted``
    and ``spoiled`` are their names, as far as they are known: where much is spoiled, not all ran.
    ``found``: how many tests there are that cannot be collected without it, and how many of them
    pass; ``None`` if all can.  ``ran``: whether all tests did that it can matter to; if not, it
    breaks at least so many, which says something of its line, and is told to nobody.  ``seconds``:
    after how many since the command began it was known.
    """

    change: Intervention
    repaired: int
    failing: int
    broken: int
    passing: int
    righted: tuple[str, ...] = ()
    spoiled: tuple[str, ...] = ()
    found: tuple[int, int] | None = None
    ran: bool = True
    seconds: float = 0.0

    @property
    def whole(self) -> bool:
        """Whether it repairs all and breaks none, as far as tests say."""
        return self.repaired == self.failing and not self.broken

    @property
    def size(self) -> int:
        """That of the change; more if it leaves out a statement, its condition or its target."""
        kind, words = self.change.kind, self.change.words
        target = kind == "variable" and " = " in words
        return self.change.size + SILENCES * (
            kind == "skip" or target or words.startswith(_WITHOUT)
        )

    @property
    def counts(self) -> bool:
        """Whether it says anything of its place: it does not if it spoils much else."""
        return self.broken <= MOST_BROKEN * self.passing

    @property
    def merit(self) -> tuple[float, ...]:
        """For comparison: less is better."""
        return (
            not self.whole,
            -self.repaired / self.failing,
            self.broken / max(1, self.passing),
            self.size,
        )

    @property
    def evidence(self) -> float:
        """What one that is not whole says of its line: at most 1.

        As Ochiai's formula does of executions, by the tests that end otherwise with it.
        """
        other = self.repaired / math.sqrt(self.failing * (self.repaired + self.broken))
        return float(other * LARGER**self.size)


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

    @property
    def at(self) -> Line:
        """Which line that is."""
        return Line(self.file, self.line)


def altered(failures: Iterable[Sequence[tuple[Line, str]]]) -> dict[Line, float]:
    """For each line the share of its changes with which a failing test ends otherwise.

    ``failures``: for each test how it failed with changes of which lines, ``""`` if it passed.
    Most ways to fail are one change's own: the one that is found most often is that without any.
    """
    others: Counter[Line] = Counter()
    tried: Counter[Line] = Counter()
    for found in failures:
        usual = Counter(how for _, how in found if how).most_common(1)
        for line, how in found:
            tried[line] += 1
            others[line] += not usual or how != usual[0][0]
    return {line: others[line] / count for line, count in tried.items()}


def ranked(
    lines: Sequence[Line],
    repairs: Sequence[Repair],
    suspicion: Mapping[Line, float],
    others: Mapping[Line, float] | None = None,
    traceback: Mapping[Line, float] | None = None,
) -> list[Suspect]:
    """All lines, the most suspicious first.

    ``others``: what :func:`altered` says of them.  ``traceback``: how many sizes earlier a line
    comes that the traceback has; a size is worth :data:`SIZE` of the largest suspicion.
    """
    of_traceback = traceback or {}
    size = SIZE * max(suspicion.values(), default=0.0)
    by_line: dict[Line, list[Repair]] = {}
    for repair in repairs:
        by_line.setdefault(repair.change.at, []).append(repair)

    def merit(line: Line) -> tuple[float, ...]:
        own = by_line.get(line, ())
        earlier = of_traceback.get(line, 0.0)
        sizes = [each.size - earlier for each in own if each.whole]
        score = suspicion.get(line, 0.0) + size * earlier
        other = -(others or {}).get(line, 0.0)
        if sizes:
            return (0.0, min(sizes), -sum(2.0**-size for size in sizes), -score, other)
        # Repairs that break others say little where tests can tell lines apart.
        partly = max((each.evidence for each in own), default=0.0)
        return (1.0, -(score + PARTLY * partly), other)

    order = sorted(lines, key=lambda line: (merit(line), line))
    found: list[Suspect] = []
    before = None
    for index, line in enumerate(order):
        now = merit(line)
        rank = found[-1].rank if now == before else index + 1
        before = now
        merits = [each.merit for each in by_line.get(line, ()) if each.ran]
        as_good = merits.count(min(merits)) if merits else 0
        found.append(Suspect(line.file, line.line, rank, suspicion.get(line, 0.0), as_good))
    return found
