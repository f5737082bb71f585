"""What verifying a result runs, shown so that nothing in the file can hide or pretend.

Texts of the file are shown as words for the shell, in printable ASCII, and broken into lines by us:
each line begins with what is ours.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator, Sequence

from stripe.backend import AUTOMATIC, Target
from stripe.reduce.consent import commands, quoted

INDENT = 15
"""Columns before what is quoted."""

LONG = 500
"""A text of more characters says first how many there are."""

BEGINNING = 200
"""Bytes of the input that are shown."""


def plan(
    target: Target,
    checks: Iterable[str],
    source: str,
    width: int,
    passing: tuple[Sequence[str], bytes] | None = None,
) -> Iterator[str]:
    """The lines, for a terminal of ``width`` columns.

    ``passing``: arguments and input of a second run.
    """
    yield f"stripe: Verifying {quoted(source)} runs this, again and again:"
    program = ("-m " if target.module else "") + quoted(target.program)
    words = " ".join([program, *map(quoted, target.arguments)])
    yield from rows("program", words, width)
    yield from rows("directory", quoted(str(target.directory)), width)
    if target.python == AUTOMATIC:
        yield from rows("interpreter", "what `python PROGRAM` would run (if it is Python)", width)
    elif target.python is not None:
        yield from rows("interpreter", quoted(target.python), width)
    else:
        yield from rows("interpreter", f"{quoted(sys.executable)} (if it is Python)", width)
    yield from _input(target.stdin, width)
    if passing is not None:
        arguments, stdin = passing
        yield from rows("and with", " ".join([program, *map(quoted, arguments)]), width)
        yield from _input(stdin, width)
    if target.network:
        yield from rows("network", "the plain run may use it", width)
    for command in commands(checks):
        yield from rows("command", f"/bin/sh -c {quoted(command)}", width)


def _input(given: bytes, width: int) -> Iterator[str]:
    if given:
        start = quoted(given[:BEGINNING].decode("utf-8", "surrogateescape"))
        more = " ..." if len(given) > BEGINNING else ""
        yield from rows("input", f"{len(given)} bytes: {start}{more}", width)


def rows(label: str, text: str, width: int) -> Iterator[str]:
    """``text`` in lines that the terminal does not break."""
    if len(text) > LONG:
        text = f"({len(text)} characters) {text}"
    room = max(20, width - INDENT - 1)
    for start in range(0, len(text), room):
        head = f"  {label:<{INDENT - 2}}" if start == 0 else f"{'| ':>{INDENT}}"
        yield head + text[start : start + room]
