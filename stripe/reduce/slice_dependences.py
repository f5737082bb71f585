"""Why kept events need each other: the dependences among the events of a slice.

They explain, they prove nothing: what must be kept was found by testing.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache

from stripe.reduce.result import Dependence
from stripe.trace import Dependences, Trace

MOST = 20_000
"""Events of a slice up to which it is explained."""


def is_large(events: Sequence[int]) -> bool:
    """Whether a slice has too many events to explain each of them."""
    return len(events) > MOST


def dependences(
    trace: Trace, events: Sequence[int], *, control: bool = False
) -> tuple[Dependence, ...]:
    """The dependences among ``events``, in their order."""
    if is_large(events):
        return ()
    explain = explainer(trace)
    found = Dependences(trace, events, control=control)
    return tuple(explain(event, on) for event in events for on in found.sources(event))


def near_dependences(
    trace: Trace, symptom: Sequence[int], most: int = MOST
) -> tuple[Dependence, ...]:
    """What the whole run's ``symptom`` depends on, by data and control, the nearest first.

    ``most``: events that are looked at.
    """
    explain = explainer(trace)
    known = Dependences(trace, control=True)
    found: list[Dependence] = []
    seen, level = set(symptom), sorted(symptom, reverse=True)
    while level and len(seen) < most:
        following: list[int] = []
        for event in level:
            sources = known.sources(event)
            found += (explain(event, on) for on in sources)
            following += (on for on in sources if on not in seen)
            seen.update(sources)
        level = sorted(set(following), reverse=True)
    return tuple(found)


def explainer(trace: Trace) -> Callable[[int, int], Dependence]:
    """What tells why an event depends on another one."""

    @cache
    def names(reading: int, writing: int) -> tuple[str, ...]:
        """The variables by which an execution of one statement may depend on one of another."""
        reads = variables(trace.statements[reading].reads)
        return tuple(sorted(reads & variables(trace.statements[writing].writes)))

    return lambda event, on: _explain(trace, event, on, names)


def _explain(
    trace: Trace, event: int, on: int, names_of: Callable[[int, int], tuple[str, ...]]
) -> Dependence:
    """What ``event`` needs ``on`` for."""
    if trace.caller[event] == on:
        return Dependence(event, on, "call", ())
    if on > event:
        return Dependence(event, on, "return", ())
    names = names_of(trace.statement[event], trace.statement[on])
    if names:
        return Dependence(event, on, "data", names)
    if on in trace.parents(event, control=True):
        return Dependence(event, on, "control", ())
    return Dependence(event, on, "data", ())


def variables(locations: Sequence[str]) -> set[str]:
    """The names that people know of what the trace's model calls locations."""
    names = (location.lstrip("*?").rpartition(":")[2] for location in locations)
    return {name for name in names if name and name[0] != "<"}
