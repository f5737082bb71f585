"""Progress of a search on standard error."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from contextlib import suppress
from typing import TYPE_CHECKING, Self, TextIO

from stripe.campaign.progress import Progress
from stripe.interrupts import just_cut, offer_cut, start_without_signals
from stripe.report.style import cut, duration, is_terminal, pad, printable, rate

if TYPE_CHECKING:
    from rich.console import Console
    from rich.live import Live

    from stripe.reduce import LevelAnswer

PATIENCE = 0.5
"""Seconds before the first sign of life; with a TICK more, and what it takes to begin, not one."""

SILENCE = 0.7
"""Seconds after a test, before it is told how long the next one takes; a TICK later, at most."""

IDLE_TESTS = 200
"""Tests in a row that brought nothing, after which it is told that all may be needed."""

INTERVAL = 0.1
"""Seconds between two signs of life."""

TICK = 0.2
"""Seconds between two looks at the clock."""


class Reporter:
    """Shows a :class:`~stripe.campaign.progress.Progress` as one line that changes, on a terminal.

    ``verbose`` adds, also without a terminal, a line for each reduction.  ``ticking``: it looks at
    the clock by itself, as the command waits for what it does.
    """

    def __init__(
        self,
        stream: TextIO | None,
        *,
        quiet: bool = False,
        verbose: int = 0,
        clock: Callable[[], float] = time.monotonic,
        ticking: bool = True,
    ) -> None:
        self._stream = None if quiet else stream
        self._live = self._stream is not None and is_terminal(self._stream)
        self._verbose = verbose
        self._clock = clock
        self._start = clock()
        self._last = 0.0  # when a test was heard of
        self._when = 0.0  # when one was shown
        self._line: Live | None = None
        self._overwritten = False
        self._best: tuple[str, int] | None = None
        self._doing: tuple[str, float] | None = "beginning", self._start
        self._heard: Progress | None = None
        self._lock = threading.Lock()
        self._ended = threading.Event()
        self._ticking: threading.Thread | None = None
        if self._live and ticking:
            self._ticking = threading.Thread(target=self._tick, daemon=True)

    def __enter__(self) -> Self:
        if self._ticking is not None:
            start_without_signals(self._ticking)
        return self

    def __exit__(self, *exc_info: object) -> None:
        self._ended.set()
        if self._ticking is not None:
            self._ticking.join()
        if self._line is not None:
            with suppress(OSError, ValueError):
                self._line.stop()
        elif self._overwritten:
            self._show("")

    def doing(self, what: str, *, long: bool = False) -> None:
        """Take note of what is done that is no test; it is shown if the command has taken long.

        ``long``: now already, as nobody will be able to look at the clock.
        """
        with self._lock:
            self._doing = what, self._clock()
            if long and self._live:
                self._show(printable(what))

    def _tick(self) -> None:
        while not self._ended.wait(TICK):
            self.look()

    def look(self) -> None:
        """Show what is done now, if the command has taken long already."""
        with self._lock:
            now = self._clock()
            if not self._live or now - self._start < PATIENCE:
                return
            if self._doing is not None:
                what, since = self._doing
                took = f", {duration(now - since)}" if now - since >= 1 else ""
                self._show(f"{printable(what)}{took}{_way_out()}")
            elif self._heard is not None and (silence := now - self._last) >= SILENCE:
                self._show(describe(self._heard, silence))

    def __call__(self, progress: Progress) -> None:
        """Take note of one test."""
        with self._lock:
            self._hear(progress)

    def found(self, what: str) -> None:
        """Tell something that was found while the search goes on; it stays where it is written."""
        with self._lock:
            self._tell(f"stripe: {printable(what)}")

    def passed(self, name: str, answer: LevelAnswer) -> None:
        """Tell the answer of a level, which stays where it is written."""
        from stripe.report.words import level_told  # lazy

        with self._lock:
            self._tell(f"stripe: {printable(name)}: {level_told(answer)}")

    def _hear(self, progress: Progress) -> None:
        self._doing, self._heard = None, progress
        if self._stream is None:
            return
        best = (progress.name, progress.best)
        reduced = best != self._best and progress.best < progress.of
        if self._verbose and reduced:
            self._tell(
                f"{printable(progress.name)}: test {progress.tests}: "
                f"{progress.best} of {progress.of} {progress.noun}"
            )
        self._best = best
        now = self._clock()
        self._last = now
        if not self._live or now - self._start < PATIENCE or now - self._when < INTERVAL:
            return
        self._when = now
        self._show(describe(progress))

    def _tell(self, text: str) -> None:
        """Write a line that stays, above the one that changes."""
        self._write(lambda console: console.out(text, highlight=False))

    def _show(self, text: str) -> None:
        """Write the line that changes."""
        self._write(lambda console: self._update(console, text))

    def _update(self, console: Console, text: str) -> None:
        from rich.live import Live
        from rich.text import Text

        if console.is_dumb_terminal:  # it can go back to where the line starts, and no more
            self._overwritten = True
            room = console.width - 1
            console.file.write(f"\r{pad(cut(text, room), room)}\r")
            console.file.flush()
            return
        if self._line is None:
            # It writes when it is told to: a thread of rich's could hold the console's lock while
            # a process is forked.  Nor are the streams its own, which programs inherit.
            self._line = Live(
                console=console,
                auto_refresh=False,
                transient=True,
                redirect_stdout=False,
                redirect_stderr=False,
            )
            self._line.start()
        self._line.update(Text(text, no_wrap=True, overflow="ellipsis"), refresh=True)

    def _write(self, write: Callable[[Console], None]) -> None:
        if self._stream is None:
            return
        try:
            from stripe.report.console import console_of  # lazy

            write(console_of(self._stream))
        except (ImportError, OSError, ValueError):
            self._stream = None  # a broken terminal must not end the search, nor a lacking package


def _way_out() -> str:
    """What Ctrl-C would do now."""
    if offer_cut():
        return " (Ctrl-C to look at what it did so far)"
    return "" if just_cut() else " (Ctrl-C ends it)"


def _left(progress: Progress) -> str:
    """What is left, and of what something is being left out."""
    units = f"{progress.best} of {progress.of} {progress.noun} left"
    if progress.bytes is None:
        return units
    left, whole = progress.bytes
    return f"{left:,} of {whole:,} bytes left, {units.removesuffix(' left')}"


def describe(progress: Progress, silence: float = 0.0) -> str:
    """One line about the state of a search; ``silence``: seconds since the latest test."""
    speed = progress.tests / progress.seconds if progress.seconds > 0 else 0.0
    where = f"{progress.level}: " if progress.level else ""
    parts = [
        f"{printable(progress.name)}: {where}{progress.tests} tests",
        _left(progress),
        rate(progress.tests, progress.seconds),
    ]
    if silence:
        parts.append(f"the next one for {duration(silence)}")
    elif progress.stopping:
        parts.append("stopping after this test")
    elif progress.stage != "searching":
        parts.append(progress.stage)
    elif speed > 0:
        parts.append(f"about {duration(progress.to_do / speed)} to go")
    if progress.idle >= IDLE_TESTS and progress.stage == "searching" and not progress.stopping:
        parts.append(f"all may be needed: the last {progress.idle} left nothing out")
        return f"{', '.join(parts)} (Ctrl-C ends with these)"
    return ", ".join(parts)
