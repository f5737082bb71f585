"""Seeing what the plain run of a native program reads."""

from __future__ import annotations

import sys
from dataclasses import replace
from pathlib import Path

from stripe.backend import Observation
from stripe.sandbox.reads import UNLIKE, Reads, read_report, unwitnessed, witnessed
from stripe.sandbox.workspace import Slot
from stripe_gdb.runner import Runner


class WitnessedRunner(Runner):
    """A runner that can have a plain run witnessed.

    Then what it starts is the witness, and the program is among the arguments of that.
    """

    _report: Path | None = None

    def witnessed(self, number: int, *, witness: bool = True) -> tuple[Observation, Reads]:
        """Run the program as the user would, and see what it reads, unless told not to."""
        stamps = self.workspace.stamps(number)
        if not witness:
            return self.plainly(number), unwitnessed(stamps, UNLIKE)
        if self.target.tty:
            # Who types looks at the process at the terminal, which would be the witness.
            return self.plainly(number), unwitnessed(stamps, "it ran at a terminal")
        self._report = self.workspace.slot(number).tmp.parent / "reads"
        try:
            plain = self.plainly(number)
            seen = read_report(self._report)
        finally:
            self._report = None
        return replace(plain, seconds=seen.seconds or plain.seconds), stamps.reads(seen)

    def path(self, slot: Slot) -> str:
        """See :class:`Runner`."""
        return super().path(slot) if self._report is None else sys.executable

    def _words(self, slot: Slot) -> list[str]:
        words = super()._words(slot)
        if self._report is None:
            return words
        return witnessed([super().path(slot), *words], self._report)[1:]
