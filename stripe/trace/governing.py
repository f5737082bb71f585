"""The conditions that decided that events ran: dynamic control dependence, all the way up.

Where a condition asked a function, what gave its result decided as well.

Where the trace dictates which way control goes, conditions need not be kept.  They are no less part
of why the kept events ran, and whoever reads a slice wants to see them.
"""

from __future__ import annotations

from array import array
from collections.abc import Sequence

from stripe.trace.model import NONE, Trace

PREDICATES = frozenset({"If", "While", "For", "AsyncFor", "Match"})
"""Kinds of statements that decide whether others run, as far as a text tells."""


def governing(trace: Trace, events: Sequence[int]) -> tuple[int, ...]:
    """The events, not among ``events``, that decided that these ran, in order.

    What decided that a deciding event ran, or the calls that led to it, counts as well; and where
    it decides by the result of a call, so does what gave that result (a predicate's ``return``).
    """
    caller, scope, control = trace.caller, trace.scope, trace.control
    if len(control) != len(trace):
        return ()  # nothing is known of it
    results = Results(trace)
    given = set(events)
    seen = set(events)
    found: set[int] = set()
    todo = list(events)

    def decides(event: int) -> None:
        """Mark an event, and what gave the results of its calls."""
        pending = [event]
        while pending:
            event = pending.pop()
            if event not in found:
                found.add(event)
                pending += results.of(event)
                if event not in seen:
                    seen.add(event)
                    todo.append(event)

    while todo:
        event = todo.pop()
        decider = control[event]
        if decider != NONE:
            decides(decider)
        for parent in (caller[event], scope[event]):
            if parent != NONE and parent not in seen:
                seen.add(parent)
                todo.append(parent)
    return tuple(sorted(found - given))


class Results:
    """The events that calls ended with: what gave their results."""

    def __init__(self, trace: Trace) -> None:
        self._last = dict(zip(trace.activation, range(len(trace)), strict=True))
        self._calls: dict[int, list[int]] = {}
        for activation, event in self._last.items():
            self._calls.setdefault(trace.caller[event], []).append(activation)

    def of(self, event: int) -> list[int]:
        """Of the calls that an event made."""
        return [self._last[activation] for activation in self._calls.get(event, ())]


def enclosing(trace: Trace) -> array[int]:
    """Control parents as far as the text tells: the latest execution of the header around it.

    For traces whose control dependences were not written down.
    """
    around = array("i", [NONE]) * len(trace.statements)
    for statement in trace.statements:
        parent = statement.parent
        if parent != NONE:
            decides = trace.statements[parent].kind in PREDICATES
            around[statement.id] = parent if decides else around[parent]
    latest: dict[tuple[int, int], int] = {}
    control = array("i", [NONE]) * len(trace)
    for event, number in enumerate(trace.statement):
        activation = trace.activation[event]
        control[event] = latest.get((activation, around[number]), NONE)
        latest[activation, number] = event
    return control
