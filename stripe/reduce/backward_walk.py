"""The way back: a slice in the order somebody reads who goes from the symptom to its causes.

It begins at what the check probably looks at (the lines that are asked about were printed there),
or else at the last event, and follows the dependences, nearest first; they explain, and prove
nothing (:mod:`stripe.reduce.slice_dependences`).
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from stripe.reduce.result import CriticalSlice, Dependence
from stripe.trace import NONE, Results, Trace


class StepBack(NamedTuple):
    """``event`` is ``distance`` dependences away from the symptom, the last of them ``by``.

    Where no dependence is known that leads to it, both are ``None``; ``by`` also for the first.
    """

    event: int
    distance: int | None
    by: Dependence | None


def way_back(trace: Trace, found: CriticalSlice) -> Iterator[StepBack]:
    """All events that are kept or decided that such ran; of those equally far the latest first."""
    rest = sorted({*found.events, *found.governing}, reverse=True)
    leads = _leads(trace, found, set(rest))
    seen: set[int] = set()
    distance: int | None = 0
    symptom = sorted(found.symptom, reverse=True) or rest[:1]
    for starts in (symptom, *([each] for each in rest)):
        if seen.issuperset(starts):
            continue
        seen.update(starts)
        level = [StepBack(start, distance, None) for start in starts]
        while level:
            yield from level
            distance = None if distance is None else distance + 1
            near: dict[int, Dependence] = {}
            for step in level:
                for each in leads.get(step.event, ()):
                    if each.on not in seen:
                        near.setdefault(each.on, each)
            seen.update(near)
            level = [StepBack(event, distance, near[event]) for event in sorted(near, reverse=True)]
        distance = None


def _leads(trace: Trace, found: CriticalSlice, known: set[int]) -> dict[int, list[Dependence]]:
    """For each event what it depends on, among those that are ``known``."""
    leads: dict[int, list[Dependence]] = {}
    for each in found.dependences:
        leads.setdefault(each.event, []).append(each)
    if found.governing:
        results = Results(trace)
        for event in known:
            decider = trace.control[event]
            if decider != NONE and decider in known:
                leads.setdefault(event, []).append(Dependence(event, decider, "control", ()))
        for event in found.governing:
            for result in known.intersection(results.last_events(event)):
                leads.setdefault(event, []).append(Dependence(event, result, "return", ()))
    return leads
