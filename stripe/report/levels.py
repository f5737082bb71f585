"""The levels that a search has passed, in words."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from stripe.report.style import duration, plural

if TYPE_CHECKING:
    from stripe.reduce import CriticalSlice, LevelAnswer

NOUNS = {
    "calls": "call",
    "rounds": "round of a loop",
    "statements": "statement with all its executions",
    "events": "event",
}
"""What a single unit of a level is."""


def level_told(answer: LevelAnswer) -> str:
    """The answer of one level: what is left, what it took, and what is certain of it."""
    of = f"{answer.kept} of {answer.units} {answer.name}" if answer.units else f"no {answer.name}"
    sure = ""
    if answer.certified and answer.kept:
        sure = f"; no single {NOUNS[answer.name]} can be left out"
    elif not answer.certified:
        sure = "; not certified"
    return (
        f"{of} needed: {answer.events} of {plural(answer.before, 'event')} left "
        f"({plural(answer.tests, 'test')}, {duration(answer.seconds)}){sure}"
    )


def level_lines(found: CriticalSlice) -> Iterator[str]:
    """What each level that was passed has brought, coarse to fine."""
    for answer in found.levels:
        yield level_told(answer)
