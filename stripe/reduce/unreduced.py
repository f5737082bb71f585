"""A recorded run of which nothing was left out: all that is known where no search could be made.

Nothing of it was tested: it has what the run executed, where its symptom is, and what variables
held, if one more replay of all of it shows the same.
"""

from __future__ import annotations

from stripe.backend import Recording, Values, Watching
from stripe.checks import Criterion
from stripe.dd import Outcome, Reason
from stripe.deadline import OutOfTime
from stripe.reduce.criterion import criterion_events
from stripe.reduce.replays import WATCHING
from stripe.reduce.result import CriticalSlice
from stripe.reduce.settings import Settings

WATCHING_SECONDS = 2.0
"""Seconds that it may take to see what variables held, also where the time is over."""


def unreduced_slice(
    recording: Recording, criterion: Criterion, settings: Settings, why: str
) -> CriticalSlice:
    """All of the run as a slice that is not tested; ``why``: what kept it from being."""
    events = range(len(recording.trace))
    return CriticalSlice(
        name=criterion.name,
        check=criterion.check.spec,
        events=tuple(events),
        of=len(events),
        outcomes={},
        cached=0,
        certified=False,
        stopped=Reason.MAX_TIME if settings.deadline.over else Reason.FINISHED,
        verified=None,
        seconds=0.0,
        evidence=criterion.evidence,
        shown=criterion.shown,
        symptom=criterion_events(recording.trace, criterion),
        values=_values(recording, criterion, settings),
        same=settings.same,
        untried=why,
    )


def _values(recording: Recording, criterion: Criterion, settings: Settings) -> Values:
    """What variables held; nothing where that cannot be seen in the time, or another run is."""
    events, deadline = range(len(recording.trace)), settings.deadline
    if not settings.watch or not isinstance(recording, Watching):
        return {}
    if WATCHING * recording.recorded.seconds > WATCHING_SECONDS + deadline.left:
        return {}
    try:
        with (
            deadline.cutting(deadline.late + WATCHING_SECONDS),
            recording.watch(events, strict=settings.strict) as (observation, values),
        ):
            return values if criterion.judge(observation) is Outcome.FAIL else {}
    except OutOfTime:
        return {}
