"""Who wrote what events read: the columns that dependences are followed in.

One pass over the events of a trace, or of a part of it.  Everything goes by *place*, the index of
an event among these, so that what is small costs little however long the run was.
"""

from __future__ import annotations

from array import array
from bisect import bisect_left
from collections.abc import Callable, Iterable, Sequence
from functools import partial
from itertools import accumulate, compress

from stripe.trace.columns import LONG, PART, Column, Numbers, filled, leave, walk
from stripe.trace.effects import Facts
from stripe.trace.model import DENSE, NONE, Trace, flags
from stripe.trace.modules import there

BLOCK = 512
"""Of so many events it is known how many are before them."""

type Places = Callable[[int], int]
"""The place of an event, or NONE."""


def places(events: Sequence[int], size: int) -> Places:
    """The places of ``events``, of so many in all."""
    if isinstance(events, range) and len(events) == size:
        return int
    if len(events) * DENSE >= size:
        return Ranks(events, size)
    found = {event: place for place, event in enumerate(events)}
    return lambda event: found.get(event, NONE)


type Plan = tuple[tuple[str, ...], tuple[str, ...], tuple[tuple[bool, str, bool], ...]]
"""See :class:`stripe.trace.effects.Step`: what is read, of the activation and of all; written."""


class Ranks:
    """The places of many ``events``, of so many in all, in a byte or two for each of all."""

    def __init__(self, events: Sequence[int], size: int) -> None:
        self.size = size
        self._there = flags(events, size)
        count = self._there.count
        blocks = (count(1, first, first + BLOCK) for first in range(0, size, BLOCK))
        self._before = array("i", accumulate(blocks, initial=0))

    def __call__(self, event: int) -> int:
        """The place of an event, or NONE."""
        if event == NONE or not self._there[event]:
            return NONE
        block = event // BLOCK
        return self._before[block] + self._there.count(1, block * BLOCK, event)

    def chosen(self, found: bytearray) -> bytearray:
        """Of flags of all events, those of these, by place."""
        return bytearray(compress(found, self._there))

    def many(self, events: Iterable[int]) -> array[int]:
        """Those of many events."""
        table = array("i", [NONE]) * (len(self._there) + 1)  # the last one is that of NONE
        for place, event in enumerate(compress(range(len(self._there)), self._there)):
            table[event] = place
        return array("i", map(table.__getitem__, events))


class Definitions:
    """What each event reads, as definitions: an event wrote there, and another one before.

    A definition is a number from 1 on; 0 is none.

    - ``parents``: by place the structural parents of each event, NONE if there is none
    - ``start``: where the definitions that an event reads begin in ``targets``
    - ``defines``: likewise its own definitions, which are numbered through
    - ``writer``: by definition, the place of who wrote; ``~place`` if who reads depends on another
      one, see ``means``
    - ``before``: by definition, the one there before; ``~before`` if that one is not replaced
    - ``heads``, ``later``: what a call depends on that came later, as linked pairs: the place of
      an event or ``~definition``, and where the next pair is; empty if there is nothing
    """

    __slots__ = (
        "_activations",
        "_before",
        "_callers",
        "_columns",
        "_events",
        "_facts",
        "_handed",
        "_later",
        "_means",
        "_targets",
        "_trace",
        "_writer",
        "before",
        "defines",
        "heads",
        "later",
        "parents",
        "place",
        "start",
        "targets",
        "writer",
    )  # fmt: skip

    def __init__(self, trace: Trace, events: Sequence[int], facts: Facts, *, control: bool) -> None:
        self._trace, self._events, self._facts = trace, events, facts
        self.place = place = places(events, len(trace))
        # While they grow; later ``start``, ``targets``, ...
        begun = array("I", [0]), array("i"), array("I", [1])
        self._columns = [*map(Column, begun), *(Column(array("i", n)) for n in ([NONE], [0], ()))]
        _, self._targets, _, self._writer, self._before, self._later = self._columns
        self.heads: Numbers = array("i")
        # Definitions of calls that handed over what was changed, ascending, and their places.
        self._handed = array("i")
        self._means = array("i")
        self._activations: Sequence[int] = trace.activation
        columns: list[Sequence[int]] = [*trace.parent_columns(control=control)]
        if place is not int:
            self._activations = array("i", map(trace.activation.__getitem__, events))
            places_of = place.many if isinstance(place, Ranks) else partial(_each, place)
            columns = [places_of(map(each.__getitem__, events)) for each in columns]
        self._callers = columns[0]
        self.parents = tuple(columns)
        self._read()
        self.start, self.targets, self.defines, self.writer, self.before, self.later = (
            each.done() for each in self._columns
        )
        self._activations = ()

    @property
    def hands(self) -> bool:
        """Whether who reads some definition depends on another place than that of who wrote."""
        return bool(self._handed)

    def means(self, definition: int) -> int:
        """The place on which who reads a definition depends."""
        place = self.writer[definition]
        if place >= 0 or definition == 0:
            return place
        return self._means[bisect_left(self._handed, definition)]

    # -- the pass

    def _read(self) -> None:
        trace, facts, events = self._trace, self._facts, self._events
        callers, activations = self._callers, self._activations
        start, targets, defines, writer, befores, _ = (each.tail for each in self._columns)
        after, caller, ended = len(trace) - 1, trace.caller, facts.ended
        effects_of, owners = facts.effects, facts.owners
        by_all = facts.modules.by_all if facts.modules.all else None
        shared: dict[str, int] = {}
        waiting: list[tuple[int, int, list[str]]] = []  # see _resume
        defining = bytearray(len(trace.statements))
        for owner in owners:
            if owner is not None:
                defining[owner] = 1
        tables = Tables(activations, callers)
        defined: dict[int, int] = {}  # statement that defines functions: its last definition
        current = NONE
        table: dict[str, int] = {}
        # What an execution of a statement reads and writes, where it does nothing else.
        plans: list[Plan | None] = [None] * len(trace.statements)
        note = targets.append
        for begin in range(0, len(events), PART):
            part = events[begin : begin + PART]
            numbers: Iterable[int] = map(trace.statement.__getitem__, part)
            if self.place is int:
                numbers = trace.statement[begin : begin + PART]
            running = activations[begin : begin + PART]
            rows = zip(part, numbers, running, strict=True)
            target, definition = self._targets.first, self._writer.first
            coming = definition + len(writer)  # the number of the next definition
            for place, (event, number, activation) in enumerate(rows, begin):
                if activation != current:
                    current = activation
                    table, new = tables.turn(place)
                    if waiting:
                        self._resume(activation, waiting, shared)
                    above, owner = callers[place], owners[number]
                    if new and owner in defined and above != NONE:
                        # The call needs the definition of what it calls, by whatever name.
                        self._depends(above, ~defined[owner])
                    elif new and owner in defined and caller[event] == NONE:
                        self._depends(place, ~defined[owner])  # nobody calls it
                    elif new and owner is None and above != NONE:
                        # A module: it is there when what imports it is executed.
                        key = there(trace.statements[number].file)
                        self._define(shared, key, place, above)
                        coming += 1
                plan = plans[number]
                if plan is not None:  # nearly always
                    local, more, writes = plan
                    for key in local:
                        if key in table:
                            note(table[key])
                    for key in more:
                        if key in shared:
                            note(shared[key])
                        elif by_all is not None:
                            targets.extend(by_all(key, shared))
                    for is_local, key, replaces in writes:
                        where = table if is_local else shared
                        before = where.get(key, 0)
                        if before and not replaces:
                            note(before)
                        where[key] = coming
                        coming += 1
                        writer.append(place)
                        befores.append(before if replaces else ~before)
                    start.append(target + len(targets))
                    defines.append(coming)
                    continue
                effects = effects_of[number] or facts.resolve(number)
                step = effects.usual
                if step is None:
                    # Nothing is known of what was called; of traced code, its events tell.
                    alone = event == after or caller[event + 1] != event
                    step = effects.step(alone=alone, ended=bool(ended[event]))
                elif not (
                    step.changes
                    or step.argument
                    or effects.returns
                    or effects.imports
                    or defining[number]
                ):
                    plans[number] = step.local, step.shared, step.writes
                for key in step.local:
                    if key in table:
                        note(table[key])
                for key in step.shared:
                    if key in shared:
                        note(shared[key])
                    elif by_all is not None:
                        targets.extend(by_all(key, shared))
                if effects.imports:
                    waiting.append((activation, place, [k for k in step.shared if k not in shared]))
                if effects.fetches:
                    self._fetch(event, place, table, effects.cursor)
                for is_local, key in step.changes:
                    self._define(table if is_local else shared, key, place)
                if step.argument:
                    self._change_argument(place, tables.found, shared)
                for is_local, key, replaces in step.writes:
                    where = table if is_local else shared
                    before = where.get(key, 0)
                    if before and not replaces:
                        note(before)
                    where[key] = definition + len(writer)
                    writer.append(place)
                    befores.append(before if replaces else ~before)
                if effects.returns and callers[place] != NONE:
                    self._depends(callers[place], place)
                if defining[number]:
                    self._define(defined, number, place)
                start.append(target + len(targets))
                coming = definition + len(writer)
                defines.append(coming)
            if len(self._targets) >= LONG:
                for column in self._columns:
                    column.spill()
                for each in (trace.statement, trace.scope, callers, activations, caller):
                    leave(each)

    def _define[K](self, where: dict[K, int], key: K, place: int, means: int = NONE) -> None:
        """An event changes what a location holds; who reads that depends on it, or on ``means``."""
        writer = self._writer.tail
        definition = self._writer.first + len(writer)
        self._before.tail.append(~where.get(key, 0))
        where[key] = definition
        if means in (NONE, place):
            writer.append(place)
            return
        writer.append(~place)
        self._handed.append(definition)
        self._means.append(means)

    def _depends(self, place: int, on: int) -> None:
        """A call depends on something that came later."""
        if not self.heads:
            self.heads = filled(NONE, len(self._events))
        later = self._later.tail
        later.append(on)
        later.append(self.heads[place])
        self.heads[place] = self._later.first + len(later) - 2

    def _resume(
        self, activation: int, waiting: list[tuple[int, int, list[str]]], shared: dict[str, int]
    ) -> None:
        """An activation goes on: what it imports, as a call does, is there by now.

        ``waiting``: activations, the places of their imports, and what was not there then.
        """
        for number in range(len(waiting) - 1, -1, -1):
            if waiting[number][0] == activation:
                for _, place, keys in waiting[number:]:
                    for key in keys:
                        own = shared.get(key)
                        found = (own,) if own else self._facts.modules.by_all(key, shared)
                        for each in found:
                            self._depends(place, ~each)
                del waiting[number:]
                return

    def _fetch(self, event: int, place: int, table: dict[str, int], key: str) -> None:
        """The header of a loop fetches an item.

        Only a fetch goes on where another stopped; the header that makes the iterator, which has
        no scope in its own loop, begins anew.
        """
        statement, scope = self._trace.statement, self._trace.scope[event]
        if key in table and scope != NONE and statement[scope] == statement[event]:
            self._targets.tail.append(table[key])
        self._define(table, key, place)

    def _change_argument(
        self, changing: int, tables: dict[int, dict[str, int]], shared: dict[str, int]
    ) -> None:
        """An event changes what its callers handed over: so do the calls."""
        place = changing
        while (above := self._callers[place]) != NONE:
            change: dict[None, int] = {}
            self._define(change, None, changing, place)
            self._depends(above, ~change[None])
            effects = self._facts.effects[self._trace.statement[self._events[above]]]
            if effects is None:
                return
            table = tables.setdefault(self._activations[above], {})
            for local, key in effects.hands:
                where = table if local else shared
                if key in where:
                    self._targets.tail.append(where[key])
                self._define(where, key, changing, above)
            if not effects.hands_argument:
                return
            place = above


def _each(place: Places, events: Iterable[int]) -> array[int]:
    return array("i", map(place, events))


class Tables:
    """The last definitions in each activation, as long as anything can still ask for them.

    An activation whose last event is a call may be asked until that call is over.
    """

    def __init__(self, activations: Sequence[int], callers: Sequence[int]) -> None:
        self.found: dict[int, dict[str, int]] = {}
        self._activations, self._callers = activations, callers
        self._last = array("i", [0]) * (max(walk(activations), default=0) + 1)
        for place, each in enumerate(walk(activations)):
            self._last[each] = place
        self._depths = array("i", [0]) * len(self._last)
        self._over: list[int] = []
        self._current = NONE

    def turn(self, place: int) -> tuple[dict[str, int], bool]:
        """The table of the activation of an event, and whether it is new: others may be over."""
        running, above, over = self._activations[place], self._callers[place], self._over
        if self._current != NONE and self._last[self._current] < place:
            over.append(self._current)
        self._current = running
        depth = 0 if above == NONE else self._depths[self._activations[above]] + 1
        self._depths[running] = depth
        while over and self._depths[over[-1]] >= depth:
            self.found.pop(over.pop(), None)
        table = self.found.get(running)
        if table is not None:
            return table, False
        table = self.found[running] = {}
        return table, True
