"""The conditions that decided that events ran: dynamic control dependence, all the way up.

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

    What decided that a deciding event ran, or the calls that led to it, counts as well.
    """
    caller, scope, control = trace.caller, trace.scope, trace.control
    if len(control) != len(trace):
        return ()  # nothing is known of it
    given = set(events)
    seen = set(events)
    found: set[int] = set()
    todo = list(events)
    while todo:
        event = todo.pop()
        decider = control[event]
        if decider != NONE and decider not in given:
            found.add(decider)
        for parent in (caller[event], scope[event], decider):
            if parent != NONE and parent not in seen:
                seen.add(parent)
                todo.append(parent)
    return tuple(sorted(found))


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
