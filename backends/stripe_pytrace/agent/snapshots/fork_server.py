"""Fork points: processes that have gone ahead to some place of a run, and fork there.

What is done up to that point is done once for all runs that go on from there (``fork_point.py``,
``attempts.py``).
"""

from __future__ import annotations

import _signal as signal  # type: ignore[import-not-found]  # as the server has it
import os
import select
import time

from ..process import wire
from ..process.progress import state_of
from ..process.server import fork, stand_alone

TYPE_CHECKING = False  # typing takes as long to import as much of the agent
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

MOST = 8
"""ForkPoints at a time, each of which has memory of its own."""

LEAVING = 0.05
"""Seconds for which one that is not needed may end by itself, and what it has started, unless it is
busy: what they have used of a processor is lost to accounts otherwise."""

LOOK = 0.25
"""Seconds after which it is seen whether one that has not answered was stopped, by a run of it."""

HOLDS, SPOILS, DECLINES = b"o", b"!", b"-"
"""Said by a fork point that has files open, by one where a run may have changed files, and, with
the reason, by one that ends as its forks would not be as runs from the beginning."""

LONGEST_REASON_BYTES = 200

type Request = dict[str, Any]


class ForkPoints:
    """Those of a server, by what they are for.  ``source``, ``sink``: the server's, to the host.

    ``lost`` is called when one has ended by itself, before the host is told.
    """

    def __init__(self, source: int, sink: int, lost: Callable[[], object] = bool) -> None:
        self._source, self._sink = source, sink
        self._lost = lost
        self._known: dict[Any, tuple[int, int, int]] = {}
        self._holding: set[Any] = set()

    @property
    def processes(self) -> tuple[int, ...]:
        """Those that are there: they wait, whatever else is run."""
        return tuple(process for process, *_ in self._known.values())

    def ask(self, request: Request) -> Request | None:
        """Have a fork point try changes, and tell the host of each.

        In a new one, returns the request: it is to go to its place, and to ``stand`` there.
        """
        key = request["fork_point"]
        if key not in self._known and request.get("held"):
            self._tell_lost(True, "it has ended")
            return None
        if key not in self._known:
            if len(self._known) >= MOST:
                self._end(next(iter(self._known)))
            out, orders = os.pipe()
            done, told = os.pipe()
            process = fork()
            if process == 0:
                self.forget()
                os.close(orders)
                os.close(done)
                stand_alone()
                return {**request, "orders": out, "told": told}
            os.close(out)
            os.close(told)
            self._known[key] = process, orders, done
            if not self._wait(key, request["patience"]):
                return None
        _, orders, _ = self._known[key]
        try:
            wire.send(orders, request)
        except BrokenPipeError:
            pass  # seen at once
        self._wait(key, None)
        return None

    def _wait(self, key: Any, patience: float | None) -> bool:
        """Wait until a fork point has done what it is to do; whether it still is there."""
        *_, done = self._known[key]
        poll = select.poll()
        poll.register(done, select.POLLIN)
        if patience is not None:
            poll.register(self._source, select.POLLIN)  # the host may be gone
        until = None if patience is None else time.monotonic() + patience
        while not (ready := poll.poll(1000 * LOOK)) and (until is None or time.monotonic() < until):
            let_go_on(self._known[key][0])
        answered = [each for each, _ in ready] == [done]
        said = os.read(done, LONGEST_REASON_BYTES) if answered else b""
        if said and not said.startswith(DECLINES):
            if said == HOLDS:
                self._holding.add(key)
            elif said == SPOILS:
                self.spoil()
            return True
        self._end(key)
        self._lost()
        self._tell_lost(patience is None, said.removeprefix(DECLINES).decode())
        return False

    def _tell_lost(self, stood: bool, why: str) -> None:
        told = {"end": "lost", "over": True, "lost": True, "stands": stood, "why": why}
        wire.send(self._sink, told)

    def spoil(self) -> None:
        """Files may have changed, and been brought back: those that have some open know others."""
        for key in list(self._holding):
            self._end(key)

    def forget(self) -> None:
        """In a child: they are none of its affairs."""
        for _, *ends in self._known.values():
            for each in ends:
                os.close(each)

    def _end(self, key: Any) -> None:
        process, *ends = self._known.pop(key)
        self._holding.discard(key)
        try:
            wire.send(ends[0], None)
            leaving = os.pidfd_open(process)
        except OSError:
            pass  # it has ended
        else:
            poll = select.poll()
            poll.register(leaving)
            poll.poll(1000 * LEAVING)
            os.close(leaving)
        for end in ends:
            os.close(end)
        for kill in (os.killpg, os.kill):
            try:
                kill(process, signal.SIGKILL)
            except ProcessLookupError:
                pass
        try:
            os.waitpid(process, 0)
        except ChildProcessError:
            pass

    def end_all(self) -> None:
        """End all of them."""
        for key in list(self._known):
            self._end(key)


def let_go_on(process: int) -> None:
    """Have a process go on if it was stopped; nothing is sent to others, which may note it."""
    try:
        if state_of(f"/proc/{process}") == "T":
            os.kill(process, signal.SIGCONT)
    except OSError:
        pass  # it has ended
