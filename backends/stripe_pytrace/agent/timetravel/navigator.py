"""The entry for time travel: runs the program, keeps its checkpoints, goes to moments from them."""

from __future__ import annotations

import _signal as signal  # type: ignore[import-not-found]  # as the server has it
import fcntl
import gc
import os
import select
import time
from typing import Any

from ..compiling.scope_rules import scope
from ..observing.states import Plain
from ..process import limits, wire
from ..process.captures import Capture, redirect
from ..process.descriptors import FIRST_OF_LIBRARIES
from ..process.guard import Guard
from ..process.server import CONTROL, PR_SET_CHILD_SUBREAPER, load
from ..recording.monitor import NoToolId
from ..recording.program import Program, leave
from ..recording.report import Report
from .moments import Moments

HEADROOM = 12
"""Levels of recursion that callbacks need below the program's."""

LOST: dict[str, Any] = {"end": "lost", "status": -9}


def main(source: int, sink: int) -> None:
    """Answer requests of the host, one at a time, until it is gone."""
    job = wire.begin(source, sink)
    program = Program(job["program"], job["module"], job["arguments"], Plain(), HEADROOM)  # type: ignore[arg-type]
    program.warm_up()
    gc.collect()
    gc.freeze()
    CONTROL(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)
    navigator = Navigator(job, program, source, sink)
    wire.send(sink, {"end": "ready"})
    while (request := wire.receive(source)) is not None:
        if "run" in request:
            facts = navigator.run(request)
        elif "condition" in request:
            facts = navigator.scan(request)
        elif "event" in request:
            facts = navigator.go(request["checkpoint"], request["event"])
        else:
            facts = navigator.look(request)
        wire.send(sink, facts)
    navigator.end_all()
    os._exit(0)


class Navigator:
    """Goes to moments; at most one process stands at one, besides the checkpoints."""

    def __init__(self, job: dict[str, Any], program: Program, source: int, sink: int) -> None:
        self._job, self._program = job, program
        self._ours = source, sink
        self._bury = load(job["orphans"], os, signal, time)["bury"]
        self._channels: list[tuple[int, int]] = []
        self._stands: int | None = None
        self._seconds = job["seconds"]
        self._process = 0

    # -- whole runs

    def run(self, request: dict[str, Any]) -> dict[str, Any]:
        """Run the program to its end, with checkpoints at the events that are named."""
        events = request["checkpoints"]
        pairs = [(_pipe(), _pipe()) for _ in events]
        outputs = Capture("stdout"), Capture("stderr")
        reader, writer = os.pipe()
        began = time.monotonic()
        child = os.fork()
        if child == 0:
            os.setsid()
            redirect(request, *outputs)
            for each in (*self._ours, reader, *(end for (_, o), (a, _) in pairs for end in (o, a))):
                os.close(each)
            writer_high = fcntl.fcntl(writer, fcntl.F_DUPFD_CLOEXEC, FIRST_OF_LIBRARIES)
            for each in (writer, *(output.number for output in outputs)):
                os.close(each)
            limits.apply(request["limits"])
            channels = [(orders, answers) for (orders, _), (_, answers) in pairs]
            run(self._program, self._job, writer_high, request["most"], events, channels)
        os.close(writer)
        for (orders, _), (_, answers) in pairs:
            os.close(orders)
            os.close(answers)
        self._channels = [(order, answer) for (_, order), (answer, _) in pairs]
        message = None
        if _ready(reader, self._seconds):
            message = wire.receive(reader)
            ended = not message or _ends(child, self._seconds)
        else:
            ended = False
        if not ended:
            os.kill(child, signal.SIGKILL)
        _, status = os.waitpid(child, 0)
        os.close(reader)
        facts = dict(message) if message else dict(LOST)
        facts["status"] = os.waitstatus_to_exitcode(status)
        if not ended:
            facts["end"] = "timeout"
        facts["seconds"] = time.monotonic() - began
        facts["stdout"], facts["stderr"] = (output.take() for output in outputs)
        return facts

    def end_all(self) -> None:
        """End all processes."""
        for pair in self._channels:
            os.close(pair[0])
            os.close(pair[1])
        self._channels = []
        self._bury()

    # -- moments

    def go(self, checkpoint: int, event: int) -> dict[str, Any]:
        """Have a process stand at an event, and no other one."""
        self._leave()
        here = self._order(checkpoint, {"event": event})
        if "here" in here:
            self._stands = checkpoint
        return here

    def scan(self, request: dict[str, Any]) -> dict[str, Any]:
        """Events of one stretch at which a condition holds."""
        self._leave()
        checkpoint = request["checkpoint"]
        told = self._order(
            checkpoint, {"condition": request["condition"], "events": request["events"]}
        )
        if "lost" not in told:
            self._receive(checkpoint)  # over
        return told

    def look(self, request: dict[str, Any]) -> dict[str, Any]:
        """Ask the process that stands."""
        if self._stands is None:
            return {"lost": "nobody stands at a moment"}
        wire.send(self._channels[self._stands][0], request)
        return self._receive(self._stands)

    def _order(self, checkpoint: int, order: dict[str, Any]) -> dict[str, Any]:
        wire.send(self._channels[checkpoint][0], order)
        self._process = self._receive(checkpoint)["process"]
        return self._receive(checkpoint)

    def _leave(self) -> None:
        if self._stands is not None:
            number, self._stands = self._stands, None
            wire.send(self._channels[number][0], {"leave": True})
            self._receive(number)

    def _receive(self, checkpoint: int) -> dict[str, Any]:
        """What a checkpoint or its fork tells; a fork that ends untimely is ``lost``."""
        answers = self._channels[checkpoint][1]
        if not _ready(answers, self._seconds):
            os.kill(self._process, signal.SIGKILL)
            self._stands = None
            wire.receive(answers)
            return {"lost": "time"}
        told = wire.receive(answers)
        if told is None:
            self._stands = None
            return {"lost": "the checkpoint has ended"}
        if "over" in told and self._stands == checkpoint:
            self._stands = None
            return {"lost": f"it ended with {told['over']}"}
        if "over" in told:
            told["lost"] = f"it ended with {told['over']}"
        return dict(told)


def run(
    program: Program,
    job: dict[str, Any],
    sink: int,
    most: int,
    checkpoints: list[int],
    channels: list[tuple[int, int]],
) -> None:
    """Run the program, in a fork made for it; does not return."""
    report = Report(sink)
    try:
        moments = Moments(scope(job), report, most, checkpoints, channels)
    except NoToolId as error:
        report.stop("refused", str(error))
    guard = Guard(job["within"], None, lambda _: None, lambda: report.stop("refused", "threads"))
    guard.install()

    def finish() -> None:
        guard.on = False
        moments.stop()
        report.facts.update(
            forks=moments.forks or any(what == "run" for what, _ in guard.done),
            names=moments.names,
            places=moments.places.tobytes(),
            depths=moments.depths.tobytes(),
        )

    report.before = finish
    report.install()
    program.raiser = moments.raised_at
    program.prepare()
    os.register_at_fork(before=moments.note_fork)
    guard.on = True
    moments.start()
    leave(program.run(report.exception), report.send, fast=True)


def _pipe() -> tuple[int, int]:
    """A pipe by numbers that no program's files have."""
    ends = os.pipe()
    high = tuple(fcntl.fcntl(end, fcntl.F_DUPFD_CLOEXEC, FIRST_OF_LIBRARIES) for end in ends)
    for end in ends:
        os.close(end)
    return high[0], high[1]


def _ready(descriptor: int, seconds: float) -> bool:
    poll = select.poll()
    poll.register(descriptor, select.POLLIN)
    return bool(poll.poll(seconds * 1000))


def _ends(process: int, seconds: float) -> bool:
    descriptor = os.pidfd_open(process)
    try:
        return _ready(descriptor, seconds)
    finally:
        os.close(descriptor)
