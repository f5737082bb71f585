"""Streams as rich writes to them: one console for each, so that a line of progress stays below all.

Imports rich, so it is imported where something is written with it.
"""

from __future__ import annotations

from functools import lru_cache
from typing import TextIO

from rich.console import Console


class StreamConsole(Console):
    """A console whose errors belong to who writes, and which never hides the cursor.

    A process that is killed, or stopped by Ctrl-Z, would leave a terminal without one.
    """

    def show_cursor(self, show: bool = True) -> bool:
        return False

    def on_broken_pipe(self) -> None:
        """Called while BrokenPipeError is handled; rich would end the process, and close stdout."""
        raise


@lru_cache(maxsize=4)
def console_of(stream: TextIO, width: int | None = None) -> StreamConsole:
    """The console of a stream; ``width``: what it has if the stream does not say so."""
    return StreamConsole(
        file=stream, width=width, markup=False, emoji=False,
        highlight=False, force_jupyter=False,
    )  # fmt: skip
