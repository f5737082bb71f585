"""The rank of places: what experiments have shown of a line, added up.

    score(line) = sum over the kinds of evidence for it of WEIGHTS[kind] * strength

where of each kind the strongest counts.  Evidence for lines of one function supports its best line:

    score(place) = score(best line) + SUPPORT * (scores of the function's other lines, added up)

of which the SUPPORTERS best count: a function of one line, as a getter, passes a value on, and has
less in it that can be wrong than one in which many lines have to do with the failure.

A function is told once, by its best line: that where a change that was tried shows most, or else
that of the highest score; who looks there sees the others.  What only declares
something (``def``, ``class``, ``import``) runs anyway: it counts if it was changed or repaired.
Lines of tests are taken to be right: they come last, unless they have been changed.

Where an exception was raised is among the places whatever else was found, so that they are never
worse than the last line of the traceback.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable
from dataclasses import dataclass

from stripe.why.evidence import Evidence, Kind
from stripe.why.functions import MODULE

WEIGHTS = {
    Kind.REPAIRED: 8.0,
    Kind.CHANGED: 6.0,
    Kind.TRANSITION: 3.0,
    Kind.PARTLY: 2.5,
    Kind.RAISED: 2.0,
    Kind.COMPUTED: 2.0,
    Kind.KEPT: 1.5,
    Kind.DECIDES: 1.5,
    Kind.DEPENDS: 1.0,
    Kind.COVERED: 1.5,
}
"""A change that was tried shows most; that a line is needed shows least, as most needed lines are
right."""

SUPPORT = 0.25
SUPPORTERS = 6
"""So many lines beside the best: of 0 to all, what ranked the seen faults of the benchmark best."""

ACTIVE = frozenset({Kind.REPAIRED, Kind.CHANGED, Kind.PARTLY, Kind.TRANSITION})
"""Evidence of something that was changed and tried, and not of the recorded run alone."""

PLACES = 3


@dataclass(frozen=True, slots=True)
class RankedPlace:
    """A line, its score, and the evidence for it, the weightiest first."""

    file: str
    line: int
    function: str
    score: float
    evidence: tuple[Evidence, ...]


def ranked(
    evidence: Iterable[Evidence],
    *,
    declarations: Collection[tuple[str, int]] = (),
    tests: Collection[str] = (),
    most: int = PLACES,
) -> list[RankedPlace]:
    """The places to look at, the best first, one for each function.

    Args:
        evidence: of all experiments.
        declarations: lines, as (file, line), that only declare something.
        tests: files of tests.
        most: how many.
    """
    lines: dict[tuple[str, int], dict[Kind, Evidence]] = defaultdict(dict)
    for each in evidence:
        place = each.file, each.line
        if each.kind not in ACTIVE and place in declarations:
            continue
        known = lines[place].get(each.kind)
        # The traceback comes first, and a slice knows the values as well.
        told_again = each.kind is Kind.RAISED and known and known.strength == each.strength
        if known is None or known.strength < each.strength or told_again:
            lines[place][each.kind] = each
    functions: dict[tuple[bool, str, str], list[RankedPlace]] = defaultdict(list)
    for (file, line), kinds in lines.items():
        found = sorted(kinds.values(), key=_weight, reverse=True)
        distrusted = file in tests and not any(each.kind in ACTIVE for each in found)
        score = sum(map(_weight, found))
        function = next((each.function for each in found if each.function), "")
        place_ = RankedPlace(file, line, function, score, tuple(found))
        functions[(distrusted, file, place_.function)].append(place_)
    best = []
    for (distrusted, _, _), places in functions.items():
        places.sort(key=lambda each: (-_tried(each), -each.score, each.line))
        others = sorted((each.score for each in places[1:]), reverse=True)
        # Lines outside of functions have nothing else in common.
        counted = others[: SUPPORTERS if places[0].function not in ("", MODULE) else 1]
        support = SUPPORT * sum(counted)
        best.append((distrusted, -(places[0].score + support), places[0]))
    best.sort(key=lambda each: (each[0], each[1], each[2].file, each[2].line))
    trusted = [each for each in best if not each[0]]
    chosen = [place for *_, place in trusted or best]
    raised = {
        (each.file, each.function)
        for places in functions.values()
        for each in places
        if any(found.kind is Kind.RAISED and found.strength == 1.0 for found in each.evidence)
    }
    where = [each for each in chosen if (each.file, each.function) in raised]
    if where and where[0] not in chosen[:most]:
        return [*chosen[: most - 1], where[0]]
    return chosen[:most]


def _tried(place: RankedPlace) -> float:
    """The most that a change has shown which was tried at a line."""
    return max((_weight(each) for each in place.evidence if each.kind in ACTIVE), default=0.0)


def _weight(each: Evidence) -> float:
    return WEIGHTS[each.kind] * each.strength
