"""The outcomes that a campaign knows, whatever search they come from."""

from __future__ import annotations

from typing import Any

from stripe.campaign.problem import Key
from stripe.dd import Journal, Outcome


class OutcomeStore:
    """Outcomes by key, of this process and, in a journal, of an earlier one.

    ``remember``: hold them for the next searches.  A campaign of one search need not: its tester
    remembers in less room, however large configurations are.
    """

    def __init__(self, journal: Journal[Any] | None = None, *, remember: bool = True) -> None:
        self._journal = journal
        self._remember = remember
        self._known: dict[Key, Outcome] = {}
        self._resumed: set[Key] = set()

    @property
    def resumed(self) -> int:
        """How many outcomes came from the journal, and from nowhere else."""
        return len(self._resumed)

    def get(self, key: Key) -> Outcome | None:
        """The outcome of ``key``, if it was tested in this process."""
        return self._known.get(key) if self._remember else None

    def resume(self, key: Key) -> Outcome | None:
        """The outcome of ``key`` in an earlier process, if it is known."""
        outcome = None if self._journal is None else self._journal.get(key)
        if outcome is not None and self._remember:
            self._resumed.add(key)
        return outcome

    def learn(self, key: Key, outcome: Outcome) -> None:
        """Take in the outcome of a test that was run."""
        if self._remember:
            self._known[key] = outcome
            self._resumed.discard(key)
        if self._journal is not None:
            self._journal.put(key, outcome)
