"""A command run in a slot to its end, as plain runs are by a backend that needs nothing special."""

from __future__ import annotations

import signal
import subprocess
import tempfile
import time
from collections.abc import Sequence
from contextlib import suppress

from stripe.kit.engines import Facts
from stripe.kit.limits import PLAIN_OUTPUT, default_memory
from stripe.kit.runs import TargetRunner
from stripe.sandbox.termination import STOPPED_SECONDS, end_process, go_on

_LIMITED = 'ulimit -c 0; ulimit -f "$0"; [ "$1" = 0 ] || ulimit -v "$1"; shift; exec "$@"'
_BLOCK, _KILO = 512, 1024


def run(runner: TargetRunner, number: int, command: Sequence[str]) -> Facts:
    """Run a command in a slot, behind its walls, under the limits of the target.

    Returns:
        ``end`` (``exited``, ``signal`` or ``timeout``), ``status``, ``stdout``, ``stderr`` (bytes)
        and ``seconds``.

    Raises:
        OutOfTime: when it had to end because the time for everything was over.
    """
    slot, began = runner.workspace.slot(number), time.monotonic()
    memory = (runner.target.memory or default_memory()) // _KILO
    words = ["/bin/sh", "-c", _LIMITED, str(PLAIN_OUTPUT // _BLOCK), str(memory), *command]
    with (
        open(runner.stdin, "rb") as stdin,
        tempfile.TemporaryFile() as stdout,
        tempfile.TemporaryFile() as stderr,
    ):
        process = subprocess.Popen(
            runner.workspace.walled(number, words, renews=False),
            stdin=stdin,
            stdout=stdout,
            stderr=stderr,
            cwd=slot.directory,
            env=runner.environment(slot),
            start_new_session=True,
        )
        status, ended = 0, "timeout"
        left = runner.target.deadline.limit(runner.timeout)
        try:
            while ended == "timeout" and left > 0:
                with suppress(subprocess.TimeoutExpired):
                    status = process.wait(min(left, STOPPED_SECONDS))
                    killed = 0 < abs(status) - (128 if status > 0 else 0) < signal.NSIG
                    ended = "signal" if killed else "exited"  # walls add 128 to it
                left -= STOPPED_SECONDS
                go_on(process)
        finally:
            end_process(process)
        facts: Facts = {"end": ended, "status": abs(status) % 128 if ended == "signal" else status}
        facts["seconds"] = time.monotonic() - began
        for name, file in (("stdout", stdout), ("stderr", stderr)):
            file.seek(0)
            facts[name] = file.read()
    return runner.in_time(facts)
