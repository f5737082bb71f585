"""Runs a Perl program in slots: plainly, and by a host that records and replays it."""

from __future__ import annotations

import os
import re
import sys
from pathlib import Path

from stripe.kit.json_engine import JsonEngine
from stripe.kit.limits import PLAIN_OUTPUT, default_memory
from stripe.kit.runs import home
from stripe.kit.served import ServedRunner
from stripe.sandbox.restoration import Slot
from stripe_perl.runtime_library import built_runtime, find_perl

HOST = Path(__file__).with_name("host.py")
_TAINT = re.compile(rb"#!.*perl.*\s(-\S*)")


class PerlRunner(ServedRunner):
    """Runs a target by the ``perl`` of the search path."""

    def command(self, number: int) -> list[str]:
        """The command that runs the program in a slot, named as the user has named it."""
        slot, program = self.workspace.slot(number), self.target.program
        if os.path.isabs(program):
            program = self.paths.copy(slot, program)
        arguments = self.paths.arguments(slot, self.target.arguments)
        return [find_perl(), *self._switches(), program, *arguments]

    def _switches(self) -> list[str]:
        """Switches of the first line that perl wants to have on its command line as well."""
        with open(self.target.directory / self.target.program, "rb") as file:
            found = _TAINT.match(file.readline())
        return [f"-{each}" for each in "tT" if found and each.encode() in found[1]]

    def serve(self, number: int) -> JsonEngine:
        """Start the host in a slot."""
        slot, command = self.workspace.slot(number), self.command(number)
        limits = [str(PLAIN_OUTPUT), str(self.target.memory or default_memory())]
        folder, library = home(slot) / "log", built_runtime(command[0])
        host = [sys.executable, "-I", "-S", str(HOST), str(folder), str(library), *limits, *command]
        return JsonEngine(
            self.workspace.walled(number, host),
            environment=self.environment(slot),
            directory=slot.directory,
        )

    def environment(self, slot: Slot) -> dict[str, str]:
        """The variables of a run; hashes have the same order in each."""
        fixed = {"PERL_HASH_SEED": "0", "PERL_PERTURB_KEYS": "0"}
        return {**super().environment(slot), **fixed}
