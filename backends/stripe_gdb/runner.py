"""Running the target in the slots of a workspace: plainly, or below gdb.

Plain runs and runs below gdb get the same environment, the same arguments, through a shell or
not, and no random addresses: what an uninitialised variable holds depends on all of these.
"""

from __future__ import annotations

import os
import re
import shlex
import zlib
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from stripe.backend import End, Observation, Probe, Target
from stripe.errors import UsageError
from stripe.kit.limits import PLAIN_OUTPUT, default_memory
from stripe.kit.runs import TargetRunner, without_addresses
from stripe.sandbox.reads import witnessed
from stripe.sandbox.restoration import Slot
from stripe.sandbox.termination import ORPHANS
from stripe.sandbox.walls import Layer
from stripe.sandbox.workspace import Workspace
from stripe_gdb.blocks import Table
from stripe_gdb.elf import PAGE, Executable
from stripe_gdb.failures import aborted
from stripe_gdb.inside.heap import TUNABLES
from stripe_gdb.libraries import linker_symbols
from stripe_gdb.machine import find_gdb
from stripe_gdb.process_guard import Limits, kept, processor, run
from stripe_gdb.session import Session
from stripe_gdb.terminal import ENDS_UNTIL_HANG_UP, Terminal, read_script
from stripe_gdb.tracing_session import TracingSession
from stripe_gdb.uninitialised import VARIABLE, tunables

SIMPLE = re.compile(r"[\w./:=,@%+-]+", re.ASCII)
MAIN = re.compile(r"main|_ZN\d+\w+4main17h[0-9a-f]{16}E|_RNvC[^C]*4main")
"""The symbol of the main function: of C and C++, and of Rust in both its ways to make names."""
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
    "blocked": End.HARMFUL,
    "cut": End.CUT,
}


class Runner(TargetRunner):
    """Runs the target; ``timeout`` (seconds) and ``output`` (bytes) hold for each run."""

    def __init__(
        self,
        target: Target,
        probes: Sequence[Probe],
        program: Executable,
        table: Table,
        workspace: Workspace,
    ) -> None:
        super().__init__(target, probes, workspace)
        self.program = program
        self.table = table
        self.linker = linker_symbols(program.path)
        self.output = PLAIN_OUTPUT
        self.memory = None if program.sanitized else target.memory or default_memory() or None
        self.stateful = False  # whether engines are to look at states
        self._gdb = find_gdb()
        self._tty = target.tty
        # By slot: the terminals of the engines, and what was written there in the latest run.
        self._terminals: dict[int, Terminal] = {}
        self._seen: dict[int, bytes] = {}
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

    def plainly(self, number: int, report: Path | None = None) -> Observation:
        """Run the program as the user would; ``report``: where it is told what that reads."""
        slot = self.workspace.slot(number)
        command = [self.path(slot), *self._words(slot)]
        streams = self._streams(slot)
        simple = self._simple
        if not simple:
            if report is not None:  # below the shell, which reads files of its own
                command = witnessed(command, report)
            text = f"exec {shlex.join(command)}"
            command = ["/bin/sh", "-c", text if self._tty else f"{text} {_redirections(streams)}"]
        terminal = Terminal(hangs_up=True) if self._tty else None
        line = self._kept(
            number,
            command,
            terminal,
            fixed=True,
            timeout=self.target.deadline.limit(self.timeout),
            directory=str(slot.inside),
            environment=self.environment(slot),
            streams=streams if simple and terminal is None else None,
            tty=None if terminal is None else terminal.descriptor,
            witness=report if simple else None,
        )
        try:
            with self._typing(slot, terminal):
                answer = run(line, () if terminal is None else (terminal.descriptor,))
            self._require_script(slot, terminal)
        finally:
            if terminal is not None:
                terminal.close()
        if answer["timeout"]:
            self.target.deadline.check()
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
        modules, (_, behind) = self.table.modules, self.table.spans[0]
        functions = self.table.functions.items()
        main = [n for n, each in functions if n < behind and MAIN.fullmatch(each.symbol)]
        terminal = self._new_terminal(number)
        job: dict[str, Any] = {
            "path": self.path(slot),
            "orphans": str(ORPHANS),
            "directory": str(slot.inside),
            "environment": self.environment(slot),
            "tty": None if terminal is None else terminal.descriptor,
            "bias": self.program.bias,
            "image": self.program.image,
            "linker": self.linker,
            "libraries": [self._library(slot, number) for number in range(1, len(modules))],
            "main": main[0] if main else -1,
            "blocks": [(b.address, b.function, b.entry, b.epilogue) for b in self.table.blocks],
            "probes": probes,
            "probes_at": self._probed(),
        }
        if self.stateful:
            job["unions"] = list(self.target.unions)

        def walled(
            command: list[str], *, environment: Mapping[str, str] | None = None
        ) -> list[str]:
            directory = str(slot.inside)
            settings = {"environment": environment, "engine": True, "directory": directory}
            return self._kept(number, command, terminal, **settings)

        def gdb(**instead: str) -> Session:
            file = slot.tmp.parent.with_suffix(".request")
            return Session(self._gdb, {**job, **instead}, walled, file)

        if self.target.engine == "ptrace":
            more = {"forkable": not self.program.sanitized, "sizes": self._sizes()}
            # The gdb it asks does not run the program: it looks at the file nobody changes.
            file = str(self.program.path)
            code = self.table.code
            return TracingSession({**job, **more}, walled, code, lambda: gdb(path=file))
        return gdb()

    @property
    def catches(self) -> bool:
        """Whether control may come to a handler that needs an exception in flight."""
        return any(module.catches for module in self.table.modules)

    def _library(self, slot: Slot, number: int) -> dict[str, Any]:
        """A shared library, as engines are told of it (see ``inside/linker.py``)."""
        module, (first, end) = self.table.modules[number], self.table.spans[number]
        own = [each for entry, each in self.table.functions.items() if first <= entry < end]
        code = b"".join(module.code(each.low, each.high) for each in own)
        return {
            "paths": [self.paths.copy(slot, str(module.path)), str(module.path)],
            "start": module.image[0] // PAGE * PAGE,
            "bias": module.bias,
            "image": module.image,
            "blocks": (first, end),
            "functions": [(each.low, each.high - each.low) for each in own],
            "checksum": zlib.crc32(code),
        }

    def _sizes(self) -> list[tuple[int, int]]:
        """The program's functions that may be copied, by entry block, with their sizes in bytes.

        Where exceptions are thrown, what is returned to is looked up in tables.
        """
        if self.catches or self.program.sanitized:
            return []
        (_, behind), functions = self.table.spans[0], self.table.functions.items()
        return [(entry, each.high - each.low) for entry, each in functions if entry < behind]

    def ask(self, session: Engine, number: int, request: Mapping[str, Any]) -> dict[str, Any]:
        """Have the engine of a slot run the program; its answer."""
        slot, terminal = self.workspace.slot(number), self._terminals.get(number)
        with self._typing(slot, terminal):
            answer = self.in_time(session.ask(request, self.timeout))
        if self.target.live and request["request"] == "record":  # no plain run could tell
            self._require_script(slot, terminal)
        return answer

    def close(self) -> None:
        """Give back what is no process."""
        for terminal in self._terminals.values():
            terminal.close()
        self._terminals.clear()

    def _kept(
        self, number: int, command: list[str], terminal: Terminal | None, **options: Any
    ) -> list[str]:
        """The command line for a command under a keeper, behind the walls of a slot."""
        line = kept(
            command,
            self._limits(number),
            guarded=self.workspace.layer_of(number) is not Layer.NONE,
            **options,
        )
        opened = "" if terminal is None else terminal.path
        return self.workspace.walled(number, line, terminal=opened, ours=True)

    def _new_terminal(self, number: int) -> Terminal | None:
        """A terminal for a new engine of a slot, if the program shall have one."""
        if not self._tty:
            return None
        old = self._terminals.pop(number, None)
        if old is not None:
            old.close()
        return self._terminals.setdefault(number, Terminal())

    @contextmanager
    def _typing(self, slot: Slot, terminal: Terminal | None) -> Iterator[None]:
        """Have somebody type while in the context; what the program wrote is its output then."""
        if terminal is None:
            yield
            return
        with terminal.typing(read_script(self.target.stdin), self.output) as written:
            yield
        # Not into a file: what has one of these names is of the program's making.
        self._seen[slot.number] = bytes(written)

    def _require_script(self, slot: Slot, terminal: Terminal | None) -> None:
        if terminal is not None and terminal.hung_up and terminal.missed is None:
            raise UsageError(
                "tty-input-ended",
                f"The program went on reading {ENDS_UNTIL_HANG_UP} times after the input was at "
                f"its end, and was sent SIGHUP; it wrote {self._seen[slot.number][-200:]!r} last.",
                "Type what makes it end, in lines of the input that begin with '> '.",
            )
        if terminal is None or terminal.missed is None:
            return
        raise UsageError(
            "tty-script-not-followed",
            f"The program never wrote {terminal.missed!r}, which the input awaits; it wrote "
            f"{self._seen[slot.number][-200:]!r}.",
            "Correct the line of the input that begins with '< '.",
        )

    def request(self, number: int, name: str, **more: object) -> dict[str, Any]:
        """A request to run the program in a slot."""
        slot = self.workspace.slot(number)
        words, streams = self._words(slot), self._streams(slot)
        redirected = "" if self._tty else _redirections(streams)
        return {
            "request": name,
            "arguments": f"{shlex.join(words)} {redirected}",
            "simple": " ".join(words) if self._simple else None,
            "streams": streams,
            "timeout": self.target.deadline.limit(self.timeout),
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
        # The slot behind the last is that of the recording, which may stand in for the first.
        return Limits(self.memory, self.output, processor(number % self.target.jobs))

    def environment(self, slot: Slot) -> dict[str, str]:
        """See :class:`~stripe.kit.runs.TargetRunner`."""
        environment = {
            name: value.strip()
            for name, value in super().environment(slot).items()
            # gdb sets the first two itself.
            if _is_one_line(name + value) and name not in ("LINES", "COLUMNS", "_")
        }
        environment["SHELL"] = "/bin/sh"
        environment[VARIABLE] = tunables()
        if self.stateful:
            environment[VARIABLE] += f":{TUNABLES}"
        if self.program.sanitized:
            # The leak checker cannot work below a debugger.
            options = environment.get("ASAN_OPTIONS", "")
            environment["ASAN_OPTIONS"] = f"detect_leaks=0:{options}".rstrip(":")
        return environment

    def path(self, slot: Slot) -> str:
        """The path of the program in a slot."""
        return self.paths.copy(slot, str(self.program.path))

    def _words(self, slot: Slot) -> list[str]:
        return self.paths.arguments(slot, self.target.arguments)

    def _streams(self, slot: Slot) -> list[str]:
        """The files that are standard input, output and error."""
        return [str(self.stdin), str(slot.out), str(slot.err)]

    @property
    def _simple(self) -> bool:
        """Whether gdb can split the arguments itself; else a shell does, which takes longer."""
        slot = self.workspace.slot(0)
        return all(SIMPLE.fullmatch(word) for word in self._words(slot))

    # -- what is seen of them

    def observe(self, number: int, facts: Mapping[str, Any]) -> Observation:
        """A run as checks see it, but for what it died of."""
        slot = self.workspace.slot(number)
        end = ENDS.get(facts["end"], End.EXITED)
        status = int(facts["status"])
        values = {
            self.probes[int(which)]: without_addresses(value)
            for which, value in facts.get("values", {}).items()
        }
        if self._tty:
            stdout, stderr = self._seen[number], b""
        else:
            stdout, stderr = read(slot.out), read(slot.err)
        stderr = self._clean(stderr, number)
        return Observation(
            end,
            status,
            self._clean(stdout, number),
            stderr,
            slot.directory,
            values=values,
            detail=facts.get("detail", ""),
            seconds=facts.get("seconds", 0.0),
            fault=facts.get("fault", "") or aborted(end, status, stderr),
        )

    def _clean(self, data: bytes, number: int) -> bytes:
        data = self.workspace.canonical(data, number)
        if self.program.sanitized or self.program.rust:
            for pattern, constant in NOISE:
                data = pattern.sub(constant, data)
        return data


def read(path: Path) -> bytes:
    """What a run wrote into a file, if nothing else is in its place."""
    try:
        found = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC)
        with open(found, "rb") as stream:
            return stream.read() or b""
    except OSError:
        return b""


def _redirections(streams: Sequence[str]) -> str:
    """Standard input, output and error, for a shell."""
    signs = ("<", ">", "2>")
    return " ".join(
        f"{sign} {shlex.quote(path)}" for sign, path in zip(signs, streams, strict=True)
    )


def _is_one_line(text: str) -> bool:
    """Whether gdb takes a text as a part of its commands."""
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return "\n" not in text
