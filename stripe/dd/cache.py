"""Remembers the outcome of every configuration in little memory."""

from __future__ import annotations

from collections.abc import Hashable

from stripe.dd.outcomes import Configuration, Outcome


class Cache[D: Hashable]:
    """Outcomes by configuration.

    Entries are found by the 64-bit hash of the tuple. As long as there is room, each entry also
    keeps its configuration, and a look-up compares it: the cache is exact. When the kept
    configurations together exceed ``exact_deltas``, further entries keep the hash alone, so a
    hundred thousand tests of a million deltas need a few megabytes more. From then on two
    different configurations are mixed up with a probability of t*t / 2**65 for t tests (1 in 3.7
    billion for 100,000), provided that the hashes of the deltas differ.

    Args:
        exact_deltas: how many deltas all kept configurations may have together; a delta costs 8
            bytes at most. 0 keeps none.
    """

    def __init__(self, exact_deltas: int = 1_000_000) -> None:
        self._room = exact_deltas
        self._entries: dict[int, Outcome | tuple[Configuration[D], Outcome]] = {}
        # Configurations whose hash another one had taken already. Nearly always empty.
        self._collided: dict[Configuration[D], Outcome] = {}

    def __len__(self) -> int:
        return len(self._entries) + len(self._collided)

    def get(self, key: int, configuration: Configuration[D]) -> Outcome | None:
        """The outcome of ``configuration``, whose hash is ``key``, or None if not known."""
        entry = self._entries.get(key)
        if entry is None or isinstance(entry, Outcome):
            return entry
        if entry[0] == configuration:
            return entry[1]
        return self._collided.get(configuration)

    def put(self, key: int, configuration: Configuration[D], outcome: Outcome) -> None:
        """Remember ``outcome`` of ``configuration``, whose hash is ``key``.

        The caller hashes, once for both methods: with many deltas that is what costs.
        """
        entry = self._entries.get(key)
        if isinstance(entry, tuple):
            if entry[0] == configuration:
                self._entries[key] = (configuration, outcome)
            else:
                self._collided[configuration] = outcome
        elif entry is None and len(configuration) <= self._room:
            self._room -= len(configuration)
            self._entries[key] = (configuration, outcome)
        else:
            self._entries[key] = outcome
