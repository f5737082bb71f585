"""Along the dependences of a slice: who needs a kept execution, and what it needs."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping
from heapq import heappop, heappush

from stripe.reduce import CriticalSlice, Dependence, Result
from stripe.report.style import printable
from stripe.trace import Statement

MOST = 10
"""Executions named as what one execution uses."""

LONGEST = 100
"""Places of a chain."""


def dependants(found: CriticalSlice) -> Mapping[int, list[Dependence]]:
    """For kept events, the dependences of others on them."""
    needed: dict[int, list[Dependence]] = defaultdict(list)
    for each in found.dependences:
        if each.on != each.event:
            needed[each.on].append(each)
    return needed


def label(each: Dependence) -> str:
    """What a dependence is about, to be put behind an event."""
    if each.names:
        return f" ({printable(', '.join(each.names))})"
    return {"call": " (the call)", "return": " (what it returned)", "control": " (control)"}.get(
        each.kind, ""
    )


def origins(
    result: Result, found: CriticalSlice, start: Statement
) -> Iterator[tuple[Statement, str]]:
    """Kept statements with a text, from ``start`` back in time along what each depends on.

    A statement comes once, at the execution met first; what no dependence leads to comes last.
    """
    trace = result.trace
    needs: dict[int, list[Dependence]] = defaultdict(list)
    for each in found.dependences:
        needs[each.event].append(each)
    why: dict[int, Dependence | None] = {}
    told: set[int] = set()
    left = list(found.events)
    left += [event for event in left if trace.statement[event] == start.id][-1:]
    queue: list[int] = []
    while (queue or left) and len(told) < LONGEST:
        if not queue:
            if (event := left.pop()) not in why:
                why[event] = None
                queue.append(-event)
            continue
        event = -heappop(queue)
        for each in needs[event]:
            if each.on not in why:
                why[each.on] = each
                heappush(queue, -each.on)
        number = trace.statement[event]
        if number not in told:
            told.add(number)
            yield trace.statements[number], _told_of(result, found, event, why[event])


def _told_of(result: Result, found: CriticalSlice, event: int, why: Dependence | None) -> str:
    """An execution, what its variables held, and for what it is needed."""
    text = result.trace.name(event)
    if values := found.held(event):
        text += ": " + ", ".join(f"{name} = {value}" for name, value in values.items())
    if why is not None:
        text += f", for {result.trace.name(why.event)}{label(why)}"
    return printable(text)
