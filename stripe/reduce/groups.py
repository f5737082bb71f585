"""Groups of events that a guided search leaves out at once."""

from __future__ import annotations

from array import array
from collections.abc import Callable, Iterable, Iterator, Sequence
from copy import copy
from itertools import accumulate, chain, compress
from typing import overload

from stripe.trace import NONE, Trace

SMALL = 64
"""Units up to which groups double; from there on they are squared."""

type Groups = Callable[[], Iterable[Sequence[int]]]
"""Tells, if anybody asks, groups of events that may be left out one after the other."""


def by_statement(trace: Trace, events: Iterable[int]) -> list[array[int]]:
    """The executions of each statement, by the last of them; ``events`` ascend."""
    groups: dict[int, array[int]] = {}
    statement = trace.statement
    for event in events:
        group = groups.get(statement[event])
        if group is None:
            group = groups[statement[event]] = array("i")
        group.append(event)
    return sorted(groups.values(), key=lambda group: group[-1])


def within(trace: Trace) -> array[int]:
    """For each event the call, or the round of a loop that is a scope, that it happened in.

    What happened in such a round or call cannot be without it.  NONE at the top.
    """
    statement, scopes = trace.statement, trace.scope
    found = array("i")
    rounds: dict[int, int] = {}  # by the event that began a loop: the one that began its round
    for event, scope in enumerate(scopes):
        if scope == NONE:
            found.append(trace.caller[event])
        elif statement[event] == statement[scope]:
            rounds[scope] = event
            found.append(scope)
        else:
            found.append(rounds.get(scope, scope))
    return found


class Alone(Sequence[Sequence[int]]):
    """Events as groups of one."""

    def __init__(self, events: array[int]) -> None:
        self.events = events

    def __len__(self) -> int:
        return len(self.events)

    @overload
    def __getitem__(self, place: int) -> Sequence[int]: ...
    @overload
    def __getitem__(self, place: slice) -> Alone: ...
    def __getitem__(self, place: int | slice) -> Sequence[int] | Alone:
        if isinstance(place, slice):
            return Alone(self.events[place])
        return (self.events[place],)

    def __iter__(self) -> Iterator[Sequence[int]]:
        return zip(self.events)

    def left(self, kept: bytearray) -> Alone:
        """Those that are ``kept`` (a flag for each event)."""
        return Alone(array("i", filter(kept.__getitem__, self.events)))


class Bodies(Sequence[Sequence[int]]):
    """Of some events, those that happened in each round or call; in the order of the first ones.

    - ``around``: what they happened in
    - ``numbers``: which of the bodies these are, from 0 on

    Each body of millions is not an object of its own, but a part of one column.
    """

    def __init__(self, events: Sequence[int], within: Sequence[int]) -> None:
        # By what is around: the number of its body, from 1 on; the last one is that of NONE.
        self._number = number = array("i", [0]) * (len(within) + 1)
        self.around = array("i")
        sizes = array("i")
        for event in events:
            above = within[event]
            if not number[above]:
                self.around.append(above)
                sizes.append(0)
                number[above] = len(sizes)
            sizes[number[above] - 1] += 1
        self._start = array("i", accumulate(sizes, initial=0))
        self._events = array("i", [0]) * len(events)
        free = self._start[:]
        for event in events:
            body = number[within[event]] - 1
            self._events[free[body]] = event
            free[body] += 1
        self.numbers: Sequence[int] = range(len(sizes))

    def size(self, event: int) -> int:
        """How many events happened in one."""
        body = self._number[event]
        return self._start[body] - self._start[body - 1] if body else 0

    def chosen(self, which: Sequence[int]) -> Bodies:
        """Some of the bodies, by their numbers from 0 on."""
        found = copy(self)
        found.numbers = which
        return found

    def left(self, kept: bytearray) -> Bodies:
        """Those of which anything is ``kept`` (a flag for each event)."""
        left = (any(map(kept.__getitem__, body)) for body in self)
        return self.chosen(array("i", compress(self.numbers, left)))

    def __len__(self) -> int:
        return len(self.numbers)

    @overload
    def __getitem__(self, place: int) -> Sequence[int]: ...
    @overload
    def __getitem__(self, place: slice) -> Bodies: ...
    def __getitem__(self, place: int | slice) -> Sequence[int] | Bodies:
        if isinstance(place, slice):
            return self.chosen(self.numbers[place])
        body = self.numbers[place]
        return self._events[self._start[body] : self._start[body + 1]]


def flat(units: Iterable[Sequence[int]]) -> array[int]:
    """The events of all units."""
    if isinstance(units, Alone):
        return units.events
    return array("i", chain.from_iterable(units))


def joined(*ways: Groups) -> Groups:
    """Groups, and then others."""
    return lambda: chain.from_iterable(way() for way in ways)


def halves(units: Sequence[Sequence[int]]) -> Iterator[array[int]]:
    """The events of the first half of some units, of the first half of these, and so on."""
    while len(units) > 1:
        units = units[: len(units) // 2]
        yield flat(units)


def grown(size: int) -> int:
    """How many units are left out next, where so many went (Bentley & Yao 1976).

    A test takes as long as what it keeps is large: of a million events, a few large steps that are
    taken back cost less than many that leave hardly anything out.
    """
    return 2 * size if size < SMALL else size * size


def steps(units: Sequence[Sequence[int]], start: int, size: int) -> Iterator[array[int]]:
    """The events of groups of units that grow, each with all before it."""
    end = start
    while end < len(units):
        end, size = end + size, grown(size)
        yield flat(units[start:end])
