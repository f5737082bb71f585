"""Attempts: the runs of changed tests that an outpost forks where a test is called.

What is done up to that point (fixtures, the runner's own affairs) is done once for all changes
that are tried there; each costs the test itself, and what is behind it if it passes, in a process
that is put back after it (``workers.py``), or else in a fork of its own.  A
function that was executed on the way is not changed there: the outpost says so.
"""

from __future__ import annotations

import _signal as signal  # type: ignore[import-not-found]  # as the server has it
import gc
import os
import time
from collections.abc import Callable, Iterator
from typing import Any

from ..mutants.deltas import Replaced
from ..process import wire
from ..process.captures import Capture
from ..process.descriptors import is_regular, moved
from ..process.fork import clear, forget_ours, forked
from ..process.progress import Alarms, Watch
from ..process.server import CONTROL, PR_SET_CHILD_SUBREAPER, WARDEN, load, supervise
from ..recording.monitor import told_fault
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
