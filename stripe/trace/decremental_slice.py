"""What is needed of ever fewer events, told by what goes rather than by what stays.

Of hundreds of thousands of events a search leaves out some, and asks what nothing needs any more.
Following all dependences of all others again costs as much as they are.  So it is known here how
many events depend on each, and which; what goes with some is found from there
(:mod:`stripe.trace.loss`).
"""

from __future__ import annotations

from array import array
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cached_property
from itertools import chain, compress, islice, repeat
from operator import sub

from stripe.trace.definitions import Definitions
from stripe.trace.loss import Left, Losing
from stripe.trace.model import DENSE, NONE

type Rooted = Callable[[int], bool]
"""Whether an event, by its place, is needed whatever depends on it."""


class Shrinking:
    """Some events that are their own slice, and what is left of it without some of them.

    Events go by their places in ``columns``, all of which are there at first.  Those of the
    criterion have to be pinned (:meth:`pin`).

    Args:
        columns: who wrote what each event reads.
        rooted: tells the events of the criterion. All others are needed by these.
    """

    def __init__(self, columns: Definitions, rooted: Rooted) -> None:
        self.columns = columns
        self.rooted = rooted
        size = len(columns.start) - 1
        there = bytearray(b"\1") * size
        there.append(0)  # that of NONE
        self.now = Left(there, array("i", [0]) * (size + 1), size)
        """What is left for good."""
        self.unneeded: Sequence[int] = ()
        """What nothing depends on and is there nevertheless, where they are not all needed."""
        # By definition, the last one of its readers, as a number from 1 on; by this number, which
        # event that is, and the one before.
        self.last = array("i", [0]) * len(columns.writer)
        self.reader = array("i", [NONE])
        self.earlier = array("i", [0])
        # By definition: others whose writers have gone, and that it took the place of.
        self.taken: dict[int, list[int]] = {}
        # Where the way goes on from one whose writer has gone, as ~definition; 0: not known.
        self.further = array("i", [0]) * len(columns.writer)
        self.pinned = bytearray(size + 1)  # the criterion, and what it happened in
        # By place, the next call around that depends on something that came later; the last one, as
        # that of NONE, is none.
        self.around = array("i")
        # By call, the last event in it.
        self.ends = array("i")
        self.nested = True
        """Whether nothing else happened between the events of a call, as it does with threads."""
        # By place, whether what called it depends on it, as it gave the result.
        self.returned = bytearray(size if columns.heads else 0)
        # By call, an event outside that depended on it, or on what happened in it, when that was
        # looked for, and the definition that it read; 0: it reads none, but needs it.
        self.reasons: dict[int, tuple[int, int]] = {}
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
        if any(map(self.rooted, places)):
            return None
        losing = Losing(self, of, most)
        return losing.left if losing.run(places) else None

    def without(self, gone: Iterable[int]) -> Left:
        """What is left without some events, if all that needs them is among them."""
        losing = Losing(self, self.now, 0)
        losing.remove([place for place in gone if self.now.there[place]], forced=True)
        return losing.left

    def go_on(self, left: Left) -> None:
        """Have that left for good which was found from what is.

        Of all others that were found, only what was found from this one may still be used.
        """
        assert left.before is self.now
        for definition, taken in left.taken.items():
            self.taken.setdefault(definition, []).extend(taken)
        for definition, on in left.further.items():
            self.further[definition] = ~on
        left.taken, left.further, left.gone, left.before = {}, {}, [], None
        self.now = left

    def closing(self, gone: Iterable[int], of: Left) -> list[int]:
        """Some events and all that cannot be without them."""
        there = of.there
        found = dict.fromkeys(place for place in gone if there[place])
        todo = list(found)
        for place in todo:  # which grows meanwhile
            for last, before in self.children:
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
            while place != NONE and not self.pinned[place]:
                self.pinned[place] = 1
                place = self.columns.parents[0][place]

    @cached_property
    def children(self) -> list[tuple[Callable[[int], int], array[int]]]:
        """By kind of parent and parent, the last child; by child, the one before."""
        return [*map(_children, self.columns.parents)]

    # -- how it begins

    def _find_around(self) -> None:
        heads, around = self.columns.heads, self.around
        self.ends = ends = array("i", range(len(heads)))
        running: list[int] = []  # the calls around, the innermost last
        for place, caller in enumerate(self.columns.parents[0]):
            here = caller == NONE or heads[caller] != NONE
            around.append(caller if here else around[caller])
            if caller != NONE and caller == place - 1:
                running.append(caller)
                continue
            while running and running[-1] != caller:
                ends[running.pop()] = place - 1
            self.nested = self.nested and (caller == NONE or bool(running))
        for call in running:
            ends[call] = len(ends) - 1
        around.append(NONE)

    def _read(self) -> None:
        """See who reads what: the readers of each definition, and how many need each event."""
        columns, needed, last = self.columns, self.now.needed, self.last
        for column in columns.parents:
            for place in column:
                needed[place] += 1
        writer, targets, start = columns.writer, columns.targets, columns.start
        counts = map(sub, islice(start, 1, None), start)
        self.reader = readers = array("i", [NONE])
        readers.extend(chain.from_iterable(map(repeat, range(len(start) - 1), counts)))
        earlier = self.earlier
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
            for on in self.links(head):
                if on < 0:
                    earlier.append(last[~on])
                    last[~on] = len(readers)
                    readers.append(place)
                    on = columns.means(~on)
                else:
                    self.returned[on] = 1
                if on not in (place, NONE):
                    needed[on] += 1

    def links(self, link: int) -> Iterator[int]:
        """What a call depends on that came later, from the first of its links on."""
        later = self.columns.later
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


def removed(events: bytearray, left: bytearray) -> list[int]:
    """Which of some flags are not among others, as many, of which they are a part at most."""
    size = len(events)
    differing = int.from_bytes(events, "big") ^ int.from_bytes(left, "big")
    return list(compress(range(size), differing.to_bytes(size, "big")))


def missing(whole: Sequence[int], part: Sequence[int]) -> list[int] | None:
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
