"""Dynamic dependences: which earlier event wrote what an event reads (Korel & Laski 1988).

They are found in one pass over the events, from what each statement reads and writes
(:class:`~stripe.trace.Statement`).  Aliases are not followed, so a slice may miss events, and
it may hold too many: it is a proposal where to search.  Nobody may take it for an answer.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Sequence
from itertools import compress, count

from stripe.trace.effects import Facts
from stripe.trace.model import NONE, Trace


class Dependences:
    """The dependences among ``events`` (sorted; all by default), and among any part of them.

    They are found once.  What an event reads is kept as a *definition*: an event wrote there, and
    another definition was there before.  For a part of the events, as if no other one had taken
    effect, it is followed back to the last definition by an event of that part.

    ``facts`` saves the time to find them again, for the same trace.
    """

    def __init__(
        self,
        trace: Trace,
        events: Sequence[int] | None = None,
        *,
        control: bool = False,
        facts: Facts | None = None,
    ) -> None:
        self.trace = trace
        self.facts = facts or Facts(trace)
        self.events: Sequence[int] = range(len(trace)) if events is None else events
        self._position: dict[int, int] | None = None
        if events is not None:
            self._position = {event: position for position, event in enumerate(events)}
        # By position: where its targets and its definitions begin. A target is an event, or
        # ~definition.
        self._start = array("q", [0])
        self._targets = array("i")
        self._defines = array("q", [1])
        # Definitions: an event writes there (it, or the call that handed over what it changed).
        # The one numbered 0 is none: nothing wrote there.
        self._writer = array("i", [NONE])
        self._means = array("i", [NONE])
        self._before = array("i", [0])
        self._replaces = bytearray(1)  # whether the older value is gone
        self._later: dict[int, list[int]] = {}
        self._control = control
        self._build()

    def of(self, event: int, among: Iterable[int] | None = None) -> list[int]:
        """The events that ``event`` depends on directly, the earliest first."""
        resolve = _Resolving(self, among)
        found = {target if target >= 0 else resolve(target) for target in self._wanted(event)}
        return sorted(each for each in found - {NONE, event} if resolve.kept[each])

    def initial(self, among: Iterable[int] | None = None) -> set[int]:
        """The events that write something that nothing wrote before."""
        among = self.events if among is None else list(among)
        resolve = _Resolving(self, among)
        defines, before, replaces, where = (
            self._defines, self._before, self._replaces, self._position,
        )  # fmt: skip
        found = set()
        for event in among:
            position = event if where is None else where[event]
            for index in range(defines[position], defines[position + 1]):
                if replaces[index] and resolve(~before[index]) == NONE:
                    found.add(event)
                    break
        return found

    def slice(
        self, criterion: Iterable[int], among: Iterable[int] | None = None
    ) -> tuple[int, ...]:
        """All events that the events of ``criterion`` depend on, these included; sorted.

        Those of ``criterion`` that are not among the events are left out.
        """
        start, targets, later, where = self._start, self._targets, self._later, self._position
        resolve = _Resolving(self, among)
        kept, writer, means = resolve.kept, self._writer, self._means
        seen = bytearray(len(self.trace))
        todo: list[int] = []
        for event in criterion:
            if kept[event] and not seen[event]:
                seen[event] = 1
                todo.append(event)
        while todo:
            event = todo.pop()
            position = event if where is None else where[event]
            wanted: Sequence[int] = targets[start[position] : start[position + 1]]
            if event in later:
                wanted = [*wanted, *later[event]]
            for target in wanted:
                if target < 0:  # the usual case first, as this is where the time goes
                    index = ~target
                    target = means[index] if kept[writer[index]] else resolve(target)
                if target != NONE and kept[target] and not seen[target]:
                    seen[target] = 1
                    todo.append(target)
        return tuple(compress(count(), seen))

    def _wanted(self, event: int) -> Sequence[int]:
        position = event if self._position is None else self._position[event]
        found = self._targets[self._start[position] : self._start[position + 1]]
        return [*found, *self._later.get(event, ())]

    def _build(self) -> None:
        trace = self.trace
        statement, activation, caller, scope = (
            trace.statement, trace.activation, trace.caller, trace.scope,
        )  # fmt: skip
        deciding = trace.control if self._control else scope
        after, ended = len(trace) - 1, self.facts.ended
        effects_of, later = self.facts.effects, self._later
        owners = self.facts.owners
        defining = {each for each in owners if each is not None}
        tables: dict[int, dict[str, int]] = {}
        shared: dict[str, int] = {}
        defined: dict[int, int] = {}  # statement that defines functions: its last definition
        start, targets, defines, writer = self._start, self._targets, self._defines, self._writer
        define = self._define
        current = NONE
        table: dict[str, int] = {}
        places = shared, table  # by whether a location is local
        for event in self.events:
            number = statement[event]
            effects = effects_of[number] or self.facts.resolve(number)
            above = caller[event]
            found = {above, scope[event], deciding[event]}
            if activation[event] != current:
                current = activation[event]
                if current not in tables:
                    tables[current] = {}
                    owner = owners[number]
                    if owner in defined and above != NONE:
                        # The call needs the definition of what it calls, by whatever name.
                        later.setdefault(above, []).append(~defined[owner])
                table = tables[current]
                places = shared, table
            for local, key in effects.reads:
                if key in (where := places[local]):
                    found.add(~where[key])
            if effects.fetches:
                self._fetch(event, table, found)
            changes, argument = effects.changes, effects.changes_argument
            if effects.hands and (event == after or caller[event + 1] != event):
                # Nothing is known of what was called; of traced code, its events tell.
                changes, argument = changes + effects.hands, argument or effects.hands_argument
            for local, key in changes:
                where = places[local]
                if key in where:
                    found.add(~where[key])
                define(where, key, event)
            if argument:
                self._change_argument(event, tables, shared, found)
            for local, key in () if event in ended else effects.writes:
                where = places[local]
                # Of which object is not known, so what was written before may count.
                adds = key[0] in ".<"
                if adds and key in where:
                    found.add(~where[key])
                define(where, key, event, replaces=not adds)
            if effects.returns and above != NONE:
                later.setdefault(above, []).append(event)
            if number in defining:
                define(defined, number, event)
            found.discard(NONE)
            targets.extend(found)
            start.append(len(targets))
            defines.append(len(writer))

    def _define[K](
        self,
        where: dict[K, int],
        key: K,
        event: int,
        means: int | None = None,
        *,
        replaces: bool = False,
    ) -> None:
        """An event writes to a location; who reads it depends on ``means``, or on the event."""
        self._before.append(where.get(key, 0))
        where[key] = len(self._writer)
        self._writer.append(event)
        self._means.append(event if means is None else means)
        self._replaces.append(replaces)

    def _fetch(self, event: int, table: dict[str, int], found: set[int]) -> None:
        """The header of a loop fetches an item.

        Only a fetch goes on where another stopped; the header that makes the iterator, which has
        no scope in its own loop, begins anew.
        """
        statement, scope = self.trace.statement, self.trace.scope[event]
        key = f"<next>{statement[event]}"
        if key in table and scope != NONE and statement[scope] == statement[event]:
            found.add(~table[key])
        self._define(table, key, event)

    def _change_argument(
        self, event: int, tables: dict[int, dict[str, int]], shared: dict[str, int], found: set[int]
    ) -> None:
        """``event`` changes what its callers handed over: so do the calls."""
        trace = self.trace
        changing = event
        while (above := trace.caller[event]) != NONE:
            change: dict[None, int] = {}
            self._define(change, None, changing, event)
            self._later.setdefault(above, []).append(~change[None])
            effects = self.facts.effects[trace.statement[above]]
            if effects is None:
                return
            table = tables.setdefault(trace.activation[above], {})
            for local, key in effects.hands:
                where = table if local else shared
                if key in where:
                    found.add(~where[key])
                self._define(where, key, changing, above)
            if not effects.hands_argument:
                return
            event = above


class _Resolving:
    """Follows definitions back to the last one by an event that is ``kept`` (a flag for each)."""

    def __init__(self, dependences: Dependences, among: Iterable[int] | None) -> None:
        size = len(dependences.trace)
        events = dependences.events if among is None else among
        if isinstance(events, range):
            self.kept = bytearray(b"\1") * size
        else:
            self.kept = bytearray(size)
            for event in events:
                self.kept[event] = 1
        self._writer, self._means = dependences._writer, dependences._means
        self._before = dependences._before
        # Ways that have been gone: no call takes longer than there are definitions.
        self._known: dict[int, int] = {}

    def __call__(self, target: int) -> int:
        """The event that a target, ``~definition``, comes to; ``NONE`` if nothing wrote there."""
        kept, writer, before = self.kept, self._writer, self._before
        index = ~target
        if index and not kept[writer[index]]:
            known = self._known
            way = []
            while index and not kept[writer[index]]:
                if index in known:
                    index = known[index]
                    break
                way.append(index)
                index = before[index]
            for each in way:
                known[each] = index
        return self._means[index]
