"""The course of a replay: all stops that are expected, and where each of them leads.

The recorded stops are known, and so are those of a part of the events: what is left out is skipped,
with all that it called.  A stop that comes as expected needs no tracer (see ``hooks.py``).  What is
not expected stops, and the replayer sees to it, as it does where no record can say what is to be
done: at the beginning of the program and of what it runs at its end, and where an activation ends
without returning.
"""

from __future__ import annotations

from array import array
from bisect import bisect_right
from collections.abc import Mapping, Sequence, Set
from functools import cached_property
from typing import Any

from ..inside.poison import RED_ZONE
from ..inside.stack import NONE
from . import hooks

WORDS = hooks.RECORD // 4
BEGINS, TAKES_PLACE, ENDS = range(3)

type Fills = tuple[tuple[int, int], ...]


class Course:
    """Of one recorded run; ``targets`` are the places of copied blocks in the area.

    ``results``: where functions end whose result is nothing, by function.
    """

    def __init__(
        self, recorded: Any, targets: Mapping[int, int], results: Mapping[int, int], main: int
    ) -> None:
        self.recorded = recorded
        self.targets = targets
        self.results = results
        self.main = main
        self.callers = recorded.callers
        self.events = recorded.called_by
        self.depth = array("i")
        for caller in self.callers:
            self.depth.append(0 if caller == NONE else self.depth[caller] + 1)
        self._order()
        self._fills: dict[Fills, int] = {(): 0}
        self.fills = array("i", (0, 0))
        self._whole: dict[tuple[bool, Set[int]], array[int]] = {}
        self._latest: tuple[object, Plan] | None = None

    @cached_property
    def known(self) -> bool:
        """Whether there is a course: calls from prologues and epilogues are not told apart."""
        pairs = zip(self.callers, self.events, strict=True)
        return not any(caller != NONE and event == NONE for caller, event in pairs)

    def _order(self) -> None:
        """All stops in their order: events, beginnings and ends of activations."""
        recorded = self.recorded
        children, own, called = recorded.children, recorded.own, set(self.events)
        self.kind, self.number = bytearray(), array("i")
        self.at_event = array("i", [NONE]) * len(recorded.block)
        self.at_entry = array("i", [NONE]) * len(own)
        self.at_end = array("i", [NONE]) * len(own)
        places = self.at_entry, self.at_event, self.at_end
        todo = [3 * each + BEGINS for each in reversed(children.get((NONE, NONE), ()))]
        while todo:
            number, kind = divmod(todo.pop(), 3)
            places[kind][number] = len(self.kind)
            self.kind.append(kind)
            self.number.append(number)
            if kind == BEGINS:
                todo.append(3 * number + ENDS)
                todo.extend(3 * event + TAKES_PLACE for event in reversed(own[number]))
            elif kind == TAKES_PLACE and number in called:
                below = children.get((recorded.activation[number], number), ())
                todo.extend(3 * each + BEGINS for each in reversed(below))

    # -- records

    def whole(self, strict: bool, spared: Set[int]) -> array[int]:
        """The records of all stops, if all events are kept."""
        found = self._whole.get((strict, spared))
        if found is None:
            found = array("i")
            indices = array("i", [0]) * len(self.recorded.block)
            for own in self.recorded.own:
                for index, event in enumerate(own):
                    indices[event] = index
            for kind, number in zip(self.kind, self.number, strict=True):
                if kind == TAKES_PLACE:
                    index = indices[number]
                    record = self.event(number, index, index - 1, strict, spared)
                elif kind == BEGINS:
                    record = self._beginning(number, spared)
                else:
                    record = self.ending(number, len(self.recorded.own[number]) - 1, strict)
                found.extend(record)
            if len(self._whole) > 3:
                self._whole.clear()
            self._whole[strict, spared] = found
        return found

    def _beginning(self, number: int, spared: Set[int]) -> Sequence[int]:
        entry = self.recorded.entries[number]
        depth, target = self.depth[number], self.targets.get(entry)
        size = self.recorded.frames[number] + RED_ZONE
        fills = () if entry in spared else ((-size, size - 8),)
        if target is None or self.events[number] == NONE or depth >= hooks.MOST_SLOTS:
            return NEVER
        here = hooks.SLOT * depth
        return self._record(hooks.NOBODY, entry, target, here - hooks.SLOT + 8, here, fills)

    def event(
        self, event: int, index: int, before: int, strict: bool, spared: Set[int]
    ) -> Sequence[int]:
        """The record of an event: the ``index``-th of its activation, after the ``before``-th."""
        recorded = self.recorded
        number, block = recorded.activation[event], recorded.block[event]
        entry, target = recorded.entries[number], self.targets.get(block)
        if target is None or self.depth[number] >= hooks.MOST_SLOTS:
            return NEVER
        fills: Fills = ()
        if before >= 0 and entry not in spared:
            own, blocks = recorded.own[number], recorded.block
            begun = recorded.scopes.begun(number, entry, own, blocks, before, index)
            fills = tuple((offset, size) for offset, size in begun)
        if event in recorded.landings:
            whose, exact = hooks.NOBODY, block
        else:
            whose, exact = self._expected(number, before, strict)
        here = hooks.SLOT * self.depth[number]
        return self._record(whose, exact, target, here, here, fills)

    def _expected(self, number: int, before: int, strict: bool) -> tuple[int, int]:
        """Which blocks may come after the ``before``-th event of an activation."""
        own = self.recorded.own[number]
        if strict and 0 <= before < len(own) - 1:
            following = own[before + 1]
            if following not in self.recorded.landings:
                return hooks.NOBODY, self.recorded.block[following]
        return self.recorded.entries[number], hooks.NOTHING

    def ending(self, number: int, last: int, strict: bool) -> Sequence[int]:
        """The end of an activation whose latest event was the ``last``-th."""
        recorded = self.recorded
        entry = recorded.entries[number]
        target = self.targets.get(recorded.epilogue.get(entry, NONE))
        if last < len(recorded.own[number]) - 1:
            target = None if entry == self.main else self.results.get(entry)
        here = hooks.SLOT * self.depth[number]
        if (
            target is None
            or not recorded.returned[number]
            or self.depth[number] >= hooks.MOST_SLOTS
        ):
            return NEVER
        whose, exact = self._expected(number, last, strict)
        return self._record(whose, exact, target, here, here, ())

    def _record(
        self,
        whose: int,
        exact: int,
        target: int,
        check: int,
        here: int,
        fills: Fills,
    ) -> Sequence[int]:
        place = self._fills.get(fills)
        if place is None:
            place = self._lay_down(fills)
            if place is None:
                return NEVER
        return whose, exact, target, check, here, place

    def _lay_down(self, fills: Fills) -> int | None:
        """Where a list of what is filled is; None if it is too long."""
        place = 4 * len(self.fills)
        size = sum(each[1] for each in fills)
        if size > hooks.MOST_FILLED or place + 8 * len(fills) + 8 > hooks.MOST_FILLS:
            return None
        for offset, length in fills:
            self.fills.extend((offset, length))
        self.fills.extend((0, 0))
        self._fills[fills] = place
        return place

    # -- plans

    def plan(
        self, ranges: Sequence[int], kept: Sequence[int], strict: bool, spared: Set[int]
    ) -> Plan:
        """The course of the events that are ``kept``; in ``ranges``: first, last + 1, ..."""
        key = tuple(ranges), strict, spared
        if self._latest is None or self._latest[0] != key:
            made = Plan(self, strict, spared)
            made.take_all(ranges, kept)
            self._latest = key, made
        return self._latest[1]


NEVER = hooks.NOBODY, hooks.NOTHING, 0, 0, 0, 0


class Plan:
    """The course of some events.

    - ``records``: the words of its records
    - ``starts``, ``stops``: where its pieces begin, as records and as stops of the recorded run
    """

    def __init__(self, course: Course, strict: bool, spared: Set[int]) -> None:
        self.course = course
        self.strict = strict
        self.spared = spared
        self.whole = course.whole(strict, spared)
        self.records = array("i")
        self.starts, self.stops, self.ends = array("i"), array("i"), array("i")
        self._reached = {NONE: True}

    def take_all(self, ranges: Sequence[int], kept: Sequence[int]) -> None:
        """All stops of the events that are ``kept``, from the first to the last."""
        course, recorded = self.course, self.course.recorded
        place = NONE, NONE, 0  # an activation, its latest event, the calls of that so far
        for first, end in zip(ranges[0::2], ranges[1::2], strict=True):
            while first < end and not self._reaches(recorded.activation[first], kept):
                first += 1
            if first == end:
                continue
            self._lead(place, first)
            start = course.at_event[first]
            self._take(start + 1, course.at_event[end - 1] + 1)
            place = recorded.activation[end - 1], end - 1, 0
        self._lead(place, NONE)

    def __len__(self) -> int:
        return len(self.records) // WORDS

    def at(self, stop: int) -> int:
        """Which record is the first at a stop of the recorded run, or behind it."""
        piece = bisect_right(self.stops, stop) - 1
        if piece < 0:
            return 0
        start, low, high = self.starts[piece], self.stops[piece], self.ends[piece]
        return start + min(stop, high) - low

    def stop(self, record: int) -> int:
        """Which stop of the recorded run a record is."""
        piece = bisect_right(self.starts, record) - 1
        return self.stops[piece] + record - self.starts[piece]

    def bytes(self, low: int, high: int) -> memoryview:
        """Records from one to another."""
        return memoryview(self.records).cast("B")[hooks.RECORD * low : hooks.RECORD * high]

    def _reaches(self, number: int, kept: Sequence[int]) -> bool:
        """Whether an activation comes to be: the event that calls it is kept, and so on."""
        way = []
        while number not in self._reached:
            way.append(number)
            event = self.course.events[number]
            if event != NONE and not kept[event]:
                self._reached[number] = False
            else:
                number = self.course.callers[number]
        for each in way:
            self._reached[each] = self._reached[number]
        return self._reached[number]

    def _take(self, start: int, end: int) -> None:
        """Stops as they were."""
        if start < end:
            self._begin(start, end)
            with memoryview(self.whole) as whole, whole[WORDS * start : WORDS * end] as taken:
                self.records.frombytes(taken.cast("B"))

    def _put(self, stop: int, record: Sequence[int]) -> None:
        """A stop in another way."""
        self._begin(stop, stop + 1)
        self.records.extend(record)

    def _begin(self, start: int, end: int) -> None:
        if self.ends and self.ends[-1] == start:
            self.ends[-1] = end  # records go on where they ended
            return
        self.starts.append(len(self))
        self.stops.append(start)
        self.ends.append(end)

    def _lead(self, place: tuple[int, int, int], to: int) -> None:
        """From the latest event of an activation to the event ``to``, or to the end of all."""
        course, recorded = self.course, self.course.recorded
        number, event, made = place
        goal = course.at_event[to] if to != NONE else len(course.kind)
        target = recorded.activation[to] if to != NONE else NONE
        while True:
            below = recorded.children.get((number, event), ())[made:]
            entered = NONE
            for each in below:
                start = course.at_entry[each]
                self._take(start, start + 1)
                if to != NONE and start < goal < course.at_end[each]:
                    entered = each
                    break
                self._end(each, NONE)
            if entered != NONE:
                number, event, made = entered, NONE, 0
            if number == target and number != NONE:
                before = self._index(number, event)
                record = course.event(to, self._index(number, to), before, self.strict, self.spared)
                self._put(course.at_event[to], record)
                return
            if entered != NONE:
                continue
            if number == NONE:
                return
            self._end(number, self._index(number, event))
            siblings = recorded.children[course.callers[number], course.events[number]]
            made = bisect_right(siblings, number)
            number, event = course.callers[number], course.events[number]

    def _end(self, number: int, last: int) -> None:
        """The end of an activation after the ``last``-th of its events."""
        stop = self.course.at_end[number]
        if last == len(self.course.recorded.own[number]) - 1:
            self._take(stop, stop + 1)
        else:
            self._put(stop, self.course.ending(number, last, self.strict))

    def _index(self, number: int, event: int) -> int:
        """Which of the events of an activation this is."""
        if event == NONE:
            return NONE
        return bisect_right(self.course.recorded.own[number], event) - 1
