"""A command run in a slot to its end, as plain runs are by a backend that needs nothing special."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Sequence

from stripe.kit.engines import Facts
from stripe.kit.limits import PLAIN_OUTPUT, default_memory
from stripe.kit.runs import TargetRunner
from stripe.sandbox.commands import CommandPlace, Limits, Runner


def run(runner: TargetRunner, number: int, command: Sequence[str]) -> Facts:
    """Run a command, named by its path, in a slot, behind its walls, under the target's limits.

    Returns:
        ``end`` (``exited``, ``signal`` or ``timeout``), ``status``, ``stdout``, ``stderr`` (bytes)
        and ``seconds``.

    Raises:
        OSError: when it cannot be started.
        OutOfTime: when it had to end because the time for everything was over.
        NotReducible: ``sandbox-ended``.
    """
    target, slot = runner.target, runner.workspace.slot(number)
    limits = Limits(
        runner.timeout, target.memory or default_memory(), PLAIN_OUTPUT, most=target.timeout or 0.0
    )
    variables = runner.environment(slot).items()
    environment = {os.fsencode(name): os.fsencode(value) for name, value in variables}
    # Files, as in recorded runs: where programs write, they may also ask how far they are.
    with tempfile.TemporaryFile() as stdout, tempfile.TemporaryFile() as stderr:
        streams = stdout.fileno(), stderr.fileno()
        place = CommandPlace(slot.inside, environment, runner.stdin, *streams)
        launcher = Runner(runner.workspace.walls(number), place, renews=False)
        try:
            ending = launcher.run(command, limits.within(target.deadline.left), heard=True)
        finally:
            launcher.close()
        facts: Facts = {"end": "timeout", "status": 0, "seconds": ending.seconds}
        if ending.status is not None:
            facts["end"] = "signal" if ending.status < 0 else "exited"
            facts["status"] = abs(ending.status)
        for name, file in (("stdout", stdout), ("stderr", stderr)):
            file.seek(0)
            facts[name] = file.read()
    return runner.in_time(facts)
