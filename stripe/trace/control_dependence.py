"""The conditions that decided that events ran: dynamic control dependence, all the way up.

Where a condition asked a function, what gave its result decided as well.

Where the trace dictates which way control goes, conditions need not be kept.  They are no less part
of why the kept events ran, and whoever reads a slice wants to see them.
"""

from __future__ import annotations

from array import array
from collections.abc import Sequence
from itertools import compress

from stripe.index_set import packed
from stripe.trace.model import NONE, Trace, flags

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
    size = len(trace)
    seen, found = flags(events, size), bytearray(size)
    todo = array("i", events)

    def decides(event: int) -> None:
        """Mark an event, and what gave the results of its calls."""
        pending = [event]
        while pending:
            event = pending.pop()
            if not found[event]:
                found[event] = 1
                pending += results.last_events(event)
                if not seen[event]:
                    seen[event] = 1
                    todo.append(event)

    while todo:
        event = todo.pop()
        decider = control[event]
        if decider != NONE:
            decides(decider)
        for parent in (caller[event], scope[event]):
            if parent != NONE and not seen[parent]:
                seen[parent] = 1
                todo.append(parent)
    for event in events:
        found[event] = 0
    return packed(compress(range(size), found))


class Results:
    """The events that calls ended with: what gave their results."""

    def __init__(self, trace: Trace) -> None:
        last = array("i", [NONE]) * (max(trace.activation, default=0) + 1)
        for event, activation in enumerate(trace.activation):
            last[activation] = event
        self._last = last
        # By event the last activation that it called, by this one the one before, and so on.
        self._calls: dict[int, int] = {}
        self._before = array("i", [NONE]) * len(last)
        for activation, event in enumerate(last):
            if event != NONE:
                call = trace.caller[event]
                self._before[activation] = self._calls.get(call, NONE)
                self._calls[call] = activation

    def last_events(self, event: int) -> list[int]:
        """Of the calls that an event made."""
        found, activation = [], self._calls.get(event, NONE)
        while activation != NONE:
            found.append(self._last[activation])
            activation = self._before[activation]
        return found


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
