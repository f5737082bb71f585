"""Outposts: processes that have gone ahead to where a test is called, and fork there.

What is done up to that point (fixtures, the runner's own affairs) is done once for all changes
that are tried there; each costs the test itself, and what is behind it if it passes, in a process
that is put back after it (``workers.py``), or else in a fork of its own.  A
function that was executed on the way is not changed there: the outpost says so.
"""

from __future__ import annotations

import _signal as signal  # type: ignore[import-not-found]  # as the server has it
import gc
import os
import select
import time
from collections.abc import Callable, Iterator
from typing import Any

from . import wire
from .captures import Capture
from .deltas import Replaced
from .descriptors import is_regular, moved
from .forking import clear, forget_ours, forked
from .monitor import told_fault
from .pages import collapse
from .progress import Alarms, Watch
from .rewinding import SINK, reserve
from .server import (
    CONTROL,
    PR_SET_CHILD_SUBREAPER,
    WARDEN,
    fork,
    load,
    stand_alone,
    supervise,
)
from .workers import Workers

MOST = 8
"""Outposts at a time, each of which has memory of its own."""

LEAVING = 0.05
"""Seconds for which one that is not needed may end by itself, and what it has started, unless it is
busy: what they have used of a processor is lost to accounts otherwise."""

HOLDS, SPOILS = b"o", b"!"
"""Said by an outpost that has files open, and by one where a run may have changed files."""

Request = dict[str, Any]


class Outposts:
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
        """Have an outpost try changes, and tell the host of each.

        In a new one, returns the request: it is to go to its place, and to ``stand`` there.
        """
        key = request["outpost"]
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
        """Wait until an outpost has done what it is to do; whether it still is there."""
        *_, done = self._known[key]
        poll = select.poll()
        poll.register(done, select.POLLIN)
        if patience is not None:
            poll.register(self._source, select.POLLIN)  # the host may be gone
        ready = poll.poll(None if patience is None else patience * 1000)
        said = os.read(done, 1) if [each for each, _ in ready] == [done] else b""
        if said:
            if said == HOLDS:
                self._holding.add(key)
            elif said == SPOILS:
                self.spoil()
            return True
        self._end(key)
        self._lost()
        told = {"end": "lost", "over": True, "lost": True, "stands": patience is None}
        wire.send(self._sink, told)
        return False

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


def _told(changes: Iterator[Replaced | Request | None]) -> Iterator[Replaced | Request | None]:
    """The changes of a request; if making them fails, that is told in their place."""
    try:
        yield from changes
    except Exception as error:
        yield {"end": "fault", "detail": told_fault(error)}


def stand(
    request: Request,
    source: int,
    sink: int,
    orphans: str,
    prepare: Callable[[Request], Iterator[Replaced | Request | None]],
    written: Callable[[Replaced], bytes],
) -> Request:
    """Fork for each change that is asked for.  Returns, in the child, what it is to do.

    ``prepare`` makes the changes of a request, one by one: what is not to be tried here is
    ``None``, and what is no program is told as it is; ``left`` of the request says how many are
    to come, and ``apart`` that each is forked.  ``written``: a change as a worker is told of it; in
    there, what is returned has this ``order``.
    """
    bury = load(orphans, os, signal, time)["bury"]
    CONTROL(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)
    alarms = Alarms()
    alarms.install()
    capture, errors = Capture("stdout"), Capture("stderr")
    capture.open(1)
    errors.open(2)
    directory = os.getcwd()
    source, sink, orders, told = moved(source, sink, request["orders"], request["told"])
    if WARDEN is not None:
        WARDEN.move(moved)
    place = os.lseek(0, 0, os.SEEK_CUR) if is_regular(0) else None
    collapse()
    reserve()
    workers = Workers()
    os.write(told, b".")
    while True:
        request = wire.receive(orders)
        if not request:
            workers.end()
            os._exit(0)
        before = os.stat(".")
        os.chdir(directory)  # may be a new one of that name
        if not os.path.samestat(before, os.stat(".")):
            workers.end()
        request["apart"] = not workers.pay
        # What children drop they touch, so all is kept; and collected is nothing of it.
        changes = _told(prepare(request))
        made: list[Replaced] = []
        request["kept"] = changes, made
        for change in changes:
            if change is None:
                wire.send(sink, {"end": "elsewhere"})
                continue
            if isinstance(change, dict):
                wire.send(sink, change)
                continue
            made.append(change)
            gc.freeze()
            alarms.clear()
            if place is not None:
                os.lseek(0, place, os.SEEK_SET)  # it is open once for all of them
            facts: Request | None = None
            gone, child = False, 0
            if (worker := workers.ready(request["left"])) is not None:
                if worker.order is not None:
                    if WARDEN is not None:
                        WARDEN.descriptors = []
                    request["sink"], request["after"] = SINK, worker.stop
                    request["order"] = worker.order
                    return request
                child = worker.process
                facts, gone = workers.run(written(change), request["fuel"], source, request, alarms)
                if gone:
                    os._exit(0)
            if facts is None:
                capture.take()
                errors.take()
                alarms.clear()
                began = time.monotonic()
                child, pipe = forked()
                if child == 0:
                    forget_ours()
                    request["sink"], request["run"] = pipe, change
                    return request
                watch = Watch(alarms, *workers.processes)
                facts, gone = supervise(child, pipe, source, began, request, watch)
                os.close(pipe)
            alone = facts.get("alone", False)
            if not alone:
                workers.end()
            # What a worker may ask of the kernel leaves nothing behind that is to be looked for.
            if not alone or child not in workers.processes:
                clear(facts, child, bury)
            facts.pop("alone", None)
            if gone:
                os._exit(0)
            facts["stdout"] = capture.take()
            errors.take()
            wire.send(sink, facts)
            if facts["dirty"]:
                break  # the host brings back what was there
        wire.send(sink, {"over": True})
        os.write(told, b".")
