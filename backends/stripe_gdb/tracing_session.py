"""One ptrace engine (``tracer/``), started and spoken to through pipes.

What it cannot do is asked of a gdb, started when first needed: names of Rust, and the branches of
machine code with instructions that compilers seldom make.
"""

from __future__ import annotations

import platform
import sys
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from stripe.backend import Probe, Target
from stripe.errors import BackendError, StripeError, UsageError
from stripe.kit.engines import Gone, our_fault
from stripe.kit.json_engine import JsonEngine
from stripe.sandbox.bytecode import keep_bytecode
from stripe.sandbox.walls import script
from stripe_gdb.process_guard import Kept
from stripe_gdb.session import Session, explained
from stripe_gdb.tracer.successors import edges

PACKAGES = Path(__file__).parents[1]
START = (
    "import sys; sys.path.append(sys.argv[1]); from stripe_gdb.tracer.engine import main; main()"
)


def require_engine(target: Target, probes: Sequence[Probe]) -> None:
    """Raises UsageError ``bad-engine`` or ``engine-unsupported`` unless the engine can be used."""
    name = target.engine
    if name in (None, "gdb"):
        return
    if name != "ptrace":
        raise UsageError(
            "bad-engine", f"There is no engine {name!r}.", "Take gdb (the default) or ptrace."
        )
    if (sys.platform, platform.machine()) != ("linux", "x86_64"):
        why = f"runs on x86-64 Linux only, and this is {sys.platform} on {platform.machine()}"
    elif probes:
        why = f"cannot read variables (var:{probes[0]})"
    elif target.tty:
        why = "cannot give the program a terminal (--tty)"
    else:
        return
    raise UsageError(
        "engine-unsupported", f"The ptrace engine {why}.", "Leave --engine out: gdb can do it."
    )


class TracingSession(JsonEngine):
    """An engine that has the shape of :class:`~stripe_gdb.session.Session`.

    ``code`` gives the machine code between two addresses of the file; ``make_gdb`` starts a gdb.
    """

    def __init__(
        self,
        job: Mapping[str, Any],
        kept: Kept,
        code: Callable[[int, int], bytes],
        make_gdb: Callable[[], Session],
    ) -> None:
        self._make_gdb = make_gdb
        self._code = code
        self._blocks = job["blocks"]
        self._gdb: Session | None = None
        for part in ("inside", "tracer"):
            keep_bytecode(PACKAGES / "stripe_gdb" / part)
        command = script("-c", START, PACKAGES)
        super().__init__(kept(command), gone=gone)
        try:
            self._conversation.say(job)
        except BaseException:
            self.close()
            raise

    def ask(self, job: Mapping[str, Any], seconds: float) -> dict[str, Any]:
        """Send one request; its answer, within ``seconds`` and some grace.

        Raises :class:`~stripe.kit.engines.Gone`: a new engine may do better.
        """
        if job["request"] == "edges":
            found = edges(self._code, self._blocks, job["functions"])
            return self._ask_gdb(job, seconds) if found is None else {"edges": found}
        if job["request"] == "demangle":
            symbols: dict[str, str] = job["symbols"]
            if not any(symbol.startswith(("_Z", "_R")) for symbol in symbols.values()):
                return {"names": symbols}
        answer = super().ask(job, seconds)
        if answer.get("end") == "failed":
            raise failed(answer["detail"])
        if answer.get("end") == "fault":
            raise BackendError("ptrace-failed", *our_fault(answer["detail"]))
        if job["request"] == "demangle" and answer["names"] is None:
            return self._ask_gdb(job, seconds)
        return answer

    def close(self) -> None:
        """End the engine, with its gdb, and all that runs below it."""
        if self._gdb is not None:
            self._gdb.close()
        super().close()

    def _ask_gdb(self, job: Mapping[str, Any], seconds: float) -> dict[str, Any]:
        if self._gdb is None:
            self._gdb = self._make_gdb()
        return self._gdb.ask(job, seconds)


def gone(what: str) -> Gone:
    """The error for an engine that is of no use any more."""
    return Gone("ptrace-failed", f"The ptrace engine {what}")


def failed(said: str) -> StripeError:
    """What the engine says, as an error."""
    known = explained(said)
    if isinstance(known, Gone):
        return gone(f"failed: {said}")
    return known
