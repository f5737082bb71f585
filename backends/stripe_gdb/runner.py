"""Running the target in the slots of a workspace: plainly, or below gdb.

Plain runs and runs below gdb get the same environment, the same arguments, through a shell or
not, and no random addresses: what an uninitialised variable holds depends on all of these.
"""

from __future__ import annotations

import os
import re
import shlex
import signal
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from stripe.backend import End, Observation, Probe, Target, UncaughtException
from stripe.errors import UsageError
from stripe.sandbox.workspace import Slot, Workspace
from stripe.trace import Statement
from stripe_gdb.blocks import Table
from stripe_gdb.elf import Program
from stripe_gdb.keeper import Limits, kept, processor, run
from stripe_gdb.session import Session, find_gdb
from stripe_gdb.terminal import Terminal, read_script
from stripe_gdb.tracing_session import TracingSession

PLAIN_SECONDS = 60.0
PLAIN_OUTPUT = 64 << 20
ADDRESS = re.compile(r"\b0x[0-9a-f]{6,}\b")
SIMPLE = re.compile(r"[\w./:=,@%+-]+", re.ASCII)
NOISE = (
    # Sanitizers and panics name the process.
    (re.compile(rb"==\d+=="), b"==1=="),
    (re.compile(rb"(?m)^(thread '[^'\n]*') \(\d+\) panicked at"), rb"\1 (1) panicked at"),
)
type Engine = Session | TracingSession
"""What records and replays, for one slot."""

ENDS = {
    "timeout": End.TIMEOUT,
    "diverged": End.DIVERGED,
    "signal": End.SIGNAL,
    "cancelled": End.CANCELLED,
}


class Runner:
    """Runs the target; ``timeout`` (seconds) and ``output`` (bytes) hold for each run."""

    def __init__(
        self,
        target: Target,
        probes: Sequence[Probe],
        program: Program,
        table: Table,
        workspace: Workspace,
    ) -> None:
        self.target = target
        self.probes = list(probes)
        self.program = program
        self.table = table
        self.workspace = workspace
        self.timeout = target.timeout or PLAIN_SECONDS
        self.output = PLAIN_OUTPUT
        self.memory = None if program.sanitized else target.memory or default_memory()
        self._gdb = find_gdb()
        self._stdin = workspace.root / "stdin"
        self._stdin.write_bytes(target.stdin)
        self._tty = target.tty
        self._missed: dict[int, bytes | None] = {}
        if target.tty:
            read_script(target.stdin)  # it may be wrong
        for argument in target.arguments:
            if "\n" in argument or "\0" in argument:
                raise UsageError(
                    "bad-argument",
                    f"The argument {argument!r} has a line end in it, which cannot be handed to a "
                    "program below gdb.",
                    "Give it through a file, or through --stdin.",
                )

    # -- runs

    def plainly(self, number: int) -> Observation:
        """Run the program as the user would."""
        slot = self.workspace.slot(number)
        command = [self.path(slot), *self._words(slot)]
        streams = self._streams(slot)
        if not self._simple:
            text = f"exec {shlex.join(command)}"
            command = ["/bin/sh", "-c", text if self._tty else f"{text} {redirections(streams)}"]
        report = self.workspace.root / f"report-{number}"
        with self._terminal(slot) as tty:
            line = kept(
                command,
                self._limits(number),
                fixed=True,
                timeout=self.timeout,
                directory=str(slot.directory),
                environment=self._environment(slot),
                streams=streams if self._simple and tty is None else None,
                tty=tty,
                report=report,
            )
            answer = run(line, report)
        if self._tty and self._missed[number] is not None:
            raise UsageError(
                "tty-script-not-followed",
                f"The program never wrote {self._missed[number]!r}, which the input awaits; it "
                f"wrote {slot.out.read_bytes()[-200:]!r}.",
                "Correct the line of the input that begins with '< '.",
            )
        status = os.waitstatus_to_exitcode(answer["status"])
        facts = {
            "end": "timeout" if answer["timeout"] else "signal" if status < 0 else "exited",
            "status": abs(status),
            "seconds": answer["seconds"],
        }
        return self.observe(number, facts)

    def session(self, number: int) -> Engine:
        """Start an engine for a slot."""
        slot = self.workspace.slot(number)
        probes = [probe.name for probe in self.probes]
        main = [entry for entry, each in self.table.functions.items() if each.symbol == "main"]
        job: dict[str, Any] = {
            **self.place(number),
            "pie": self.program.position_independent,
            "main": main[0] if main else -1,
            "blocks": [(b.address, b.function, b.entry, b.epilogue) for b in self.table.blocks],
            "probes": probes,
            "probes_at": self._probed(),
        }
        limits = self._limits(number)

        def gdb(**instead: str) -> Session:
            return Session(self._gdb, {**job, **instead}, limits, slot.tmp.parent)

        if self.target.engine == "ptrace":
            more = {"forkable": not self.program.sanitized}
            # The gdb it asks does not run the program: it looks at the file nobody changes.
            return TracingSession({**job, **more}, limits, lambda: gdb(path=str(self.program.path)))
        return gdb()

    def place(self, number: int) -> dict[str, Any]:
        """What an engine has to know of the slot it works in; ``output`` is a limit in bytes."""
        slot = self.workspace.slot(number)
        return {
            "path": self.path(slot),
            "directory": str(slot.directory),
            "environment": self._environment(slot),
            "output": self.output,
        }

    def ask(self, session: Engine, number: int, request: Mapping[str, Any]) -> dict[str, Any]:
        """Have the engine of a slot run the program; its answer."""
        with self._terminal(self.workspace.slot(number)) as tty:
            return session.ask({**request, "tty": tty}, self.timeout)

    @contextmanager
    def _terminal(self, slot: Slot) -> Iterator[str | None]:
        """The path of a terminal to run the program at, if it shall have one."""
        if not self._tty:
            yield None
            return
        terminal = Terminal(self.output)
        with terminal.typing(read_script(self.target.stdin)) as written:
            yield terminal.path
        self._missed[slot.number] = terminal.missed
        slot.out.write_bytes(written)
        slot.err.write_bytes(b"")

    def request(self, number: int, name: str, **more: object) -> dict[str, Any]:
        """A request to run the program in a slot."""
        slot = self.workspace.slot(number)
        words, streams = self._words(slot), self._streams(slot)
        redirected = "" if self._tty else redirections(streams)
        return {
            "request": name,
            "arguments": f"{shlex.join(words)} {redirected}",
            "simple": " ".join(words) if self._simple else None,
            "streams": streams,
            "timeout": self.timeout,
            **more,
        }

    def _probed(self) -> list[tuple[int, list[int]]]:
        found: dict[int, list[int]] = {}
        for number, probe in enumerate(self.probes):
            end = "/" + os.path.normpath(probe.file)
            for block, each in enumerate(self.table.blocks):
                statement = not each.entry and not each.epilogue
                if statement and each.line == probe.line and each.file.endswith(end):
                    found.setdefault(block, []).append(number)
        return sorted(found.items())

    # -- what they get

    def _limits(self, number: int) -> Limits:
        # The slot behind the last is that of the recording, whose engine goes on in the first.
        return Limits(self.memory, self.output, processor(number % self.target.jobs))

    def _environment(self, slot: Slot) -> dict[str, str]:
        environment = {
            name: value.strip()
            for name, value in os.environ.items()
            # gdb takes no line ends, and sets these two itself.
            if "\n" not in value and name not in ("LINES", "COLUMNS", "_")
        }
        environment["TMPDIR"] = str(slot.tmp)
        environment["PWD"] = str(slot.directory)
        environment["SHELL"] = "/bin/sh"
        if self.program.sanitized:
            # The leak checker cannot work below a debugger.
            options = environment.get("ASAN_OPTIONS", "")
            environment["ASAN_OPTIONS"] = f"detect_leaks=0:{options}".rstrip(":")
        return environment

    def path(self, slot: Slot) -> str:
        """The path of the program in a slot."""
        inside = self._inside(str(self.program.path))
        return str(self.program.path) if inside is None else os.path.join(slot.directory, inside)

    def _words(self, slot: Slot) -> list[str]:
        words = []
        for argument in self.target.arguments:
            # Arguments that are paths in the working directory name their scratch copies.
            inside = self._inside(argument) if os.path.isabs(argument) else None
            words.append(argument if inside is None else os.path.join(slot.directory, inside))
        return words

    def _streams(self, slot: Slot) -> list[str]:
        """The files that are standard input, output and error."""
        return [str(self._stdin), str(slot.out), str(slot.err)]

    @property
    def _simple(self) -> bool:
        """Whether gdb can split the arguments itself; else a shell does, which takes longer."""
        slot = self.workspace.slot(0)
        return all(SIMPLE.fullmatch(word) for word in self._words(slot))

    def _inside(self, path: str) -> str | None:
        directory = str(self.workspace.directory).rstrip(os.sep) + os.sep
        return path[len(directory) :] if path.startswith(directory) else None

    # -- what is seen of them

    def observe(
        self, number: int, facts: Mapping[str, Any], where: tuple[str, Statement] | None = None
    ) -> Observation:
        """A run as checks see it; ``where`` is the file and statement it ended in, if known."""
        slot = self.workspace.slot(number)
        end = ENDS.get(facts["end"], End.EXITED)
        status = int(facts["status"])
        values = {
            self.probes[int(which)]: ADDRESS.sub("0x...", value)
            for which, value in facts.get("values", {}).items()
        }
        return Observation(
            end,
            status,
            self._written(slot.out, number),
            self._written(slot.err, number),
            slot.directory,
            crash(status, *where) if end is End.SIGNAL and where is not None else None,
            values,
            facts.get("detail", ""),
            facts.get("seconds", 0.0),
        )

    def _written(self, path: Path, number: int) -> bytes:
        try:
            data = self.workspace.canonical(path.read_bytes(), number)
        except FileNotFoundError:
            return b""
        if self.program.sanitized or self.program.rust:
            for pattern, constant in NOISE:
                data = pattern.sub(constant, data)
        return data


def redirections(streams: Sequence[str]) -> str:
    """Standard input, output and error, for a shell."""
    signs = ("<", ">", "2>")
    return " ".join(
        f"{sign} {shlex.quote(path)}" for sign, path in zip(signs, streams, strict=True)
    )


def crash(status: int, file: str, statement: Statement) -> UncaughtException:
    """A death by signal, as an exception: so it is known by the statement it happened in."""
    try:
        name = signal.Signals(status).name
    except ValueError:
        name = f"signal {status}"
    text = signal.strsignal(status) or name
    return UncaughtException(name, text, file, statement.line, statement.id)


def default_memory() -> int | None:
    """Half of the machine's memory, in bytes; no limit where it cannot be known."""
    try:
        return os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") // 2
    except (ValueError, OSError):
        return None
