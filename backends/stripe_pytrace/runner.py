"""Running the target in the slots of a workspace: what an agent or a plain process is told,
and what is seen of it afterwards.

Everything that has to do with a slot's directory standing in for the user's is here: paths
and arguments are translated on the way in, and output on the way out.
"""

from __future__ import annotations

import math
import os
import threading
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from stripe.backend import End, Observation, Probe, Target, UncaughtException
from stripe.errors import BackendError, NotReducible
from stripe.kit.engines import Facts, Gone
from stripe.kit.limits import PLAIN_OUTPUT, default_memory
from stripe.kit.runs import TargetRunner, home, without_addresses
from stripe.sandbox.bytecode import keep_bytecode
from stripe.sandbox.reads import WITNESS
from stripe.sandbox.restoration import Slot
from stripe.sandbox.walls import Layer, script
from stripe.sandbox.workspace import Workspace
from stripe_pytrace.host import BOOT, PATIENCE, AgentProcess, Role
from stripe_pytrace.incidental import without_incidentals
from stripe_pytrace.interpreter import Interpreter
from stripe_pytrace.refusals import raised_elsewhere
from stripe_pytrace.scope import Scope
from stripe_pytrace.thread_pools import in_one_thread

BUSY = 10
"""Times its limit that a run may take where others have the processor."""

LAUNCH = "process.launch"
"""The entry of what starts processes, an agent that needs nothing of the user's interpreter."""

ENDS = {
    "timeout": End.TIMEOUT,
    "diverged": End.DIVERGED,
    "blocked": End.BLOCKED,
    "harmful": End.HARMFUL,
    "cut": End.CUT,
    "cancelled": End.CANCELLED,
}


class Runner(TargetRunner):
    """Runs the target plainly, or below an agent, in a fresh process each time.

    ``timeout`` and ``wall`` (seconds) and ``limits`` (bytes) hold for each run and may be changed
    between them.  Only in ``wall`` does the time count in which a run waited for a processor;
    ``processor`` is the time for which it had one, with all that it started.  ``entry`` is the
    module of the agent that runs :meth:`forked` begin with.
    """

    def __init__(
        self,
        target: Target,
        probes: Sequence[Probe],
        interpreter: Interpreter,
        workspace: Workspace,
        entry: str = "main",
    ) -> None:
        super().__init__(target, probes, workspace)
        keep_bytecode(BOOT.parent)
        self.interpreter = interpreter
        self.entry = entry
        # A busy machine says nothing of the program; who gives a limit means that.
        self.wall = self.timeout * (BUSY if target.timeout is None else 1)
        self.processor = math.inf
        self.limits = {"memory": target.memory or default_memory(), "output": PLAIN_OUTPUT}
        program = None if target.module else target.directory / target.program
        self.projects = [target.directory] + ([program.parent] if program else [])
        self.scope = Scope(
            self.projects,
            target.include,
            target.only,
            target.exclude,
            interpreter.libraries,
            program,
        )
        self.closed = False
        self._greeting: bytes | None = None
        self._residents: dict[int, AgentProcess] = {}
        # Of each slot: what lives there is started in one thread at a time.
        self._locks = [threading.Lock() for _ in range(target.jobs + 1)]

    # -- runs

    def plainly(self, number: int) -> Observation:
        """Run the program as the user would."""
        return self._plainly(number)

    def unseen(self) -> str:
        """See :class:`~stripe.kit.runs.TargetRunner`."""
        # Whoever is witnessed gains no privileges by sudo and the like.
        return "there is no sandbox" if self.workspace.layer is Layer.NONE else ""

    def below_witness(self, number: int, report: Path) -> Observation:
        """See :class:`~stripe.kit.runs.TargetRunner`."""
        return self._plainly(number, report)

    def _command(self, number: int) -> list[str]:
        slot = self.workspace.slot(number)
        program = ["-m", self.target.program] if self.target.module else [self._program(slot)]
        return [self.interpreter.path, *program, *self.paths.arguments(slot, self.target.arguments)]

    def _plainly(self, number: int, report: Path | None = None) -> Observation:
        facts = self._launch(number, self._command(number), os.devnull, report)
        if facts["end"] != "timeout":
            facts["end"] = "exited"  # there is no agent that could have said so
        said = facts["stderr"]
        if said and not said.startswith(b"Traceback"):  # which is the program's
            facts["stderr"] = said.removeprefix(self._said_at_start(number))
        return self.observe(number, facts)

    def _said_at_start(self, number: int) -> bytes:
        """What the interpreter itself prints to standard error, as of a broken ``.pth`` file.

        It is no part of a run: where a program is recorded the interpreter has started before.
        """
        if self._greeting is None:
            facts = self._launch(number, [self.interpreter.path, "-c", ""], os.devnull)
            self._greeting = facts["stderr"]
        return self._greeting

    def forked(self, number: int, job: Mapping[str, Any], **more: Any) -> Facts:
        """Do one job in a fork of the agent that lives in a slot; ``more`` is for that one."""
        return self._ask(number, {**self.request(number), "job": dict(job), **more}, Role.AGENT)

    def below_agent(self, number: int, job: Mapping[str, Any], more: float = 0.0) -> Facts:
        """Do one job in a fork of an interpreter that was started for such jobs in a slot.

        Nothing of the program's has been imported there, and its addresses are its own.
        ``more``: see :meth:`request`.
        """
        zygote = {**self._zygote(number), **self.request(number, more)}
        return self._ask(number, {**zygote, "job": dict(job)}, None)

    def _zygote(self, number: int) -> dict[str, Any]:
        """What the interpreter is told that is started for fresh runs in a slot."""
        return {
            **self.request(number),
            "zygote": "fresh",
            "command": [self.interpreter.path, str(BOOT), "4", "3"],
            "environment": self.environment(self.workspace.slot(number)),
        }

    def server(self, number: int) -> AgentProcess | None:
        """What answers requests in a slot, if it has once waited there."""
        with self._locks[number]:
            resident = self._residents.get(number)
        there = resident is not None and resident.role is Role.SERVER and not resident.closed
        return resident if there else None

    def beside(
        self, server: AgentProcess, number: int, job: Mapping[str, Any], request: Facts
    ) -> Facts | None:
        """Do a job that a slot's server is not for in a fork of its twin; ``None``: it has none.

        The twin is for one kind of jobs.
        """
        kind = " ".join([job["looks"], *job["modes"]])
        try:
            facts = server.ask({**request, "zygote": kind, "job": dict(job)})
        except Gone:
            server.close()
            self.workspace.restore(number)
            return None
        return None if facts["end"] == "absent" else self.in_time(facts)

    def serve(self, number: int, job: Mapping[str, Any]) -> AgentProcess:
        """Have who lives in a slot answer requests; if it does so already, start another one.

        The interpreter for fresh runs begins meanwhile.
        """
        slot = self.workspace.slot(number)
        if self.server(number) is not None:
            return self._start([self.interpreter.path], job, slot)
        resident = self._resident(slot, Role.AGENT)
        try:
            resident.prepare(job, slot.inside)
            resident.ask(self._zygote(number))
        except BaseException:
            resident.close()
            raise
        return resident

    def stay(self, number: int, job: Mapping[str, Any]) -> AgentProcess:
        """Start an agent that answers requests, by a module of its own."""
        slot = self.workspace.slot(number)
        return self._start([self.interpreter.path], job, slot, entry=self.entry)

    def _launch(
        self, number: int, command: list[str], job: str, report: Path | None = None
    ) -> Facts:
        """Run a command in a slot."""
        slot = self.workspace.slot(number)
        request = {
            **self.request(number),
            "command": command,
            "job": job,
            "environment": self.environment(slot),
        }
        if report is not None:
            request["witness"] = str(WITNESS.parent.parent), str(report)
        # A witness imports modules, which only a launcher does from nowhere but the library.
        return self._ask(number, request, None if report is None else Role.LAUNCHER)

    def _ask(self, number: int, request: dict[str, Any], role: Role | None) -> Facts:
        """Ask who lives in a slot, in a role if it matters; once more if that gives no answer."""
        slot = self.workspace.slot(number)
        try:
            return self.in_time(self._resident(slot, role).ask(request))
        except Gone:
            with self._locks[number]:
                resident = self._residents.pop(number, None)
            if self.closed or (resident is not None and self.target.live):
                raise
            if resident is not None:
                resident.close()
        self.workspace.restore(number)
        try:
            return self.in_time(self._resident(slot, role).ask(request))
        except Gone as error:
            raise _ended_with_it(error) from None

    def _resident(self, slot: Slot, role: Role | None) -> AgentProcess:
        """Who lives in a slot: a launcher, until it becomes something else."""
        with self._locks[slot.number]:
            resident = self._residents.get(slot.number)
            if resident is not None and (resident.closed or resident.role > (role or Role.SERVER)):
                resident.close()
                resident = None
            if resident is None:
                resident = self._settle(slot)
            if role is Role.AGENT and resident.role is Role.LAUNCHER:
                self._load(resident, slot)
            return resident

    def _settle(self, slot: Slot) -> AgentProcess:
        """Have a launcher live in a slot."""
        resident = self._start(script(), {}, slot, entry=LAUNCH)
        self._residents[slot.number] = resident
        return resident

    def _load(self, resident: AgentProcess, slot: Slot) -> None:
        """Have a launcher become an agent."""
        command = [self.interpreter.path, str(BOOT)]
        try:
            resident.load(command, self.environment(slot), slot.inside, self.entry)
        except BaseException:
            resident.close()  # nobody knows what it is by now
            raise

    def warm(self, number: int) -> None:
        """Have an agent live in a slot that nobody has used yet, unless all ends meanwhile."""
        with self._locks[number]:
            if not self.closed:
                slot = self.workspace.slot(number)
                self._load(self._settle(slot), slot)

    def _start(
        self, python: list[str], job: Mapping[str, Any], slot: Slot, *, entry: str = "main"
    ) -> AgentProcess:
        slot.out.touch()
        slot.err.touch()
        return AgentProcess(
            lambda command: self.workspace.walled(
                slot.number, [*python, *command, entry], ours=entry == LAUNCH
            ),
            job,
            directory=slot.directory,
            environment=self.environment(slot),
            stdin=self.stdin,
            out=slot.out,
            err=slot.err,
            deadline=self.target.deadline,
            role=Role.LAUNCHER if entry == LAUNCH else Role.SERVER,
        )

    def close(self) -> None:
        """End every process started in a fresh one; servers are the caller's."""
        self.closed = True
        for number, lock in enumerate(self._locks):
            waited = lock.acquire(timeout=PATIENCE)  # for one that is about to start
            resident = self._residents.pop(number, None)
            if waited:
                lock.release()
            if resident is not None:
                resident.close()

    # -- what they are told

    def job(self, number: int) -> dict[str, Any]:
        """What every agent must know."""
        slot = self.workspace.slot(number)
        return {
            "program": self.target.program if self.target.module else self._program(slot),
            "module": self.target.module,
            "arguments": self.paths.arguments(slot, self.target.arguments),
            "scope": self.rules(number),
            "whole": list(self.target.whole),
            "probes": [(probe.file, probe.line, probe.name) for probe in self.probes],
            "within": [str(slot.inside), str(slot.directory), str(slot.tmp)],
            "log": str(home(slot) / "log"),
        }

    def request(self, number: int, more: float = 0.0) -> dict[str, Any]:
        """What a server must know for one run; it may take so many seconds ``more`` than others."""
        return {
            "directory": str(self.workspace.slot(number).inside),
            "stdin": str(self.stdin),
            "timeout": self.target.deadline.limit(self.timeout + more),
            "wall": self.target.deadline.limit(self.wall + BUSY * more),
            "processor": self.processor + more,
            "limits": self.limits,
        }

    def rules(self, number: int) -> dict[str, Any]:
        """What counts as the user's code, for files in slot ``number``."""
        return self.scope.rules({self.workspace.slot(number).inside: self.workspace.directory})

    def environment(self, slot: Slot) -> dict[str, str]:
        """See :class:`~stripe.kit.runs.TargetRunner`."""
        environment = in_one_thread(super().environment(slot))
        if environment.get("PYTHONHASHSEED", "random") == "random":
            environment["PYTHONHASHSEED"] = "0"
        return environment

    def _program(self, slot: Slot) -> str:
        """The program's path, as the user gave it if it is in the working directory."""
        given = self.target.program
        full = os.path.normpath(os.path.join(self.workspace.directory, given))
        if os.path.isabs(given) or self.paths.inside(full) is None:
            return self.paths.copy(slot, full)
        return given

    # -- what is seen of them

    def observe(self, number: int, facts: Mapping[str, Any]) -> Observation:
        """A run as checks see it."""
        status = int(facts.get("status", 0))
        canonical = self.workspace.canonical
        values = {
            self.probes[which]: without_addresses(value)
            for which, value in facts.get("values", {}).items()
        }
        return Observation(
            ENDS.get(facts["end"], End.SIGNAL if status < 0 else End.EXITED),
            abs(status),
            without_incidentals(canonical(facts["stdout"], number)),
            without_incidentals(canonical(facts["stderr"], number)),
            self.workspace.slot(number).directory,
            self._exception(number, facts.get("exception")),
            values,
            facts.get("detail", "").replace(f"{self.workspace.slot(number).inside}{os.sep}", ""),
            facts.get("seconds", 0.0),
            _part(facts.get("exception")),
        )

    def _exception(self, number: int, raised: dict[str, Any] | None) -> UncaughtException | None:
        if raised is None:
            return None
        message, *operands = (
            without_incidentals(
                self.workspace.canonical(each.encode("utf-8", "replace"), number)
            ).decode("utf-8", "replace")
            for each in (raised["message"], *raised["operands"])
        )
        return UncaughtException(
            raised["type"],
            message,
            self.paths.relative(number, raised["file"]),
            raised["line"],
            raised["node"],
            raised["event"],
            tuple(operands),
            self.readable(number, raised_elsewhere(raised)),
        )

    def readable(self, number: int, text: str) -> str:
        """A value as text, without addresses and without the name of the scratch copy."""
        data = without_addresses(text).encode()
        return self.workspace.canonical(data, number).decode("utf-8", "replace")


def _part(raised: dict[str, Any] | None) -> str:
    """Which part of its statement raised an exception: an expression, by lines and columns."""
    return ":".join(map(str, raised["part"])) if raised and None not in raised["part"] else ""


def _ended_with_it(error: BackendError) -> NotReducible:
    """The error for a program that twice ended what runs it, as far as can be told."""
    return NotReducible(
        "sandbox-ended",
        f"The process of STRIPE that runs the program has ended with it, twice. {error.message}",
        "Does the program signal its parent, or every process (kill -1)? In namespaces it cannot "
        "reach that one. Or did the system end it because memory was short?",
    )
