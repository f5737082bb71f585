"""``cmd:COMMAND``: a command of the user's that looks at a run and says what it thinks.

The command runs through ``/bin/sh -c`` in the run's scratch directory, with nothing to read, and
behind walls: what it writes elsewhere is gone when it ends (:mod:`stripe.sandbox`).  It
finds what the run did in the environment:

- ``STRIPE_STDOUT``, ``STRIPE_STDERR``: files with all the run printed
- ``STRIPE_STATUS``: the exit status; 128 + N if the run died of signal N, as a shell says it
- ``STRIPE_DIRECTORY``: the scratch directory (also the current one)

Its exit status is its answer: 0 FAIL (the behaviour is reproduced), 125 UNRESOLVED, anything
else PASS.  A command that takes longer than :data:`TIMEOUT` is ended: UNRESOLVED.  What it
leaves running is ended with it.
"""

from __future__ import annotations

import os
import shlex
import shutil
from dataclasses import dataclass
from typing import ClassVar

from stripe.backend import End, Observation
from stripe.checks.crash import NOT_STARTED
from stripe.checks.part import FILES, STDERR, STDOUT, Judge, Part, Place
from stripe.checks.scanner import Scanner
from stripe.dd import Outcome
from stripe.errors import NotReducible
from stripe.sandbox import places
from stripe.sandbox.commands import Limits, limits_explained
from stripe.sandbox.layers import find_layer
from stripe.sandbox.walls import Layer, no_sandbox

TIMEOUT = 60.0
"""Seconds one run of the command may take."""

UNRESOLVED_STATUS = 125
"""The exit status that means "cannot say", as for ``git bisect run``."""


def files_named(command: str) -> tuple[str, ...]:
    """The words of a command, all of which may be files, and what they are on PATH."""
    try:
        words = shlex.split(command)
    except ValueError:
        words = command.split()
    words = [word for word in words if word]
    found = [shutil.which(word) for word in words if os.sep not in word]
    return (*words, *filter(None, found))


@dataclass(frozen=True, slots=True)
class CommandPart(Part):
    """A check that asks a command; ``timeout`` is in seconds.

    ``unsafe``: ask it also where the system has no sandbox.
    """

    command: str
    timeout: float = TIMEOUT
    unsafe: bool = False

    WORDS: ClassVar = {"cmd": ("cmd:COMMAND",)}

    @classmethod
    def read(cls, word: str, text: Scanner) -> CommandPart:
        text.argument()
        command = text.rest()
        return cls(text.read, command, unsafe=text.unsafe)

    @property
    def places(self) -> tuple[Place, ...]:
        return (Place(STDOUT), Place(STDERR), Place(FILES))

    @property
    def commands(self) -> tuple[str, ...]:
        return (self.command,)

    @property
    def files(self) -> tuple[str, ...]:
        """See :func:`files_named`."""
        return files_named(self.command)

    def compared(self, observation: Observation) -> object:
        """See :class:`~stripe.checks.check.Part`: what the command looks at is its secret."""
        return None

    def reference(self, recorded: Observation) -> Judge:
        status, said = self.run(recorded)
        if status is None:
            raise NotReducible(
                "check-timeout",
                f"The command of the check {self.spec!r} was still running after "
                f"{self.timeout:g} s on the recorded run.",
                "It gets an empty standard input; the run's output is in the file $STRIPE_STDOUT.",
            )
        if status != 0:
            why = NOT_STARTED.get(status, f"exited with status {status}")
            raise NotReducible(
                "never-matches",
                f"The check {self.spec!r} does not hold for the recorded run: the command {why}"
                + (f", saying {said!r}." if said else "."),
                "It must exit with 0 for the behaviour to preserve. It runs in a copy of the "
                "working directory; see $STRIPE_STDOUT, $STRIPE_STDERR and $STRIPE_STATUS.",
            )
        return self.judge

    def judge(self, observation: Observation) -> Outcome:
        """What the command says about ``observation``."""
        status, _ = self.run(observation)
        if status == 0:
            return Outcome.FAIL
        if status is None or status == UNRESOLVED_STATUS:
            return Outcome.UNRESOLVED
        return Outcome.PASS

    def run(self, observation: Observation) -> tuple[int | None, str]:
        """Exit status (``None``: took too long) and the end of what the command printed.

        Raises:
            UsageError: ``no-sandbox``, ``system-limit``.
            NotReducible: ``sandbox-ended``, when somebody killed what it runs in.
        """
        layer, why = find_layer()
        if layer is Layer.NONE and not self.unsafe:
            raise no_sandbox(f"The check {self.spec!r} runs a command", why)
        status = observation.status + (128 if observation.end is End.SIGNAL else 0)
        with places.outlook(observation.directory, layer) as place, limits_explained():
            stdout, stderr = place.folder / "stdout", place.folder / "stderr"
            stdout.write_bytes(observation.stdout)
            stderr.write_bytes(observation.stderr)
            variables = {
                "STRIPE_STDOUT": str(stdout),
                "STRIPE_STDERR": str(stderr),
                "STRIPE_STATUS": str(status),
            }
            ending = place.runner.run(
                ["/bin/sh", "-c", self.command],
                Limits(self.timeout),
                heard=True,
                variables={name.encode(): os.fsencode(text) for name, text in variables.items()},
            )
            size = os.fstat(place.said).st_size
            said = os.pread(place.said, 300, max(0, size - 300))
            return ending.status, said.decode("utf-8", "replace").strip()
