"""From a slice that fails to one of which no single event can go, coarse steps first.

The second and the third part of the guided search (:mod:`stripe.reduce.guided`).
"""

from __future__ import annotations

from bisect import bisect_left
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from itertools import chain, filterfalse, islice
from typing import TYPE_CHECKING

from stripe.dd import Search
from stripe.reduce.groups import (
    Groups,
    by_statement,
    flat,
    grown,
    halves,
    joined,
    singles,
    steps,
)
from stripe.reduce.needed import Needed
from stripe.trace import NONE
from stripe.trace.model import flags

if TYPE_CHECKING:
    from stripe.reduce.guided import Guided

Events = tuple[int, ...]

FEW = 3
"""Fewer events are left out one by one rather than together."""

LONG, NEXT_TO_NOTHING = 8192, 256
"""Of configurations from so many events on, one event of so many is not worth a test."""

REMEMBERED = 4
"""Closed configurations that are not closed again: of what runs ahead it is asked soon."""


class GuidedSearch:
    """Leaves out single events, and groups of them where that promises more."""

    def __init__(self, guided: Guided, search: Search[int]) -> None:
        self.guided = guided
        self.trace = guided.trace
        self.search = search
        self.needed: set[int] = set()  # tested alone, in the current configuration
        self.kept = flags(search.current, len(self.trace))  # those of the current configuration
        self.went = False  # the last of what was left out together
        self.needs = Needed(guided)
        self._closed: deque[Events] = deque(maxlen=REMEMBERED)
        self._holders: tuple[int, set[int]] | None = None

    def run(self) -> None:
        """Until no single event can be left out, and no statement with all its executions."""
        tried: Events = ()
        while tried != self.search.current:
            self.bodies()
            self.events()
            tried = self.search.current
            self.statements()

    def statements(self) -> None:
        """Leave out statements with all their executions, the one executed last first."""
        groups = [each for each in by_statement(self.trace, self.search.current) if len(each) > 1]
        groups.reverse()
        for place, group in enumerate(groups, 1):
            following = partial(islice, groups, place, None)
            self.leave(group, stays=following, goes=following)

    def bodies(self) -> None:
        """Leave out what happened in a round of a loop or in a call, the outermost first.

        The round and the call stay: the next ones go on from there.
        """
        within, statement = self.guided.within, self.trace.statement
        holding = set(self.guided.roots)
        for event in self.guided.roots:
            while (event := within[event]) != NONE and event not in holding:
                holding.add(event)
        inside: dict[int, list[int]] = {}
        for event in self.search.current:
            inside.setdefault(within[event], []).append(event)
        depth: dict[int, int] = {NONE: 0}
        for event in sorted(inside):
            if event != NONE and self.kept[event]:
                depth[event] = depth.get(within[event], 0) + 1
        levels: dict[tuple[int, int], list[list[int]]] = {}
        for event, body in reversed(inside.items()):
            if event not in holding and event != NONE:
                level = depth.get(event, 0), statement[event]
                levels.setdefault(level, []).append(body)
        order = [units for _, units in sorted(levels.items())]

        def count(body: Iterable[int]) -> int:
            return sum(1 + len(inside.get(event, ())) for event in body if self.kept[event])

        def following(start: int, place: int) -> Iterator[list[int]]:
            units = chain(islice(order[start], place, None), *order[start + 1 :])
            return (body for body in units if count(body) >= FEW)

        for number, units in enumerate(order):
            later = partial(following, number, len(units))
            for place, unit in enumerate(units, 1):
                if count(unit) >= FEW and self.leave(
                    unit,
                    stays=partial(following, number, place),
                    goes=joined(partial(steps, units, place, 1), later),
                ):
                    self.sweep(units[place:], later)

    def events(self) -> None:
        """Until no single event can be left out."""
        while len(self.needed) < len(self.search.current):
            order = [event for event in self.order() if event not in self.needed]
            for place, event in enumerate(order):
                if event in self.needed or not self.kept[event]:
                    continue
                if self.alone(event, partial(islice, order, place + 1, None)):
                    self.follow(event, partial(singles, order, place + 1))

    def alone(self, event: int, later: Callable[[], Iterable[int]]) -> bool:
        """Leave out one event, if it can be; ``later``: those that are left out after it."""
        ahead = (self.without((each,)) for each in later())
        if self.fails(self.without((event,)), ahead):
            return True
        self.needed.add(event)
        return False

    def fails(self, candidate: Events, ahead: Iterable[Events] = ()) -> bool:
        """Test a smaller configuration, and go on with it if it fails."""
        if not self.search.fails(candidate, ahead):
            return False
        self.needed.clear()
        self.kept = flags(self.search.current, len(self.trace))
        return True

    def without(self, events: Iterable[int]) -> Events:
        return self.less(self.search.current, tuple(events))

    def less(self, events: Events, gone: Sequence[int]) -> Events:
        """``events`` without some."""
        left = less(events, gone)
        if not self.is_closed(events) or not self.holders.isdisjoint(gone):
            return left
        return self.search.tester.take_closed(left)

    def is_closed(self, events: Events) -> bool:
        """Whether ``events`` are run as they are."""
        if not any(events is each for each in self._closed):
            if len(self.search.tester.closed(events)) < len(events):
                return False
            self._closed.append(events)
        return True

    @property
    def holders(self) -> set[int]:
        """At least those events of the current configuration that others cannot be without."""
        current = self.search.current
        if self._holders is None or self._holders[0] > 2 * len(current):
            trace = self.trace
            columns = [trace.caller, trace.scope, *([trace.control] if self.guided.control else [])]
            found = set[int]().union(*(map(each.__getitem__, current) for each in columns))
            self._holders = len(current), found
        return self._holders[1]

    def order(self) -> list[int]:
        """The events of the current configuration, the doubtful ones first."""
        current = self.search.current
        initial = self.needs.dependences(current).initial(current)
        statement = self.trace.statement
        first: dict[int, int] = {}
        last: dict[int, int] = {}
        doubtful: list[int] = []
        sure: list[int] = []
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
        middle = [event for event in reversed(doubtful) if event not in ends]
        return [*lasts, *firsts, *middle, *reversed(sure)]

    def alive(self, events: Events) -> Events:
        """What the analysis says that is needed of ``events``."""
        events = self.search.tester.closed(events)
        return self.search.tester.take_closed(self.needs.among(events, self.search.current))

    def trim(self, following: Groups = tuple) -> None:
        """Leave out what nothing needs any more; ``following``: what is left out after that."""
        current = self.search.current
        alive = self.alive(current)
        if len(alive) < len(current) and not self.fails(alive, self.ahead(alive, tuple, following)):
            self.guided.roots.update(set(current).difference(alive))
        self.needs.goes_on(self.search.current)

    def follow(self, event: int, later: Groups = tuple) -> None:
        """``event`` has gone: leave out what only it needed, and its like; ``later``: others."""
        sweeps = list(self.neighbours(event))
        self.trim(lambda: steps(sweeps[0] or sweeps[1], 0, self.grain))
        for place, units in enumerate(sweeps):
            others = [unit for each in sweeps[place + 1 :] for unit in each[:1]]
            self.sweep(units, joined(partial(list, others), later), first=self.grain)

    @property
    def grain(self) -> int:
        """How many events are next to nothing of a configuration."""
        size = len(self.search.current)
        return 1 if size < LONG else size // NEXT_TO_NOTHING

    def neighbours(self, event: int) -> Iterator[list[tuple[int]]]:
        """Other events of the same statement: those before, the latest first; those after."""
        number = self.trace.statement[event]
        same = [each for each in self.search.current if self.trace.statement[each] == number]
        yield [(each,) for each in reversed(same) if each < event]
        yield [(each,) for each in same if each > event]

    def sweep(
        self, units: Sequence[Sequence[int]], later: Groups = tuple, *, first: int = 1
    ) -> None:
        """Leave out growing groups of ``units`` from the front; stop where one must stay.

        ``later``: what is left out after that.  ``first``: with how many to begin, if that many can
        go; else with one.
        """
        size, went, stays = first, False, False

        def next_size(left: int) -> int:
            """How many are tried after these; all that is left of what stays need not be."""
            return min(grown(size), max(1, left // 2)) if stays else grown(size)

        while units:
            group = [unit for unit in units[:size] if any(map(self.kept.__getitem__, unit))]
            anew = first > 1 and not went  # these may be too many from the beginning
            smaller: Groups = partial(halves, group) if len(group) > 1 else later
            if anew:
                smaller = partial(steps, units, 0, 1)
            larger = joined(partial(steps, units, size, next_size(len(units) - size)), later)
            if not group or self.leave(flat(group), stays=smaller, goes=larger):
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

    def leave(self, events: Iterable[int], *, stays: Groups = tuple, goes: Groups = tuple) -> bool:
        """Leave out events that are left, and what only they needed.

        ``stays``, ``goes``: what would be left out next, should they stay or go.
        """
        group = [event for event in events if self.kept[event]]
        if not group or (len(group) == 1 and group[0] in self.needed):
            return False
        candidate = self.reduced(self.search.current, group)
        self.went = self.fails(candidate, self.ahead(candidate, stays, goes, len(group) == 1))
        if len(group) == 1:
            if self.went:
                self.trim(goes)
            else:
                self.needed.add(group[0])
        elif self.went:
            self.needs.goes_on(self.search.current)
        return self.went

    def reduced(self, events: Events, group: Sequence[int]) -> Events:
        """``events`` without a group, and what only the group needed if it has more than one."""
        if len(group) > 1 and self.is_closed(events) and self.holders.isdisjoint(group):
            found = self.needs.without(events, group, self.search.current)
            if found is not None:
                return self.search.tester.take_closed(found)
        left = self.less(events, group)
        return left if len(group) == 1 else self.alive(left)

    def ahead(
        self, candidate: Events, stays: Groups, goes: Groups, trimmed: bool = False
    ) -> Iterator[Events]:
        """What may be tested after ``candidate``, in turn for either outcome.

        What follows the last one's outcome comes first: it is often the same again.  ``trimmed``:
        should it go, what nothing needs any more goes next.
        """
        if not self.search.tester.speculates:
            return
        ways = [self.after(candidate, goes(), trimmed), self.after(self.search.current, stays())]
        if not self.went:
            ways.reverse()
        while ways:
            way = ways.pop(0)
            following = next(way, None)
            if following is not None:
                ways.append(way)
                yield following

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
            left = [event for event in group if self.kept[event]]
            if left:
                yield self.reduced(events, left)


def less(events: Events, gone: Iterable[int]) -> Events:
    """Ascending ``events`` without some."""
    left_out = set(gone)
    if len(left_out) > 1:
        return tuple(filterfalse(left_out.__contains__, events))
    for event in left_out:
        place = bisect_left(events, event)
        if events[place : place + 1] == (event,):
            return events[:place] + events[place + 1 :]
    return events
