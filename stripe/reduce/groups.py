"""Groups of events that a guided search leaves out at once."""

from __future__ import annotations

from array import array
from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from copy import copy
from itertools import accumulate, chain, combinations, compress
from typing import overload

from stripe.trace import NONE, Trace
from stripe.trace.levels import has_free_loops, headers_of_rounds
from stripe.trace.model import flags

SMALL = 64
"""Units up to which groups double; from there on they are squared."""

VERY_OFTEN = 32
"""Statements executed so often are tried without one of them as well."""

LIKE = 4
"""With a group that goes, so many times as many events go in all, about."""

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


def rounds(trace: Trace, within: array[int]) -> array[int]:
    """``within``, but with the rounds of loops that are no scopes, too: those of ``while``."""
    if not has_free_loops(trace):
        return within
    # Rounds in the same activation; the later of two around an event is the inner one.
    return array("i", map(max, within, headers_of_rounds(trace)))


class Roles:
    """What tells executions of a statement apart: what else happened in the round, or in the call.

    An interpreter's loop executes the same statements for all instructions, and what may go is
    those for some instructions.  Two rounds or calls went the same *way* if the same statements
    were executed in them.  The *role* of an event is its statement, the way of its round or call,
    and that of the round before.

    ``ways``: by event, the way of the round or call that it began.

    Args:
        trace: what was recorded.
        events: those that count, ascending.
        within: for each event of the trace the round or call, see :func:`rounds`.
    """

    def __init__(self, trace: Trace, events: Sequence[int], within: array[int]) -> None:
        self._statement = statement = trace.statement
        self._within = within
        self._there = flags(events, len(trace))
        # By what is around, the last one for what has nothing around.
        self.ways = array("q", [0]) * (len(trace) + 1)
        for event in events:
            around = within[event]
            self.ways[around] = hash((self.ways[around], statement[event]))
        self._before = before = array("i", [NONE]) * (len(trace) + 1)
        latest: dict[tuple[int, int], int] = {}
        for around in filter(self.ways.__getitem__, range(len(trace))):
            loop = statement[around], within[around]
            before[around] = latest.get(loop, NONE)
            latest[loop] = around

    def of(self, event: int) -> tuple[int, ...]:
        """The role of one of the events; of others, which have none, ``()``."""
        if not self._there[event]:
            return ()
        around = self._within[event]
        before = self._before[around]
        way_before = 0 if before == NONE else self.ways[before]
        return self._statement[event], self.ways[around], way_before


class Promise:
    """Whether it pays to try groups of a kind, by what came of those before.

    A group that stays has cost a test; one that goes saves a test for each of its events, and for
    those of its like, which follow in growing steps.  How likely it goes is told by Laplace's rule
    of succession.

    ``trusts``: or else all groups are tried.
    """

    def __init__(self, *, trusts: bool = True) -> None:
        self._trusts = trusts
        self._went: Counter[Hashable] = Counter()
        self._tried: Counter[Hashable] = Counter()

    def pays(self, kind: Hashable, size: int) -> bool:
        """Whether a group of so many events is worth its test."""
        likely = LIKE * size * (self._went[kind] + 1) >= self._tried[kind] + 2
        return likely or not self._trusts

    def hear(self, kind: Hashable, *, went: bool) -> None:
        """Be told of a test."""
        self._tried[kind] += 1
        self._went[kind] += went


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


class Abreast(Sequence[Sequence[int]]):
    """The executions of some statements, side by side.

    Args:
        statements: of each its executions, equally many.
        order: which of them come first, by their places.
    """

    def __init__(self, statements: Sequence[array[int]], order: Sequence[int]) -> None:
        self.statements = statements
        self.order = order

    def __len__(self) -> int:
        return len(self.order)

    @overload
    def __getitem__(self, place: int) -> Sequence[int]: ...
    @overload
    def __getitem__(self, place: slice) -> Abreast: ...
    def __getitem__(self, place: int | slice) -> Sequence[int] | Abreast:
        if isinstance(place, slice):
            return self.ordered(self.order[place])
        which = self.order[place]
        return array("i", sorted(each[which] for each in self.statements))

    def ordered(self, order: Sequence[int]) -> Abreast:
        """The same statements with some of these executions, or in another order."""
        return Abreast(self.statements, order)

    def there(self, kept: Sequence[int]) -> bool:
        """Whether every event is ``kept`` (a flag for each event)."""
        return all(kept[event] for each in self.statements for event in each)

    def chosen(self) -> Iterator[Abreast]:
        """These, and if they are executed very often, all statements but one."""
        yield self
        count = len(self.statements) - 1
        if count > 1 and len(self) >= VERY_OFTEN:
            for fewer in combinations(self.statements, count):
                yield Abreast(fewer, self.order)


def remaining(units: Sequence[Sequence[int]], kept: bytearray) -> Sequence[Sequence[int]]:
    """The units of which anything is ``kept`` (a flag for each event)."""
    if isinstance(units, Alone):
        return Alone(array("i", filter(kept.__getitem__, units.events)))
    if isinstance(units, Abreast):
        there = (any(map(kept.__getitem__, unit)) for unit in units)
        return units.ordered(array("i", compress(units.order, there)))
    if isinstance(units, Bodies):
        numbers = units.numbers
        left = (any(map(kept.__getitem__, unit)) for unit in units)
        return units.chosen(array("i", compress(numbers, left)))
    return [unit for unit in units if any(map(kept.__getitem__, unit))]


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
