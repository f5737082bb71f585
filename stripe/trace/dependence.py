"""Dynamic dependences: which earlier event wrote what an event reads (Korel & Laski 1988).

They are found in one pass over the events, from what each statement reads and writes
(:class:`~stripe.trace.Statement`).  Aliases are not followed, so a slice may miss events, and
it may hold too many: it is a proposal where to search.  Nobody may take it for an answer.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Sequence

from stripe.trace.model import NONE, Trace

# What a location is kept in: a table per activation, or the one table of all that is shared.
Access = tuple[bool, str]  # local, key


class ResolvedEffects:
    """What one statement reads and writes, with the shared locations made unambiguous."""

    __slots__ = (
        "changes", "changes_argument", "fetches", "hands", "hands_argument", "reads", "returns",
        "writes",
    )  # fmt: skip

    def __init__(self, trace: Trace, number: int, modules: dict[str, int]) -> None:
        statement = trace.statements[number]
        self.reads: list[Access] = []
        self.writes: list[Access] = []
        self.changes: list[Access] = []  # `*`: read as well
        self.hands: list[Access] = []  # `?`
        self.returns = self.fetches = self.changes_argument = self.hands_argument = False
        for location in statement.reads:
            if location == "<next>":
                self.fetches = True
            else:
                self.reads.append(self._access(location, statement.file, modules))
        for location in statement.writes:
            if location == "<return>":
                self.returns = True
            elif location == "*<argument>":
                self.changes_argument = True
            elif location == "?<argument>":
                self.hands_argument = True
            elif location in OUTPUTS:
                continue
            elif location[0] in "*?":
                access = self._access(location[1:], statement.file, modules)
                (self.changes if location[0] == "*" else self.hands).append(access)
            elif location != "<next>":
                self.writes.append(self._access(location, statement.file, modules))

    @staticmethod
    def _access(location: str, file: int, modules: dict[str, int]) -> Access:
        module, separator, name = location.partition("::")
        if separator:
            return False, f"{modules.get(module, file) if module else file}::{name}"
        if ":" in location:
            return False, f"{file}:{location}"
        return not location.startswith((".", "<")), location


OUTPUTS = frozenset({"<stdout>", "<stderr>", "<exit>"})
"""What nobody in the program reads."""


class Facts:
    """What holds for a trace whichever of its events take effect."""

    def __init__(self, trace: Trace) -> None:
        self.owners = owners(trace)
        self.effects: list[ResolvedEffects | None] = [None] * len(trace.statements)
        self.ended = ended(trace)
        self._trace = trace
        self._modules = _module_files(trace)

    def resolve(self, number: int) -> ResolvedEffects:
        """The effects of a statement that was not asked for before."""
        found = self.effects[number] = ResolvedEffects(self._trace, number, self._modules)
        return found


class Dependences:
    """The dependences among ``events`` (sorted), as if no other event had taken effect.

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
        self.initial = bytearray(len(self.events))
        """Whether an event (by position) writes something that nothing wrote before."""
        self._position: dict[int, int] | None = None
        if events is not None:
            self._position = {event: position for position, event in enumerate(events)}
        self._start = array("q", [0])
        self._targets = array("i")
        self._later: dict[int, list[int]] = {}
        self._control = control
        self._build()

    def of(self, event: int) -> list[int]:
        """The events that ``event`` depends on directly."""
        position = event if self._position is None else self._position[event]
        found = list(self._targets[self._start[position] : self._start[position + 1]])
        return found + self._later.get(event, [])

    def slice(self, criterion: Iterable[int]) -> tuple[int, ...]:
        """All events that the events of ``criterion`` depend on, these included; sorted.

        Those of ``criterion`` that are not among the events are left out.
        """
        start, targets, later, where = self._start, self._targets, self._later, self._position
        seen = bytearray(len(self.trace))
        todo: list[int] = []
        for event in criterion:
            if (where is None or event in where) and not seen[event]:
                seen[event] = 1
                todo.append(event)
        while todo:
            event = todo.pop()
            position = event if where is None else where[event]
            for target in targets[start[position] : start[position + 1]]:
                if not seen[target]:
                    seen[target] = 1
                    todo.append(target)
            for target in later.get(event, ()):
                if not seen[target]:
                    seen[target] = 1
                    todo.append(target)
        return tuple(event for event in self.events if seen[event])

    def _build(self) -> None:
        trace = self.trace
        statement, activation, caller, scope = (
            trace.statement, trace.activation, trace.caller, trace.scope,
        )  # fmt: skip
        deciding = trace.control if self._control else scope
        after, ended = len(trace) - 1, self.facts.ended
        effects_of, later = self.facts.effects, self._later
        tables: dict[int, dict[str, int]] = {}
        shared: dict[str, int] = {}
        defined: dict[int, int] = {}  # statement that defines functions: its last event
        start, targets = self._start, self._targets
        initial = self.initial
        current = NONE
        table: dict[str, int] = {}
        places = shared, table  # by whether a location is local
        for position, event in enumerate(self.events):
            number = statement[event]
            effects = effects_of[number] or self.facts.resolve(number)
            above = caller[event]
            found = {above, scope[event], deciding[event]}
            if activation[event] != current:
                current = activation[event]
                if current not in tables:
                    tables[current] = {}
                    self._note_call(above, number, defined)
                table = tables[current]
                places = shared, table
            for local, key in effects.reads:
                found.add(places[local].get(key, NONE))
            if effects.fetches:
                self._fetch(event, table, found)
            changes, argument = effects.changes, effects.changes_argument
            if effects.hands and (event == after or caller[event + 1] != event):
                # Nothing is known of what was called; of traced code, its events tell.
                changes, argument = changes + effects.hands, argument or effects.hands_argument
            for local, key in changes:
                where = places[local]
                found.add(where.get(key, NONE))
                where[key] = event
            if argument:
                self._change_argument(event, tables, shared)
            for local, key in () if event in ended else effects.writes:
                where = places[local]
                if key[0] in ".<":
                    # Of which object is not known, so what was written before may count.
                    found.add(where.get(key, NONE))
                elif key not in where:
                    initial[position] = 1
                where[key] = event
            if effects.returns and above != NONE:
                later.setdefault(above, []).append(event)
            defined[number] = event
            found.discard(NONE)
            found.discard(event)
            targets.extend(found)
            start.append(len(targets))

    def _note_call(self, call: int, first: int, defined: dict[int, int]) -> None:
        """The call needs the definition of what it calls, whatever name it was called by.

        ``first`` is a statement of what was called.
        """
        definition = self.facts.owners[first]
        if definition is not None and definition in defined and call != NONE:
            self._later.setdefault(call, []).append(defined[definition])

    def _fetch(self, event: int, table: dict[str, int], found: set[int]) -> None:
        """The header of a loop fetches an item.

        Only a fetch goes on where another stopped; the header that makes the iterator, which has
        no scope in its own loop, begins anew.
        """
        statement, scope = self.trace.statement, self.trace.scope[event]
        key = f"<next>{statement[event]}"
        if scope != NONE and statement[scope] == statement[event]:
            found.add(table.get(key, NONE))
        table[key] = event

    def _change_argument(
        self, event: int, tables: dict[int, dict[str, int]], shared: dict[str, int]
    ) -> None:
        """``event`` changes what its callers handed over: so do the calls."""
        trace = self.trace
        while True:
            above = trace.caller[event]
            if above == NONE:
                return
            self._later.setdefault(above, []).append(event)
            effects = self.facts.effects[trace.statement[above]]
            if effects is None:
                return
            table = tables.setdefault(trace.activation[above], {})
            for local, key in effects.hands:
                where = table if local else shared
                before = where.get(key, NONE)
                if before not in (NONE, above):
                    self._later[above].append(before)
                where[key] = above
            if not effects.hands_argument:
                return
            event = above


def ended(trace: Trace) -> set[int]:
    """The events of loop headers that ended their loop: they bind nothing.

    What follows one that fetched an item, in the same activation, is in the loop's body.
    """
    fetching = bytearray("<next>" in each.writes for each in trace.statements)
    statement, activation, scope = trace.statement, trace.activation, trace.scope
    found: set[int] = set()
    open_fetches: dict[int, int] = {}  # by activation: a fetch that nothing has followed yet
    for event, number in enumerate(statement):
        if open_fetches:
            fetch = open_fetches.pop(activation[event], NONE)
            if fetch != NONE:
                above = scope[fetch]
                maker = above if above != NONE and statement[above] == statement[fetch] else fetch
                if scope[event] != maker:
                    found.add(fetch)
        if fetching[number]:
            open_fetches[activation[event]] = event
    found.update(open_fetches.values())
    return found


def _module_files(trace: Trace) -> dict[str, int]:
    """The number of each file by the name of its module, without packages."""
    found = {}
    for number, file in enumerate(trace.files):
        folder, _, name = file.path.rpartition("/")
        stem = name.rpartition(".")[0] or name
        found[folder.rpartition("/")[2] if stem == "__init__" else stem] = number
    return found


def owners(trace: Trace) -> list[int | None]:
    """For each statement the one that defines the function it is in; None at the top."""
    found: list[int | None] = []
    for statement in trace.statements:
        parent = statement.parent
        if parent == NONE:
            found.append(None)
        elif trace.statements[parent].function != statement.function:
            found.append(parent)
        else:
            found.append(found[parent])
    return found
