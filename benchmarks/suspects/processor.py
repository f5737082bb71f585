"""Seconds of a processor that this process and all below it took, however busy the machine is."""

from __future__ import annotations

import os
import signal
import threading
from collections import defaultdict
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

EVERY = 0.2
"""Seconds between looks."""


def spent() -> float:
    """Of this process, what it waited for, and all that it is around now."""
    ticks: dict[int, int] = {}
    below: dict[int, list[int]] = defaultdict(list)
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            try:
                fields = (entry / "stat").read_text().rpartition(")")[2].split()
            except OSError:
                continue  # it has ended
            number = int(entry.name)
            below[int(fields[1])].append(number)
            ticks[number] = sum(map(int, fields[11:15]))
    total, pending = 0, [os.getpid()]
    while pending:
        number = pending.pop()
        total += ticks.get(number, 0)
        pending += below[number]
    return total / os.sysconf("SC_CLK_TCK")


class Meter:
    """Interrupts this process, as Ctrl-C does, when it took so many seconds and is ``ready``."""

    def __init__(self, seconds: float) -> None:
        self._until = spent() + seconds
        self._ended = threading.Event()
        self.ready = threading.Event()

    def _watch(self) -> None:
        while not self._ended.wait(EVERY):
            if self.ready.is_set() and spent() >= self._until:
                os.kill(os.getpid(), signal.SIGINT)
                return

    @contextmanager
    def running(self) -> Iterator[None]:
        """While what is to be interrupted goes on."""
        if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:  # begun in the background
            signal.signal(signal.SIGINT, signal.default_int_handler)
        thread = threading.Thread(target=self._watch, daemon=True)
        thread.start()
        try:
            yield
        finally:
            self._ended.set()
            thread.join()
