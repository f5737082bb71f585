"""Seeing what the plain run of a native program reads."""

from __future__ import annotations

import sys
from pathlib import Path

from stripe.backend import Observation
from stripe.sandbox.reads import witnessed
from stripe.sandbox.restoring import Slot
from stripe_gdb.runner import Runner


class WitnessedRunner(Runner):
    """A runner that can have a plain run witnessed.

    Then what it starts is the witness, and the program is among the arguments of that.
    """

    _report: Path | None = None

    def unseen(self) -> str:
        """See :class:`~stripe.kit.running.TargetRunner`."""
        # Who types looks at the process at the terminal, which would be the witness.
        return "it ran at a terminal" if self.target.tty else ""

    def below_witness(self, number: int, report: Path) -> Observation:
        """See :class:`~stripe.kit.running.TargetRunner`."""
        self._report = report
        try:
            return self.plainly(number)
        finally:
            self._report = None

    def path(self, slot: Slot) -> str:
        """See :class:`Runner`."""
        return super().path(slot) if self._report is None else sys.executable

    def _words(self, slot: Slot) -> list[str]:
        words = super()._words(slot)
        if self._report is None:
            return words
        return witnessed([super().path(slot), *words], self._report)[1:]
