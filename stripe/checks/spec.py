"""The text form of checks: ``--check SPEC``.

::

    SPEC  = [NAME "="] PART { "+" PART }
    PART  = "stdout" [":/" REGEX "/"]  |  "stderr" [":/" REGEX "/"]
          | "exit"  |  "signal"  |  "crash"  |  "exception"  |  "hang"
          | "var:" VARIABLE "@" FILE ":" LINE
          | "file:" PATH
          | "cmd:" COMMAND
    NAME  = a letter or "_", then letters, digits, "_", "-" or "."

- ``A+B`` means both must stay the same.
- A REGEX ends at the first ``/`` without a backslash before it; ``\\/`` stands for ``/``.
  A ``+`` inside it is the expression's own.
- A PATH ends before a ``+`` that a check's word follows (``file:out.txt+exit``); any other
  ``+`` is part of the path (``file:c++.txt``), and ``\\+`` always is.
- A COMMAND takes all the rest, so ``cmd:`` can only be the last part.
- Without a NAME the check is called as it is written.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import PurePosixPath
from typing import NoReturn

from stripe.backend import Probe
from stripe.checks.check import Check, Part
from stripe.checks.command import CommandPart
from stripe.checks.kinds import (
    ExitPart,
    FilePart,
    HangPart,
    SignalPart,
    Stream,
    StreamPart,
    UncaughtPart,
    VariablePart,
)
from stripe.errors import UsageError

KINDS = ("stdout", "stderr", "exit", "signal", "crash", "exception", "hang", "var", "file", "cmd")
SYNTAX = (
    "stdout, stdout:/REGEX/, stderr, stderr:/REGEX/, exit, signal, crash, exception, hang, "
    "var:NAME@FILE:LINE, file:PATH, cmd:COMMAND; A+B for both"
)

_NAME = re.compile(r"([A-Za-z_][\w.-]*)=")
_WORD = re.compile(r"[^:+/@=\s]*")
_VARIABLE = re.compile(r"(?P<name>[^@+:]*)@(?P<file>.+?):(?P<line>\d+)(?=\+|$)", re.DOTALL)
_AFTER_PATH = re.compile(
    r"(?<!\\)\+(?=(?:stdout|stderr|exit|signal|crash|exception|hang|var|file|cmd)(?:[:+]|$))"
)


def parse_checks(specs: Sequence[str], *, unsafe: bool = False) -> list[Check]:
    """All checks of a request; their names must differ, for each heads a column.

    ``unsafe``: see :func:`parse_check`.
    """
    checks = [parse_check(spec, unsafe=unsafe) for spec in specs]
    for index, check in enumerate(checks):
        if any(check.name == other.name for other in checks[:index]):
            raise UsageError(
                "bad-check",
                f"Two checks are called {check.name!r}.",
                f"Leave one out, or give it a name of its own: --check other={check.spec}",
            )
    return checks


def parse_check(spec: str, *, unsafe: bool = False) -> Check:
    """The check ``spec`` describes; the grammar is in the module's docstring.

    ``unsafe``: a command is asked also where the system has no sandbox.

    Raises :class:`~stripe.errors.UsageError` with the slug ``unknown-check``, ``bad-regex`` or
    ``bad-check``.
    """
    named = _NAME.match(spec)
    body = spec[named.end() :] if named else spec
    name = named[1] if named else body.strip()
    return Check(name, tuple(_SpecReader(body.strip(), spec, unsafe).parts()))


class _SpecReader:
    """Reads the parts of one check from left to right."""

    def __init__(self, text: str, spec: str, unsafe: bool) -> None:
        self.text = text
        self.spec = spec
        self.unsafe = unsafe
        self.position = 0

    def parts(self) -> list[Part]:
        found = [self.part()]
        while self.position < len(self.text):
            if self.text[self.position] != "+":
                rest = self.text[self.position :]
                self.bad(f"nothing but + can follow {found[-1].spec!r}, yet {rest!r} does")
            self.position += 1
            found.append(self.part())
        return found

    def part(self) -> Part:
        start = self.position
        word = self.match(_WORD)
        if word not in KINDS:
            self.unknown(word)
        if word == "exit":
            return ExitPart()
        if word == "signal":
            return SignalPart()
        if word == "crash":
            from stripe.checks.crash import CrashPart  # compiles many patterns

            return CrashPart()
        if word == "exception":
            return UncaughtPart()
        if word == "hang":
            return HangPart()
        argument = self.text.startswith(":", self.position)
        if argument:
            self.position += 1
        if word in ("stdout", "stderr"):
            stream: Stream = "stdout" if word == "stdout" else "stderr"
            pattern = self.regex(word) if argument else None
            return StreamPart(self.text[start : self.position], stream, pattern)
        if not argument or self.position == len(self.text):
            self.bad(f"{word!r} needs more after it")
        if word == "var":
            probe = self.variable()
            return VariablePart(self.text[start : self.position], probe)
        if word == "file":
            path = self.path()
            return FilePart(self.text[start : self.position], path)
        command = self.text[self.position :]
        self.position = len(self.text)
        return CommandPart(self.text[start:], command, unsafe=self.unsafe)

    def match(self, pattern: re.Pattern[str]) -> str:
        found = pattern.match(self.text, self.position)
        assert found is not None, "the pattern can match nothing"
        self.position = found.end()
        return found[0]

    def regex(self, word: str) -> re.Pattern[str]:
        if not self.text.startswith("/", self.position):
            given = self.text[self.position :]
            self.bad(
                f"after '{word}:' comes a regular expression between slashes",
                f"Write {word}:/{given or 'REGEX'}/ (and quote it for the shell).",
            )
        end = self.position + 1
        while end < len(self.text) and self.text[end] != "/":
            end += 2 if self.text[end] == "\\" else 1
        if end >= len(self.text):
            self.bad("the regular expression has no closing slash", "End it with /.")
        raw = self.text[self.position + 1 : end]
        self.position = end + 1
        source = raw.replace(r"\/", "/")
        try:
            return re.compile(source)
        except (re.error, OverflowError, RecursionError) as error:
            column = getattr(error, "pos", None)
            reason = getattr(error, "msg", None) or str(error)
            raise UsageError(
                "bad-regex",
                f"The regular expression /{raw}/ is invalid: {reason}"
                + (f" at position {column}." if column is not None else "."),
                f"    {source}\n    {' ' * column}^" if column is not None else "",
            ) from None

    def variable(self) -> Probe:
        found = _VARIABLE.match(self.text, self.position)
        hint = "For example var:total@prog.py:12, the last value of total after line 12."
        if found is None:
            self.bad("a variable is written var:NAME@FILE:LINE", hint)
        if not found["name"].isidentifier():
            self.bad(f"{found['name']!r} is not the name of a variable", hint)
        if int(found["line"]) < 1:
            self.bad("lines count from 1", hint)
        self.position = found.end()
        return Probe(found["name"], found["file"], int(found["line"]))

    def path(self) -> str:
        stop = _AFTER_PATH.search(self.text, self.position)
        end = stop.start() if stop else len(self.text)
        path = self.text[self.position : end].replace(r"\+", "+")
        if not path:
            self.bad("'file' needs more after it")
        pure = PurePosixPath(path)
        if pure.is_absolute() or ".." in pure.parts:
            self.bad(
                f"{path!r} is outside the directory the program runs in",
                "Each run has a copy of that directory; give a path relative to it.",
            )
        self.position = end
        return path

    def unknown(self, word: str) -> NoReturn:
        import difflib

        close = difflib.get_close_matches(word.lower(), KINDS, n=1)
        if close:
            hint = f"Did you mean {close[0]!r}? A check is one of: {SYNTAX}."
        else:
            hint = f"A check is one of: {SYNTAX}."
        what = f"There is no check {word!r}" if word else "A check is empty"
        where = f" (in {self.spec!r})" if self.spec != word else ""
        raise UsageError("unknown-check", f"{what}{where}.", hint)

    def bad(self, reason: str, hint: str = "") -> NoReturn:
        raise UsageError(
            "bad-check",
            f"The check {self.spec!r} cannot be understood: {reason}.",
            hint or f"A check is one of: {SYNTAX}.",
        )
