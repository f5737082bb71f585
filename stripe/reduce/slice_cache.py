"""Dynamic slices of parts of a search's current configuration, and the last few of them."""

from __future__ import annotations

from collections import deque
from typing import TYPE_CHECKING

from stripe.trace.dependence import Dependences

if TYPE_CHECKING:
    from stripe.reduce.guided import Guided

Events = tuple[int, ...]

SLICED = 4
"""Events that are sliced in the time in which dependences are found among one."""

ANEW = 4
"""Dependences are found anew once the configuration is smaller by this factor."""

REMEMBERED = 4
"""Slices that are remembered: tests that run ahead ask for the same ones soon after."""

HUGE = 2_000_000
"""Of runs of this many events, half as many are remembered: each may be as large as the run."""


class SliceCache:
    """Slices of closed parts of the current configuration of a guided search."""

    def __init__(self, guided: Guided) -> None:
        self._guided = guided
        self._found: Dependences | None = None
        most = REMEMBERED if len(guided.trace) < HUGE else REMEMBERED // 2
        self._slices: deque[tuple[int, Events, Events]] = deque(maxlen=most)

    def dependences(self, current: Events) -> Dependences:
        """Those of a configuration that is not much larger than the current one.

        Finding them anew costs a third, in all, of what it cost at first.
        """
        if self._found is None or len(self._found.events) > ANEW * len(current):
            self._found = None  # before there is a second one
            self._found = self._guided.dependences(current)
        return self._found

    def among(self, events: Events, current: Events) -> Events:
        """The slice of ``events``, a closed part of the current configuration."""
        roots = self._guided.roots
        for count, among, left in self._slices:
            if count == len(roots) and len(among) == len(events) and among == events:
                return left
        self._guided.hold(len(events) // SLICED)
        found = self.dependences(current).slice(roots, events)
        if len(found) == len(events):
            found = events
        self._slices.append((len(roots), events, found))
        return found
