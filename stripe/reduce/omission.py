"""Slices of which next to nothing is left: what is wrong may be something that did not happen.

A result that is missing needs no computation: a function that returns nothing, an item that was
never added.  The rule: no kept event but the last uses what another has computed (definitions,
calls on the way, first values and calls of which all is left out do not count), although what the
last one shows was computed by left out events, or would have been by a statement that was never
reached.
"""

from __future__ import annotations

from collections.abc import Sequence

from stripe.trace import NONE, Dependences, Trace

FEW = 4
"""Kept events, definitions and callers aside, that are next to nothing."""

LARGEST = 300_000
"""Events of a trace up to which this is looked at; it takes a pass over all of them."""

DEFINITIONS = frozenset(
    {"FunctionDef", "AsyncFunctionDef", "ClassDef", "Import", "ImportFrom", "TypeAlias"}
)


def nearly_empty(trace: Trace, events: Sequence[int]) -> bool:
    """Whether ``events``, a slice, show by hardly anything that something did not happen."""
    statements, kept = trace.statements, set(events)
    callers = {trace.caller[event] for event in events}
    core = [
        event
        for event in events
        if event not in callers and statements[trace.statement[event]].kind not in DEFINITIONS
    ]
    known = any(statement.reads for statement in statements)  # not all backends can tell
    if not known or not 0 < len(core) <= FEW or len(trace) > LARGEST:
        return False
    last = core[-1]
    calls = set(trace.caller)
    among = Dependences(trace, events)
    for event in core[:-1]:
        if event not in calls and set(among.sources(event)).intersection(core):
            return False
    sources = {last, *Dependences(trace).sources(last)}
    if calls.intersection(sources, core):  # a call that did nothing
        return True
    return bool(sources - kept) or _unreached(trace, last)


def _unreached(trace: Trace, event: int) -> bool:
    """Whether a statement that never ran, within one that did, sets what ``event`` reads."""
    statements, executed = trace.statements, set(trace.statement)
    here = statements[trace.statement[event]]
    names = {name for name in here.reads if not name.startswith((".", "<"))}
    return any(
        each.id not in executed
        and each.parent in executed
        and each.file == here.file
        and names.intersection(name.lstrip("*?") for name in each.writes)
        for each in statements
        if each.parent != NONE
    )


def advice(name: str) -> str:
    """What to tell of such a slice."""
    return (
        f"Almost nothing is needed for {name!r}: what is wrong may be something that did not "
        "happen. Next: --control program, which keeps the conditions that decided, or a check "
        "of a value, --check 'var:NAME@FILE:LINE'."
    )
