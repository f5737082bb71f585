"""Executions of a statement in a row, with all that happened in them: whole rounds, whole calls.

That a round goes on its own, what came of it has to be the same without it.  Of a sum, of towers
that are moved, of a generator that others draw from, no single round can go, and no half of them;
but some of them in a row may, as what is left comes to the same by itself.  Which these are, nobody
can tell, so they are tried: from one half of a statement's executions, which is two streaks, down
to a small part of them.

It is done as soon as single events stay, one after the other.  Earlier, what goes would lead away
from the much smaller answers that single events still lead to; later, whatever goes would cost the
tests of single events that the certificate needs, and that are made anew.
"""

from __future__ import annotations

from array import array
from collections.abc import Sequence
from functools import partial
from itertools import islice
from typing import TYPE_CHECKING

from stripe.reduce.groups import Groups, by_statement, joined
from stripe.reduce.passes import STREAKS

if TYPE_CHECKING:
    from stripe.reduce.removal import Events, Removal

SMALL = 16
"""One of so many is a small part: of events that stay, of streaks in vain, of executions."""

OFTEN = 12
"""So often statements have to be executed."""

SHORTER = 2 / 3
"""How long streaks are, by those before."""


class Streaks:
    """When they are tried, and which of them come next.

    They are tried once a small part of all events has stayed in a row, and until as many streaks
    have.  Then single events go on.  After half as many as there are, the streaks go on where they
    ended if anything has gone; so all that is in vain is a small part of what single events cost.
    """

    def __init__(self, removal: Removal) -> None:
        self._removal = removal
        self._size = 2 * len(removal.search.current)  # of what it was begun with last
        self._begun: Events | None = None  # the configuration that it was begun with
        self._since = 0  # single events that have stayed since the last streak was tried
        self._streaks: list[array[int]] = []
        self._place = 0  # there, of the one that comes next

    def due(self) -> bool:
        """Whether it is time for them, now that one more single event stays."""
        self._since += 1
        size, stay = len(self._removal.search.current), len(self._removal.needed)
        if not size <= SMALL * stay <= size * SMALL // 2:
            return False
        if size < self._size - self._size // SMALL:
            self._streaks = []  # of much that is not there any more
            return True
        if 2 * self._since < size:
            return False
        return self._next() is not None or self._removal.search.current is not self._begun

    @property
    def ended(self) -> bool:
        """Whether all of them have been tried, so that they are begun anew."""
        return self._next() is None

    def go_on(self, later: Groups) -> None:
        """Try them until too many in a row have stayed; ``later``: what is left out after them."""
        removal = self._removal
        current = removal.search.current
        if self.ended:
            self._begun, self._size = current, len(current)
            self._streaks, self._place = self._ladder(), 0
        stay = 0
        while (streak := self._next()) is not None:
            most = len(removal.search.current) // SMALL - stay
            if most < 0:
                break
            place = self._place = self._place + 1
            some = partial(islice, self._streaks, place, place + most)
            rest = partial(islice, self._streaks, place, None)
            went = removal.leave(
                "streak", streak, stays=joined(some, later), goes=joined(rest, later)
            )
            stay = 0 if went else stay + 1
        self._since = 0

    def _next(self) -> array[int] | None:
        """The next streak of which several events are left; ``None`` if there is none."""
        kept = self._removal.kept
        while self._place < len(self._streaks):
            streak = self._streaks[self._place]
            if sum(map(kept.__getitem__, streak)) > 1:
                return streak
            self._place += 1
        return None

    def _ladder(self) -> list[array[int]]:
        """Ever shorter streaks of what is there."""
        removal = self._removal
        if STREAKS in removal.guided.passes.without:
            return []
        groups = by_statement(removal.trace, removal.search.current)
        often = [each for each in groups if len(each) >= OFTEN and removal.holding(each)]
        found, part = [], 1 / 2
        while SMALL * part >= 1:
            found += streaks(often, part)
            part *= SHORTER
        return found


def streaks(groups: Sequence[array[int]], part: float) -> list[array[int]]:
    """Streaks of a part of each group, side by side, from its end on.

    The smaller groups come first: those of outer loops, in whose rounds more happened.
    """
    found = []
    for group in sorted(groups, key=len):
        length = int(len(group) * part)
        if length > 1:
            ends = range(len(group), length - 1, -length)
            found += [group[end - length : end] for end in ends]
    return found
