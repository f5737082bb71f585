"""What may be tested together with others that begin alike, and by whom it is judged."""

from __future__ import annotations

from stripe.backend import Branching, Recording
from stripe.checks import Criterion
from stripe.checks.kinds import ExitPart, SignalPart, StreamPart, UncaughtPart, VariablePart
from stripe.reduce.settings import Settings

OF_PROCESSES = (ExitPart, SignalPart, StreamPart, UncaughtPart, VariablePart)
"""Parts of checks that look at nothing a run leaves behind."""


def branching(recording: Recording, criterion: Criterion, settings: Settings) -> Branching | None:
    """The recording, if tests can be run together: nobody looks at files, or at values."""
    if settings.same or not isinstance(recording, Branching):
        return None
    parts = criterion.check.parts
    return recording if all(isinstance(part, OF_PROCESSES) for part in parts) else None


def all_of_stdout(criterion: Criterion) -> bytes | None:
    """All that a run has to print on standard output, if the check is about that."""
    for part in criterion.check.parts:
        if isinstance(part, StreamPart) and part.stream == "stdout" and part.pattern is None:
            return criterion.recorded.stdout
    return None
