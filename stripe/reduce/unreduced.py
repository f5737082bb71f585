"""A recorded run of which nothing was left out: what is known of it before any search.

Nothing of it was tested: it has what the run executed, where its symptom is, and what variables
held, if one more replay of all of it shows the same.
"""

from __future__ import annotations

from collections.abc import Sequence

from stripe.backend import Recording, Values, Watching
from stripe.checks import Criterion
from stripe.dd import Outcome, Reason
from stripe.deadline import Deadline, OutOfTime
from stripe.reduce.criterion import criterion_events
from stripe.reduce.replays import WATCHING
from stripe.reduce.result import CriticalSlice
from stripe.reduce.settings import Settings

WATCHING_SHARE = 0.3
"""Of the time that is left, so much at most is for seeing what variables held in the whole run."""

WATCHING_SECONDS, WATCHING_MOST = 2.0, 60.0
"""Seconds that this may take also where no time is left, and whatever time is left."""


def unreduced_slices(
    recording: Recording, criteria: Sequence[Criterion], settings: Settings, why: str = ""
) -> list[CriticalSlice]:
    """All of the run as a slice for each criterion; ``why``: what keeps it from being tested."""
    events = tuple(range(len(recording.trace)))
    values = values_of_the_run(recording, criteria, settings)
    return [
        CriticalSlice(
            name=each.name,
            check=each.check.spec,
            events=events,
            of=len(events),
            outcomes={},
            cached=0,
            certified=False,
            stopped=Reason.MAX_TIME if settings.deadline.over else Reason.FINISHED,
            verified=None,
            seconds=0.0,
            evidence=each.evidence,
            shown=each.shown,
            symptom=criterion_events(recording.trace, each),
            values=values,
            same=settings.same,
            untried=why,
        )
        for each in criteria
    ]


def values_of_the_run(
    recording: Recording, criteria: Sequence[Criterion], settings: Settings
) -> Values:
    """What variables held; nothing where that cannot be seen in the time, or another run is."""
    events, deadline = range(len(recording.trace)), settings.deadline
    if not settings.watch or not isinstance(recording, Watching):
        return {}
    seconds = deadline.share(WATCHING_SHARE, WATCHING_SECONDS, WATCHING_MOST)
    if WATCHING * recording.recorded.seconds > seconds:
        return {}
    try:
        with (
            Deadline(seconds).cutting(),
            recording.watch(events, strict=settings.strict) as (observation, values),
        ):
            fails = all(each.judge(observation) is Outcome.FAIL for each in criteria)
            return values if fails else {}
    except OutOfTime:
        return {}
