"""The dead values of a recording, with what they were."""

from __future__ import annotations

from collections.abc import Sequence

from stripe.backend import End, Recording, Values
from stripe.trace.dead_values import DeadValue, dead_values

MOST = 20
"""Dead values that a result has."""


def dead_values_of(recording: Recording, symptom: Sequence[int]) -> tuple[DeadValue, ...]:
    """The dead values of the recorded run, until the last event of its symptom is over."""
    recorded = recording.recorded
    crashed = recorded.exception is not None or recorded.end is not End.EXITED
    last = max(symptom, default=None)
    return tuple(dead_values(recording.trace, last, crashed=crashed)[:MOST])


def with_values(found: Sequence[DeadValue], values: Values) -> tuple[DeadValue, ...]:
    """The same, with the texts of what variables held at their events in the whole run."""
    return tuple(
        each._replace(value=values.get(each.event, {}).get(each.name, "")) for each in found
    )
