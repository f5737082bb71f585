"""The tests of the search for changes, over all its levels, and what was predicted between them."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from stripe.campaign.log import SearchLog
from stripe.dd import Configuration, Listener, Outcome, TestEvent


class ChangesLog(SearchLog):
    """What each test had of all changes, by their places in ``deltas``."""

    def __init__(self, deltas: Sequence[int]) -> None:
        super().__init__()
        self._place = {delta: place for place, delta in enumerate(deltas)}
        self._tests = 0
        self._foretold: set[int] = set()
        self._logged: set[int] = set()

    def foretell(self, changes: tuple[int, ...]) -> None:
        """Note that what comes of some changes is predicted."""
        key = hash(changes)
        if key not in self._logged:  # the next level predicts the same
            self._foretold.add(key)

    def listener(
        self, level: str, changes_of: Callable[[Configuration[int]], tuple[int, ...]]
    ) -> Listener[int]:
        """A listener that logs the questions of one level's search."""

        def on_question(event: TestEvent[int]) -> None:
            self.record_outcome(
                level, changes_of(event.configuration), event.outcome, ran=not event.cached
            )

        return on_question

    def record_outcome(
        self, level: str, changes: tuple[int, ...], outcome: Outcome, *, ran: bool = True
    ) -> None:
        """Log a question: if it was a test, or is predicted for the first time."""
        key = hash(changes)
        predicted = key in self._foretold
        if predicted:
            self._foretold.discard(key)
            self._logged.add(key)
        if ran or predicted:
            self._tests += not predicted
            places = [self._place[each] for each in changes]
            self.add(self._tests, outcome, places, predicted=predicted, level=level)
