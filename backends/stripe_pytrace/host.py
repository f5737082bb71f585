"""The host's side of the agent: starting it, asking it, making sure that nothing survives it.

Every process that runs the user's code is a child of a server (``agent/process/server.py``), which
ends it in time, buries what it leaves behind, and itself ends when the host does.
"""

from __future__ import annotations

import contextlib
import os
import subprocess
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from enum import IntEnum
from pathlib import Path
from typing import Any

from stripe.backend import Deadline
from stripe.errors import BackendError
from stripe.kit.engines import Gone, our_fault
from stripe.sandbox.layers import forget_layers
from stripe.sandbox.termination import ORPHANS, can_be_read, end_process
from stripe_pytrace.agent.process import wire

BOOT = Path(__file__).parent / "agent" / "boot.py"


class Refusal(Gone):
    """The agent does not take its job; ``facts`` is what it says."""

    def __init__(self, facts: Mapping[str, Any]) -> None:
        super().__init__("agent-failed", str(facts.get("detail", "")))
        self.facts = facts


PATIENCE = 5.0
"""Seconds an agent has to end when nobody asks it any more."""


LATER = 1.0
"""Seconds behind the end of the time for all: a run is ended then, which has to be told."""


class Role(IntEnum):
    """What an agent is there for: it may become the next one, behind the same walls."""

    LAUNCHER = 1
    """Starts commands, as the others do."""
    AGENT = 2
    """Has been loaded, and forks a run for each job."""
    SERVER = 3
    """Replays, or what else its job is."""


class AgentProcess:
    """A running agent that answers requests one at a time.

    ``walled`` makes the command line, from the arguments of the interpreter.

    Raises :class:`~stripe.kit.engines.Gone` ``agent-failed`` when the agent ends or
    refuses its job, and :class:`~stripe.deadline.OutOfTime` when it does not answer in time.
    """

    def __init__(
        self,
        walled: Callable[[list[str]], list[str]],
        job: Mapping[str, Any],
        *,
        directory: Path,
        environment: Mapping[str, str],
        stdin: Path,
        out: Path,
        err: Path,
        deadline: Deadline,
        role: Role = Role.SERVER,
    ) -> None:
        to_agent, self._requests = os.pipe()
        self._answers, from_agent = os.pipe()
        self._lock = threading.Lock()
        self._sending = threading.Lock()
        self._asked = False  # a request is on its way, or being worked on
        self._files = {"stdin": str(stdin), "out": str(out), "err": str(err)}
        self._err = err
        self._deadline = deadline
        self.role = role
        self.closed = False
        try:
            with open(stdin, "rb") as source, open(out, "ab") as sink, open(err, "ab") as errors:
                self.process = subprocess.Popen(
                    walled([str(BOOT), str(to_agent), str(from_agent)]),
                    stdin=source,
                    stdout=sink,
                    stderr=errors,
                    cwd=directory,
                    env=dict(environment),
                    pass_fds=(to_agent, from_agent),
                    start_new_session=True,
                )
        finally:
            os.close(to_agent)
            os.close(from_agent)
        try:
            self._begin({**job, "orphans": str(ORPHANS)})
        except BaseException as error:
            if isinstance(error, Gone):
                forget_layers()  # it may be the walls that are refused now
            self.close(patience=0.0)  # it may be at work for long, before it listens
            raise

    def load(
        self, command: Sequence[str], environment: Mapping[str, str], directory: Path, entry: str
    ) -> None:
        """Have a launcher become the agent that ``command`` starts, with a module of it.

        Raises :class:`~stripe.kit.engines.Gone` ``agent-failed`` when that ends or refuses.
        """
        self._turn(
            {
                "command": list(command),
                "environment": dict(environment),
                "directory": str(directory),
                "entry": entry,
                **self._files,
            }
        )
        self._begin({"mode": "wait", "orphans": str(ORPHANS)})
        self.role = Role.AGENT

    def prepare(self, job: Mapping[str, Any], directory: Path) -> None:
        """Have an agent become a server; see :meth:`load`."""
        self._turn({"directory": str(directory), "job": {**job, "orphans": str(ORPHANS)}})
        self._greet()
        self.role = Role.SERVER

    def _turn(self, request: Mapping[str, Any]) -> None:
        self._send({**request, "role": True})

    def _begin(self, job: Mapping[str, Any]) -> None:
        self._send(job)
        self._greet()

    def _greet(self) -> None:
        self.greeting = self._receive()
        if self.greeting.get("end") != "ready":
            raise Refusal(self.greeting)

    def ask(self, request: Mapping[str, Any]) -> dict[str, Any]:
        """Send one request and wait for the answer."""
        with self._lock:
            with self._sending:
                self._send(request)
                self._asked = True
            try:
                return self._receive()
            finally:
                with self._sending:
                    self._asked = False

    def stream(self, request: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
        """Send one request and take all answers; the last is ``over``."""
        with self._lock:
            self._send(request)
            while True:
                answer = self._receive()
                yield answer
                if "over" in answer:
                    return

    def cancel(self) -> None:
        """End the run that another thread waits for, if there is one: it is ``cancelled``."""
        with self._sending:
            if self._asked:
                self._send({"cancel": True})

    def close(self, *, patience: float = PATIENCE) -> None:
        """End the agent and every process it runs.  Closing the pipe tells it to."""
        self.closed = True
        for descriptor in (self._requests, self._answers):
            with contextlib.suppress(OSError):
                os.close(descriptor)
        self._requests = self._answers = -1
        end_process(self.process, patience=patience)

    def _send(self, message: Any) -> None:
        if self.closed:
            raise self._failed()
        try:
            wire.send(self._requests, dict(message))
        except BrokenPipeError:
            raise self._failed() from None

    def _receive(self) -> dict[str, Any]:
        self._wait()
        answer = wire.receive(self._answers)
        if answer is None:
            raise self._failed()
        if answer.get("end") == "fault":
            raise BackendError("agent-failed", *our_fault(answer["detail"]))
        return dict(answer)

    def _wait(self) -> None:
        """Wait for an answer.  Raises OutOfTime if there is none by the end of the time for all."""
        if not can_be_read(self._answers, self._deadline.left + LATER, self.process):
            self.close(patience=0.0)  # what comes now would be taken for the next answer
            self._deadline.check()

    def _failed(self) -> Gone:
        with contextlib.suppress(OSError):
            tail = self._err.read_text("utf-8", "replace").strip()[-2000:]
            if tail:
                return Gone("agent-failed", f"The agent in the interpreter ended: {tail}")
        return Gone("agent-failed", "The agent in the interpreter ended without a word.")
