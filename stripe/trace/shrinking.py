"""What is needed of ever fewer events, told by what goes rather than by what stays.

Of hundreds of thousands of events a search leaves out some, and asks what nothing needs any more.
Following all dependences of all others again costs as much as they are.  So it is counted here how
many events depend on each: where some go, those that they alone needed go too, and so on.  What
goes round in circles, as a call and its return do, is found by trial (Bacon & Rajan, ECOOP 2001):
a call of which one dependent went is taken to be gone, and comes back if anything that stayed
depends on it.
"""

from __future__ import annotations

from array import array
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from itertools import chain, compress, islice, repeat
from operator import sub

from stripe.trace.definitions import Definitions
from stripe.trace.model import DENSE, NONE

type Rooted = Callable[[int], bool]
"""Whether an event, by its place, is needed whatever depends on it."""


class Left:
    """What is left of some events, and how many of these depend on each.

    What was found out on the way from another one is told by what differs (``taken``,
    ``further``), so that many can be kept of the same events.
    """

    __slots__ = ("before", "count", "further", "needed", "taken", "there")

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


class Shrinking:
    """Some events that are their own slice, and what is left of it without some of them.

    Events go by their places in ``columns``, all of which are there at first.

    Args:
        columns: who wrote what each event reads.
        rooted: tells the events of the criterion. All others are needed by these.
    """

    def __init__(self, columns: Definitions, rooted: Rooted) -> None:
        self._columns = columns
        self._rooted = rooted
        size = len(columns.start) - 1
        there = bytearray(b"\1") * size
        there.append(0)  # that of NONE
        self.now = Left(there, array("i", [0]) * (size + 1), size)
        """What is left for good."""
        self.unneeded: Sequence[int] = ()
        """What nothing depends on and is there nevertheless, where they are not all needed."""
        # By definition, the last one of its readers, as a number from 1 on; by this number, which
        # event that is, and the one before.
        self._last = array("i", [0]) * len(columns.writer)
        self._reader = array("i", [NONE])
        self._earlier = array("i", [0])
        # By definition: others whose writers have gone, and that it took the place of.
        self._taken: dict[int, list[int]] = {}
        # Where the way goes on from one whose writer has gone, as ~definition; 0: not known.
        self._further = array("i", [0]) * len(columns.writer)
        self._pinned = bytearray(size + 1)  # no use to try whether it is needed
        # By parent and kind of parent: the last child; by child: the one before. See ``closing``.
        self._children: list[tuple[Callable[[int], int], array[int]]] = []
        # By place, the next call around that depends on something that came later; the last one, as
        # that of NONE, is none.
        self._around = array("i")
        if columns.heads:
            self._find_around()
        self._read()

    # -- what is asked

    def lost(self, gone: Iterable[int], *, most: int, of: Left | None = None) -> Left | None:
        """What is left without some events, and without those that nothing left depends on then.

        ``None`` if it takes more than about ``most`` steps to tell, or one of the criterion goes.
        ``of``: what they are left out of, if it is not what is left for good.
        """
        of = of or self.now
        places = [place for place in gone if of.there[place]]
        if any(map(self._rooted, places)):
            return None
        losing = _Losing(self, of, most)
        return losing.left if losing.run(places) else None

    def without(self, gone: Iterable[int]) -> Left:
        """What is left without some events, if all that needs them is among them."""
        losing = _Losing(self, self.now, 0)
        losing.take([place for place in gone if self.now.there[place]], forced=True)
        return losing.left

    def go_on(self, left: Left) -> None:
        """Have that left for good which was found from what is.

        Of all others that were found, only what was found from this one may still be used.
        """
        assert left.before is self.now
        for definition, taken in left.taken.items():
            self._taken.setdefault(definition, []).extend(taken)
        for definition, on in left.further.items():
            self._further[definition] = ~on
        left.taken, left.further, left.before = {}, {}, None
        self.now = left

    def closing(self, gone: Iterable[int], of: Left) -> list[int]:
        """Some events and all that cannot be without them."""
        if not self._children:
            self._children = [*map(_children, self._columns.parents)]
        there = of.there
        found = dict.fromkeys(place for place in gone if there[place])
        todo = list(found)
        for place in todo:  # which grows meanwhile
            for last, before in self._children:
                child = last(place)
                while child != NONE:
                    if there[child] and child not in found:
                        found[child] = None
                        todo.append(child)
                    child = before[child]
        return todo

    def pin(self, roots: Iterable[int]) -> None:
        """Take note of the criterion's events: what they happened in need not be tried."""
        for place in roots:
            while place != NONE and not self._pinned[place]:
                self._pinned[place] = 1
                place = self._columns.parents[0][place]

    # -- how it begins

    def _find_around(self) -> None:
        heads, around = self._columns.heads, self._around
        for caller in self._columns.parents[0]:
            here = caller == NONE or heads[caller] != NONE
            around.append(caller if here else around[caller])
        around.append(NONE)

    def _read(self) -> None:
        """See who reads what: the readers of each definition, and how many need each event."""
        columns, needed, last = self._columns, self.now.needed, self._last
        for column in columns.parents:
            for place in column:
                needed[place] += 1
        writer, targets, start = columns.writer, columns.targets, columns.start
        counts = map(sub, islice(start, 1, None), start)
        self._reader = readers = array("i", [NONE])
        readers.extend(chain.from_iterable(map(repeat, range(len(start) - 1), counts)))
        earlier = self._earlier
        note = earlier.append
        # This loop takes most of the time.
        for number, definition in enumerate(targets, 1):
            note(last[definition])
            last[definition] = number
            on = writer[definition]
            if on < 0:
                on = columns.means(definition)
            if on != readers[number]:
                needed[on] += 1
        for place, head in enumerate(columns.heads):
            for on in self._links(head):
                if on < 0:
                    earlier.append(last[~on])
                    last[~on] = len(readers)
                    readers.append(place)
                    on = columns.means(~on)
                if on not in (place, NONE):
                    needed[on] += 1

    def _links(self, link: int) -> Iterator[int]:
        """What a call depends on that came later, from the first of its links on."""
        later = self._columns.later
        while link != NONE:
            yield later[link]
            link = later[link + 1]


def _children(parents: Sequence[int]) -> tuple[Callable[[int], int], array[int]]:
    """By parent, its last child; by child, the one before; NONE if there is none."""
    last = array("i", [NONE]) * (len(parents) + 1)  # the last one is that of NONE
    before = array("i")
    for child, parent in enumerate(parents):
        before.append(last[parent])
        last[parent] = child
    having = list(compress(range(len(parents)), map(NONE.__ne__, last)))
    if len(having) * DENSE > len(last):
        return last.__getitem__, before
    few = dict(zip(having, map(last.__getitem__, having), strict=True))
    return lambda parent: few.get(parent, NONE), before


class _Losing:
    """One look at what is lost."""

    def __init__(self, shrinking: Shrinking, of: Left, most: int) -> None:
        self._of = shrinking
        self._columns = columns = shrinking._columns
        self._most = most
        self._steps = 0
        self._touched: list[int] = []  # on which fewer depend
        self._before = list(of.way())
        self._there, self._needed = of.there[:], of.needed[:]
        self.left = Left(self._there, self._needed, of.count, of)
        self._taken, self._further = self.left.taken, self.left.further
        self._circles = bool(columns.heads)

    def run(self, batch: list[int]) -> bool:
        """See :meth:`Shrinking.lost`; whether it was told in time."""
        forced = True
        suspects: set[int] = set()
        self._touched = [place for place in self._of.unneeded if self._there[place]]
        while batch or self._touched:
            self.take(batch, forced=forced)
            forced = False
            batch = self._fallen()
            if self._steps > self._most:
                return False
            if self._circles:
                suspects.update(self._touched)
                if not batch:
                    found = self._tried(set(self._suspected(suspects)))
                    if found is None:
                        return False
                    suspects.clear()
                    self._touched = []
                    self._go(found, forced=False)
                    batch = self._fallen()
            self._touched = []
        return True

    def take(self, batch: Sequence[int], *, forced: bool) -> None:
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
        there, needed, rooted = self._there, self._needed, self._of._rooted
        found = {on for on in self._touched if not needed[on] and there[on]}
        return [place for place in sorted(found) if not rooted(place)]

    def _needs(self, place: int) -> list[int]:
        """What an event depends on, as often as it does; some may be gone."""
        columns, there = self._columns, self._there
        found = [column[place] for column in columns.parents]
        writer = columns.writer
        for definition in columns.targets[columns.start[place] : columns.start[place + 1]]:
            on = writer[definition]
            if on < 0 or not there[on]:
                on = columns.means(self._resolved(definition))
            if on != place:
                found.append(on)
        if columns.heads:
            found += self._later(place)
        return found

    def _later(self, place: int) -> list[int]:
        """What an event depends on that came later, or was defined before by another name."""
        columns = self._columns
        links = self._of._links(columns.heads[place])
        found = [on if on >= 0 else columns.means(self._resolved(~on)) for on in links]
        return [on for on in found if on != place]

    def _resolved(self, definition: int) -> int:
        """The definition that has taken the place of one; 0: there is none."""
        writer, before, there = self._columns.writer, self._columns.before, self._there
        known, fresh = self._of._further, self._further
        ways = [each.further for each in self._before if each.further]
        way = []
        while definition:
            place = writer[definition]
            if there[place if place >= 0 else ~place]:
                break
            way.append(definition)
            following = fresh.get(definition)
            if following is None:
                for found in ways:
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
        # Where nothing depends on who wrote, only what it handed over is still read.
        hands, needed = self._columns.hands, self._needed
        if forced or hands:
            for place in batch:
                if hands or needed[place]:
                    for definition in range(defines[place], defines[place + 1]):
                        if needed[place] or writer[definition] < 0:
                            self._read_anew(definition)

    def _read_anew(self, definition: int) -> None:
        there, needed = self._there, self._needed
        last, earlier, readers = self._of._last, self._of._earlier, self._of._reader
        asked = [definition]
        if definition in self._of._taken:
            asked += self._of._taken[definition]
        for taken in (self._taken, *(left.taken for left in self._before)):
            if definition in taken:
                asked += taken[definition]
        left = []
        reading: list[int] = []
        for each in asked:
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

    def _suspected(self, touched: Collection[int]) -> Iterator[int]:
        """Calls on which perhaps only what they need themselves depends: these, or around them."""
        there, pinned = self._there, self._of._pinned
        heads = self._columns.heads
        for place in touched:
            if heads[place] != NONE and there[place] and not pinned[place]:
                yield place
        for place in {*map(self._of._around.__getitem__, touched)}:
            if there[place] and not pinned[place]:
                yield place

    def _tried(self, calls: set[int]) -> list[int] | None:
        """What nothing left depends on if these calls are gone; ``None`` if it takes too long."""
        there, needed, rooted = self._there, self._needed, self._of._rooted
        heads, around, pinned = self._columns.heads, self._of._around, self._of._pinned
        forced = {place for place in calls if not rooted(place)}
        gone, wave = set(forced), list(forced)
        while wave:
            following: list[int] = []
            for place in wave:
                for on in self._needs(place):
                    if not there[on]:
                        continue
                    needed[on] -= 1
                    self._steps += 1
                    if on in gone:
                        continue
                    if not needed[on] and not rooted(on):
                        gone.add(on)
                        following.append(on)
                        continue
                    for each in (on, around[on]):
                        if each in gone or heads[each] == NONE or pinned[each]:
                            continue
                        if there[each] and not rooted(each):
                            gone.add(each)
                            forced.add(each)
                            following.append(each)
            if self._steps > self._most:
                return None
            wave = following
        todo = [place for place in forced if needed[place]]
        while todo:
            place = todo.pop()
            if place not in gone:
                continue
            gone.discard(place)
            for on in self._needs(place):
                if there[on]:
                    needed[on] += 1
                    if on in gone:
                        todo.append(on)
        return sorted(gone)


def removed(events: bytearray, left: bytearray) -> list[int]:
    """Which of some flags are not among others, as many, of which they are a part at most."""
    size = len(events)
    differing = int.from_bytes(events, "big") ^ int.from_bytes(left, "big")
    return list(compress(range(size), differing.to_bytes(size, "big")))


def missing(whole: tuple[int, ...], part: tuple[int, ...]) -> list[int] | None:
    """What ``whole`` has and ``part`` has not, both ascending; ``None`` if it is no part of it.

    Few are missing, so they are searched for, and the stretches between them compared at once.
    """
    found: list[int] = []
    low = 0
    for gone in range(len(whole) - len(part)):
        start, high = low, len(part)
        while low < high:
            middle = (low + high) // 2
            if part[middle] == whole[middle + gone]:
                low = middle + 1
            else:
                high = middle
        if part[start:low] != whole[start + gone : low + gone]:
            return None
        found.append(whole[low + gone])
    return found if part[low:] == whole[low + len(found) :] else None
