"""Leaving events out of the current configuration: alone, in groups, in groups that grow.

What only they needed goes along, as the dependences have it, and if they go their like are tried.
Which events are tried when is another matter (:mod:`stripe.reduce.guided_search`).
"""

from __future__ import annotations

from array import array
from bisect import bisect_left, bisect_right
from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from functools import partial
from itertools import chain, filterfalse
from typing import TYPE_CHECKING

from stripe.dd import Search
from stripe.index_set import without
from stripe.reduce.groups import (
    Alone,
    Bodies,
    Groups,
    flat,
    grown,
    halves,
    joined,
    steps,
)
from stripe.reduce.outcome_predictor import OutcomePredictor, Step
from stripe.reduce.passes import FORESIGHT
from stripe.reduce.slice_cache import SliceCache
from stripe.trace.model import flags

if TYPE_CHECKING:
    from stripe.reduce.guided import Guided

Events = tuple[int, ...]

LONG, NEXT_TO_NOTHING = 8192, 256
"""Of configurations from so many events on, one event of so many is not worth a test."""

RIGHT = 0.9
"""How often what is foreseen is so: by that, what follows what runs ahead is less likely."""

REMEMBERED = 4
"""Closed configurations that are not closed again: of what runs ahead it is asked soon."""


class Removal:
    """Leaves out single events, and groups of them, of the current configuration."""

    def __init__(self, guided: Guided, search: Search[int]) -> None:
        self.guided = guided
        self.trace = guided.trace
        self.search = search
        self.kept = flags(search.current, len(self.trace))  # those of the current configuration
        self.foresight = OutcomePredictor()
        self.needs = SliceCache(guided)
        self._closed: deque[Events] = deque(maxlen=REMEMBERED)
        self._holders: tuple[int, bytearray] | None = None

    def alone(self, event: int, later: Groups) -> bool:
        """Leave out one event, if it can be; ``later``: those that are left out after it."""

        def goes() -> Iterator[Sequence[int]]:
            before, after = self.neighbours(event)
            yield from steps(before or after, 0, self.grain)

        candidate = self.without((event,))
        went = self.foreseen("event", (event,), candidate, later, goes)
        if not went:
            self.search.tried.add(event)
        return went

    def foreseen(
        self, kind: str, group: Sequence[int], candidate: Events, stays: Groups, goes: Groups
    ) -> bool:
        """Test the current configuration without a group; what follows may run ahead.

        ``stays``, ``goes``: what would be left out next, should it stay or go.
        """
        if not self.search.tester.speculates:
            return self.fails(candidate)
        more = len(self.search.current) - len(candidate) - len(group)
        step = Step(kind, group, more, self.trace.statement[group[0]])
        went = self.fails(candidate, self.ahead(step, candidate, stays, goes))
        self.foresight.record(step, went=went)
        return went

    def fails(self, candidate: Events, ahead: Iterable[Events] = ()) -> bool:
        """Test a smaller configuration, and go on with it if it fails."""
        if not self.search.fails(candidate, ahead):
            return False
        self.kept = flags(self.search.current, len(self.trace))
        return True

    def without(self, events: Iterable[int]) -> Events:
        return self.less(self.search.current, tuple(events))

    def less(self, events: Events, gone: Sequence[int]) -> Events:
        """``events`` without some; what cannot be without these is left to the tester."""
        left = without(events, gone)
        if self.is_closed(events) and not self.holding(gone):
            return self.search.tester.take_closed(left)
        return left

    def is_closed(self, events: Events) -> bool:
        """Whether ``events`` are run as they are."""
        if not any(events is each for each in self._closed):
            if len(self.search.tester.closed(events)) < len(events):
                return False
            self._closed.append(events)
        return True

    def holding(self, events: Iterable[int]) -> bool:
        """Whether others cannot be without some of these, perhaps."""
        return any(map(self.holders.__getitem__, events))

    @property
    def holders(self) -> bytearray:
        """Flags of at least those events of the configuration that others cannot be without."""
        current = self.search.current
        if self._holders is None or self._holders[0] > 2 * len(current):
            trace = self.trace
            columns = trace.parent_columns(control=self.guided.control)
            above = chain.from_iterable(map(each.__getitem__, current) for each in columns)
            found = flags(above, len(trace) + 1)  # the last one is that of NONE
            self._holders = len(current), found
        return self._holders[1]

    def order(self) -> Iterable[int]:
        """The events of the current configuration, the doubtful ones first."""
        current = self.search.current
        initial = self.needs.dependences(current).initial(current)
        statement = self.trace.statement
        first: dict[int, int] = {}
        last: dict[int, int] = {}
        doubtful, sure = array("i"), array("i")
        for event in current:
            if event in initial or event in self.guided.roots:
                sure.append(event)
                continue
            doubtful.append(event)
            first.setdefault(statement[event], event)
            last[statement[event]] = event
        lasts = sorted(last.values(), reverse=True)
        firsts = sorted(set(first.values()).difference(lasts), reverse=True)
        ends = {*lasts, *firsts}
        middle = filterfalse(ends.__contains__, reversed(doubtful))
        return chain(lasts, firsts, middle, reversed(sure))

    def alive(self, events: Events) -> Events:
        """What the analysis says that is needed of ``events``."""
        events = self.search.tester.closed(events)
        return self.search.tester.take_closed(self.needs.among(events, self.search.current))

    def trim(self, following: Groups = tuple) -> None:
        """Leave out what nothing needs any more; ``following``: what is left out after that."""
        current = self.search.current
        alive = self.alive(current)
        if len(alive) < len(current) and not self.fails(alive, self.trimmed(alive, following)):
            among = flags(alive, len(self.trace))
            self.guided.roots.update(filterfalse(among.__getitem__, current))

    def follow(self, event: int, later: Groups = tuple) -> None:
        """``event`` has gone: leave out what only it needed, and its like; ``later``: others.

        Its like are those of the same statement.
        """
        sweeps = self.neighbours(event)
        self.trim(lambda: steps(sweeps[0] or sweeps[1], 0, self.grain))

        def next_ones(place: int) -> Iterator[Sequence[int]]:
            """What is left out next where a sweep ends."""
            for units in sweeps[place:]:
                yield from units[:1]

        for place, units in enumerate(sweeps, 1):
            self.sweep(units, joined(partial(next_ones, place), later), first=self.grain)

    @property
    def grain(self) -> int:
        """How many events are next to nothing of a configuration."""
        size = len(self.search.current)
        return 1 if size < LONG else size // NEXT_TO_NOTHING

    def neighbours(self, event: int) -> tuple[Alone, Alone]:
        """Other events of its statement: those before, the latest first; those after."""
        statement = self.trace.statement
        number = statement[event]
        same = array("i", (each for each in self.search.current if statement[each] == number))
        return (
            Alone(same[: bisect_left(same, event)][::-1]),
            Alone(same[bisect_right(same, event) :]),
        )

    def sweep(self, units: Alone | Bodies, later: Groups = tuple, *, first: int = 1) -> None:
        """Leave out growing groups of ``units`` from the front; stop where one must stay.

        ``later``: what is left out after that.  ``first``: with how many to begin, if that many can
        go; else with one.
        """
        size, went, stays = first, False, False

        def next_size(left: int) -> int:
            """How many are tried after these; all that is left of what stays need not be."""
            return min(grown(size), max(1, left // 2)) if stays else grown(size)

        while units:
            group = units[:size].left(self.kept)
            anew = first > 1 and not went  # these may be too many from the beginning
            smaller: Groups = joined(partial(halves, group), later)
            if anew:
                smaller = partial(steps, units, 0, 1)
            larger = joined(partial(steps, units, size, next_size(len(units) - size)), later)
            kind = "half" if stays else "neighbours"
            if not group or self.leave(kind, flat(group), stays=smaller, goes=larger):
                went = went or bool(group)
                units = units[size:]
                size = next_size(len(units))
                continue
            if len(group) == 1:
                return
            size = 1 if anew else len(group) // 2
            first = 1
            units = units[: len(group)]
            stays = True

    def leave(
        self, kind: str, events: Iterable[int], *, stays: Groups = tuple, goes: Groups = tuple
    ) -> bool:
        """Leave out events that are left, and what only they needed.

        ``kind``: the step of the search.  ``stays``, ``goes``: what would be left out next, should
        they stay or go.
        """
        group = array("i", filter(self.kept.__getitem__, events))
        if not group or (len(group) == 1 and group[0] in self.search.tried):
            return False
        candidate = self.reduced(self.search.current, group)
        went = self.foreseen(kind, group, candidate, stays, goes)
        if len(group) == 1:
            if went:
                self.trim(goes)
            else:
                self.search.tried.add(group[0])
        return went

    def reduced(self, events: Events, group: Sequence[int]) -> Events:
        """``events`` without a group, and what only the group needed if it has more than one."""
        left = self.less(events, group)
        return left if len(group) == 1 else self.alive(left)

    def ahead(self, step: Step, candidate: Events, stays: Groups, goes: Groups) -> Iterator[Events]:
        """What may be tested after ``candidate``: the likeliest first, for either outcome.

        Should a single event go, what nothing needs any more goes next.
        """
        blind = FORESIGHT in self.guided.passes.without
        chance = 0.5 if blind else self.foresight.chance(step)
        single = len(step.events) == 1
        ways = [
            (chance, self.after(candidate, goes(), trimmed=single)),
            (1 - chance, self.after(self.search.current, stays())),
        ]
        while ways:
            ways.sort(key=lambda each: -each[0])
            likely, way = ways.pop(0)
            following = next(way, None)
            if following is not None:
                ways.append((likely * RIGHT, way))
                yield following

    def trimmed(self, alive: Events, following: Groups) -> Iterator[Events]:
        """What is tested once nothing but ``alive`` is left, as it nearly always will be."""
        if self.search.tester.speculates:
            yield from self.after(alive, following())

    def after(
        self, events: Events, groups: Iterable[Sequence[int]], trimmed: bool = False
    ) -> Iterator[Events]:
        """``events`` without each of some groups."""
        if trimmed:
            alive = self.alive(events)
            if len(alive) < len(events):
                yield alive
            events = alive
        for group in groups:
            left = array("i", filter(self.kept.__getitem__, group))
            if left:
                yield self.reduced(events, left)
