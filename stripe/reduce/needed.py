"""What the analysis says that is needed of a part of the events, as a search makes it smaller."""

from __future__ import annotations

from array import array
from collections import deque
from collections.abc import Sequence
from itertools import compress
from typing import TYPE_CHECKING

from stripe.trace.dependence import Dependences
from stripe.trace.shrinking import Shrinking, missing, removed

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

MANY = 8192
"""Of so many events it is found what goes with some, rather than what stays."""


class Needed:
    """Slices of parts of the current configuration of a guided search.

    Of few events, dependences are followed anew for each.  Many are counted once, and what goes
    with some of them is found from there (:mod:`stripe.trace.shrinking`).
    """

    def __init__(self, guided: Guided) -> None:
        self._guided = guided
        self._found: Dependences | None = None
        self._slices: deque[tuple[int, Events, Events]] = deque(maxlen=REMEMBERED)
        # Of many events, all of which are needed: what shrinks, and by which dependences.
        self._shrinking: tuple[Dependences, Shrinking] | None = None
        self._roots = 0  # how many there were when they were pinned
        # What was left of others, and of how many, without some.
        self._left: deque[tuple[Events, Sequence[int], Events]] = deque(maxlen=REMEMBERED)
        # Slices, the places of what they have lost, and how many of these were left out.
        self._lost: deque[tuple[Events, Sequence[int], int]] = deque(maxlen=REMEMBERED)
        self._now: Events = ()  # what has shrunk so far

    def dependences(self, current: Events) -> Dependences:
        """Those of a configuration that is not much larger than the current one.

        So all that is ever found anew costs a third of what was found at first.
        """
        if self._found is None or len(self._found.events) > ANEW * len(current):
            self._shrinking = self._found = None  # before there is a second one
            self._found = self._guided.dependences(current)
        return self._found

    def among(self, events: Events, current: Events) -> Events:
        """What is needed of ``events``, a closed part of the current configuration."""
        roots = self._guided.roots
        for count, among, found in self._slices:
            if count == len(roots) and len(among) == len(events) and among == events:
                return found
        self._guided.hold(len(events) // SLICED)
        dependences = self.dependences(current)
        left = None
        if len(events) >= MANY and (shrinking := self._ready(dependences)) is not None:
            gone = self._gone(shrinking, dependences, events)
            if shrinking.left - len(gone) == len(events):
                left = self._less(shrinking, dependences, gone)
        found = dependences.slice(roots, events) if left is None else left
        if len(found) == len(events):
            found = events
        self._slices.append((len(roots), events, found))
        return found

    def without(self, events: Events, gone: Sequence[int], current: Events) -> Events | None:
        """What is needed of ``events`` without some on which none depends that it is part of.

        ``None`` if that is told sooner by :meth:`among`.
        """
        if len(events) < MANY:
            return None
        for base, group, left in self._left:
            if base is events and group == gone:
                return left
        dependences = self.dependences(current)
        shrinking = self._ready(dependences)
        known = None if shrinking is None else self._lost_by(shrinking, events)
        if shrinking is None or known is None:
            return None
        self._guided.hold(len(events) // SLICED)
        place = dependences.columns.place
        found = self._less(shrinking, dependences, [*known[0], *map(place, gone)])
        if found is not None:
            self._left.append((events, gone, found))
        return found

    def goes_on(self, current: Events) -> None:
        """``current``, all of which is needed, is the configuration from now on."""
        if len(current) < MANY:
            return
        dependences = self.dependences(current)
        shrinking = self._ready(dependences)
        if shrinking is None:
            events, roots = dependences.events, self._guided.roots
            shrinking = Shrinking(dependences.columns, lambda place: events[place] in roots)
            self._shrinking = dependences, shrinking
            self._lost.clear()
            self._now = ()
        lost, first = self._lost_by(shrinking, current) or (None, 0)
        if lost is None:
            lost = self._gone(shrinking, dependences, current)
            first = len(lost)
        shrinking.remove(lost, first)
        self._now = current
        self._pin(shrinking, dependences)

    # -- inside

    def _ready(self, dependences: Dependences) -> Shrinking | None:
        """What shrinks among the events of some dependences, if it has begun to."""
        if self._shrinking is None or self._shrinking[0] is not dependences:
            return None
        shrinking = self._shrinking[1]
        if self._roots != len(self._guided.roots):
            self._pin(shrinking, dependences)
        return shrinking

    def _gone(self, shrinking: Shrinking, dependences: Dependences, left: Events) -> list[int]:
        """The places of what is not left."""
        few = shrinking.left - len(left)
        if few <= FEW and len(self._now) == shrinking.left:
            gone = missing(self._now, left)
            if gone is not None:
                return [*map(dependences.columns.place, gone)]
        there = dependences.flags(left)
        there.append(0)  # that of NONE
        return removed(shrinking.there, there)

    def _pin(self, shrinking: Shrinking, dependences: Dependences) -> None:
        place, there = dependences.columns.place, shrinking.there
        self._roots = len(self._guided.roots)
        shrinking.pin(each for each in map(place, self._guided.roots) if there[each])

    def _lost_by(self, shrinking: Shrinking, events: Events) -> tuple[Sequence[int], int] | None:
        """The places that were lost on the way to ``events``, if that is known.

        The first ones, so many, were left out; then come those that nothing needed any more.
        """
        if len(events) == shrinking.left:
            return [], 0
        for slice_, lost, first in self._lost:
            if slice_ is events:
                return lost, first
        return None

    def _less(
        self, shrinking: Shrinking, dependences: Dependences, gone: Sequence[int]
    ) -> Events | None:
        """The slice without some places; ``None`` if too much goes with them."""
        lost = shrinking.lost(gone, most=shrinking.left)
        if lost is None:
            return None
        there = shrinking.there[:-1]
        for place in lost:
            there[place] = 0
        found = tuple(compress(dependences.events, there))
        self._lost.append((found, array("i", lost), len(gone)))
        return found
