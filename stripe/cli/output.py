"""The one door to standard output, and to standard error."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable

from stripe.errors import UsageError
from stripe.interrupts import cut_off_device

WIDEST = 96
"""Columns of a message; fewer on a narrow terminal."""


def write_lines(lines: Iterable[str]) -> None:
    """Print lines; what the terminal cannot show is written as an escape.

    A reader that went away (``| head``) ends the output quietly, a later Ctrl-C that of one who
    does not read.

    Raises:
        UsageError: ``cannot-write``, as when the disk is full.
    """
    stream = sys.stdout
    encoding = getattr(stream, "encoding", None) or "utf-8"
    try:
        for line in lines:
            text = line.encode(encoding, "backslashreplace").decode(encoding)
            with cut_off_device():
                stream.write(text + "\n")
        with cut_off_device():
            stream.flush()
    except BrokenPipeError:
        close_quietly()
    except OSError as error:
        close_quietly()
        raise UsageError(
            "cannot-write",
            f"Standard output cannot be written: {error.strerror or error}.",
            "Make room, or name a file: --json FILE",
        ) from error


def close_quietly() -> None:
    """Let nothing more reach a closed pipe, not even the flush when Python exits."""
    try:
        descriptor = sys.stdout.fileno()
    except (OSError, ValueError):
        return
    null = os.open(os.devnull, os.O_WRONLY)
    os.dup2(null, descriptor)
    os.close(null)


def say(*paragraphs: str) -> None:
    """Write to standard error; a broken one is nobody's problem."""
    try:
        import textwrap

        from stripe.report.style import Style, is_terminal, printable
    except (ImportError, MemoryError):  # there may be no memory left for them
        sys.stderr.write("\n".join(filter(None, paragraphs)) + "\n")
        return
    width = min(WIDEST, Style.of(sys.stderr).width - 1) if is_terminal(sys.stderr) else WIDEST
    for paragraph in paragraphs:
        if not paragraph:
            continue
        # What has lines of its own (a diff, a marked position) is laid out already.
        text = (
            paragraph
            if "\n" in paragraph
            else textwrap.fill(paragraph, width, break_on_hyphens=False, break_long_words=False)
        )
        # Messages quote files, programs and commands, which must not control the terminal.
        text = "\n".join(map(printable, text.split("\n")))
        encoding = getattr(sys.stderr, "encoding", None) or "utf-8"
        try:
            sys.stderr.write(text.encode(encoding, "backslashreplace").decode(encoding) + "\n")
        except (OSError, ValueError):
            return
