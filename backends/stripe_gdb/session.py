"""One gdb, started and spoken to through its machine interface (GDB/MI) by pygdbmi.

pygdbmi starts gdb and parses what it says while our engine is loaded into it.  It matches no
tokens, spins when gdb is dead, and waits by default; so we wait for its output ourselves.  From
then on requests and answers are lines of JSON, in the same pipes (``engine.serve``).
"""

from __future__ import annotations

import contextlib
import json
import os
import select
import shutil
import subprocess
import threading
import time
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from pygdbmi.gdbcontroller import GdbController

from stripe.errors import BackendError, StripeError, UsageError
from stripe_gdb.keeper import Limits, kept

INSIDE = Path(__file__).parent
START_SECONDS = 60.0
GRACE_SECONDS = 15.0


class GdbGone(BackendError):
    """gdb ended, or does not answer; a new one may do."""


def find_gdb() -> str:
    """The path of gdb; ``STRIPE_GDB`` names another one."""
    wanted = os.environ.get("STRIPE_GDB", "gdb")
    found = shutil.which(wanted)
    if found is None:
        raise UsageError(
            "no-gdb",
            f"Native programs are run through gdb, and there is no command {wanted!r}.",
            "Install it: apt-get install gdb, dnf install gdb, or the like.",
        )
    return found


def explained(said: str) -> StripeError:
    """An error of gdb's, as far as it tells of this machine rather than of a bug."""
    if "During startup program exited" in said or "ptrace: " in said:
        return UsageError(
            "no-ptrace",
            f"Processes may not be traced here ({said.strip()}): the system forbids ptrace.",
            "In a container, start it with --cap-add=SYS_PTRACE --security-opt "
            "seccomp=unconfined; else see /proc/sys/kernel/yama/ptrace_scope.",
        )
    if "Cannot insert breakpoint" in said:
        return UsageError(
            "no-fixed-addresses",
            f"The program is not where it should be in memory ({said.strip()[:200]}): the system "
            "forbids to switch off random addresses.",
            "In a container, start it with --security-opt seccomp=unconfined.",
        )
    return GdbGone("gdb-failed", f"gdb failed: {said}")


class Session:
    """A gdb that has our engine loaded (``inside/engine.py``).

    Raises :class:`GdbGone` when gdb fails; the session is of no use then, but for
    :meth:`close`.
    """

    def __init__(self, gdb: str, job: Mapping[str, Any], limits: Limits, place: Path) -> None:
        self._file = place.with_name(place.name + ".request")
        # Python inside gdb must not be led astray; the program gets its variables later.
        environment = {
            name: value
            for name, value in os.environ.items()
            if not name.startswith(("PYTHON", "DEBUGINFOD_"))
        }
        environment["SHELL"] = "/bin/sh"  # it starts the program; plain runs have the same
        command = [gdb, "--nx", "--quiet", "--interpreter=mi3"]
        if not job["probes"]:
            command.append("--readnever")  # only variables need what gdb knows of types
        self._gdb = GdbController(
            kept(command, limits, environment=environment, directory="/"),
            time_to_check_for_additional_output_sec=1e-6,
        )
        self._pending = b""
        self._sending = threading.Lock()
        self._asked = False
        try:
            self._file.write_text(json.dumps(dict(job)), "ascii")
            for line in (
                "import sys",
                "sys.dont_write_bytecode = True",
                f"sys.path.insert(0, {str(INSIDE)!r})",
                "from inside import engine",
                f"engine.start({str(self._file)!r})",
            ):
                self._execute(f"python {line}", START_SECONDS)
            self._send('-interpreter-exec console "python engine.serve()"')
            while "ready" not in (line := self._line(START_SECONDS)):
                pass  # what the machine interface still has to say
            self.process = int(json.loads(line)["ready"])
        except BaseException:
            self.close()
            raise

    def ask(self, job: Mapping[str, Any], seconds: float) -> dict[str, Any]:
        """Send one request; its answer, within ``seconds`` and some grace."""
        with self._sending:
            self._send(json.dumps(dict(job)))
            self._asked = True
        try:
            answer: dict[str, Any] = json.loads(self._line(seconds + GRACE_SECONDS))
        finally:
            with self._sending:
                self._asked = False
        if answer.get("end") == "failed":
            raise explained(answer["detail"])
        return answer

    def cancel(self) -> None:
        """End the run that another thread waits for, if there is one: it is ``cancelled``."""
        with self._sending, contextlib.suppress(GdbGone):
            if self._asked:
                self._send(json.dumps({"request": "cancel"}))

    def close(self) -> None:
        """End gdb and all that runs below it."""
        self._gdb.exit()
        self._file.unlink(missing_ok=True)

    def _send(self, line: str) -> None:
        pipe = self._process.stdin
        assert pipe is not None
        data = memoryview(line.encode("ascii") + b"\n")
        try:
            while data:  # pygdbmi made the pipe one that does not wait
                select.select([], [pipe], [], START_SECONDS)
                data = data[os.write(pipe.fileno(), data) :]
        except OSError as error:
            raise GdbGone("gdb-failed", f"gdb ended: {error}") from None

    def _line(self, seconds: float) -> str:
        """The next line that comes from the engine."""
        pipe = self._process.stdout
        assert pipe is not None
        deadline = time.monotonic() + seconds
        while b"\n" not in self._pending:
            left = deadline - time.monotonic()
            if not select.select([pipe], [], [], max(0.0, left))[0]:
                raise GdbGone("gdb-failed", "gdb did not answer in time.")
            more = os.read(pipe.fileno(), 1 << 16)
            if not more:
                raise GdbGone("gdb-failed", "gdb ended.")
            self._pending += more
        line, _, self._pending = self._pending.partition(b"\n")
        return line.decode("ascii", "replace")

    @property
    def _process(self) -> subprocess.Popen[bytes]:
        process = self._gdb.gdb_process
        assert process is not None
        return process

    def _execute(self, command: str, seconds: float) -> None:
        """Execute a command of gdb's that does not run the program."""
        quoted = command.replace("\\", "\\\\").replace('"', '\\"')
        self._send(f'-interpreter-exec console "{quoted}"')
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
                    raise GdbGone("gdb-failed", f"gdb failed: {said} {''.join(log)[-1000:]}")
                elif kind == "result":
                    return
            if left <= 0:
                raise GdbGone("gdb-failed", "gdb did not answer in time.")
            if not records and process.poll() is not None:
                raise GdbGone("gdb-failed", f"gdb ended: {''.join(log)[-1000:]}")
