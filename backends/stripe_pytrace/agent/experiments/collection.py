"""How tests are collected: of what, how far it came, and whether it goes on.

Collecting executes the user's code as it imports.  What does not end there would hold up all, so
the process in which tests are collected at first looks at itself, and tells where it stands.
"""

from __future__ import annotations

import faulthandler
import os
import signal
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from ..process.progress import waited_for_processor
from ..values.subjects import ENDLESS

WAITING = 2.0
"""Times as long as for one that computes a process that waits is waited for, and seconds more..."""

WAITING_MORE = 5.0

DEAF = 3.0
"""Times as long a process may be deaf to signals, in a loop of C code, until the kernel ends it."""

FRAMES = 8
"""Frames of the user's code that are told."""


class Collecting:
    """See :class:`~.faces.Course`.

    ``endless``: files whose import is known not to end, so it is not begun.  ``begin`` is called
    where collecting begins.
    """

    def __init__(self, endless: Sequence[str], begin: Callable[[], None]) -> None:
        self.start = begin
        self.only: Sequence[str] | None = None
        self.without: Sequence[str] = ()
        self.at = "", ""
        self.count = 0
        self._endless = frozenset(endless)

    def enter(self, name: str, file: str) -> None:
        """See :class:`~.faces.Course`."""
        self.at = name, file
        self.count += 1
        self.require(file)

    def require(self, file: str) -> None:
        """Raises RuntimeError for a file whose import does not end."""
        if file in self._endless:
            raise RuntimeError(ENDLESS)

    def wanted(self, name: str) -> bool:
        """See :class:`~.faces.Course`."""
        return name not in self.without and (self.only is None or name in self.only)


class Stall:
    """Ends the process when collecting tests does not go on.

    It does not if for so many ``seconds`` of a processor (or a longer time in which it waits) the
    user's code is executed all the time, but no line of it for the first time (``lines``), and
    nothing is imported.  ``tell`` is given what is known of it, and does not return.
    """

    def __init__(
        self,
        seconds: float,
        collecting: Collecting,
        lines: Callable[[], Mapping[str, Any]],
        wants: Callable[[str], bool],
        tell: Callable[[dict[str, Any]], None],
    ) -> None:
        self._seconds = seconds
        self._wall = WAITING * seconds + WAITING_MORE
        self._collecting = collecting
        self._lines = lines
        self._wants = wants
        self._tell = tell
        self._before: dict[int, object] = {}
        self._spent = 0.0

    def begin(self) -> None:
        """Look now and then, from now on."""
        for number, timer, seconds, look in (
            (signal.SIGPROF, signal.ITIMER_PROF, self._seconds, self._computes),
            (signal.SIGALRM, signal.ITIMER_REAL, self._wall, self._waits),
        ):
            signal.signal(number, look)
            signal.setitimer(timer, seconds, seconds)
        faulthandler.register(signal.SIGVTALRM, file=2, all_threads=False, chain=True)
        self._listens()

    def end(self) -> None:
        """Look no more."""
        for timer in (signal.ITIMER_PROF, signal.ITIMER_REAL, signal.ITIMER_VIRTUAL):
            signal.setitimer(timer, 0)
        faulthandler.unregister(signal.SIGVTALRM)
        for number in (signal.SIGPROF, signal.SIGALRM):
            signal.signal(number, signal.SIG_DFL)

    def _listens(self) -> None:
        signal.setitimer(signal.ITIMER_VIRTUAL, DEAF * self._seconds)

    def _computes(self, number: int, frame: Any) -> None:
        self._listens()
        if self._stands(number):
            self._stop(frame)

    def _waits(self, number: int, frame: Any) -> None:
        before, now = self._spent, time.process_time() + waited_for_processor(os.getpid())
        self._spent = now
        if self._stands(number) and now - before < self._seconds / 2:
            self._stop(frame)

    def _stands(self, which: int) -> bool:
        """Whether nothing has come since the last look of this kind."""
        now = sum(map(len, self._lines().values())), len(sys.modules), self._collecting.count
        before, self._before[which] = self._before.get(which), now
        return now == before

    def _stop(self, frame: Any) -> None:
        """Tell where it is, if that is in the user's code."""
        stack: list[Any] = []
        modules: list[str] = []
        while frame is not None:
            code = frame.f_code
            if self._wants(code.co_filename):
                stack.insert(0, f"{code.co_filename}:{frame.f_lineno}: in {code.co_name}")
                if code.co_name == "<module>":
                    modules.append(code.co_filename)
            frame = frame.f_back
        if stack:
            name, file = self._collecting.at
            self._tell({
                "name": name, "file": file, "detail": "\n".join([*stack[-FRAMES:], ENDLESS]),
                "lines": {path: sorted(found) for path, found in self._lines().items()},
                "culprit": modules[0] if modules else file,
            })  # fmt: skip
