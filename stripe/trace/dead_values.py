"""Dead values: what a recorded run computed, and overwrote or dropped before anything read it.

A definition without a use, in one run (a dead store, of data flow analysis).  It is told only of
variables all of whose reads are known (:mod:`.private_assignments`), never of attributes or
elements.
"""

from __future__ import annotations

from array import array
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import NamedTuple

from stripe.trace.model import NONE, Trace
from stripe.trace.private_assignments import Assignment, private_assignments

KINDS = frozenset({"Assign", "AnnAssign"})
"""Kinds of statements of Python that assign a whole variable."""


class DeadValue(NamedTuple):
    """A value that nothing read.

    - ``name``: the variable
    - ``event``: the last event of its statement that wrote one
    - ``overwritten``: the event that wrote the next value there; ``None``: its function ended
    - ``times``: how many values of that statement ended this way
    - ``value``: what it was, as text; empty: not known
    """

    name: str
    event: int
    overwritten: int | None
    times: int
    value: str = ""


class _Plan(NamedTuple):
    """What an execution of a statement does to the variables that are followed."""

    touches: tuple[str, ...]
    assigned: Assignment | None


def dead_values(
    trace: Trace, symptom: int | None = None, *, crashed: bool = False
) -> list[DeadValue]:
    """The dead values of a run until an event is over (by default the last), the latest first.

    ``crashed``: the run ended where its last event was, so what waited there was not dropped.
    """
    plans = _plans(trace)
    if not any(plan is not None and plan.assigned for plan in plans):
        return []
    found = _Pass(trace, plans, crashed)
    found.run()
    end = len(trace) if symptom is None else _end(trace, symptom)
    told = [each for each in found.told() if each.event < end]
    return sorted(told, key=lambda each: -each.event)


def _end(trace: Trace, event: int) -> int:
    """The event at which what ``event`` has called is over: the next one of its activation."""
    activation = trace.activation[event]
    following = range(event + 1, len(trace))
    return next((each for each in following if trace.activation[each] == activation), len(trace))


def _plans(trace: Trace) -> list[_Plan | None]:
    """By statement, what is to be followed of it."""
    if not any(each.kind in KINDS for each in trace.statements):
        return []
    texts = [each.text for each in trace.files]
    private = private_assignments(texts)
    followed = {each.location for places in private for each in places.values() if each.computes}
    plans: list[_Plan | None] = []
    for each in trace.statements:
        assigned = private[each.file].get((each.line, each.column))
        if each.kind not in KINDS or assigned is None or assigned.location not in each.writes:
            assigned = None
        touched = {location.lstrip("*?") for location in (*each.reads, *each.writes)} & followed
        if assigned is not None and assigned.location not in each.reads:
            touched.discard(assigned.location)
        plan = _Plan(tuple(sorted(touched)), assigned)
        plans.append(plan if touched or assigned else None)
    return plans


@dataclass
class _Pass:
    """One pass over the events: which values wait to be read.

    - ``waiting``: by activation and variable, the event that wrote
    - ``used``: by activation and variable, the statement whose value there was read last
    - ``dead``: by the statements that wrote and overwrote, the last such events
    - ``read``: how many values of a statement were read
    - ``between``: statements one of whose values was read before the statement wrote another
    """

    trace: Trace
    plans: list[_Plan | None]
    crashed: bool
    waiting: dict[tuple[int, str], int] = field(default_factory=dict)
    used: dict[tuple[int, str], int] = field(default_factory=dict)
    dead: dict[tuple[int, int], tuple[int, int]] = field(default_factory=dict)
    times: Counter[tuple[int, int]] = field(default_factory=Counter)
    read: Counter[int] = field(default_factory=Counter)
    between: set[int] = field(default_factory=set)

    def run(self) -> None:
        """Read all the events, then settle what is left."""
        trace, plans = self.trace, self.plans
        last = array("i", [NONE]) * len(trace.activations)
        for event, activation in enumerate(trace.activation):
            last[activation] = event
        for event, number in enumerate(trace.statement):
            plan = plans[number]
            if plan is not None:
                activation = trace.activation[event]
                # The last event of an activation may have raised before it assigned.
                self._execute(event, number, activation, plan, done=last[activation] > event)
        self._drop()

    def _execute(
        self, event: int, number: int, activation: int, plan: _Plan, *, done: bool
    ) -> None:
        for location in plan.touches:
            wrote = self.waiting.pop((activation, location), NONE)
            if wrote != NONE:
                writer = self.trace.statement[wrote]
                self.read[writer] += 1
                self.used[activation, location] = writer
        if plan.assigned is None:
            return
        key = activation, plan.assigned.location
        wrote = self.waiting.pop(key, NONE)
        if self.used.pop(key, NONE) == number:
            self.between.add(number)
        if not done:
            return
        if wrote != NONE:
            self._note(wrote, event)
        if plan.assigned.computes:
            self.waiting[key] = event

    def _note(self, wrote: int, overwrote: int) -> None:
        statement = self.trace.statement
        pair = statement[wrote], NONE if overwrote == NONE else statement[overwrote]
        self.times[pair] += 1
        self.dead[pair] = wrote, overwrote

    def _drop(self) -> None:
        """What functions that are over did not read, where none of that statement was ever read."""
        trace = self.trace
        if trace.extent is not None:  # it may have been read after the part that was recorded
            return
        running = set()
        event = len(trace) - 1
        if not self.crashed and trace.statements[trace.statement[event]].kind == "Return":
            event = trace.caller[event]
        while event != NONE:
            running.add(trace.activation[event])
            event = trace.caller[event]
        for (activation, _), wrote in sorted(self.waiting.items(), key=lambda each: each[1]):
            plan = self.plans[trace.statement[wrote]]
            if activation not in running and plan and plan.assigned and plan.assigned.ends:
                self._note(wrote, NONE)

    def told(self) -> Iterable[DeadValue]:
        """What is worth telling: no statement that only sometimes computes in vain."""
        for pair, (wrote, overwrote) in self.dead.items():
            writer, other = pair
            if other == NONE and self.read[writer]:
                continue
            if other == writer and writer in self.between:
                continue
            plan = self.plans[writer]
            assert plan is not None
            assert plan.assigned is not None
            over = None if overwrote == NONE else overwrote
            yield DeadValue(plan.assigned.name, wrote, over, self.times[pair])
