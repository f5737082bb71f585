"""Between searches, which know configurations of units, and tests, which know contents."""

from __future__ import annotations

import os
from collections.abc import Callable
from hashlib import blake2b
from typing import Any

from stripe.campaign.problem import Key
from stripe.dd import Configuration, Outcome
from stripe.inputs.trial import Trial
from stripe.units.model import Units
from stripe.units.python_text import compiles

type ContentTest = Callable[[bytes, object], Outcome]
"""The outcome of a content; the other argument identifies its run, to be cancelled."""


class Contents:
    """Configurations of ``units`` as the contents they stand for; call it for their outcomes.

    ``valid``: what is no Python program need not be run.
    """

    def __init__(self, units: Units, test: ContentTest, *, valid: bool = False) -> None:
        self.units = units
        self._test = test
        self._valid = valid
        self._last: tuple[Configuration[int], bytes] | None = None

    def __getstate__(self) -> dict[str, Any]:
        return self.__dict__ | {"_last": None}

    def __call__(self, configuration: Configuration[int]) -> Outcome:
        return self._test(self.content(configuration), hash(configuration))

    def content(self, configuration: Configuration[int]) -> bytes:
        """What is left of the input; it is asked for several times in a row."""
        last = self._last
        if last is None or last[0] is not configuration:
            self._last = last = configuration, self.units.render(configuration)
        return last[1]

    def key(self, configuration: Configuration[int]) -> Key:
        """Equal for equal contents, whatever units they are made of."""
        return key_of(self.content(configuration))

    def predict(self, configuration: Configuration[int]) -> Outcome | None:
        """What need not be run decides nothing."""
        if self._valid and not compiles(self.content(configuration)):
            return Outcome.UNRESOLVED
        return None


def key_of(content: bytes) -> Key:
    """The key of a content in ledger and journal."""
    return (blake2b(content, digest_size=16).hexdigest(),)


def subject(trial: Trial) -> str:
    """A word that identifies the problem, and its journal."""
    check = "" if trial.check is None else trial.check.spec
    command = trial.command
    facts = [command.words, command.stdin, command.spread, check, trial.repeat, os.getcwd()]
    facts += [trial.timeout, trial.memory]
    return blake2b(repr(facts).encode() + trial.original, digest_size=16).hexdigest()
