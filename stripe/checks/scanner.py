"""Reads the text of a check from left to right; the grammar is in :mod:`stripe.checks.spec`."""

from __future__ import annotations

import re
from collections.abc import Collection
from pathlib import PurePosixPath
from typing import NoReturn

from stripe.backend import Probe
from stripe.errors import UsageError

_WORD = re.compile(r"[^:+/@=\s]*")
_VARIABLE = re.compile(
    r"(?P<name>[$@%]?(?:[^@+:]|::)*)@(?P<file>.+?):(?P<line>\d+)(?=\+|$)", re.DOTALL
)

SIGILS = "$@%"
"""What names of variables begin with in languages where this is part of them."""


class Scanner:
    """A place in the text of a check.

    Args:
        text: what is read.
        spec: what the user wrote, for messages.
        words: with which a part can begin.
        syntax: how parts are written, for messages.
        unsafe: commands are asked also where the system has no sandbox.
    """

    def __init__(
        self, text: str, spec: str, *, words: Collection[str], syntax: str, unsafe: bool = False
    ) -> None:
        self.text = text
        self.spec = spec
        self.syntax = syntax
        self.unsafe = unsafe
        self.position = 0
        self._start = 0
        self._after_path = re.compile(rf"(?<!\\)\+(?=(?:{'|'.join(words)})(?:[:+]|$))")

    @property
    def over(self) -> bool:
        """Whether all has been read."""
        return self.position >= len(self.text)

    @property
    def read(self) -> str:
        """What has been read of the part that began last."""
        return self.text[self._start : self.position]

    def read_word(self) -> str:
        """The word that a part begins with."""
        self._start = self.position
        found = _WORD.match(self.text, self.position)
        assert found is not None, "the pattern can match nothing"
        self.position = found.end()
        return found[0]

    def plus(self, before: str) -> None:
        """The ``+`` behind the part ``before``."""
        if self.text[self.position] != "+":
            rest = self.text[self.position :]
            self.bad(f"nothing but + can follow {before!r}, yet {rest!r} does")
        self.position += 1

    def colon(self) -> bool:
        """Whether something follows the word, behind a colon."""
        if not self.text.startswith(":", self.position):
            return False
        self.position += 1
        return True

    def argument(self) -> None:
        """The colon, behind which something has to come."""
        if not self.colon() or self.over:
            self.bad(f"{self.read.removesuffix(':')!r} needs more after it")

    def rest(self) -> str:
        """All that is left."""
        found = self.text[self.position :]
        self.position = len(self.text)
        return found

    def regex(self) -> re.Pattern[str]:
        """A regular expression between slashes."""
        if not self.text.startswith("/", self.position):
            given = self.text[self.position :]
            word = self.read.removesuffix(":")
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
        """``NAME@FILE:LINE``."""
        found = _VARIABLE.match(self.text, self.position)
        hint = "For example var:total@prog.py:12, the last value of total after line 12."
        if found is None:
            self.bad("a variable is written var:NAME@FILE:LINE", hint)
        if not all(map(str.isidentifier, found["name"].lstrip(SIGILS).split("::"))):
            self.bad(f"{found['name']!r} is not the name of a variable", hint)
        if int(found["line"]) < 1:
            self.bad("lines count from 1", hint)
        self.position = found.end()
        return Probe(found["name"], found["file"], int(found["line"]))

    def path(self) -> str:
        """A path in the run's directory."""
        stop = self._after_path.search(self.text, self.position)
        end = stop.start() if stop else len(self.text)
        path = self.text[self.position : end].replace(r"\+", "+")
        if not path:
            self.bad(f"{self.read.removesuffix(':')!r} needs more after it")
        pure = PurePosixPath(path)
        if pure.is_absolute() or ".." in pure.parts:
            self.bad(
                f"{path!r} is outside the directory the program runs in",
                "Each run has a copy of that directory; give a path relative to it.",
            )
        self.position = end
        return path

    def bad(self, reason: str, hint: str = "") -> NoReturn:
        """Refuse the text."""
        raise UsageError(
            "bad-check",
            f"The check {self.spec!r} cannot be understood: {reason}.",
            hint or f"A check is one of: {self.syntax}.",
        )
