"""The entry for time travel: runs the program, keeps its checkpoints, goes to moments from them."""

from __future__ import annotations

import _signal as signal  # type: ignore[import-not-found]  # as the server has it
import fcntl
import gc
import os
import select
import sys
import time
from collections.abc import Iterable
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
from .alterations import Alterations
from .moments import NO_SLOT, SIGNAL, Moments

HEADROOM = 12
"""Levels of recursion that callbacks need below the program's."""

TICK_MILLISECONDS = 1
"""How often it is looked at how long a run has run."""

FIRST_SPACING_SECONDS = 0.002
"""Processor time between checkpoints at first; it doubles when every second one is given up."""

PLAIN_SPACING_SECONDS = 0.5
"""The same, between looks at a run that leaves no checkpoints."""

type Checkpoint = tuple[int, int]

LOST: dict[str, Any] = {"end": "lost", "status": -9}


def main(source: int, sink: int) -> None:
    """Answer requests of the host, one at a time, until it is gone."""
    job = wire.begin(source, sink)
    program = Program(job["program"], job["module"], job["arguments"], Plain(), HEADROOM)  # type: ignore[arg-type]
    program.warm_up()
    gc.collect()
    gc.freeze()
    CONTROL(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)
    signal.signal(SIGNAL, signal.SIG_IGN)  # until a run listens to it
    navigator = Navigator(job, program, source, sink)
    wire.send(sink, {"end": "ready"})
    while (request := wire.receive(source)) is not None:
        if "run" in request:
            facts = navigator.run(request)
        elif "drop" in request:
            facts = navigator.drop(request["line"], request["drop"])
        elif "scans" in request:
            facts = navigator.scan(request)
        elif "do" in request:
            facts = navigator.go(request)
        else:
            facts = navigator.look(request)
        wire.send(sink, facts)
    navigator.end_all()
    os._exit(0)


class Navigator:
    """Goes to moments; at most one process stands at one, besides the checkpoints.

    A checkpoint is named by the line of time that it is of, and its number there.
    """

    def __init__(self, job: dict[str, Any], program: Program, source: int, sink: int) -> None:
        self._job, self._program = job, program
        self._ours = source, sink
        self._bury = load(job["orphans"], os, signal, time)["bury"]
        self._channels: dict[Checkpoint, tuple[int, int]] = {}
        self._stands: Checkpoint | None = None
        self._seconds = job["seconds"]
        self._process = 0

    # -- whole runs

    def run(self, request: dict[str, Any]) -> dict[str, Any]:
        """Run the program to its end, and have it leave up to ``slots`` checkpoints."""
        pairs = [(_pipe(), _pipe()) for _ in range(request["slots"])]
        outputs = Capture("stdout"), Capture("stderr")
        reader, writer = os.pipe()
        control = _pipe()
        began = time.monotonic()
        child = os.fork()
        if child == 0:
            os.setsid()
            redirect(request, *outputs)
            theirs = [(order, answer) for (_, order), (answer, _) in pairs]
            ends = [end for pair in (*self._channels.values(), *theirs) for end in pair]
            for each in (*self._ours, reader, control[1], *ends):
                os.close(each)
            writer_high = fcntl.fcntl(writer, fcntl.F_DUPFD_CLOEXEC, FIRST_OF_LIBRARIES)
            for each in (writer, *(output.number for output in outputs)):
                os.close(each)
            limits.apply(request["limits"])
            channels = [(orders, answers) for (orders, _), (_, answers) in pairs]
            run(self._program, self._job, writer_high, request, channels, control[0])
        os.close(writer)
        os.close(control[0])
        for (orders, _), (_, answers) in pairs:
            os.close(orders)
            os.close(answers)
        for number, ((_, order), (answer, _)) in enumerate(pairs):
            self._channels[request["line"], number] = order, answer
        own = [self._channels[request["line"], number] for number in range(len(pairs))]
        spacing = Spacing(child, control[1], own)
        message = None
        seconds = request["seconds"]
        if spacing.attend(reader, seconds):
            message = wire.receive(reader)
            ended = not message or _ends(child, seconds)
        else:
            ended = False
        if not ended:
            os.kill(child, signal.SIGKILL)
        _, status = os.waitpid(child, 0)
        spacing.settle()
        os.close(reader)
        os.close(control[1])
        facts = dict(message) if message else dict(LOST)
        facts["status"] = os.waitstatus_to_exitcode(status)
        if not ended:
            facts["end"] = "timeout"
        facts["seconds"] = time.monotonic() - began
        facts["stdout"], facts["stderr"] = (output.take() for output in outputs)
        facts["checkpoints"] = spacing.standing
        return facts

    def end_all(self) -> None:
        """End all processes."""
        for line in {line for line, _ in self._channels}:
            self.drop(line, [number for each, number in self._channels if each == line])
        self._bury()

    def drop(self, line: int, numbers: list[int]) -> dict[str, Any]:
        """End checkpoints, and who stands at a moment of theirs."""
        for number in numbers:
            if self._stands == (line, number):
                self._leave()
            for end in self._channels.pop((line, number), ()):
                os.close(end)
        return {}

    # -- moments

    def go(self, request: dict[str, Any]) -> dict[str, Any]:
        """Have a process stand at an event, and no other one."""
        self._leave()
        checkpoint = request["line"], request["checkpoint"]
        here = self._order(checkpoint, request)
        if "here" in here:
            self._stands = checkpoint
        return here

    def scan(self, request: dict[str, Any]) -> dict[str, Any]:
        """What is told of some stretches, each by a fork of its checkpoint, at the same time."""
        self._leave()
        orders = {(request["line"], order["checkpoint"]): order for order in request["scans"]}
        for checkpoint, order in orders.items():
            self._send(checkpoint, order)
        begun = {each: self._receive(each) for each in orders}
        for each in begun.values():
            if "lost" in each:
                return each
        running = {each: told["process"] for each, told in begun.items()}
        told = []
        for checkpoint, order in orders.items():
            self._process = running[checkpoint]
            if order["do"] == "passes":
                self._ask_until_over(checkpoint, running.values())
            told.append(self._receive(checkpoint))
            if "lost" not in told[-1]:
                self._receive(checkpoint)  # over
            del running[checkpoint]
        return {"told": told}

    def _ask_until_over(self, checkpoint: Checkpoint, processes: Iterable[int]) -> None:
        """Ask processes now and then whether they are beyond their stretch, until one has told."""
        until = time.monotonic() + self._seconds
        while not _ready(self._channels[checkpoint][1], TICK_MILLISECONDS / 1000):
            for each in processes:
                try:
                    os.kill(each, SIGNAL)
                except ProcessLookupError:
                    continue  # it has told all
            if time.monotonic() > until:
                return

    def look(self, request: dict[str, Any]) -> dict[str, Any]:
        """Ask the process that stands."""
        if self._stands is None:
            return {"lost": "nobody stands at a moment"}
        self._send(self._stands, request)
        return self._receive(self._stands)

    def _order(self, checkpoint: Checkpoint, order: dict[str, Any]) -> dict[str, Any]:
        self._send(checkpoint, order)
        begun = self._receive(checkpoint)
        if "lost" in begun:
            return begun
        self._process = begun["process"]
        return self._receive(checkpoint)

    def _send(self, checkpoint: Checkpoint, order: dict[str, Any]) -> None:
        """Send an order; that the checkpoint has ended is noticed when its answer is awaited."""
        try:
            wire.send(self._channels[checkpoint][0], order)
        except BrokenPipeError:
            pass

    def _leave(self) -> None:
        if self._stands is not None:
            number, self._stands = self._stands, None
            self._send(number, {"leave": True})
            self._receive(number)

    def _receive(self, checkpoint: Checkpoint) -> dict[str, Any]:
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


class Spacing:
    """Has a run leave checkpoints, spread over its processor time.

    ``control`` tells the run which one; ``channels``: of each, orders and answers.  ``standing``:
    number, event and place of each.
    """

    def __init__(self, process: int, control: int, channels: list[tuple[int, int]]) -> None:
        self._process, self._control, self._channels = process, control, channels
        self.standing: list[list[Any]] = []
        self._free = list(range(1, len(channels)))
        self._awaited = 0 if channels else None  # the first one is made unasked
        self._spacing = FIRST_SPACING_SECONDS if channels else PLAIN_SPACING_SECONDS
        self._next = self._spacing

    def attend(self, reader: int, seconds: float) -> bool:
        """Wait until the run reports, or ends; whether it does in time."""
        until = time.monotonic() + seconds
        while time.monotonic() < until:
            poll = select.poll()
            poll.register(reader, select.POLLIN)
            if self._awaited is not None:
                poll.register(self._channels[self._awaited][1], select.POLLIN)
            ready = dict(poll.poll(TICK_MILLISECONDS))
            if self._awaited is not None and self._channels[self._awaited][1] in ready:
                self._stands(self._awaited)
            if reader in ready:
                return True
            if self._awaited is None and self._used() >= self._next:
                self._ask()
        return False

    def settle(self) -> None:
        """Once the run has ended: hear of the last checkpoint, if it has been made."""
        if self._awaited is not None:
            self._stands(self._awaited)

    def _used(self) -> float:
        """Seconds of a processor that the run has used."""
        try:
            return time.clock_gettime((~self._process << 3) | 2)
        except OSError:
            return 0.0  # it has ended

    def _ask(self) -> None:
        slot = self._free.pop(0) if self._free else NO_SLOT
        os.write(self._control, bytes([slot]))
        os.kill(self._process, SIGNAL)
        if slot != NO_SLOT:
            self._awaited = slot
        self._next = self._used() + self._spacing

    def _stands(self, slot: int) -> None:
        """A checkpoint tells where it stands; if there are no more, every second one is ended."""
        self._awaited = None
        told = wire.receive(self._channels[slot][1])
        if told is None:
            return
        self.standing.append([slot, *told["stands"]])
        if not self._free:
            for dropped in self.standing[1::2]:
                wire.send(self._channels[dropped[0]][0], {"end": True})
                self._free.append(dropped[0])
            self.standing = self.standing[::2]
            self._spacing *= 2
        self._next = self._used() + self._spacing


def run(
    program: Program,
    job: dict[str, Any],
    sink: int,
    request: dict[str, Any],
    channels: list[tuple[int, int]],
    control: int,
) -> None:
    """Run the program, in a fork made for it; does not return."""
    report = Report(sink)
    alters = bool(request["alterations"])
    alterations = Alterations(
        request["alterations"], lambda why: report.stop("refused", f"alteration: {why}")
    )
    program.sources = alterations  # type: ignore[assignment]
    try:
        moments = Moments(scope(job), report, request["most"], channels, control, alterations)
    except NoToolId as error:
        report.stop("refused", str(error))

    # The run as it was does nothing that lasts; an altered one is ended before it does more.
    sys.dont_write_bytecode |= alters
    guard = Guard(
        [] if alters else job["within"],
        {(what, which) for what, which in request["allowed"]} if alters else None,
        lambda what: report.stop("refused", f"lasting: {what}"),
        lambda: report.stop("refused", "threads"),
    )
    guard.on_mark = program.heard(report.exception)
    guard.install()
    moments.guard = guard

    def finish() -> None:
        guard.on = False
        count = moments.count
        count.stop()
        report.facts.update(
            written=guard.written,
            shared=moments.shared.found(),  # also where no checkpoint came by
            forks=moments.forks or any(what == "run" for what, _ in guard.done),
            recursed=moments.recursed,
            total=count.now,
            names=count.names,
            firsts=[(*place, events.tobytes()) for place, events in count.firsts.items()],
            raises=moments.raises.tobytes(),
            kinds=moments.kinds.tobytes(),
            words=list(moments.words),
            done=sorted(guard.done),
            unmade=sorted(alterations.left),
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
