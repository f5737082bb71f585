"""Between the search, which knows configurations of units, and the trial, which knows contents."""

from __future__ import annotations

import hashlib
import os
from collections import Counter
from typing import Any

from stripe.dd import Configuration, Journal, Outcome
from stripe.inputs.trial import Trial
from stripe.units.model import Units


class Ledger:
    """The outcome of every content tested so far, whatever units it was made of."""

    def __init__(self, journal: Journal[str] | None = None) -> None:
        self._known: dict[bytes, Outcome] = {}
        self._resumed: set[bytes] = set()
        self._last = b"", _digest(b"")
        self._journal = journal
        self.counts: Counter[Outcome] = Counter()
        """Tests that were run, by outcome."""

    @property
    def tests(self) -> int:
        """How many tests were run."""
        return self.counts.total()

    @property
    def resumed(self) -> int:
        """How many outcomes came from the journal of an earlier run, and from nowhere else."""
        return len(self._resumed)

    def get(self, content: bytes) -> Outcome | None:
        """The outcome of ``content``, if it was tested here."""
        return self._known.get(self._digest(content))

    def resume(self, content: bytes) -> Outcome | None:
        """The outcome of ``content`` in an earlier run, if it is known."""
        if self._journal is None:
            return None
        digest = self._digest(content)
        outcome = self._journal.get((digest.hex(),))
        if outcome is not None:
            self._resumed.add(digest)
        return outcome

    def learn(self, content: bytes, outcome: Outcome) -> None:
        """Take in the outcome of a test that was run."""
        digest = self._digest(content)
        self._known[digest] = outcome
        self._resumed.discard(digest)
        self.counts[outcome] += 1
        if self._journal is not None:
            self._journal.put((digest.hex(),), outcome)

    def _digest(self, content: bytes) -> bytes:
        """The digest of a content, which is asked for again when its test is over."""
        last, digest = self._last
        if last is not content:
            digest = _digest(content)
            self._last = content, digest
        return digest


class Candidates:
    """The test function of a level: configurations of ``units`` to outcomes."""

    def __init__(self, units: Units, trial: Trial) -> None:
        self.units = units
        self.trial = trial  # elsewhere: RemoteTrial
        self._last: tuple[Configuration[int], bytes] | None = None

    def __getstate__(self) -> dict[str, Any]:
        return {"units": self.units, "trial": self.trial, "_last": None}

    def __call__(self, configuration: Configuration[int]) -> Outcome:
        return self.trial.outcome(self.content(configuration), hash(configuration))

    def content(self, configuration: Configuration[int]) -> bytes:
        """The candidate of a configuration; it is asked for several times in a row."""
        last = self._last
        if last is not None and last[0] is configuration:
            return last[1]
        content = self.units.render(configuration)
        self._last = (configuration, content)
        return content

    def cancel(self, configuration: Configuration[int]) -> None:
        """End the running test of a configuration."""
        self.trial.running.drop(hash(configuration))


class Page:
    """The ledger for a level: its outcomes by configurations."""

    def __init__(self, ledger: Ledger, candidates: Candidates) -> None:
        self._ledger = ledger
        self._candidates = candidates

    def get(self, configuration: Configuration[int]) -> Outcome | None:
        """The outcome in an earlier run."""
        return self._ledger.resume(self._candidates.content(configuration))

    def put(self, configuration: Configuration[int], outcome: Outcome) -> None:
        """Take in the outcome of a test that was run."""
        self._ledger.learn(self._candidates.content(configuration), outcome)


def _digest(content: bytes) -> bytes:
    return hashlib.blake2b(content, digest_size=16).digest()


def subject(trial: Trial) -> str:
    """A word that identifies the problem, and its journal."""
    check = "" if trial.check is None else trial.check.spec
    command = trial.command
    facts = [command.words, command.stdin, command.spread, check, trial.repeat, os.getcwd()]
    facts += [trial.timeout, trial.memory]
    return hashlib.blake2b(repr(facts).encode() + trial.original, digest_size=16).hexdigest()
