"""Starting processes so that nothing of them is left, whatever happens to us.

Both gdb and plain runs are children of a *keeper* (``inside/process_guard.py``), a small process
that ends all that they started, and that ends itself when this process is gone; it is behind the
walls of a slot.
"""

from __future__ import annotations

import binascii
import json
import marshal
import os
import subprocess
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

from stripe.errors import BackendError
from stripe.sandbox.bytecode import keep_bytecode
from stripe.sandbox.reads import WITNESS
from stripe.sandbox.termination import ORPHANS, communicate
from stripe.sandbox.walls import script

KEEPER = Path(__file__).parent / "inside" / "process_guard.py"


@dataclass(frozen=True, slots=True)
class Limits:
    """What a process may use: bytes of memory, bytes in a file, one processor of its own."""

    memory: int | None = None
    output: int | None = None
    cpu: int | None = None


class Kept(Protocol):
    """Makes the command line that runs an engine under a keeper, behind the walls of a slot."""

    def __call__(
        self, command: list[str], *, environment: Mapping[str, str] | None = None
    ) -> list[str]: ...


def kept(
    command: list[str],
    limits: Limits,
    *,
    guarded: bool,
    engine: bool = False,
    fixed: bool = False,
    timeout: float | None = None,
    directory: str | None = None,
    environment: Mapping[str, str] | None = None,
    streams: Sequence[str] | None = None,
    tty: int | None = None,
    witness: Path | None = None,
) -> list[str]:
    """The command line that runs ``command`` under a keeper.

    ``guarded``: what starts the keeper ends it when this process is gone; ``witness``: where it is
    told what the command reads; for the other options see ``inside/process_guard.py``.
    """
    keep_bytecode(KEEPER.parent)
    options = {
        "orphans": str(ORPHANS),
        "host": 0 if guarded else os.getpid(),
        "cpu": limits.cpu,
        "memory": limits.memory,
        "output": limits.output,
        "fixed": fixed,
        "timeout": timeout,
        "directory": directory,
        "environment": None if environment is None else dict(environment),
        "streams": streams,
        "tty": tty,
        "witness": None if witness is None else (str(WITNESS.parent.parent), str(witness)),
        "engine": engine,
    }
    packed = binascii.b2a_base64(marshal.dumps(options), newline=False).decode("ascii")
    return script(KEEPER, packed, *command)


def run(command: list[str], descriptors: Sequence[int] = ()) -> dict[str, Any]:
    """Run a kept command, which gets ``descriptors`` too, to its end; what its keeper reports."""
    pipe = subprocess.PIPE
    with subprocess.Popen(
        command, stdin=subprocess.DEVNULL, stdout=pipe, stderr=pipe, pass_fds=descriptors
    ) as process:
        try:
            reported, errors = communicate(process)
        except BaseException:
            process.kill()
            raise
    try:
        answer: dict[str, Any] = json.loads(reported)
    except ValueError:
        said = errors.decode("utf-8", "replace").strip()[-500:]
        raise BackendError("gdb-failed", f"A run could not be started: {said}") from None
    return answer


def processor(number: int) -> int | None:
    """The processor for slot ``number``: gdb and its program take turns, so one is enough."""
    try:
        allowed = sorted(os.sched_getaffinity(0))
    except (AttributeError, OSError):
        return None
    return allowed[number % len(allowed)]
