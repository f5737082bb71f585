"""From coarse to fine: a certified answer at each level of the trace, inside the one before.

At a level a search leaves out units (:mod:`stripe.trace.levels`) as others leave out events, and
then each single unit that is left: none of them can go, which is what the answer is certified for.
The next level begins with the events of that answer (Misherghi & Su, ICSE 2006).

The search behind ``auto`` begins with the dynamic slice, as it does without levels.  At each level
it sweeps from the outermost units to the innermost, as with one goes all that is in it, and then
leaves out what nothing needs any more.
"""

from __future__ import annotations

import time
from array import array
from collections.abc import Callable, Hashable
from dataclasses import dataclass, field
from itertools import filterfalse

from stripe import dd
from stripe.dd import (
    BudgetExhausted,
    GroupTester,
    Reason,
    Result,
    Search,
    Tester,
    minimise,
)
from stripe.index_set import packed
from stripe.intervals import ends, stretches
from stripe.reduce.guided import Guided
from stripe.trace import NONE, Trace
from stripe.trace.levels import LEVELS, units

type Events = tuple[int, ...]


@dataclass(frozen=True, slots=True)
class LevelAnswer:
    """The answer at one level.

    - ``name``: one of :data:`LEVELS`
    - ``units``: how many units the level began with; ``kept``: how many are left
    - ``before``, ``events``: events at its beginning and end, units or not
    - ``ranges``: which these are, as first, last + 1, ...
    - ``tests``, ``seconds``: what the level took
    - ``certified``: every single kept unit was left out on its own, and the criterion was lost
    """

    name: str
    units: int
    kept: int
    before: int
    events: int
    tests: int
    seconds: float
    certified: bool
    ranges: array[int] = field(repr=False)

    def configuration(self) -> Events:
        """The events of the answer."""
        return packed(event for stretch in stretches(self.ranges) for event in stretch)


type LevelListener = Callable[[str, LevelAnswer], None]
"""Hears of each level that is passed: the name of the criterion, and the answer."""


def coarse(level: str) -> tuple[str, ...]:
    """The levels of units that lead to a level, that one included."""
    return tuple(each for each in LEVELS[: LEVELS.index(level) + 1] if each != "events")


def grouped(
    trace: Trace, level: str, tester: Tester[int], events: Events, *, control: bool
) -> tuple[GroupTester[int], tuple[int, ...]]:
    """What tests units of a level among ``events``, and the units: the last one is tried first.

    ``control``: whether events need those that decided whether they are executed.
    """
    found = units(trace, level)
    of = array("i", map(found.of.__getitem__, events))
    whole = found.hold(trace, control=control)
    inside = GroupTester(tester, events, of, found.within, whole=whole)
    depth = {NONE: 0}
    for unit in sorted(inside.groups):  # what surrounds it comes before
        above = found.within.get(unit, NONE)
        if level == "rounds" and above == NONE and (call := trace.caller[unit]) != NONE:
            above = found.of[call]
        depth[unit] = 1 + depth.get(above, 0)
    # Outermost last, and of these what happened last.
    last = {unit: place for place, unit in enumerate(of)}
    return inside, tuple(sorted(inside.groups, key=lambda unit: (-depth[unit], last[unit])))


@dataclass(slots=True)
class Levels:
    """The way through the levels, for one criterion.

    - ``trace``: whose levels these are; ``goal``: the last level
    - ``algorithm``: the search by name at each level; ``""``: that behind ``auto``
    - ``guided``: what knows the dynamic slice, by which ``auto`` begins; None for others
    - ``control``: whether events need those that decided whether they are executed
    - ``begin``: told the name of each level that begins; ``passed``: and its answer
    """

    trace: Trace
    goal: str
    algorithm: str
    guided: Guided | None
    control: bool
    begin: Callable[[str], None]
    passed: Callable[[LevelAnswer], None]

    def descend(self, search: Search[int]) -> None:
        """Go through the coarse levels, down to the goal or what comes before events.

        Raises:
            BudgetExhausted: with ``search.current`` the best so far.
        """
        tester = search.tester
        for level in coarse(self.goal):
            self.begin(level)
            started, tests = time.monotonic(), _run(tester)
            events = tester.closed(search.current)
            _, before = grouped(self.trace, level, tester, events, control=self.control)
            if self.guided is None:
                result = self.by_name(search, level)
            else:
                result = self.by_slices(self.guided, search, level)
            self.passed(
                LevelAnswer(
                    name=level,
                    units=len(before),
                    kept=len(result.configuration),
                    before=len(events),
                    events=len(search.current),
                    tests=_run(tester) - tests,
                    seconds=time.monotonic() - started,
                    certified=result.certified,
                    ranges=ends(search.current),
                )
            )

    def by_slices(self, guided: Guided, search: Search[int], level: str) -> Result[int]:
        """The search behind ``auto``, at one level."""
        if level == LEVELS[0]:
            guided.start_from_guess(search, widen=False)
        self.units(search, level, outside_in)
        guided.trim(search)
        return self.units(search, level, dd.certify)

    def by_name(self, search: Search[int], level: str) -> Result[int]:
        """Another search, at one level."""
        return self.units(search, level, dd.ALGORITHMS[self.algorithm])

    def units(
        self, search: Search[int], level: str, algorithm: Callable[..., Result[int]]
    ) -> Result[int]:
        """Run a search over the units of a level; what it finds is taken.

        Raises:
            BudgetExhausted: when it did not come to its end; what it has found is taken.
        """
        events = search.tester.closed(search.current)
        inside, units = grouped(self.trace, level, search.tester, events, control=self.control)
        result = algorithm(units, inside)
        search.current = inside.deltas(result.configuration)
        if result.reason is not Reason.FINISHED:
            raise BudgetExhausted(result.reason)
        return result


def outside_in(units: Events, tester: GroupTester[int]) -> Result[int]:
    """Leave out units from the last one on, in growing groups, and certify nothing."""
    return minimise(units, tester, _outside_in, certify=False)


def _outside_in(search: Search[int]) -> None:
    """One pass.  Unlike in a sweep, groups go on growing where units take others along."""
    size = 1
    to_do = search.current[::-1]

    def without(count: int) -> Events:
        gone = set(to_do[:count])
        return tuple(filterfalse(gone.__contains__, search.current))

    while to_do:
        ahead = map(without, (max(1, size // 2), 2 * size))
        if search.fails(without(size), ahead):
            left = set(search.current)
            to_do = tuple(unit for unit in to_do[size:] if unit in left)
            size *= 2
        elif size == 1 or len(to_do) == 1:
            to_do = to_do[1:]
            size = 1
        else:
            size = min(size, len(to_do)) // 2


def certify(
    trace: Trace, level: str, tester: Tester[int], events: Events, *, control: bool
) -> Result[int]:
    """Prove that no single unit of a level can be left out of ``events``, which fail.

    The configuration of the result is one of events; ``control``: see :func:`grouped`.
    """
    inside, chosen = grouped(trace, level, tester, events, control=control)
    found = minimise(chosen, inside, lambda search: None)
    return Result(
        configuration=inside.deltas(found.configuration),
        certified=found.certified,
        statistics=found.statistics,
        reason=found.reason,
    )


def _run[D: Hashable](tester: Tester[D]) -> int:
    """How many tests there were so far."""
    told = tester.statistics
    return told.passed + told.failed + told.unresolved
