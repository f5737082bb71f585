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
from itertools import chain
from typing import NoReturn

from stripe.checks.check import Check
from stripe.checks.kinds import KINDS
from stripe.checks.part import Part
from stripe.checks.scanner import Scanner
from stripe.errors import UsageError

WORDS = {word: kind for kind in KINDS for word in kind.WORDS}
"""The kind of part that each word begins."""

SYNTAX = (
    ", ".join([*chain.from_iterable(chain.from_iterable(kind.WORDS.values()) for kind in KINDS)])
    + "; A+B for both"
)

_NAME = re.compile(r"([A-Za-z_][\w.-]*)=")


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
    text = Scanner(body.strip(), spec, words=WORDS, syntax=SYNTAX, unsafe=unsafe)
    return Check(name, tuple(_parts(text)))


def _parts(text: Scanner) -> list[Part]:
    found = [_part(text)]
    while not text.over:
        text.plus(found[-1].spec)
        found.append(_part(text))
    return found


def _part(text: Scanner) -> Part:
    word = text.read_word()
    if word not in WORDS:
        _unknown(word, text.spec)
    return WORDS[word].read(word, text)


def _unknown(word: str, spec: str) -> NoReturn:
    import difflib

    close = difflib.get_close_matches(word.lower(), WORDS, n=1)
    hint = f"A check is one of: {SYNTAX}."
    if close:
        hint = f"Did you mean {close[0]!r}? {hint}"
    what = f"There is no check {word!r}" if word else "A check is empty"
    where = f" (in {spec!r})" if spec != word else ""
    raise UsageError("unknown-check", f"{what}{where}.", hint)
