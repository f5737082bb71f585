"""The tests of a search, in order: what each kept, and what came of it."""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from stripe.dd import Outcome, TestEvent
from stripe.intervals import ends, stretches

LOG_NUMBERS = 1_000_000
"""Range ends a log may hold (4 bytes each); later entries have only their size."""


@dataclass(frozen=True, slots=True)
class LogEntry:
    """One executed test: a row of the paper's Figure 5.

    ``ranges`` holds the kept deltas (events of a trace, changes between versions) as first,
    last + 1, first, last + 1, ...; it is ``None`` where the log had grown too large to remember
    which they were.

    Where tests are predicted, ``predicted`` says that this one was: it is the row after test
    ``number`` then, and nothing was run.  ``level`` names the pass, where there are several.
    """

    number: int
    outcome: Outcome
    size: int
    ranges: array[int] | None
    predicted: bool = False
    level: str = ""

    def kept(self) -> Iterable[range]:
        """The kept deltas, as ranges in ascending order."""
        return stretches(self.ranges or ())


class SearchLog:
    """The tests of one reduction."""

    def __init__(self) -> None:
        self.entries: list[LogEntry] = []
        self._room = LOG_NUMBERS

    def record(self, event: TestEvent[int]) -> None:
        """Log a question of a search, if it was a test."""
        if not event.cached:
            self.add(event.number, event.outcome, event.configuration)

    def add(
        self,
        number: int,
        outcome: Outcome,
        kept: Sequence[int],
        *,
        predicted: bool = False,
        level: str = "",
    ) -> None:
        """Log a test, or one that was predicted."""
        ranges = ends(kept) if self._room > 0 else None
        if ranges is not None:
            self._room -= len(ranges)
        self.entries.append(LogEntry(number, outcome, len(kept), ranges, predicted, level))
