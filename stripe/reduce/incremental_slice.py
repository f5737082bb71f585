"""What the analysis says that is needed of a part of the events, as a search makes it smaller."""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from itertools import compress
from typing import TYPE_CHECKING

from stripe.index_set import packed, without
from stripe.trace.decremental_slice import Shrinking, missing, removed
from stripe.trace.dependence import Dependences
from stripe.trace.loss import Left

if TYPE_CHECKING:
    from stripe.reduce.guided import Guided

Events = tuple[int, ...]

SLICED = 4
"""So many times as many events are sliced in the time in which dependences are found."""

ANEW = 4
"""Of so many times fewer events, dependences are found anew."""

FEW = 8
"""So few events that went are looked for; of more, all others are marked."""

REMEMBERED = 4
"""Slices that are not followed again: of what runs ahead it is asked soon."""

PATIENT = 3
"""Times that it is asked what goes with some, before they are counted though nothing has gone."""

LARGE = 10
"""Where one of so many events goes at once, it is followed what stays."""

HUGE = 2_000_000
"""Of runs of so many events, fewer slices are remembered: each may take as much as the run."""

MOST = 2_000_000
"""Of more events what stays is followed again: to count what goes takes as much room once more."""

MANY = 256
"""Of so many events it is found what goes with some, rather than what stays."""


class IncrementalSlice:
    """Slices of parts of the current configuration of a guided search.

    Of few events, dependences are followed anew for each.  Many are counted once, and what goes
    with some of them is found from there (:mod:`stripe.trace.decremental_slice`).
    """

    def __init__(self, guided: Guided) -> None:
        self._guided = guided
        self._found: Dependences | None = None
        self._most = most = REMEMBERED if len(guided.trace) < HUGE else 2
        self._slices: deque[tuple[int, Events, Events]] = deque(maxlen=most)
        # Of many events, all of which are needed: what shrinks, and by which dependences.
        self._shrinking: tuple[Dependences, Shrinking] | None = None
        self._roots = 0  # how many there were when they were pinned
        # What was left of others without some.
        self._without: deque[tuple[Events, Sequence[int], Events]] = deque(maxlen=most)
        # Slices, and how they were found in what shrinks.
        self._known: deque[tuple[Events, Left]] = deque(maxlen=most)
        self._now: Events = ()  # what has shrunk so far
        self._asked = 0  # how often, before anything shrank

    def dependences(self, current: Events) -> Dependences:
        """Those of a configuration that is not much larger than the current one.

        So all that is ever found anew costs a third of what was found at first.
        """
        if self._found is None or len(self._found.events) > ANEW * len(current):
            self._shrinking = self._found = None  # before there is a second one
            self._found = self._guided.dependences(current)
            self._asked = 0
        return self._found

    def among(self, events: Events, current: Events) -> Events:
        """What is needed of ``events``, a closed part of the current configuration."""
        roots = self._guided.roots
        for count, among, left in self._slices:
            if count == len(roots) and len(among) == len(events) and among == events:
                return left
        self._guided.hold(len(events) // SLICED)
        dependences = self.dependences(current)
        found: Events | None = None
        if len(events) >= MANY and (shrinking := self._ready(dependences)) is not None:
            gone = self._gone(shrinking, dependences, events)
            if shrinking.now.count - len(gone) == len(events):
                found = self._less(shrinking, dependences, gone, shrinking.now, current)
        if found is None:
            found = dependences.slice(roots, events)
        if len(found) == len(events):
            found = events
        self._slices.append((len(roots), events, found))
        return found

    def without(self, events: Events, gone: Sequence[int], current: Events) -> Events | None:
        """What is needed of ``events``, which are closed, without some and what is in these.

        ``None`` if that is told sooner by :meth:`among`.
        """
        if len(events) < MANY:
            return None
        dependences = self.dependences(current)
        if len(dependences.events) > MOST:
            return None
        shrinking = self._ready(dependences) or self._early(current)
        if shrinking is None:
            return None
        for base, group, less in self._without:
            if base is events and group == gone:
                return less
        left = self._left(shrinking, events)
        if left is None:
            return None
        self._guided.hold(len(events) // SLICED)
        places = shrinking.closing(map(dependences.columns.place, gone), left)
        found = self._less(shrinking, dependences, places, left, events)
        if found is None:
            there = left.there[:-1]
            for each in places:
                there[each] = 0
            found = dependences.needed(self._guided.roots, there)
        self._without.append((events, gone, found))
        return found

    def closing(self, events: Events, gone: Sequence[int]) -> Sequence[int] | None:
        """Of ``events``, which are closed, some and all that cannot be without them.

        ``None`` if that is not known sooner than by closing the others.
        """
        dependences = self._found
        if dependences is None or (shrinking := self._ready(dependences)) is None:
            return None
        left = self._left(shrinking, events)
        if left is None:
            return None
        places = shrinking.closing(map(dependences.columns.place, gone), left)
        return [*map(dependences.events.__getitem__, places)]

    def goes_on(self, current: Events) -> None:
        """``current``, all of which is needed, is the configuration from now on."""
        if len(current) < MANY:
            return
        dependences = self.dependences(current)
        if len(dependences.events) > MOST:
            return
        shrinking = self._ready(dependences)
        if shrinking is None:
            shrinking = self._start(dependences)
        left = self._left(shrinking, current)
        if left is not shrinking.now:
            if left is None or left.before is not shrinking.now:
                left = shrinking.without(self._gone(shrinking, dependences, current))
            shrinking.go_on(left)
            found = [each for each in self._known if each[1].before is left]
            self._known = deque(found, self._most)
            self._pin(shrinking, dependences)
        self._now = current

    # -- inside

    def _start(self, dependences: Dependences) -> Shrinking:
        events, roots = dependences.events, self._guided.roots
        shrinking = Shrinking(dependences.columns, lambda place: events[place] in roots)
        self._shrinking = dependences, shrinking
        self._known.clear()
        self._without.clear()
        self._now = ()
        self._pin(shrinking, dependences)
        return shrinking

    def _early(self, current: Events) -> Shrinking | None:
        """What shrinks, where nothing has gone yet, but it is asked for again and again."""
        self._asked += 1
        if self._asked != PATIENT:
            return None
        alive = self.among(current, current)
        if (len(current) - len(alive)) * LARGE > len(current):
            return None
        self.goes_on(current)
        dependences = self.dependences(current)
        shrinking = self._ready(dependences)
        if shrinking is not None:
            shrinking.unneeded = self._gone(shrinking, dependences, alive)
        return shrinking

    def _ready(self, dependences: Dependences) -> Shrinking | None:
        """What shrinks among the events of some dependences, if it has begun to."""
        if self._shrinking is None or self._shrinking[0] is not dependences:
            return None
        shrinking = self._shrinking[1]
        if self._roots != len(self._guided.roots):
            self._pin(shrinking, dependences)
            self._known.clear()
            self._without.clear()
        return shrinking

    def _gone(self, shrinking: Shrinking, dependences: Dependences, left: Events) -> list[int]:
        """The places of what is not left."""
        few = shrinking.now.count - len(left)
        if few <= FEW and len(self._now) == shrinking.now.count:
            gone = missing(self._now, left)
            if gone is not None:
                return [*map(dependences.columns.place, gone)]
        there = dependences.flags(left)
        there.append(0)  # that of NONE
        return removed(shrinking.now.there, there)

    def _pin(self, shrinking: Shrinking, dependences: Dependences) -> None:
        place, there = dependences.columns.place, shrinking.now.there
        self._roots = len(self._guided.roots)
        shrinking.pin(each for each in map(place, self._guided.roots) if there[each])

    def _left(self, shrinking: Shrinking, events: Events) -> Left | None:
        """How some events were found that are their own slice, if that is known."""
        if len(events) == shrinking.now.count:
            return shrinking.now
        return next((left for slice_, left in self._known if slice_ is events), None)

    def _less(
        self,
        shrinking: Shrinking,
        dependences: Dependences,
        gone: Sequence[int],
        of: Left,
        events: Events,
    ) -> Events | None:
        """The slice of ``events`` without some places; ``None`` if too much goes with them.

        ``of`` tells where they are, if they are as many.
        """
        if len(gone) * LARGE > of.count:
            return None
        left = shrinking.lost(gone, most=of.count, of=of)
        if left is None:
            return None
        if len(events) == of.count:
            found = without(events, map(dependences.events.__getitem__, left.gone))
        else:
            found = packed(compress(dependences.events, left.there))
        self._known.append((found, left))
        return found
