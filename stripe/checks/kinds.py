"""What a check can look at: streams, end, exception, variable, file; and all kinds of parts."""

from __future__ import annotations

import re
import stat
from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar, Literal

from stripe.backend import End, Observation, Probe
from stripe.checks.command import CommandPart
from stripe.checks.crash import CrashPart
from stripe.checks.part import EXCEPTION, EXIT, FILES, SIGNAL, VARIABLE, Judge, Part, Place
from stripe.checks.scanner import Scanner
from stripe.dd import Outcome
from stripe.errors import NotReducible, quoted
from stripe.sandbox.overlaid import find

type Stream = Literal["stdout", "stderr"]

STREAM_NAMES = {"stdout": "standard output", "stderr": "standard error"}

EXIT_OF_USAGE = 2
USAGE = re.compile(rb"^usage\b", re.IGNORECASE | re.MULTILINE)
"""How a program complains of its arguments: argparse and optparse do so, and most of C's."""


@dataclass(frozen=True, slots=True)
class StreamPart(Part):
    """``stdout``, ``stderr``, and both with ``:/REGEX/``: only matching lines are compared.

    The expression is searched in each line, without its line end, as UTF-8 text.
    """

    stream: Stream
    pattern: re.Pattern[str] | None

    WORDS: ClassVar = {
        "stdout": ("stdout", "stdout:/REGEX/"),
        "stderr": ("stderr", "stderr:/REGEX/"),
    }

    @classmethod
    def read(cls, word: str, text: Scanner) -> StreamPart:
        stream: Stream = "stdout" if word == "stdout" else "stderr"
        pattern = text.regex() if text.colon() else None
        return cls(text.read, stream, pattern)

    @property
    def label(self) -> str:
        return self.stream

    @property
    def places(self) -> tuple[Place, ...]:
        return (Place(f"<{self.stream}>", self.pattern),)

    def reference(self, recorded: Observation) -> Judge:
        if not self.compared(recorded):
            raise self.nothing(recorded)
        return Part.reference(self, recorded)  # no super(): dataclasses with slots have none

    def _text(self, observation: Observation) -> bytes:
        return observation.stdout if self.stream == "stdout" else observation.stderr

    def compared(self, observation: Observation) -> object:
        """See :class:`~stripe.checks.check.Part`."""
        text = self._text(observation)
        if self.pattern is None:
            return text
        lines = text.decode("utf-8", "surrogateescape").split("\n")
        if lines[-1] == "":
            lines.pop()  # what ends in a newline has no last, empty line
        search = self.pattern.search
        return [line for line in lines if search(line.removesuffix("\r"))]

    def nothing(self, recorded: Observation) -> NotReducible:
        where = STREAM_NAMES[self.stream]
        if not self._text(recorded):
            other = "stderr" if self.stream == "stdout" else "stdout"
            printed = recorded.stderr if self.stream == "stdout" else recorded.stdout
            message = (
                f"The check {self.spec!r} has nothing to compare: the program printed nothing "
                f"on {where}"
            )
            if not printed:
                hint = "Try another check: exit, exception, file:PATH or var:NAME@FILE:LINE."
                return NotReducible("no-output", f"{message}.", hint)
            said = quoted(printed, first=True)
            hint = how_to_give_arguments(recorded) + (
                f"To find out why it prints that: --check {other}."
            )
            return NotReducible(
                "no-output", f"{message}; it printed on {STREAM_NAMES[other]} only:{said}", hint
            )
        first = self._text(recorded).decode("utf-8", "replace").split("\n")[0]
        return NotReducible(
            "never-matches",
            f"The check {self.spec!r} never matches: no line of {where} fits the regular "
            f"expression.",
            f"The first line is {first[:80]!r}. The expression is searched in each line; "
            "^ and $ are a line's ends.",
        )


def how_to_give_arguments(recorded: Observation) -> str:
    """A sentence for a run that ended with a usage error, with a space behind it; else nothing."""
    if recorded.status != EXIT_OF_USAGE or not USAGE.search(recorded.stderr):
        return ""
    return (
        "Was it given the arguments that it needs? They stand behind its name (stripe trace "
        "prog.py ARGUMENTS), options of STRIPE before it. "
    )


@dataclass(frozen=True, slots=True)
class ExitPart(Part):
    """``exit``: the exit status, or the signal the run died of."""

    spec: str = "exit"

    WORDS: ClassVar = {"exit": ("exit",)}

    @property
    def places(self) -> tuple[Place, ...]:
        return (Place(EXIT),)

    def compared(self, observation: Observation) -> object:
        """See :class:`~stripe.checks.check.Part`."""
        return observation.end.name, observation.status


@dataclass(frozen=True, slots=True)
class SignalPart(Part):
    """``signal``: the signal the run died of; see :mod:`stripe.checks.check` for where."""

    spec: str = "signal"

    WORDS: ClassVar = {"signal": ("signal",)}

    @property
    def places(self) -> tuple[Place, ...]:
        return (Place(SIGNAL),)

    def compared(self, observation: Observation) -> object:
        """See :class:`~stripe.checks.check.Part`."""
        return observation.status if observation.end is End.SIGNAL else None

    def nothing(self, recorded: Observation) -> NotReducible:
        return NotReducible(
            "no-signal",
            f"The check 'signal' never matches: the program exited with status {recorded.status}.",
            "Try --check exit for the exit status, or --check stdout.",
        )


@dataclass(frozen=True, slots=True)
class HangPart(Part):
    """``hang``: a loop goes on where the recorded run, which would not end, was cut off."""

    spec: str = "hang"

    WORDS: ClassVar = {"hang": ("hang",)}

    @property
    def hang(self) -> bool:
        return True

    def compared(self, observation: Observation) -> object:
        """See :class:`~stripe.checks.check.Part`."""
        return observation.end is End.CUT or None

    def nothing(self, recorded: Observation) -> NotReducible:
        return NotReducible(
            "no-hang",
            "The check 'hang' never matches: the program came to its end.",
            "Try --check stdout, or --check exit for the exit status.",
        )


@dataclass(frozen=True, slots=True)
class UncaughtPart(Part):
    """``exception``: type, message and the statement that raised, so it cannot slip.

    Of a failing ``assert`` also what it compared.

    Nor can it slip to another event of that statement: see :mod:`stripe.checks.check`.
    """

    spec: str = "exception"

    WORDS: ClassVar = {"exception": ("exception",)}

    @property
    def places(self) -> tuple[Place, ...]:
        return (Place(EXCEPTION),)

    def compared(self, observation: Observation) -> object:
        """See :class:`~stripe.checks.check.Part`; statements have other numbers in other runs."""
        raised = observation.exception
        if raised is None:
            return None
        return raised.type, raised.message, *filter(None, [raised.compared])

    def reference(self, recorded: Observation) -> Judge:
        expected = recorded.exception
        if expected is None:
            ended = (
                f"died of signal {recorded.status}"
                if recorded.end is End.SIGNAL
                else f"exited with status {recorded.status}"
            )
            raise NotReducible(
                "no-exception",
                f"The check 'exception' never matches: the program {ended} "
                "without an uncaught exception.",
                "Try --check stdout, or --check exit for the exit status.",
            )

        def judge(observation: Observation) -> Outcome:
            raised = observation.exception
            equal = raised is not None and raised.is_as(expected)
            return Outcome.FAIL if equal else Outcome.PASS

        return judge


@dataclass(frozen=True, slots=True)
class VariablePart(Part):
    """``var:NAME@FILE:LINE``: the last value NAME had after that line."""

    probe: Probe

    WORDS: ClassVar = {"var": ("var:NAME@FILE:LINE",)}

    @classmethod
    def read(cls, word: str, text: Scanner) -> VariablePart:
        text.argument()
        probe = text.variable()
        return cls(text.read, probe)

    @property
    def places(self) -> tuple[Place, ...]:
        return (Place(VARIABLE, probe=self.probe),)

    @property
    def probes(self) -> tuple[Probe, ...]:
        return (self.probe,)

    @property
    def label(self) -> str:
        return str(self.probe)

    def compared(self, observation: Observation) -> object:
        """See :class:`~stripe.checks.check.Part`."""
        return observation.values.get(self.probe)

    def nothing(self, recorded: Observation) -> NotReducible:
        probe = self.probe
        return NotReducible(
            "never-reached",
            f"The check {self.spec!r} never matches: line {probe.line} of {probe.file} was "
            f"not executed, or {probe.name!r} had no value there.",
            "Name a line that runs, after the variable is set; "
            "`--check stdout --show source` shows which lines run.",
        )


@dataclass(frozen=True, slots=True)
class FilePart(Part):
    """``file:PATH``: the content of a file in the directory the program ran in."""

    path: str

    WORDS: ClassVar = {"file": ("file:PATH",)}

    @classmethod
    def read(cls, word: str, text: Scanner) -> FilePart:
        text.argument()
        path = text.path()
        return cls(text.read, path)

    @property
    def label(self) -> str:
        return self.path

    @property
    def places(self) -> tuple[Place, ...]:
        return (Place(FILES),)

    @property
    def named(self) -> tuple[str, ...]:
        return (self.path,)

    def compared(self, observation: Observation) -> object:
        """See :class:`~stripe.checks.check.Part`."""
        return content(find(observation.directory, self.path))

    def nothing(self, recorded: Observation) -> NotReducible:
        return NotReducible(
            "no-file",
            f"The check {self.spec!r} never matches: after the run there is no readable "
            f"file {self.path!r}.",
            "PATH is relative to the directory the program runs in.",
        )


def content(path: Path) -> bytes | None:
    """The bytes of a regular file, else ``None``; never waits, as reading a pipe would."""
    try:
        if not stat.S_ISREG(path.stat().st_mode):
            return None
        return path.read_bytes()
    except OSError:
        return None


KINDS: tuple[type[Part], ...] = (
    StreamPart, ExitPart, SignalPart, CrashPart, UncaughtPart, HangPart, VariablePart, FilePart,
    CommandPart,
)  # fmt: skip
"""All kinds of parts, as they are told of."""
