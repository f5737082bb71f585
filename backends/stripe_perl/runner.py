"""Runs a Perl program in slots: plainly, and by a host that records and replays it."""

from __future__ import annotations

import os
import re
from collections.abc import Mapping
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

from stripe.backend import Observation, UncaughtException
from stripe.kit.json_engine import JsonEngine
from stripe.kit.limits import PLAIN_OUTPUT, default_memory
from stripe.kit.runs import home, without_addresses
from stripe.kit.served import ServedRunner
from stripe.sandbox.restoration import Slot
from stripe.sandbox.walls import script
from stripe.trace import Trace
from stripe_perl.interpreter import find_perl, switches
from stripe_perl.runtime_library import built_runtime
from stripe_perl.scope import expression

SAME_HASHES = {"PERL_HASH_SEED": "0", "PERL_PERTURB_KEYS": "0"}
HOST = Path(__file__).with_name("host.py")
_OBJECT = re.compile(r"(?P<type>[\w:]+)=[A-Z]+\(0x[0-9a-f]+\)")
_ADDRESS = re.compile(
    rb"(SCALAR|ARRAY|HASH|CODE|REF|GLOB|LVALUE|FORMAT|IO|VSTRING|Regexp)\(0x[0-9a-f]{6,16}\)"
)
"""How perl writes a reference: the address is another one in each run, whatever it does."""
_PLACE = re.compile(r" at \S+ line \d+(?:, <\w*> (?:line|chunk) \d+)?\.\n?\Z")


class PerlRunner(ServedRunner):
    """Runs a target by its perl; ``trace``: once it is recorded."""

    RENEWS = True

    trace: Trace | None = None

    def command(self, number: int) -> list[str]:
        """The command that runs the program in a slot, named as the user has named it."""
        slot, program = self.workspace.slot(number), self.target.program
        if os.path.isabs(program):
            program = self.paths.copy(slot, program)
        arguments = self.paths.arguments(slot, self.target.arguments)
        return [find_perl(self.target), *switches(self.target), program, *arguments]

    def serve(self, number: int) -> JsonEngine:
        """Start the host in a slot."""
        slot, command = self.workspace.slot(number), self.command(number)
        limits = [str(PLAIN_OUTPUT), str(self.target.memory or default_memory())]
        folder, library = home(slot) / "log", built_runtime(command[0])
        named = (self.target.include, self.target.only, self.target.exclude)
        scopes = [expression(each, partial(self.paths.copy, slot)) for each in named]
        return JsonEngine(
            self.workspace.walled(
                number, script(HOST, folder, library, *limits, *scopes, *command)
            ),
            environment=self.environment(slot),
            directory=slot.directory,
        )

    def observe(self, number: int, facts: Mapping[str, Any]) -> Observation:
        """See :class:`~stripe.kit.served.ServedRunner`; the host tells of exceptions."""
        seen, raised = super().observe(number, facts), facts.get("exception")
        out, err = (_ADDRESS.sub(rb"\1(0x...)", each) for each in (seen.stdout, seen.stderr))
        seen = replace(seen, stdout=out, stderr=err)
        if told := facts.get("probed"):
            pairs = zip(self.probes, told, strict=True)
            values = {probe: self._readable(text, number) for probe, text in pairs if text}
            seen = replace(seen, values=values)
        if not raised:
            return seen
        told, file = (
            self.workspace.canonical(raised[name].encode("utf-8", "surrogateescape"), number)
            for name in ("message", "file")
        )
        message = told.decode("utf-8", "replace")
        thrown, place = _OBJECT.match(message), _PLACE.search(message)
        exception = UncaughtException(
            thrown["type"] if thrown else "die",
            without_addresses(message[: place.start()] if place else message.rstrip("\n")),
            os.path.normpath(self.paths.inside(os.fsdecode(file)) or os.fsdecode(file)),
            raised["line"],
            None,
            raised["event"],
        )
        return self.of_trace(replace(seen, exception=exception))

    def _readable(self, text: str, number: int) -> str:
        return self.workspace.canonical(text.encode(), number).decode()

    def of_trace(self, seen: Observation) -> Observation:
        """A run with the statement that raised its exception."""
        raised = seen.exception
        if raised is None or raised.event is None or self.trace is None:
            return seen
        statement = self.trace.statement[raised.event]
        return replace(seen, exception=replace(raised, statement=statement))

    def environment(self, slot: Slot) -> dict[str, str]:
        """The variables of a run; hashes have the same order in each."""
        variables = {**super().environment(slot), **SAME_HASHES}
        if libraries := variables.get("PERL5LIB"):
            folders = self.paths.arguments(slot, libraries.split(":"))
            variables["PERL5LIB"] = ":".join(folders)
        return variables
