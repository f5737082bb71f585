"""The one door to standard output."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable


def write_lines(lines: Iterable[str]) -> None:
    """Print lines; what the terminal cannot show is written as an escape.

    A reader that went away (``| head``) ends the output quietly.
    """
    stream = sys.stdout
    encoding = getattr(stream, "encoding", None) or "utf-8"
    try:
        for line in lines:
            text = line.encode(encoding, "backslashreplace").decode(encoding)
            stream.write(text + "\n")
        stream.flush()
    except BrokenPipeError:
        close_quietly()


def close_quietly() -> None:
    """Let nothing more reach a closed pipe, not even the flush when Python exits."""
    try:
        descriptor = sys.stdout.fileno()
    except (OSError, ValueError):
        return
    null = os.open(os.devnull, os.O_WRONLY)
    os.dup2(null, descriptor)
    os.close(null)
