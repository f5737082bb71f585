"""``crash``: the same failure, as its signature tells: how the run ended and what it complained of.

The signature leaves out what changes with the input: numbers, addresses, what stands in quotes.
It is, in this order of preference:

- a sanitizer's report: the kind of error and the function it happened in;
- a Python traceback: type, function and line of the innermost frame (the line only if the file is
  not one of the run's own directory, such as the input that is being reduced);
- the type of an uncaught exception in C++, the place of a panic in Rust, with what they say;
- the first line that speaks of an error;

together with the exit status or the signal.  Another failure is UNRESOLVED.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import PurePath
from typing import ClassVar

from stripe.backend import End, Observation, UncaughtException
from stripe.checks.part import Judge, Part
from stripe.dd import Outcome
from stripe.errors import NotReducible

_SANITIZER = re.compile(
    r"(?:ERROR|WARNING): (?P<tool>\w+Sanitizer): (?P<kind>[\w-]+)|runtime error: (?P<undefined>.+)"
)
_FRAME = re.compile(r"^\s*#\d+ (?:0x[0-9a-f]+ )?(?:in )?(?P<function>[^\s(]+)", re.MULTILINE)
_TRACEBACK = re.compile(
    r"^Traceback \(most recent call last\):\n(?:[ \t].*\n)*?"
    r'(?P<last>[ \t]+File "(?P<file>[^"]+)", line (?P<line>\d+)(?:, in (?P<where>.+))?\n)'
    r'(?:(?![ \t]+File ")[ \t].*\n)*(?P<type>[\w.]+)(?::[ ]?(?P<message>.*))?$',
    re.MULTILINE,
)
_SYNTAX = re.compile(
    r'^[ \t]+File "(?P<file>[^"]+)", line \d+\n(?:[ \t].*\n)*(?P<type>\w*Error):', re.M
)
_COMPLAINT = re.compile(
    r"error|exception|panic|abort|assert|fatal|fault|failed|failure|overflow|corrupt|invalid",
    re.IGNORECASE,
)
_THROWN = re.compile(
    r"^(?P<said>terminate called after throwing an instance of) '(?P<type>.+)'"
    r"(?:\n  what\(\):  (?P<what>.*))?$",
    re.MULTILINE,
)
_PANIC = re.compile(
    r"^thread '[^'\n]*'(?: \(\d+\))? (?P<said>panicked at) (?P<type>\S+):\d+:\n(?P<what>.*)$",
    re.MULTILINE,
)
_CHANGING = re.compile(r"""0x[0-9a-fA-F]+|\d+|"[^"]*"|'[^']*'|`[^`']*'|‘[^’]*’""")
_SANITIZER_FRAMES = ("__asan", "__interceptor", "__ubsan", "__msan", "__tsan", "__sanitizer")
_COLOUR = re.compile(r"\x1b\[[\d;]*[mK]")
_LOOKED_AT = 1 << 20
"""Bytes of the beginning, and of the end, of a long output that a signature is made of."""


NOT_STARTED = {126: "cannot be executed", 127: "was not found"}
"""What a shell's exit statuses say about a command it could not run."""


@dataclass(frozen=True, slots=True)
class Signature:
    """What tells one failure from another."""

    end: End
    status: int
    complaint: str = ""

    def __str__(self) -> str:
        ended = (
            f"signal {self.status}"
            if self.end is End.SIGNAL
            else f"exit status {self.status}"
            if self.end is End.EXITED
            else self.end.value
        )
        return f"{ended}, {self.complaint}" if self.complaint else ended

    @property
    def failed(self) -> bool:
        """Whether it is one of a failure at all."""
        return self.end is not End.EXITED or self.status != 0 or bool(self.complaint)


def signature(observation: Observation) -> Signature:
    """The signature of a run."""
    said = observation.stderr
    if len(said) > 2 * _LOOKED_AT:
        said = said[:_LOOKED_AT] + b"\n" + said[-_LOOKED_AT:]
    text = without_colours(said)
    where = str(observation.directory)
    text = text.replace(where + "/", "").replace(where, "")
    failed = observation.end is not End.EXITED or observation.status != 0
    complaint = _sanitizer(text) or _traceback(text)
    if failed and not complaint:
        complaint = _native(text) or _first_line(text)
    return Signature(observation.end, observation.status, complaint)


def without_colours(said: bytes) -> str:
    """What was said as text; FORCE_COLOR has Python (3.13 and later) and compilers colour it."""
    return _COLOUR.sub("", said.decode("utf-8", "replace"))


def uncaught(observation: Observation) -> UncaughtException | None:
    """The exception of the Python traceback a run ended with, read from its standard error.

    Lines of files in the run's own directory count as 0: they change with the input.
    """
    if observation.end is not End.EXITED or observation.status == 0:
        return None
    tracebacks = list(_TRACEBACK.finditer(without_colours(observation.stderr)))
    if not tracebacks:
        return None
    found = tracebacks[-1]
    file = found["file"]
    line = int(found["line"]) if PurePath(file).is_absolute() else 0
    return UncaughtException(found["type"], found["message"] or "", file, line, None)


def _sanitizer(text: str) -> str:
    found = _SANITIZER.search(text)
    if found is None:
        return ""
    if found["undefined"]:
        return f"runtime error: {_steady(found['undefined'])}"
    for frame in _FRAME.finditer(text, found.end()):
        if not frame["function"].startswith(_SANITIZER_FRAMES):
            return f"{found['tool']}: {found['kind']} in {frame['function']}"
    return f"{found['tool']}: {found['kind']}"


def _traceback(text: str) -> str:
    tracebacks = list(_TRACEBACK.finditer(text))
    if not tracebacks:
        syntax = _SYNTAX.search(text)
        return f"{syntax['type']} in {syntax['file']}" if syntax else ""
    last = tracebacks[-1]
    file = PurePath(last["file"])
    line = f":{last['line']}" if file.is_absolute() else ""
    return f"{last['type']} in {last['where'] or '<module>'} at {file.name}{line}"


def _native(text: str) -> str:
    """A C++ exception nobody caught, with its type, or a panic in Rust, with its place."""
    for pattern in (_THROWN, _PANIC):
        *_, last = [None, *pattern.finditer(text)]
        if last is not None:
            what = _steady(last["what"]) if last["what"] else ""
            return f"{last['said']} {last['type']}" + (f": {what}" if what else "")
    return ""


def _first_line(text: str) -> str:
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    complaints = [line for line in lines if _COMPLAINT.search(line)]
    return _steady((complaints or lines or [""])[0])


def _steady(line: str) -> str:
    """A line without what changes with the input."""
    return _CHANGING.sub("_", line)[:200]


@dataclass(frozen=True, slots=True)
class CrashPart(Part):
    """``crash``: the signature of the failure."""

    spec: str = "crash"

    WORDS: ClassVar = {"crash": ("crash",)}

    def compared(self, observation: Observation) -> object:
        """See :class:`~stripe.checks.check.Part`."""
        found = signature(observation)
        return str(found) if found.failed else None

    def reference(self, recorded: Observation) -> Judge:
        expected = signature(recorded)
        if recorded.end is End.EXITED and recorded.status in NOT_STARTED:
            said = recorded.stderr.decode("utf-8", "replace").strip()
            raise NotReducible(
                "cannot-start",
                f"The command could not be run: exit status {recorded.status} says that something "
                f"{NOT_STARTED[recorded.status]}" + (f", and it said {said!r}." if said else "."),
                "Does it run so by hand, in an empty folder? If this is the failure that you look "
                "for: --check exit",
            )
        if not expected.failed:
            raise NotReducible(
                "no-crash",
                "The check 'crash' never matches: the run ended with exit status 0 and complained "
                "of nothing.",
                "Say what must stay the same: --check stdout, --check 'stdout:/REGEX/' or another.",
            )

        def judge(observation: Observation) -> Outcome:
            found = signature(observation)
            if found == expected:
                return Outcome.FAIL
            return Outcome.UNRESOLVED if found.failed else Outcome.PASS

        return judge
