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
from itertools import compress

from stripe.trace.definitions import Definitions
from stripe.trace.model import NONE

type Rooted = Callable[[int], bool]
"""Whether an event, by its place, is needed whatever depends on it."""


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
        self.there = bytearray(b"\1") * size
        """By place, whether an event is still there."""
        self.there.append(0)  # that of NONE
        self.left = size
        """How many events are there."""
        self._needed = array("i", [0]) * (size + 1)  # how many depend on each event
        # By definition: where those begin that read it, and these.
        self._begin = array("I")
        self._readers = array("i")
        # By definition: others whose writers have gone, and that it took the place of.
        self._taken: dict[int, list[int]] = {}
        # Where the way goes on from one whose writer has gone, as ~definition; 0: not known.
        self._further = array("i", [0]) * len(columns.writer)
        self._pinned = bytearray(size + 1)  # no use to try whether it is needed
        self._find_readers()
        self._count()

    # -- what is asked

    def lost(self, gone: Iterable[int], *, most: int) -> list[int] | None:
        """Without some events: these come first, and then those that nothing left depends on.

        ``None`` if it takes more than about ``most`` steps to tell, or one of the criterion goes.
        """
        places = [place for place in gone if self.there[place]]
        return None if any(map(self._rooted, places)) else _Losing(self, most).run(places)

    def remove(self, gone: Sequence[int], first: int) -> None:
        """Go on without some events, of which all that needs them is among them.

        What depended on those after the ``first`` ones, is one of those before or gone as well:
        nobody reads what they wrote.
        """
        there, losing = self.there, _Losing(self, 0)
        for forced, part in ((True, gone[:first]), (False, gone[first:])):
            losing.take([place for place in part if there[place]], forced=forced)
        losing.keep()
        self.left -= len(losing.dead)

    def pin(self, roots: Iterable[int]) -> None:
        """Take note of the criterion's events: what they happened in need not be tried."""
        self._pinned = bytearray(len(self.there))
        for place in roots:
            while place != NONE and not self._pinned[place]:
                self._pinned[place] = 1
                place = self._columns.parents[0][place]

    # -- how it begins

    def _find_readers(self) -> None:
        columns = self._columns
        sizes = array("I", [0]) * (len(columns.writer) + 1)
        for definition in columns.targets:
            sizes[definition] += 1
        for link in columns.later[::2]:
            if link < 0:
                sizes[~link] += 1
        total = 0
        for definition, size in enumerate(sizes):
            sizes[definition] = total
            total += size
        self._begin = sizes
        self._readers = readers = array("i", [0]) * total
        following = sizes[:]
        targets, ends = columns.targets, iter(columns.start)
        start = next(ends)
        for place, end in enumerate(ends):
            for definition in targets[start:end]:
                readers[following[definition]] = place
                following[definition] += 1
            start = end
        for place, head in enumerate(columns.heads):
            for link in self._links(head):
                if link < 0:
                    readers[following[~link]] = place
                    following[~link] += 1

    def _count(self) -> None:
        columns, needed = self._columns, self._needed
        for column in columns.parents:
            for place in column:
                needed[place] += 1
        writer, begin, readers = columns.writer, self._begin, self._readers
        for definition, on in enumerate(writer):
            start, end = begin[definition], begin[definition + 1]
            if start < end:
                if on < 0:
                    on = columns.means(definition)
                needed[on] += end - start
                if readers[start] <= on:
                    needed[on] -= readers[start:end].count(on)
        for place, head in enumerate(columns.heads):
            for on in self._links(head):
                if on >= 0 and on != place:
                    needed[on] += 1

    def _links(self, link: int) -> Iterator[int]:
        """What a call depends on that came later, from the first of its links on."""
        later = self._columns.later
        while link != NONE:
            yield later[link]
            link = later[link + 1]


class _Losing:
    """One look at what is lost, which is taken back unless it is kept."""

    def __init__(self, shrinking: Shrinking, most: int) -> None:
        self._of = shrinking
        self._columns = columns = shrinking._columns
        self._most = most
        self._steps = 0
        self._touched: list[int] = []  # on which fewer depend
        self._taken: dict[int, list[int]] = {}
        self._further: dict[int, int] = {}
        self.dead: list[int] = []
        self._circles = bool(columns.heads)

    def run(self, batch: list[int]) -> list[int] | None:
        """See :meth:`Shrinking.lost`."""
        shrinking = self._of
        there, needed = shrinking.there, shrinking._needed
        before = there[:], needed[:]
        forced = True
        suspects: set[int] = set()
        try:
            while batch:
                self.take(batch, forced=forced)
                forced = False
                batch = self._fallen()
                if self._steps > self._most:
                    return None
                if self._circles:
                    suspects.update(self._touched)
                    if not batch:
                        found = self._tried(set(self._suspected(suspects)))
                        if found is None:
                            return None
                        suspects.clear()
                        self._touched = []
                        self._go(found, forced=False)
                        batch = self._fallen()
                self._touched = []
            return self.dead
        finally:
            there[:], needed[:] = before

    def take(self, batch: Sequence[int], *, forced: bool) -> None:
        """Some events go, on which nothing that is left depends unless it is ``forced``."""
        columns, there, needed = self._columns, self._of.there, self._of._needed
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

    def keep(self) -> None:
        """What has gone will not come back."""
        shrinking = self._of
        for definition, taken in self._taken.items():
            shrinking._taken.setdefault(definition, []).extend(taken)
        for definition, on in self._further.items():
            shrinking._further[definition] = ~on

    # -- inside

    def _fallen(self) -> list[int]:
        """Of what fewer depend on, those on which nothing does any more."""
        there, needed, rooted = self._of.there, self._of._needed, self._of._rooted
        found = {on for on in self._touched if not needed[on] and there[on]}
        return [place for place in sorted(found) if not rooted(place)]

    def _needs(self, place: int) -> list[int]:
        """What an event depends on, as often as it does; some may be gone."""
        columns, there = self._columns, self._of.there
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
        writer, before, there = self._columns.writer, self._columns.before, self._of.there
        known, fresh = self._of._further, self._further
        way = []
        while definition:
            place = writer[definition]
            if there[place if place >= 0 else ~place]:
                break
            way.append(definition)
            following = fresh.get(definition)
            if following is None:
                following = known[definition] or before[definition]
                following = following if following >= 0 else ~following
            definition = following
        if len(way) > 1:
            for each in way:
                fresh[each] = definition
        return definition

    def _go(self, batch: Collection[int], *, forced: bool) -> None:
        """Those of a batch are gone: who read what they wrote reads what was there before."""
        there, defines, writer = self._of.there, self._columns.defines, self._columns.writer
        for place in batch:
            there[place] = 0
        self.dead += batch
        # Where nothing depends on who wrote, only what it handed over is still read.
        if forced or self._columns.hands:
            for place in batch:
                for definition in range(defines[place], defines[place + 1]):
                    if forced or writer[definition] < 0:
                        self._read_anew(definition)

    def _read_anew(self, definition: int) -> None:
        there, needed = self._of.there, self._of._needed
        begin, readers = self._of._begin, self._of._readers
        asked = [definition]
        for taken in (self._of._taken, self._taken):
            if definition in taken:
                asked += taken[definition]
        left = []
        reading: list[int] = []
        for each in asked:
            start, end = begin[each], begin[each + 1]
            if start < end:
                here = [place for place in readers[start:end] if there[place]]
                self._steps += end - start
                if here:
                    left.append(each)
                    reading += here
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

    def _suspected(self, touched: Iterable[int]) -> Iterator[int]:
        """Calls on which perhaps only what they need themselves depends: these, or around them."""
        heads, caller = self._columns.heads, self._columns.parents[0]
        there, pinned = self._of.there, self._of._pinned
        for place in touched:
            if there[place] and not pinned[place]:
                if heads[place] != NONE:
                    yield place
                around = caller[place]
                while around != NONE and heads[around] == NONE and not pinned[around]:
                    around = caller[around]
                if there[around] and not pinned[around]:
                    yield around

    def _tried(self, calls: set[int]) -> list[int] | None:
        """What nothing left depends on if these calls are gone; ``None`` if it takes too long."""
        there, needed, rooted = self._of.there, self._of._needed, self._of._rooted
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
                    for each in self._suspected((on,)):
                        if each not in gone and not rooted(each):
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
