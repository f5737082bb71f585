"""What a program is given to read: ``--stdin``, ``--input``, or our own standard input."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

from stripe.cli.reads import Read
from stripe.errors import UsageError


def read_given(stdin: str | None, text: str | None) -> bytes:
    """All that the program can read.

    Raises:
        UsageError: ``bad-option`` if both are given; ``no-input``.
    """
    if text is not None:
        if stdin is not None:
            raise UsageError(
                "bad-option", "Both --stdin and --input are given.", "Leave one of them out."
            )
        return text.encode("utf-8", "surrogateescape")
    if stdin is not None and stdin != "-":
        try:
            return Path(stdin).read_bytes()
        except OSError as error:
            raise UsageError(
                "no-input",
                f"The input {stdin!r} cannot be read: {error.strerror}.",
                "--stdin names a file; --input TEXT gives the text itself.",
            ) from None
    # A terminal is read only if asked for: the program would seem to hang.
    ours = sys.stdin
    if ours is None or ours.closed or (stdin is None and ours.isatty()):
        return b""
    return ours.buffer.read()


def of_given(stdin: str | None, text: str | None) -> Iterator[Read]:
    """What of that is read from a file."""
    if stdin is not None and stdin != "-":
        yield f"{stdin!r}, the input", stdin
    elif text is None:
        yield "standard input", 0
