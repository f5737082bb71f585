"""What a failed run died of: a signal, a C++ exception that nobody caught, a panic in Rust.

The runtime libraries of C++ and Rust say on standard error what it was, and the text is part of
it: two exceptions thrown by one statement are two failures.
"""

from __future__ import annotations

import re
import signal
from dataclasses import dataclass

from stripe.backend import End, Observation, UncaughtException

PANICKED = 101
"""The exit status of a program in Rust whose main thread panicked."""

_THROWN = re.compile(
    r"^terminate called after throwing an instance of '(?P<type>.+)'\n"
    r"(?:  what\(\):  (?P<what>[\s\S]*))?"
    r"|^libc\+\+abi: terminating due to uncaught exception of type (?P<other>.+?)"
    r"(?:: (?P<said>[\s\S]*?))?\n?\Z",
    re.MULTILINE,
)
_PANIC = re.compile(
    r"^thread '(?P<thread>[^'\n]*)'(?: \(\d+\))? panicked at (?P<file>[^\n]+?):(?P<line>\d+):\d+:\n"
    r"(?P<message>[\s\S]*?)\n?(?=^stack backtrace:$|^note: |^thread |\Z)",
    re.MULTILINE,
)


_ABORTED = re.compile(
    r"^(?:.*: )?(?P<said>Assertion [`'].* failed\."
    r"|\*\*\* .+ \*\*\*: terminated"
    r"|(?:[a-z_]+\(\): |double free |corrupted |Fatal glibc error: ).+)\n?\Z",
    re.MULTILINE,
)
"""The last words of the C library, before it aborts a program."""


@dataclass(frozen=True, slots=True)
class Where:
    """A recorded event, and the statement that is its place in the source."""

    event: int
    statement: int
    file: str
    line: int


@dataclass(frozen=True, slots=True)
class Panic:
    """What a panic says of itself; ``file`` as the compiler was told it."""

    file: str
    line: int
    message: str


def panic(run: Observation) -> Panic | None:
    """The panic that ended a run of a program in Rust: the latest one of the main thread."""
    aborted = run.end is End.SIGNAL and run.status == signal.SIGABRT
    if not aborted and (run.end, run.status) != (End.EXITED, PANICKED):
        return None
    found = list(_PANIC.finditer(run.stderr.decode("utf-8", "replace")))
    last = [each for each in found if each["thread"] == "main"][-1:] or found[-1:]
    return Panic(last[0]["file"], int(last[0]["line"]), last[0]["message"]) if last else None


def aborted(end: End, status: int, stderr: bytes) -> str:
    """What the C library said when it aborted a run: a failed assertion, a heap that is damaged."""
    if end is not End.SIGNAL or status != signal.SIGABRT:
        return ""
    found = _ABORTED.search(stderr.decode("utf-8", "replace"))
    return found["said"] if found else ""


def failure(run: Observation, where: Where | None, *, rust: bool) -> UncaughtException | None:
    """What a run died of at ``where``; ``None`` if it ended as it should, or nowhere known."""
    if where is None:
        return None
    place = (where.file, where.line, where.statement, where.event)
    found = panic(run) if rust else None
    if found is not None:
        return UncaughtException("panic", found.message, *place)
    if run.end is not End.SIGNAL:
        return None
    if run.status == signal.SIGABRT:
        thrown = _THROWN.search(run.stderr.decode("utf-8", "replace"))
        if thrown is not None:
            text = thrown["what"] or thrown["said"] or ""
            return UncaughtException(thrown["type"] or thrown["other"], text.rstrip("\n"), *place)
        if run.fault:  # see ``aborted``
            return UncaughtException("SIGABRT", run.fault, *place)
    try:
        name = signal.Signals(run.status).name
    except ValueError:
        name = f"signal {run.status}"
    return UncaughtException(name, signal.strsignal(run.status) or name, *place)
