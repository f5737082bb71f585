"""One look at what is lost with some events: see :mod:`stripe.trace.decremental_slice`.

It is counted how many events depend on each: where some go, those that they alone needed go too,
and so on.  What goes round in circles, as a call and its return do, is not told by that.  So of
each call it is known one event outside that depends on it, or on what happened in it; once that
has gone, another one is looked for, and where there is none, all of the call goes.
"""

from __future__ import annotations

from array import array
from collections.abc import Collection, Iterable, Iterator, Sequence
from itertools import compress
from typing import TYPE_CHECKING

from stripe.trace.model import NONE

if TYPE_CHECKING:
    from stripe.trace.decremental_slice import Shrinking


class Left:
    """What is left of some events, and how many of these depend on each.

    What was found out on the way from another one is told by what differs (``taken``,
    ``further``), so that many can be kept of the same events.
    """

    __slots__ = ("before", "count", "further", "gone", "needed", "taken", "there")

    def __init__(
        self, there: bytearray, needed: array[int], count: int, before: Left | None = None
    ) -> None:
        self.there = there
        """By place, whether an event is still there; of NONE, last, it is not."""
        self.needed = needed
        """By place, how many depend on it."""
        self.count = count
        """How many events are there."""
        self.before = before
        """What it was found from; ``None`` if that is what is left for good."""
        self.gone: list[int] = []
        """The places of those that are there, and here no more."""
        # By definition: others whose writers have gone, and that it took the place of.
        self.taken: dict[int, list[int]] = {}
        # Where the way goes on from one whose writer has gone.
        self.further: dict[int, int] = {}

    def way(self) -> Iterator[Left]:
        """This, and what it was found from."""
        left: Left | None = self
        while left is not None:
            yield left
            left = left.before


class Losing:
    """One look at what is lost."""

    def __init__(self, shrinking: Shrinking, of: Left, most: int) -> None:
        self._of = shrinking
        self._columns = columns = shrinking.columns
        self._most = most
        self._steps = 0
        self._touched: list[int] = []  # on which fewer depend
        self._before = list(of.way())
        self._there, self._needed = of.there[:], of.needed[:]
        self.left = Left(self._there, self._needed, of.count, of)
        self._taken, self._further = self.left.taken, self.left.further
        self._circles = bool(columns.heads)
        # Where the way goes on from definitions whose writers have gone, by what it was found from.
        self._ways = [each.further for each in self._before if each.further]

    def run(self, batch: list[int]) -> bool:
        """See :meth:`Shrinking.lost`; whether it was told in time."""
        forced = True
        suspects: set[int] = set()
        self._touched = [place for place in self._of.unneeded if self._there[place]]
        while batch or self._touched:
            self.remove(batch, forced=forced)
            forced = False
            batch = self._fallen()
            if self._circles:
                suspects.update(self._touched)
                if not batch:
                    batch = self._circling(suspects)
                    suspects.clear()
            if self._steps > self._most:
                return False
            self._touched = []
        return True

    def remove(self, batch: Sequence[int], *, forced: bool) -> None:
        """Some events go, on which nothing that is left depends unless it is ``forced``."""
        columns, there, needed = self._columns, self._there, self._needed
        start, targets, writer = columns.start, columns.targets, columns.writer
        parents, heads = columns.parents, columns.heads
        touched = self._touched.append
        for place in batch:
            for column in parents:
                on = column[place]
                if there[on]:
                    needed[on] -= 1
                    touched(on)
            for definition in targets[start[place] : start[place + 1]]:
                on = writer[definition]
                if on < 0 or not there[on]:
                    on = columns.means(self._resolved(definition))
                if there[on] and on != place:
                    needed[on] -= 1
                    touched(on)
            if heads and heads[place] != NONE:
                for on in self._later(place):
                    if there[on]:
                        needed[on] -= 1
                        touched(on)
        self._steps += len(self._touched) + len(batch)
        self._go(batch, forced=forced)

    # -- inside

    def _fallen(self) -> list[int]:
        """Of what fewer depend on, those on which nothing does any more."""
        there, needed, rooted = self._there, self._needed, self._of.rooted
        found = {on for on in self._touched if not needed[on] and there[on]}
        return [place for place in sorted(found) if not rooted(place)]

    def _later(self, place: int) -> list[int]:
        """What an event depends on that came later, or was defined before by another name."""
        columns = self._columns
        links = self._of.links(columns.heads[place])
        found = [on if on >= 0 else columns.means(self._resolved(~on)) for on in links]
        return [on for on in found if on != place]

    def _resolved(self, definition: int) -> int:
        """The definition that has taken the place of one; 0: there is none."""
        writer, before, there = self._columns.writer, self._columns.before, self._there
        known, fresh = self._of.further, self._further
        way = []
        while definition:
            place = writer[definition]
            if there[place if place >= 0 else ~place]:
                break
            way.append(definition)
            following = fresh.get(definition)
            if following is None:
                for found in self._ways:
                    if (following := found.get(definition)) is not None:
                        break
                else:
                    following = known[definition] or before[definition]
                    following = following if following >= 0 else ~following
            definition = following
        if len(way) > 1:
            for each in way:
                fresh[each] = definition
        return definition

    def _go(self, batch: Collection[int], *, forced: bool) -> None:
        """Those of a batch are gone: who read what they wrote reads what was there before."""
        there, defines, writer = self._there, self._columns.defines, self._columns.writer
        for place in batch:
            there[place] = 0
        self.left.count -= len(batch)
        self.left.gone += batch
        # Where nothing depends on who wrote, only what it handed over is still read.
        hands, needed = self._columns.hands, self._needed
        if forced or hands:
            for place in batch:
                if hands or needed[place]:
                    for definition in range(defines[place], defines[place + 1]):
                        if needed[place] or writer[definition] < 0:
                            self._read_anew(definition)

    def _taking(self, definition: int) -> list[int]:
        """A definition, and those that it took the place of."""
        found = [definition]
        if definition in self._of.taken:
            found += self._of.taken[definition]
        for taken in (self._taken, *(left.taken for left in self._before)):
            if definition in taken:
                found += taken[definition]
        return found

    def _read_anew(self, definition: int) -> None:
        there, needed = self._there, self._needed
        last, earlier, readers = self._of.last, self._of.earlier, self._of.reader
        left = []
        reading: list[int] = []
        for each in self._taking(definition):
            number, before = last[each], len(reading)
            while number:
                self._steps += 1
                place = readers[number]
                if there[place]:
                    reading.append(place)
                number = earlier[number]
            if len(reading) > before:
                left.append(each)
        if not left:
            return
        columns = self._columns
        now = self._resolved(definition)
        self._taken.setdefault(now, []).extend(left)
        old, new = columns.means(definition), columns.means(now)
        for place in reading:
            if place != old and there[old]:
                needed[old] -= 1
                self._touched.append(old)
            if place != new and there[new]:
                needed[new] += 1

    # -- what goes round in circles

    def _circling(self, touched: Iterable[int]) -> list[int]:
        """What depends on nothing but itself, of calls in which fewer depend on something.

        Only a call depends on what comes later.  So in each circle that nothing else depends on,
        there is one in which all the others happened, and which is around what has just lost the
        last one that did.
        """
        there, pinned, around = self._there, self._of.pinned, self._of.around
        heads, ends = self._columns.heads, self._of.ends
        seen: set[int] = set()
        found: set[int] = set()
        for place in touched:
            call = place if heads[place] != NONE else around[place]
            while there[call] and not pinned[call] and call not in seen:
                seen.add(call)
                if not self._of.nested:  # which events are in it is not told by its place
                    self._steps = self._most + 1
                    return []
                if not self._wanted(call):
                    inside = range(call, ends[call] + 1)
                    found.update(compress(inside, there[call : inside.stop]))
                if self._steps > self._most:
                    return []
                call = around[call]
        return sorted(found)

    def _wanted(self, call: int) -> bool:
        """Whether an event outside of a call depends on it, or on what happened in it."""
        there, end = self._there, self._of.ends[call]
        reasons = self._of.reasons
        self._steps += 1
        if call in reasons:
            place, definition = reasons[call]
            if there[place]:
                if not definition:
                    return True
                if call <= self._columns.means(self._resolved(definition)) <= end:
                    return True
        for place in compress(range(call, end + 1), there[call : end + 1]):
            self._steps += 1
            for reason in self._dependents(place, call, end):
                if not call <= reason[0] <= end:
                    reasons[call] = reason
                    return True
        return False

    def _dependents(self, place: int, call: int, end: int) -> Iterator[tuple[int, int]]:
        """Events that depend on one in a call, or by it on others there, and the definition read.

        Not what it called, nor what called it unless that is outside.
        """
        columns, there = self._columns, self._there
        if place == call and self._of.returned[place]:
            yield columns.parents[0][place], 0
        last, earlier, readers = self._of.last, self._of.earlier, self._of.reader
        for latest, before in self._of.children[1:]:
            child = latest(place)
            while child != NONE:
                self._steps += 1
                if there[child]:
                    yield child, 0
                child = before[child]
        for definition in range(columns.defines[place], columns.defines[place + 1]):
            if call <= columns.means(definition) <= end:
                for each in self._taking(definition):
                    number = last[each]
                    while number:
                        self._steps += 1
                        if there[readers[number]]:
                            yield readers[number], each
                        number = earlier[number]
