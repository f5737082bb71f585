"""One test: a replay, judged; and once more where memory may hold something else.

A replay that shows the criterion counts only if it does so whatever is in memory that nothing has
written: what was left out would have written it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from stripe.backend import End, Observation, Recording, Varied
from stripe.checks import Criterion
from stripe.dd import Outcome

UNWRITTEN = "it depends on memory that nothing wrote"


def replayed(
    recording: Recording,
    criterion: Criterion,
    events: Sequence[int],
    *,
    strict: bool,
    fresh: bool = False,
) -> tuple[Outcome, Observation]:
    """The outcome of a replay of ``events``, and what was seen."""
    observation: Observation
    with recording.replay(events, strict=strict, fresh=fresh) as observation:
        outcome = criterion.judge(observation)
    if outcome is not Outcome.FAIL or not isinstance(recording, Varied):
        return outcome, observation
    first = _seen(observation)
    for variant in range(1, recording.variants):
        with recording.replay(events, strict=strict, fresh=fresh, variant=variant) as observation:
            if criterion.judge(observation) is not Outcome.FAIL or _seen(observation) != first:
                run = replace(observation, end=End.DIVERGED, detail=UNWRITTEN)
                return Outcome.UNRESOLVED, run
    return outcome, observation


def _seen(observation: Observation) -> tuple[object, ...]:
    """What must be the same; the exit status is if the criterion looks at it."""
    status = None if observation.end is End.EXITED else observation.status
    return (
        *(observation.end, status, observation.stdout, observation.stderr),
        *(observation.exception, observation.values),
    )
