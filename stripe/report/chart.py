"""A search as a picture: what terminal and page draw of it (Figure 5; Tables 8 and 9 of 1999)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from stripe.campaign.log import LogEntry
from stripe.dd import Outcome
from stripe.reduce import CriticalSlice

if TYPE_CHECKING:
    from stripe.results.changes import Test

    type Entry = LogEntry | Test


@dataclass(frozen=True, slots=True)
class Chart:
    """The tests of a search, and what it found.

    - ``of``: how many deltas there are; ``noun``: what one is called
    - ``answer``: the deltas found, as ascending ranges; ``called``: what they are
    - ``falls``: the size of the best answer is drawn beside each test
    """

    log: Sequence[Entry]
    of: int
    answer: Sequence[range]
    noun: str = "event"
    called: str = "slice"
    falls: bool = False

    @classmethod
    def of_slice(cls, found: CriticalSlice) -> Chart:
        """The search for a critical slice."""
        events = [range(event, event + 1) for event in found.events]
        return cls(found.log, found.of, events)

    @property
    def size(self) -> int:
        """How many deltas were found."""
        return sum(map(len, self.answer))

    def left(self, entries: Iterable[Entry]) -> Iterator[tuple[Entry, int]]:
        """Each test with the size of the smallest failing configuration known after it."""
        left = self.of
        for entry in entries:
            if entry.outcome is Outcome.FAIL:
                left = min(left, entry.size)
            yield entry, left
