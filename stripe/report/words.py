"""What reports call things: outcomes of tests, levels of a search.

To people who debug, PASS and FAIL mean the reverse of what they mean to delta debugging.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING

from stripe.dd import Outcome
from stripe.report.style import duration, plural

if TYPE_CHECKING:
    from stripe.reduce import CriticalSlice, LevelAnswer

WORDS = {
    Outcome.FAIL: "shows it",
    Outcome.PASS: "does not",
    Outcome.UNRESOLVED: "cannot be told",
}
"""Whether a partial run shows the behaviour that is looked for."""


def outcomes(counts: Mapping[Outcome, int]) -> str:
    """How many tests came to which outcome; nothing of those that no test came to."""
    verbs = {Outcome.FAIL: "show it", Outcome.PASS: "do not", Outcome.UNRESOLVED: "cannot be told"}
    told = [f"{counts[each]:,} {verb}" for each, verb in verbs.items() if counts.get(each)]
    return ", ".join(told) or "none was run"


PREDICTED = "not run"
"""What is said of a test that was predicted to be UNRESOLVED."""

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
