"""One gdb, started and spoken to through its machine interface (GDB/MI) by pygdbmi.

pygdbmi starts gdb and parses what it says while our engine is loaded into it.  It matches no
tokens, spins when gdb is dead, and waits by default; so we wait for its output ourselves.  From
then on requests and answers are lines of JSON, in the same pipes (``engine.serve``).
"""

from __future__ import annotations

import json
import select
import subprocess
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from pygdbmi.gdbcontroller import GdbController
from pygdbmi.IoManager import IoManager

from stripe.errors import BackendError, StripeError, UsageError
from stripe.kit.conversation import START_SECONDS, Conversation
from stripe.kit.engines import Gone, our_fault
from stripe.sandbox.termination import end_process
from stripe_gdb.bytecode import compiled, environment, loading
from stripe_gdb.process_guard import Kept

BEFORE_THE_PROGRAM = (
    "set auto-solib-add off",  # reading the symbols of libraries takes most of a start
    "set debug-file-directory /nonexistent",
    "set sysroot /nonexistent",
    "set auto-load no",
)
"""Settings that have to be made before gdb reads the program."""


def explained(said: str) -> StripeError:
    """An error of gdb's, as far as it tells of this machine rather than of a bug."""
    if "During startup program exited" in said or "ptrace: " in said:
        return no_ptrace(said)
    if "Cannot insert breakpoint" in said:
        return no_fixed_addresses(said)
    return Gone("gdb-failed", f"gdb failed: {said}")


def no_ptrace(said: str) -> UsageError:
    """The error where the system does not let processes be traced, as it ``said``."""
    return UsageError(
        "no-ptrace",
        f"Processes may not be traced here ({said.strip()}): the system forbids ptrace.",
        "In a container, start it with --cap-add=SYS_PTRACE --security-opt "
        "seccomp=unconfined; else see /proc/sys/kernel/yama/ptrace_scope.",
    )


def no_fixed_addresses(said: str) -> UsageError:
    """The error where the system does not let random addresses be switched off, as it ``said``."""
    return UsageError(
        "no-fixed-addresses",
        f"Native programs cannot be traced here ({said.strip()[:200]}): the system forbids to "
        "switch off random addresses (personality), and replays need the same ones.",
        "In a container, start it with --security-opt seccomp=unconfined.",
    )


class Controller(GdbController):
    """Starts gdb with more than its standard streams."""

    def __init__(self, command: list[str], descriptors: Sequence[int]) -> None:
        self._descriptors = descriptors
        super().__init__(command, time_to_check_for_additional_output_sec=1e-6)

    def spawn_new_gdb_subprocess(self) -> int:
        """Start it; its number."""
        process = subprocess.Popen(
            self.command,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            bufsize=0,
            pass_fds=self._descriptors,
            start_new_session=True,
        )
        assert process.stdin is not None
        assert process.stdout is not None
        self.gdb_process = process
        self.io_manager = IoManager(
            process.stdin,
            process.stdout,
            process.stderr,
            self.time_to_check_for_additional_output_sec,
        )
        return process.pid


class Session:
    """A gdb that has our engine loaded (``inside/engine.py``).

    ``file`` is made for what the engine is told at its start; ``job["tty"]`` is a descriptor that
    gdb inherits, or ``None``.

    Raises :class:`Gone` when gdb fails; the session is of no use then, but for
    :meth:`close`.
    """

    def __init__(self, gdb: str, job: Mapping[str, Any], kept: Kept, file: Path) -> None:
        self._file = file
        # The program gets its variables later; a shell starts it, in plain runs the same.
        variables = environment() | {"SHELL": "/bin/sh"}
        command = [gdb, "--nx", "--quiet", "--interpreter=mi3"]
        if not job["probes"] and "unions" not in job:
            command.append("--readnever")  # only variables need what gdb knows of types
        for setting in BEFORE_THE_PROGRAM:
            command += ["-iex", setting]
        # As an argument, for in gdb's commands no quotes stand for all that a path may have in it.
        command += ["--args", job["path"]]
        terminal = () if job["tty"] is None else (job["tty"],)
        self._gdb = Controller(kept(command, environment=variables), terminal)
        self._conversation = Conversation(self._process, _gone)
        try:
            self._file.write_text(json.dumps(dict(job)), "ascii")
            lines = loading("states" if "unions" in job else "engine", compiled(gdb))
            for line in (*lines, f"engine.start({str(self._file)!r})"):
                self._execute(f"python {line}", START_SECONDS)
            self._conversation.write('-interpreter-exec console "python engine.serve()"')
            while "ready" not in self._conversation.line(START_SECONDS):
                pass  # what the machine interface still has to say
        except BaseException:
            self.close()
            raise

    def ask(self, job: Mapping[str, Any], seconds: float) -> dict[str, Any]:
        """Send one request; its answer, within ``seconds`` and some grace."""
        answer = self._conversation.ask(job, seconds)
        if answer.get("end") == "failed":
            raise explained(answer["detail"])
        if answer.get("end") == "fault":
            raise BackendError("gdb-failed", *our_fault(answer["detail"]))
        return answer

    def cancel(self) -> None:
        """End the run that another thread waits for, if there is one: it is ``cancelled``."""
        self._conversation.cancel()

    def close(self) -> None:
        """End gdb and all that runs below it."""
        if self._gdb.gdb_process is not None:  # else it was closed before
            end_process(self._process)  # its keeper ends the rest
        self._gdb.exit()
        self._file.unlink(missing_ok=True)

    @property
    def _process(self) -> subprocess.Popen[bytes]:
        process = self._gdb.gdb_process
        assert process is not None
        return process

    def _execute(self, command: str, seconds: float) -> None:
        """Execute a command of gdb's that does not run the program."""
        quoted = command.replace("\\", "\\\\").replace('"', '\\"')
        self._conversation.write(f'-interpreter-exec console "{quoted}"')
        deadline = time.monotonic() + seconds
        log: list[str] = []
        process = self._process
        pipes = [pipe for pipe in (process.stdout, process.stderr) if pipe is not None]
        while True:
            left = deadline - time.monotonic()
            ready = select.select(pipes, [], [], max(0.0, left))[0]
            records = self._gdb.get_gdb_response(0, raise_error_on_timeout=False) if ready else []
            for record in records:
                kind, payload = record["type"], record["payload"]
                if kind in ("log", "output"):
                    log.append(str(payload))
                elif kind == "result" and record["message"] == "error":
                    said = payload.get("msg", "") if isinstance(payload, dict) else ""
                    raise Gone("gdb-failed", f"gdb failed: {said} {''.join(log)[-1000:]}")
                elif kind == "result":
                    return
            if left <= 0:
                raise _gone(True)
            if not records and process.poll() is not None:
                raise Gone("gdb-failed", f"gdb ended: {''.join(log)[-1000:]}")


def _gone(late: bool) -> Gone:
    return Gone("gdb-failed", "gdb did not answer in time." if late else "gdb ended.")
