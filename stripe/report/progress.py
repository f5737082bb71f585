"""Progress of a search on standard error."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from typing import Self, TextIO

from stripe.campaign.progress import Progress
from stripe.report.style import Style, cells, duration, is_terminal, printable, rate
from stripe.stopping import offer_cut

PATIENCE = 1.0
"""Seconds before the first sign of life."""

INTERVAL = 0.1
"""Seconds between two signs of life."""

TICK = 0.5
"""Seconds between two looks at the clock while there are no tests."""


class Reporter:
    """Shows a :class:`~stripe.campaign.progress.Progress` as one line that changes, on a terminal.

    ``verbose`` adds, also without a terminal, a line for each reduction.
    """

    def __init__(
        self,
        stream: TextIO | None,
        *,
        quiet: bool = False,
        verbose: int = 0,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._stream = None if quiet else stream
        self._live = self._stream is not None and is_terminal(self._stream)
        self._verbose = verbose
        self._clock = clock
        self._start = clock()
        self._last = 0.0
        self._width = 0
        self._shown = False
        self._best: tuple[str, int] | None = None
        self._doing: tuple[str, float] | None = None
        self._lock = threading.Lock()
        self._ended = threading.Event()
        self._ticking: threading.Thread | None = None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *exc_info: object) -> None:
        self._ended.set()
        if self._ticking is not None:
            self._ticking.join()
        self._clear()

    def doing(self, what: str) -> None:
        """Take note of what is done before there are tests; it is shown while it takes long."""
        with self._lock:
            self._doing = what, self._clock()
        if self._live and self._ticking is None:
            # The command waits for what it does: somebody else has to look at the clock.
            self._ticking = threading.Thread(target=self._tick, daemon=True)
            self._ticking.start()

    def _tick(self) -> None:
        while not self._ended.wait(TICK):
            self.look()

    def look(self) -> None:
        """Show what is done now, if it has taken long already."""
        with self._lock:
            if self._doing is None:
                return
            what, since = self._doing
            if self._live and (seconds := self._clock() - since) >= PATIENCE:
                key = "to look at what it did so far" if offer_cut() else "ends it"
                self._show(f"{printable(what)}, {duration(seconds)} (Ctrl-C {key})")

    def __call__(self, progress: Progress) -> None:
        """Take note of one test."""
        with self._lock:
            self._doing = None
        if self._stream is None:
            return
        best = (progress.name, progress.best)
        reduced = best != self._best and progress.best < progress.of
        if self._verbose and reduced:
            self._clear()
            self._write(
                f"{printable(progress.name)}: test {progress.tests}: "
                f"{progress.best} of {progress.of} {progress.noun}\n"
            )
        self._best = best
        now = self._clock()
        if not self._live or now - self._start < PATIENCE or now - self._last < INTERVAL:
            return
        self._last = now
        self._show(describe(progress))

    def _show(self, text: str) -> None:
        if self._stream is None:
            return
        style = Style.of(self._stream)
        line = style.cut(text, style.width - 1)
        self._write("\r" + line + "\x1b[K" if style.colour else f"\r{line}{' ' * 4}")
        self._shown = True
        self._width = cells(line) + 4

    def _clear(self) -> None:
        if self._shown:
            self._write("\r" + " " * self._width + "\r")
            self._shown = False

    def _write(self, text: str) -> None:
        if self._stream is None:
            return
        try:
            encoding = getattr(self._stream, "encoding", None) or "utf-8"
            self._stream.write(text.encode(encoding, "backslashreplace").decode(encoding))
            self._stream.flush()
        except (OSError, ValueError):
            self._stream = None  # a broken terminal must not end the search


def describe(progress: Progress) -> str:
    """One line about the state of a search."""
    speed = progress.tests / progress.seconds if progress.seconds > 0 else 0.0
    parts = [
        f"{printable(progress.name)}: {progress.tests} tests",
        f"{progress.best} of {progress.of} {progress.noun} left",
        rate(progress.tests, progress.seconds),
    ]
    if progress.stopping:
        parts.append("stopping after this test")
    elif progress.stage != "searching":
        parts.append(progress.stage)
    elif speed > 0:
        parts.append(f"about {duration(progress.to_do / speed)} to go")
    return ", ".join(parts)
