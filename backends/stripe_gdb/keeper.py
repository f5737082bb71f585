"""Starting processes so that nothing of them is left, whatever happens to us.

Both gdb and plain runs are children of a *keeper* (``inside/keeper.py``), a small process that
ends all that they started, and that ends itself when this process is gone.
"""

from __future__ import annotations

import binascii
import json
import marshal
import os
import subprocess
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from stripe.errors import BackendError

KEEPER = Path(__file__).parent / "inside" / "keeper.py"


@dataclass(frozen=True, slots=True)
class Limits:
    """What a process may use: bytes of memory, bytes in a file, one processor of its own."""

    memory: int | None = None
    output: int | None = None
    cpu: int | None = None


def kept(
    command: list[str],
    limits: Limits,
    *,
    fixed: bool = False,
    timeout: float | None = None,
    directory: str | None = None,
    environment: Mapping[str, str] | None = None,
    streams: Sequence[str] | None = None,
    tty: str | None = None,
    report: Path | None = None,
) -> list[str]:
    """The command line that runs ``command`` under a keeper."""
    options = {
        "host": os.getpid(),
        "cpu": limits.cpu,
        "memory": limits.memory,
        "output": limits.output,
        "fixed": fixed,
        "timeout": timeout,
        "directory": directory,
        "environment": None if environment is None else dict(environment),
        "streams": streams,
        "tty": tty,
        "report": None if report is None else str(report),
    }
    packed = binascii.b2a_base64(marshal.dumps(options), newline=False).decode("ascii")
    return [sys.executable, "-I", "-S", str(KEEPER), packed, *command]


def run(command: list[str], report: Path) -> dict[str, Any]:
    """Run a kept command to its end; what its keeper reports."""
    report.unlink(missing_ok=True)
    done = subprocess.run(
        command, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE
    )
    try:
        answer: dict[str, Any] = json.loads(report.read_text("ascii"))
    except OSError:
        said = done.stderr.decode("utf-8", "replace").strip()[-500:]
        raise BackendError("gdb-failed", f"A run could not be started: {said}") from None
    return answer


def processor(number: int) -> int | None:
    """The processor for slot ``number``: gdb and its program take turns, so one is enough."""
    try:
        allowed = sorted(os.sched_getaffinity(0))
    except (AttributeError, OSError):
        return None
    return allowed[number % len(allowed)]
