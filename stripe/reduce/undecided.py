"""Why tests do not decide: the reasons of UNRESOLVED ones, counted."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import PurePath

from stripe.backend import End, Observation
from stripe.dd import Outcome

MOST = 50
"""Reasons that are told apart."""

LONGEST = 160
"""Characters of a reason."""

WAITING = 1000
"""Tests that ran ahead of their question, of which the reason is remembered."""

OTHER = "another reason"
UNKNOWN = "not known: tested elsewhere, or by a search before"


class Undecided:
    """Hears of replays, and counts the reasons of those that a search has asked for."""

    def __init__(self) -> None:
        self._heard: dict[Sequence[int], str] = {}
        self._counts: Counter[str] = Counter()

    def hear(self, events: Sequence[int], observation: Observation, outcome: Outcome) -> None:
        """Note what came of a replay of ``events``."""
        if outcome is Outcome.UNRESOLVED:
            if len(self._heard) >= WAITING:
                self._heard.clear()
            self._heard[events] = reason(observation)

    def count(self, events: Sequence[int], outcome: Outcome) -> None:
        """Count a test of the search."""
        if outcome is Outcome.UNRESOLVED:
            why = self._heard.pop(events, UNKNOWN)
            known = why in self._counts or len(self._counts) < MOST
            self._counts[why if known else OTHER] += 1

    @property
    def counts(self) -> Mapping[str, int]:
        """How many tests each reason has kept from deciding, the most common first."""
        return dict(self._counts.most_common())


def reason(observation: Observation) -> str:
    """Why nothing can be said of a run, in a few words that many runs share."""
    raised = observation.exception
    if observation.end is End.SIGNAL:
        text = f"killed by signal {observation.status}"
    elif observation.end is not End.EXITED:
        text = observation.end.value
        if observation.detail and observation.detail != text:
            text += f": {observation.detail}"
    elif raised is not None:
        where = f" at {PurePath(raised.file).name}:{raised.line}" if raised.file else ""
        text = f"{raised.type}{where}"
    elif not observation.stdout and not observation.stderr:
        text = "it printed nothing"
    else:
        text = "the check cannot say"
    return text[:LONGEST]
