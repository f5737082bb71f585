"""A backend in memory, so that everything in front of a backend is tested without processes.

It understands programs of simple statements, ``while`` and ``if`` at the top of one file, and
executes kept events with ``exec``, so that their semantics are Python's own.  ``input`` and
``print`` are its own; ``write(path, text)`` writes a file in the run's directory.
"""

from __future__ import annotations

import ast
import sys
import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from types import CodeType
from typing import Any

from stripe.backend import End, Observation, Probe, Target, UncaughtException
from stripe.sandbox.walls import Layer
from stripe.trace import NONE, Activation, SourceFile, Statement, Trace
from tests.support.noting import happen

SAMPLE = """\
sum = 0
mul = 1
a = int(input())
b = int(input())
while a <= b:
    sum = sum + a
    mul = mul * a
    a = a + 1
print("sum =", sum)
print("mul =", mul)
"""
"""The paper's sample program (Cleve & Zeller 2000, Figure 1)."""

SAMPLE_INPUT = b"0\n5\n"

SAMPLE_SLICE = "1_1 2_2 3_3 7_7 8_8 6_10 8_12 6_14 8_16 6_18 8_20 6_22 8_24 6_26 9_30 10_31"


@dataclass
class Run:
    """One run in the making."""

    target: Target
    probes: Sequence[Probe]
    directory: Path
    stdout: str = ""
    stderr: str = ""
    status: int = 0
    end: End = End.EXITED
    detail: str = ""
    exception: UncaughtException | None = None
    values: dict[Probe, str] = field(default_factory=dict)
    names: dict[str, Any] = field(default_factory=dict)

    def __post_init__(self) -> None:
        lines = iter(self.target.stdin.decode().splitlines())

        def read(prompt: str = "") -> str:
            self.stdout += prompt
            try:
                return next(lines)
            except StopIteration:
                raise EOFError("EOF when reading a line") from None

        def show(*values: object, sep: str = " ", end: str = "\n", file: object = None) -> None:
            text = sep.join(map(str, values)) + end
            if file is sys.stderr:
                self.stderr += text
            else:
                self.stdout += text

        def write(path: str, text: str) -> None:
            (self.directory / path).write_text(text)

        self.names.update(
            input=read, print=show, write=write, sys=sys, argv=list(self.target.arguments)
        )

    def observed(self) -> Observation:
        return Observation(
            end=self.end,
            status=self.status,
            stdout=self.stdout.encode(),
            stderr=self.stderr.encode(),
            directory=self.directory,
            exception=self.exception,
            values=dict(self.values),
            detail=self.detail,
            seconds=0.001,
        )


class Stop(Exception):
    """The run is over."""


class Program:
    """A parsed program: statements with the code of each one's own part."""

    def __init__(self, path: str, text: str) -> None:
        self.path = path
        self.tree = ast.parse(text)
        self.file = SourceFile(path, text)
        self.statements: list[Statement] = []
        self.codes: list[CodeType] = []
        self.ids: dict[ast.stmt, int] = {}
        self._number(self.tree.body, NONE)

    def _number(self, body: Sequence[ast.stmt], parent: int) -> None:
        for node in body:
            number = len(self.statements)
            self.ids[node] = number
            end = node.end_lineno or node.lineno
            header_end = end
            if isinstance(node, ast.While | ast.If):
                header_end = node.test.end_lineno or node.lineno
                self.codes.append(compile(ast.Expression(node.test), self.path, "eval"))
            else:
                self.codes.append(compile(ast.Module([node], []), self.path, "exec"))
            self.statements.append(
                Statement(
                    id=number,
                    file=0,
                    kind=type(node).__name__,
                    line=node.lineno,
                    header_end=header_end,
                    end_line=end,
                    column=node.col_offset,
                    function="<module>",
                    parent=parent,
                )
            )
            if isinstance(node, ast.While | ast.If):
                self._number(node.body, number)
                self._number(node.orelse, number)

    def perform(self, number: int, run: Run) -> object:
        """Execute one statement's own part; a condition returns its value."""
        statement = self.statements[number]
        try:
            value: object = None
            if statement.kind in ("While", "If"):
                value = bool(eval(self.codes[number], run.names))
            else:
                exec(self.codes[number], run.names)
        except SystemExit as end:
            run.status = end.code if isinstance(end.code, int) else int(end.code is not None)
            raise Stop from None
        except Exception as error:
            kind, message = type(error).__name__, str(error)
            run.exception = UncaughtException(kind, message, self.path, statement.line, number)
            run.stderr += f"{kind}: {message}\n"
            run.status = 1
            raise Stop from None
        for probe in run.probes:
            if probe.line == statement.line and probe.name in run.names:
                run.values[probe] = repr(run.names[probe.name])
        return value


class FakeRecording:
    """A recorded run; ``before_replay`` is called with each configuration."""

    def __init__(self, program: Program, target: Target, probes: Sequence[Probe]) -> None:
        self.program = program
        self.target = target
        self.probes = probes
        self.notes: Sequence[str] = ()
        self.layer = Layer.NAMESPACES
        self.decisions: dict[int, object] = {}
        self.replays: list[tuple[int, ...]] = []
        self.cancelled: list[tuple[int, ...]] = []
        self.closed = False
        self.before_replay: Callable[[Sequence[int]], None] = lambda events: None
        self.change: Callable[[Sequence[int], bool, Observation], Observation] = (
            lambda events, fresh, observation: observation
        )
        self._folder = tempfile.TemporaryDirectory(prefix="stripe-fake-")
        self.trace = Trace([program.file], program.statements, [Activation(0, "<module>", 0, NONE)])
        self.recorded = self._record()
        self.plain = self.recorded

    def _record(self) -> Observation:
        run = Run(self.target, self.probes, Path(self._folder.name))
        try:
            self._walk(self.program.tree.body, NONE, run)
        except Stop:
            pass
        return run.observed()

    def _walk(self, body: Sequence[ast.stmt], control: int, run: Run) -> None:
        for node in body:
            while True:
                event = len(self.trace)
                number = self.program.ids[node]
                happen(self.trace, number, control=control)
                value = self.program.perform(number, run)
                if not isinstance(node, ast.While | ast.If):
                    break
                self.decisions[event] = value
                self._walk(node.body if value else node.orelse, event, run)
                if isinstance(node, ast.If) or not value:
                    break

    @contextmanager
    def replay(
        self, events: Sequence[int], *, strict: bool = False, fresh: bool = False
    ) -> Iterator[Observation]:
        assert list(events) == sorted(set(events)), "a configuration is sorted"
        assert tuple(events) == self.trace.close(events, control=strict), "and closed"
        self.before_replay(events)
        self.replays.append(tuple(events))
        with tempfile.TemporaryDirectory(prefix="stripe-fake-") as folder:
            run = Run(self.target, self.probes, Path(folder))
            try:
                for event in events:
                    value = self.program.perform(self.trace.statement[event], run)
                    if strict and event in self.decisions and value != self.decisions[event]:
                        run.end, run.detail = End.DIVERGED, f"at {self.trace.name(event)}"
                        break
            except Stop:
                pass
            yield self.change(events, fresh, run.observed())

    def cancel(self, events: Sequence[int]) -> None:
        self.cancelled.append(tuple(events))

    def close(self) -> None:
        self.closed = True
        self._folder.cleanup()


class FakeBackend:
    """Records in memory.  ``prepare`` may change each recording before it is used."""

    name = "fake"
    suffixes: Mapping[str, str] = {".py": "python"}

    def __init__(self, prepare: Callable[[FakeRecording], None] = lambda recording: None) -> None:
        self.prepare = prepare
        self.targets: list[Target] = []
        self.recordings: list[FakeRecording] = []

    def refuses(self, target: Target) -> str | None:
        return None

    def record(self, target: Target, probes: Sequence[Probe] = ()) -> FakeRecording:
        self.targets.append(target)
        path = target.directory / target.program
        recording = FakeRecording(Program(str(path), path.read_text()), target, probes)
        self.recordings.append(recording)
        self.prepare(recording)
        return recording


def record(text: str, stdin: bytes = b"", probes: Sequence[Probe] = ()) -> FakeRecording:
    """A recording of a program given as text."""
    return FakeRecording(Program("prog.py", text), Target("prog.py", stdin=stdin), probes)


def observation(stdout: bytes = b"", **facts: Any) -> Observation:
    """An observation in which only some facts matter."""
    run = Observation(End.EXITED, 0, stdout, b"", Path("/nowhere"))
    return replace(run, **facts)
