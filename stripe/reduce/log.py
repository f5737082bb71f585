"""The log of a search: which events each test kept, and what came of it."""

from __future__ import annotations

from stripe.dd import TestEvent
from stripe.reduce.result import LogEntry, to_ranges

LOG_NUMBERS = 4_000_000
"""Range ends a log may hold (4 bytes each); later entries have only their size."""


class SearchLog:
    """The tests of one search."""

    def __init__(self) -> None:
        self.entries: list[LogEntry] = []
        self._room = LOG_NUMBERS

    def note(self, event: TestEvent[int]) -> None:
        """Log a test."""
        if event.cached:
            return
        ranges = to_ranges(event.configuration) if self._room > 0 else None
        if ranges is not None:
            self._room -= len(ranges)
        kept = len(event.configuration)
        self.entries.append(LogEntry(event.number, event.outcome, kept, ranges))
