"""The worker of a fork point, as long as it pays to have one; see ``restore.py``.

It is made once, for all that is tried there: each run is told in a message (``orders.py``).
"""

from __future__ import annotations

import _signal as signal  # type: ignore[import-not-found]  # as the server has it
import os
import select
import time

from ..process import wire
from ..process.progress import Alarms, Watch
from ..process.server import FIRST_LOOK, supervise, told_by
from ..values.verdicts import PASSED
from .calls import LIBC
from .originals import Originals, Unfit
from .restore import TAIL, Worker

TYPE_CHECKING = False  # typing takes as long to import as much of the agent
if TYPE_CHECKING:
    from typing import Any

LEAST = 3
"""Runs to be made for which a worker pays."""

MOST_LOST, PAID = 2, 6
"""So many workers may be lost, and more of them if each has made so many runs."""


MOST_STILL = 3
"""So many looks in a row at one that waits for something, and it is looked at more closely."""

SPENT = {"end": "lost", "status": -signal.SIGPROF, "dirty": False, "alone": True}
"""What is told of a run that was stopped: it can have changed nothing but memory."""


class Workers:
    """Makes runs, one after the other, in a process that is put back after each."""

    def __init__(self) -> None:
        self._worker: Worker | None = None
        self._originals: Originals | None = None
        self._runs = 0
        self._lost = 0

    @property
    def processes(self) -> tuple[int, ...]:
        """Those of them that are there."""
        worker = self._worker
        return () if worker is None else (worker.process, worker.template)

    @property
    def pay(self) -> bool:
        """Whether runs are made so, as far as is known."""
        return LIBC is not None and (self._lost <= MOST_LOST or self._runs >= PAID * self._lost)

    def ready(self, left: int = LEAST) -> Worker | None:
        """The worker, with an ``order`` in itself; none if so many runs are better made apart."""
        if self._worker is None:
            if left < LEAST or not self.pay:
                return None
            try:
                if self._originals is None:
                    self._originals = Originals()
                self._worker = Worker(self._originals)
            except (Unfit, OSError):
                self._lost += 1
        return self._worker

    def run(
        self,
        order: bytes,
        fuel: float | None,
        source: int,
        request: dict[str, Any],
        alarms: Alarms,
    ) -> tuple[dict[str, Any] | None, bool]:
        """What a run came to, if that can be told; and whether the host is gone.

        ``fuel``: seconds of a processor after which it is stopped, from outside; ``None``: it has
        the limits of the request, and ends by them.
        """
        worker = self._worker
        assert worker is not None
        self._runs += 1
        began = time.monotonic()
        try:
            limit = worker.spent + (request["processor"] if fuel is None else fuel)
            worker.begin(order)
            message, late = self._hear(worker, source, None if fuel is None else limit)
        except (Unfit, OSError):
            self._lose()
            return None, False
        if late:
            return dict(SPENT), False
        if wire.whole(message, TAIL.size):
            gone = False
            facts = {**told_by(message), "tail": bytes(message[-TAIL.size :])}
        else:
            facts, gone = supervise(
                worker.process,
                worker.reader,
                source,
                began,
                {**request, "processor": limit},
                Watch(alarms, worker.template),
                TAIL.size,
                message,
            )
        tail = facts.pop("tail", None)
        if tail is None:
            self._lose(reaped=True)
            return None if facts["status"] == -signal.SIGSYS else facts, gone
        (facts["status"],) = TAIL.unpack(tail)
        results = facts.get("told", {}).get("results", ())
        if any(row[1] == PASSED for row in results):
            return None, gone  # what repairs something is told by a process of its own
        return facts, gone

    def _hear(self, worker: Worker, source: int, limit: float | None) -> tuple[bytearray, bool]:
        """What it tells of a run: all of it, if it takes no time to speak of.

        And whether it has spent so much that it was stopped, if there is such a ``limit``.
        """
        poll, message = select.poll(), bytearray()
        for each in (worker.reader, worker.exited, source):
            poll.register(each, select.POLLIN)
        before, still = 0.0, 0
        while not wire.whole(message, TAIL.size):
            wait = FIRST_LOOK if still or limit is None else min(FIRST_LOOK, limit - before)
            ready = poll.poll(max(1, int(1000 * wait)))
            if not ready:
                if limit is None:
                    break
                spent = worker.spent
                if spent >= limit:
                    worker.halt()
                    return message, True
                still = still + 1 if spent == before and worker.waits else 0
                before = spent
                if still < MOST_STILL:
                    continue
            if [each for each, _ in ready] != [worker.reader]:
                break  # it waits, has ended, or nobody listens any more
            part = os.read(worker.reader, 1 << 16)
            if not part:
                break
            message += part
        return message, False

    def _lose(self, *, reaped: bool = False) -> None:
        self._lost += 1
        self.end(reaped=reaped)

    def end(self, *, reaped: bool = False) -> None:
        """End the worker, which may have been waited for."""
        worker, self._worker = self._worker, None
        if worker is not None:
            if reaped:
                worker.process = -1
            worker.end()
