"""Groups of deltas as deltas: any search, and any certificate, at a coarser level.

Misherghi & Su (ICSE 2006) reduce a tree level by level.  Where the levels of a tree are given as
groups, the search at a level is any search at all: its deltas are numbers of groups, and what it
asks goes to the tester of what is inside.
"""

from __future__ import annotations

from array import array
from bisect import bisect_left
from collections.abc import Hashable, Iterable, Mapping, Sequence
from itertools import compress
from operator import ne
from typing import Any, cast

from stripe.dd.events import Statistics
from stripe.dd.outcomes import Configuration, Outcome
from stripe.dd.tester import Tester
from stripe.index_set import IndexSet, as_array, like

NO_GROUP = -1
"""A delta that is in no group is always there."""


class GroupTester[D: Hashable](Tester[int]):
    """Tests configurations of groups of deltas, by the tester of these.

    That one remembers, counts, tells and holds the budget, so levels know of each other what is
    the same configuration of deltas.

    Args:
        tester: tests deltas.
        deltas: a closed configuration of that, which fails.
        groups: for each of these deltas its group, or :data:`NO_GROUP`.
        parents: groups that are not there without another one: its number.
        whole: no delta needs another one than those of its own group, of what that is not there
            without, and of no group: so what groups leave is closed, and need not be closed again.
    """

    def __init__(
        self,
        tester: Tester[D],
        deltas: Configuration[D],
        groups: Sequence[int],
        parents: Mapping[int, int] | None = None,
        *,
        whole: bool = False,
    ) -> None:
        self.listeners = []
        self._tester = tester
        self._deltas = deltas
        self._places = {NO_GROUP: 0}
        for group in groups:
            self._places.setdefault(group, len(self._places))
        self._whole = whole
        # The same in a form of which parts are soon copied.
        self._numbers: Sequence[D] = deltas
        if isinstance(deltas, IndexSet):
            self._numbers = cast("Sequence[D]", as_array(deltas))
        place_of = self._places.__getitem__
        self._stretches = _stretches(map(place_of, groups), len(self._places))
        # What was chosen last, by places, and which of the deltas these are.
        self._chosen_last = bytearray(b"\1" * len(self._places))
        self._there = bytearray(b"\1" * len(deltas))
        self._groups = groups
        # Of ascending numbers, the place of each is soon found.
        few = not isinstance(deltas, IndexSet)
        self._group = dict(zip(deltas, groups, strict=True)) if few else {}
        self._tree = _from_above(self._places, parents or {})
        self._known_closed: dict[Configuration[int], Configuration[int]] = {}
        self._inside: dict[Configuration[int], tuple[Configuration[D], bytearray | None]] = {}

    @property
    def groups(self) -> Configuration[int]:
        """All groups, in the order in which they begin."""
        return tuple(group for group in self._places if group != NO_GROUP)

    def deltas(self, groups: Iterable[int]) -> Configuration[D]:
        """What is left of the deltas with these groups alone, closed."""
        return self._within(tuple(groups))[0]

    def _within(self, groups: Configuration[int]) -> tuple[Configuration[D], bytearray | None]:
        """What is left of the deltas, and the places of what is left of groups, if closing the
        deltas took none.
        """
        found = self._inside.get(groups)
        if found is None:
            flags = self._flags(groups)
            opened = self._chosen(flags)
            closed = self._tester.closed(opened)
            found = closed, flags if len(closed) == len(opened) else None
            self._remember(groups, found)
        return found

    def _remember(
        self, groups: Configuration[int], found: tuple[Configuration[D], bytearray | None]
    ) -> None:
        """Have at hand what is asked for again at once."""
        if len(self._inside) >= 2:
            self._inside.clear()
        self._inside[groups] = found

    def test(
        self,
        configuration: Configuration[int],
        ahead: Iterable[Configuration[int]] = (),
        *,
        own: bool = False,
        closed: bool = False,
    ) -> Outcome:
        """The outcome of a configuration of groups; see :meth:`Tester.test`."""
        inside = self.deltas(configuration)
        return self._tester.test(inside, map(self._open, ahead), own=own, closed=True)

    def known(self, configuration: Configuration[int]) -> Outcome | None:
        """The outcome of ``configuration`` if it was tested or is taken for granted."""
        return self._tester.known(self.deltas(configuration))

    def assume(self, configuration: Configuration[int], outcome: Outcome) -> None:
        """Nothing is taken for granted: without any group there is what is in none."""

    def closed(self, configuration: Configuration[int]) -> Configuration[int]:
        """The groups of which anything is left; in the order given."""
        found = self._known_closed.get(configuration)
        if found is None:
            inside, flags = self._within(configuration)
            if flags is None:
                left = set(self._groups_of(inside))
                found = tuple(each for each in configuration if each in left)
            else:
                places = map(self._places.__getitem__, configuration)
                found = tuple(compress(configuration, map(flags.__getitem__, places)))
            if len(self._known_closed) >= 8:  # what a search asks for more than once, it asks soon
                self._known_closed.clear()
            self._known_closed[configuration] = found
            self._remember(found, (inside, flags))  # it is what will be tested
        return found

    def cancel_ahead(self) -> None:
        """Cancel tests that run ahead."""
        self._tester.cancel_ahead()

    @property
    def closes(self) -> bool:
        """A group may be there only with another one."""
        return True

    @property
    def statistics(self) -> Statistics:
        """The totals of the tester of deltas."""
        return self._tester.statistics

    def _groups_of(self, deltas: Configuration[D]) -> Iterable[int]:
        """The group of each of some deltas."""
        if not isinstance(self._deltas, IndexSet):
            return map(self._group.__getitem__, deltas)
        numbers = self._deltas.numbers
        places = (bisect_left(numbers, cast("int", delta)) for delta in deltas)
        return map(self._groups.__getitem__, places)

    def _open(self, groups: Iterable[int]) -> Configuration[D]:
        """The deltas of some groups, and those of none."""
        return self._chosen(self._flags(groups))

    def _chosen(self, flags: bytearray) -> Configuration[D]:
        """The deltas at some places: it is seen to those that are not as they were before."""
        there, stretches = self._there, self._stretches
        for place in compress(range(len(flags)), map(ne, flags, self._chosen_last)):
            sign = b"\1" if flags[place] else b"\0"
            own = stretches[place]
            for first, end in zip(own[::2], own[1::2], strict=True):
                there[first:end] = sign * (end - first)
        self._chosen_last = flags
        chosen = like(self._deltas, _at(self._numbers, there))
        return self._tester.take_closed(chosen) if self._whole else chosen

    def _flags(self, groups: Iterable[int]) -> bytearray:
        """The places of some groups, and of none; without those that a missing one takes along."""
        flags = bytearray(len(self._places))
        places = self._places
        for group in groups:
            flags[places[group]] = 1
        flags[0] = 1
        for place, above in self._tree:
            if not flags[above]:
                flags[place] = 0
        return flags


def _from_above(places: Mapping[int, int], parents: Mapping[int, int]) -> Sequence[tuple[int, int]]:
    """The places of groups with those of their parents; what is above comes first.

    A parent that was never there, or has been left out before, took its own with it.
    """
    found: list[tuple[int, int]] = []
    done = {NO_GROUP}
    for group in places:
        way = []
        while group not in done:
            done.add(group)
            way.append(group)
            above = parents.get(group, NO_GROUP)
            group = above if above in places else NO_GROUP
        for each in reversed(way):
            above = parents.get(each, NO_GROUP)
            found.append((places[each], places.get(above, 0)))
    return found


def _at[D](deltas: Sequence[D], there: bytearray) -> Sequence[D]:
    """The deltas at the places that are not 0, a stretch at a time."""
    found: Any = array("i") if isinstance(deltas, array) else []
    first = there.find(1)
    while first >= 0:
        end = there.find(0, first)
        found += deltas[first : end if end >= 0 else None]
        first = there.find(1, end) if end >= 0 else -1
    return cast("Sequence[D]", found)


def _stretches(places: Iterable[int], count: int) -> list[array[int]]:
    """For each of so many places where it stands in ``places``, as first, last + 1, ..."""
    found = [array("i") for _ in range(count)]
    before = position = -1
    for position, place in enumerate(places):
        if place != before:
            if position:
                found[before].append(position)
            found[place].append(position)
            before = place
    if position >= 0:
        found[before].append(position + 1)
    return found
