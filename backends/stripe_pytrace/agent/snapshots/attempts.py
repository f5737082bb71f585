"""Attempts: the runs of changed tests that a fork point forks where a test is called.

What is done up to that point (fixtures, the runner's own affairs) is done once for all changes
that are tried there; each costs the test itself, and what is behind it if it passes, in a process
that is put back after it (``workers.py``), or else in a fork of its own.  A
function that was executed on the way is not changed there: the fork point says so.
"""

from __future__ import annotations

import gc
import os
from collections.abc import Callable, Iterator
from typing import Any

from ..mutants.deltas import Replaced
from ..process import wire
from ..process.captures import Capture
from ..process.descriptors import is_regular
from ..process.server import WARDEN
from ..recording.monitor import told_fault
from .fork_point import ForkPoint
from .pages import collapse
from .restore import SINK, reserve
from .workers import Workers

Request = dict[str, Any]


def _told(changes: Iterator[Replaced | Request | None]) -> Iterator[Replaced | Request | None]:
    """The changes of a request; if making them fails, that is told in their place."""
    try:
        yield from changes
    except Exception as error:
        yield {"end": "fault", "detail": told_fault(error)}


class PausedTest(ForkPoint):
    """A test that is about to be called; each change of it is tried by a worker, or a fork.

    ``prepare`` makes the changes of a request, one by one: what is not to be tried here is
    ``None``, and what is no program is told as it is; ``left`` of the request says how many are
    to come, and ``apart`` that each is forked.  ``written``: a change as a worker is told of it; in
    there, what is returned has this ``order``.
    """

    def __init__(
        self,
        request: Request,
        source: int,
        sink: int,
        orphans: str,
        prepare: Callable[[Request], Iterator[Replaced | Request | None]],
        written: Callable[[Replaced], bytes],
    ) -> None:
        self._prepare, self._written = prepare, written
        self._capture, self._errors = Capture("stdout"), Capture("stderr")
        self._capture.open(1)
        self._errors.open(2)
        super().__init__(request, source, sink, orphans)
        self._alarms.install()
        self._place = os.lseek(0, 0, os.SEEK_CUR) if is_regular(0) else None
        collapse()
        reserve()
        self._workers = Workers()

    def stand(self) -> Request:
        """Have each change tried that is asked for.  Returns, in the child, what it is to do."""
        directory = os.getcwd()
        os.write(self._told, b".")
        while True:
            request: Request = wire.receive(self._orders)
            if not request:
                self._workers.end()
                os._exit(0)
            before = os.stat(".")
            os.chdir(directory)  # may be a new one of that name
            if not os.path.samestat(before, os.stat(".")):
                self._workers.end()
            request["apart"] = not self._workers.pay
            # What children drop they touch, so all is kept; and collected is nothing of it.
            changes = _told(self._prepare(request))
            made: list[Replaced] = []
            request["kept"] = changes, made
            for change in changes:
                if change is None:
                    wire.send(self._sink, {"end": "elsewhere"})
                    continue
                if isinstance(change, dict):
                    wire.send(self._sink, change)
                    continue
                made.append(change)
                facts = self._try(request, change)
                if facts is None:
                    return request
                wire.send(self._sink, facts)
                if facts["dirty"]:
                    break  # the host brings back what was there
            wire.send(self._sink, {"over": True})
            os.write(self._told, b".")

    def _try(self, request: Request, change: Replaced) -> Request | None:
        """What came of a change; ``None`` in the child or the worker, which has its request."""
        workers = self._workers
        gc.freeze()
        self._alarms.clear()
        if self._place is not None:
            os.lseek(0, self._place, os.SEEK_SET)  # it is open once for all of them
        facts: Request | None = None
        gone, child = False, 0
        if (worker := workers.ready(request["left"])) is not None:
            if worker.order is not None:
                if WARDEN is not None:
                    WARDEN.descriptors = []
                request["sink"], request["after"] = SINK, worker.stop
                request["order"] = worker.order
                return None
            child, order = worker.process, self._written(change)
            facts, gone = workers.run(order, request["fuel"], self._source, request, self._alarms)
            if gone:
                os._exit(0)
        if facts is None:
            self._capture.take()
            self._errors.take()
            child, facts, gone = self._fork(request, *workers.processes)
            if child == 0:
                request["sink"], request["run"] = facts["sink"], change
                return None
        self._leave_nothing(facts, child, workers)
        if gone:
            os._exit(0)
        facts["stdout"] = self._capture.take()
        self._errors.take()
        return facts
