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
from stripe.trace.effects import Facts, Step
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
    - ``writer``: by definition, the place of who wrote; ``~place`` if who reads depends on another
      one, see ``means``
    - ``before``: by definition, the one there before; ``~before`` if that one is not replaced
    - ``heads``, ``later``: what a call depends on that came later, as linked pairs: the place of
      an event or ``~definition``, and where the next pair is; empty if there is nothing
    """

    __slots__ = (
        "_handed",
        "_means",
        "before",
        "heads",
        "later",
        "parents",
        "place",
        "start",
        "targets",
        "writer",
    )  # fmt: skip

    def __init__(self, trace: Trace, events: Sequence[int], facts: Facts, *, control: bool) -> None:
        self.place = place = places(events, len(trace))
        activations: Sequence[int] = trace.activation
        columns: list[Sequence[int]] = [*trace.parent_columns(control=control)]
        if place is not int:
            activations = array("i", map(trace.activation.__getitem__, events))
            places_of = place.many if isinstance(place, Ranks) else partial(_each, place)
            columns = [places_of(map(each.__getitem__, events)) for each in columns]
        self.parents = tuple(columns)
        found = _Pass(trace, events, facts, activations, columns[0])
        found.run()
        self.start, self.targets, self.writer, self.before, self.later = (
            each.done() for each in found.columns
        )
        self.heads = found.heads
        self._handed, self._means = found.handed, found.means

    def means(self, definition: int) -> int:
        """The place on which who reads a definition depends."""
        place = self.writer[definition]
        if place >= 0 or definition == 0:
            return place
        return self._means[bisect_left(self._handed, definition)]


def _each(place: Places, events: Iterable[int]) -> array[int]:
    return array("i", map(place, events))


class _Pass:
    """The pass over the events, in order: what each location holds then, and who reads it.

    - ``columns``: those of :class:`Definitions` while they grow: ``start``, ``targets``,
      ``writer``, ``before``, ``later``
    - ``handed``: definitions of calls that handed over what was changed, ascending; ``means``: the
      places on which their readers depend
    """

    def __init__(
        self,
        trace: Trace,
        events: Sequence[int],
        facts: Facts,
        activations: Sequence[int],
        callers: Sequence[int],
    ) -> None:
        self._trace, self._events, self._facts = trace, events, facts
        self._activations, self._callers = activations, callers
        begun = array("I", [0]), array("i")
        self.columns = [*map(Column, begun), *(Column(array("i", n)) for n in ([NONE], [0], ()))]
        _, self._targets, self._writer, self._before, self._later = self.columns
        self.heads: Numbers = array("i")
        self.handed = array("i")
        self.means = array("i")
        self._shared: dict[str, int] = {}
        self._tables = Tables(activations, callers)
        self._by_all = facts.modules.by_all if facts.modules.all else None
        # Imports whose modules may not have run yet: activation, place, what was not there.
        self._waiting: list[tuple[int, int, list[str]]] = []
        # Whether a statement defines a function that is called; its last definition.
        self._defining = bytearray(len(trace.statements))
        for owner in facts.owners:
            if owner is not None:
                self._defining[owner] = 1
        self._defined: dict[int, int] = {}
        # What an execution of a statement reads and writes, where it does nothing else.
        self._plans: list[Plan | None] = [None] * len(trace.statements)

    def run(self) -> None:
        """Read all the events."""
        trace, current, table = self._trace, NONE, dict[str, int]()
        for begin in range(0, len(self._events), PART):
            current, table = self._read_part(begin, current, table)
            if len(self._targets) >= LONG:
                for column in self.columns:
                    column.spill()
                more = self._callers, self._activations, trace.caller
                for each in (trace.statement, trace.scope, *more):
                    leave(each)

    def _read_part(
        self, begin: int, current: int, table: dict[str, int]
    ) -> tuple[int, dict[str, int]]:
        """Read some events; ``table`` is that of the ``current`` activation, here and returned."""
        shared, by_all, plans = self._shared, self._by_all, self._plans
        start, targets, writer, befores, _ = (each.tail for each in self.columns)
        note = targets.append
        part = self._events[begin : begin + PART]
        statement = self._trace.statement
        numbers: Iterable[int] = map(statement.__getitem__, part)
        if len(self._events) == len(statement):
            numbers = statement[begin : begin + PART]
        rows = zip(part, numbers, self._activations[begin : begin + PART], strict=True)
        target, definition = self._targets.first, self._writer.first
        coming = definition + len(writer)  # the number of the next definition
        for place, (event, number, activation) in enumerate(rows, begin):
            if activation != current:
                current = activation
                table = self._turn(place, event, number)
                coming = definition + len(writer)
            plan = plans[number]
            if plan is None:
                self._execute(place, event, number, table)
                coming = definition + len(writer)
            else:  # nearly always
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
        return current, table

    def _turn(self, place: int, event: int, number: int) -> dict[str, int]:
        """Another activation begins or goes on with an event; its table."""
        table, new = self._tables.turn(place)
        if self._waiting:
            self._resume(self._activations[place])
        if new:
            above, owner = self._callers[place], self._facts.owners[number]
            if owner is None:
                if above != NONE:
                    # A module: it is there when what imports it is executed.
                    key = there(self._trace.statements[number].file)
                    self._define(self._shared, key, place, above)
            elif owner in self._defined:
                # The call needs the definition of what it calls, by whatever name.
                if above != NONE:
                    self._depends(above, ~self._defined[owner])
                elif self._trace.caller[event] == NONE:
                    self._depends(place, ~self._defined[owner])  # nobody calls it
        return table

    def _execute(self, place: int, event: int, number: int, table: dict[str, int]) -> None:
        """An execution that may do more than read and write; else it has a plan from now on."""
        facts, caller = self._facts, self._trace.caller
        effects = facts.effects[number] or facts.resolve(number)
        step = effects.usual
        if step is None:
            # Nothing is known of what was called; of traced code, its events tell.
            alone = event == len(caller) - 1 or caller[event + 1] != event
            step = effects.step(alone=alone, ended=bool(facts.ended[event]))
        elif not (
            step.changes
            or step.argument
            or effects.returns
            or effects.imports
            or self._defining[number]
        ):
            self._plans[number] = step.local, step.shared, step.writes
        self._read(step, table)
        if effects.imports:
            missing = [key for key in step.shared if key not in self._shared]
            self._waiting.append((self._activations[place], place, missing))
        if effects.fetches:
            self._fetch(event, place, table, effects.cursor)
        for is_local, key in step.changes:
            self._define(table if is_local else self._shared, key, place)
        if step.argument:
            self._change_argument(place)
        self._write(step, place, table)
        if effects.returns and self._callers[place] != NONE:
            self._depends(self._callers[place], place)
        if self._defining[number]:
            self._define(self._defined, number, place)

    def _read(self, step: Step, table: dict[str, int]) -> None:
        """An event reads what a step says."""
        targets, shared = self._targets.tail, self._shared
        for key in step.local:
            if key in table:
                targets.append(table[key])
        for key in step.shared:
            if key in shared:
                targets.append(shared[key])
            elif self._by_all is not None:
                targets.extend(self._by_all(key, shared))

    def _write(self, step: Step, place: int, table: dict[str, int]) -> None:
        """An event writes what a step says."""
        writer = self._writer.tail
        for is_local, key, replaces in step.writes:
            where = table if is_local else self._shared
            before = where.get(key, 0)
            if before and not replaces:
                self._targets.tail.append(before)
            where[key] = self._writer.first + len(writer)
            writer.append(place)
            self._before.tail.append(before if replaces else ~before)

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
        self.handed.append(definition)
        self.means.append(means)

    def _depends(self, place: int, on: int) -> None:
        """A call depends on something that came later."""
        if not self.heads:
            self.heads = filled(NONE, len(self._events))
        later = self._later.tail
        later.append(on)
        later.append(self.heads[place])
        self.heads[place] = self._later.first + len(later) - 2

    def _resume(self, activation: int) -> None:
        """An activation goes on: what it imports, as a call does, is there by now."""
        waiting, shared = self._waiting, self._shared
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

    def _change_argument(self, changing: int) -> None:
        """An event changes what its callers handed over: so do the calls."""
        place = changing
        while (above := self._callers[place]) != NONE:
            change: dict[None, int] = {}
            self._define(change, None, changing, place)
            self._depends(above, ~change[None])
            effects = self._facts.effects[self._trace.statement[self._events[above]]]
            if effects is None:
                return
            table = self._tables.found.setdefault(self._activations[above], {})
            for local, key in effects.hands:
                where = table if local else self._shared
                if key in where:
                    self._targets.tail.append(where[key])
                self._define(where, key, changing, above)
            if not effects.hands_argument:
                return
            place = above


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
