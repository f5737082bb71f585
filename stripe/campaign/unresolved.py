"""Why tests do not decide: the reasons of UNRESOLVED ones, counted."""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Mapping

from stripe.dd import Configuration, Outcome

MOST = 50
"""Reasons that are told apart."""

WAITING = 1000
"""Tests that ran ahead of their question, of which the reason is remembered."""

OTHER = "another reason"
UNKNOWN = "not known: tested elsewhere, or by a search before"


class Unresolved:
    """Hears from tests why they decide nothing, and counts those that a search has asked for."""

    def __init__(self) -> None:
        self._heard: dict[int, str] = {}  # by the hash: configurations may be large
        self._counts: Counter[str] = Counter()

    def record(self, configuration: Configuration[Hashable], why: str) -> None:
        """Note why the test of ``configuration`` came to UNRESOLVED, in words that many share."""
        if len(self._heard) >= WAITING:
            self._heard.clear()
        self._heard[hash(configuration)] = why

    def count(self, configuration: Configuration[Hashable], outcome: Outcome) -> None:
        """Count a test of a search."""
        if outcome is Outcome.UNRESOLVED:
            why = self._heard.pop(hash(configuration), UNKNOWN)
            known = why in self._counts or len(self._counts) < MOST
            self._counts[why if known else OTHER] += 1

    @property
    def counts(self) -> Mapping[str, int]:
        """How many tests each reason has kept from deciding, the most common first."""
        return dict(self._counts.most_common())
