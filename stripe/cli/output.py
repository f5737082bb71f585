"""The one door to standard output, and to standard error."""

from __future__ import annotations

import io
import os
import shlex
import sys
from collections.abc import Iterable
from contextlib import suppress
from itertools import chain, islice
from subprocess import PIPE, Popen, TimeoutExpired

from stripe.errors import UsageError
from stripe.interrupts import cut_off_device, reader_decides

SCREENFULS = 200
"""Lines of a report from which on it is for a pager."""


def write_lines(lines: Iterable[str]) -> None:
    """Print lines; what the terminal cannot show is written as an escape.

    A reader that went away (``| head``) ends the output quietly, a later Ctrl-C that of one who
    does not read.

    Raises:
        UsageError: ``cannot-write``, as when the disk is full.
    """
    stream = sys.stdout
    if isinstance(stream, io.TextIOWrapper):
        stream.reconfigure(errors="backslashreplace")
    try:
        for line in lines:
            with cut_off_device():
                stream.write(line + "\n")
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


def write_report(lines: Iterable[str]) -> None:
    """Print a report; one of more than :data:`SCREENFULS` lines through the pager, on a terminal.

    Raises as :func:`write_lines` does.
    """
    rest = iter(lines)
    first = list(islice(rest, SCREENFULS + 1))
    pager = start_pager() if len(first) > SCREENFULS else None
    if pager is None:
        write_lines(chain(first, rest))
        return
    with reader_decides():
        try:
            pager.communicate("\n".join(chain(first, rest)) + "\n")
        finally:
            pager.terminate()
            with suppress(TimeoutExpired):  # it puts the terminal back as it was
                pager.wait(1)


def start_pager() -> Popen[str] | None:
    """The user's pager on a terminal, or ``less``, with the settings that git gives it."""
    if not sys.stdout.isatty() or os.environ.get("TERM", "dumb") == "dumb":
        return None
    try:
        return Popen(
            shlex.split(os.environ.get("PAGER", "less")),
            stdin=PIPE,
            env={"LESS": "FRX", **os.environ},
            encoding=sys.stdout.encoding,
            errors="backslashreplace",
        )
    except (OSError, ValueError, IndexError):
        return None


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
    """Write to standard error, above a line of progress; a broken one is nobody's problem."""
    told = list(filter(None, paragraphs))
    try:
        from stripe.report.console import console_of  # lazy
        from stripe.report.style import Style, printable  # lazy

        style = Style.of(sys.stderr)
    except (ImportError, MemoryError, SystemError, SyntaxError):  # there may be no memory for them
        sys.stderr.write("\n".join(told) + "\n")
        return
    for paragraph in told:
        # What has lines of its own (a diff, a marked position) is laid out already.  Messages quote
        # files, programs and commands, which must not control the terminal.
        laid_out = "\n" in paragraph
        lines = map(printable, paragraph.split("\n")) if laid_out else style.paragraph(paragraph)
        try:
            for line in lines:
                console_of(sys.stderr).out(line, highlight=False)
        except (OSError, ValueError):
            return
