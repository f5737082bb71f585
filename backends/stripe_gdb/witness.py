"""Seeing what the plain run of a native program reads."""

from __future__ import annotations

from pathlib import Path

from stripe.backend import Observation
from stripe_gdb.runner import Runner


class WitnessedRunner(Runner):
    """A runner that can have a plain run witnessed."""

    def unseen(self) -> str:
        """See :class:`~stripe.kit.runs.TargetRunner`."""
        # Who types looks at the process at the terminal, which would be the witness.
        return "it ran at a terminal" if self.target.tty else ""

    def below_witness(self, number: int, report: Path) -> Observation:
        """See :class:`~stripe.kit.runs.TargetRunner`."""
        return self.plainly(number, report)
