"""The entry for program states: runs the program plainly, looks at it at moments, changes it.

One job is one run, in a fork: it tells the moments there are (``list``), the state at some of
them (``look``), what is the same thing at several (``identify``), or goes on from one in a state
that was changed (``change``), and tells the state at a later one.  Or it stays at that moment
(``stay``), and forks for each of many changes: what came before is then run once.
"""

from __future__ import annotations

import _signal as signal  # type: ignore[import-not-found]  # as the server has it
import gc
import hashlib
import marshal
import os
import time
import types
from collections.abc import Callable
from functools import partial
from typing import Any

from ..compiling.scope_rules import scope
from ..mutants.deltas import Codes
from ..process import wire
from ..process.descriptors import settled
from ..process.guard import Guard, allowed
from ..process.server import WARDEN, Server, load
from ..recording.monitor import NoToolId
from ..recording.program import Program, leave
from ..recording.report import Report
from ..snapshots.fork_point import PausedRun
from ..snapshots.fork_server import ForkPoints
from .line_events import Call, Lines
from .memory import Memory, modules_of
from .state_change import Alteration, CannotBeMade

Job = dict[str, Any]


def main(source: int, sink: int) -> None:
    """Fork for each job that is told on ``source``; what a run tells, it tells on ``sink``.

    Or have a fork point, which runs the program to a moment, and forks there.
    """
    orphans = wire.begin(source, sink)["orphans"]
    bury = load(orphans, os, signal, time)["bury"]

    def clean_up() -> None:
        fork_points.end_all()
        bury()
        if WARDEN is not None:
            WARDEN.renew()

    fork_points = ForkPoints(source, sink, clean_up)
    program = Program("", False, [], Plain(), 0)  # type: ignore[arg-type]
    program.warm_up()  # most searches are for causes of an exception
    gc.collect()
    gc.freeze()
    request = Server(source, sink, orphans, fork_points=fork_points).serve()
    paused = None
    if "orders" in request:
        paused = PausedRun(request, source, sink, orphans)
    else:
        fork_points.forget()
    run(program, request, paused)


def run(program: Program, request: dict[str, Any], paused: PausedRun | None) -> None:
    """Run the program; if it is to be ``paused``, to that moment."""
    job = request["job"]
    program.path, program.module, program.arguments = (
        job[each] for each in ("program", "module", "arguments")
    )
    report = Report(-1 if paused is not None else settled(request["sink"]))
    if paused is not None:
        report.process = -1  # it is nobody's run
    else:
        request["alarms"].install()
    try:
        looking = Looking(job, report, paused)
    except NoToolId as error:
        report.stop("refused", str(error))
    guard = looking.guard = Guard(
        job["within"], allowed(job), lambda what: report.stop("harmful", what)
    )
    guard.on_mark = program.heard(report.exception)
    guard.install()

    def finish() -> None:
        guard.on = False
        looking.lines.stop()
        if not job["fast"]:
            gc.unfreeze()  # or the teardown of modules spares objects that it should end
        report.facts.update(
            dirty=guard.dirty, alone=guard.alone(), done=sorted(guard.done), told=looking.told
        )

    report.before = finish
    report.install()
    os.register_at_fork(after_in_child=looking.lines.stop)
    program.prepare()
    guard.on = True
    looking.lines.start()
    leave(program.run(report.exception), report.send, fast=job["fast"])


FRESH = (tuple, types.FrameType, types.ModuleType)
"""What has no identity that matters, or another with each call."""


def _key(moment: tuple[str, int, int]) -> str:
    return f"{moment[0]}:{moment[1]}#{moment[2]}"


class Plain:
    """The program's sources as they are; see ``code.Sources``."""

    def __init__(self) -> None:
        self.by_path = self

    def main(self, path: str) -> Any:
        """The code of the program."""
        with open(path, "rb") as stream:
            return compile(stream.read(), path, "exec", dont_inherit=True)

    def get(self, path: str) -> Any:
        """As ``user_frame`` asks: any file that is not ours may be where an exception is from."""
        return _File(path) if os.path.isabs(path) else None


class AtHand(Plain):
    """The same, but for the program's own file, the code of which may be at hand."""

    def __init__(self, codes: Codes) -> None:
        super().__init__()
        self._codes = codes

    def main(self, path: str) -> Any:
        """The code of the program."""
        code = self._codes.get(path)
        return super().main(path) if code is None else code


class _File:
    def __init__(self, path: str) -> None:
        self.path = path

    def node_at(self, line: int, column: int) -> int:
        """Tells lines apart, which is all that is known."""
        return line


class Looking:
    """What is done at moments; ``told`` is the answer."""

    guard: Guard

    def __init__(self, job: Job, report: Report, paused: PausedRun | None) -> None:
        self._paused = paused
        self.told: dict[str, Any] = {}
        self._wants = scope(job)
        self._job = job
        self._report = report
        self._counts: dict[tuple[str, int], int] = {}
        self._traces: dict[tuple[Call, ...], int] = {}
        self._moments: list[tuple[int, int]] = []
        self._left = 0
        self._identities: dict[int, tuple[int, Any]] = {}
        if job["task"] == "list":
            self.told = {"moments": self._moments, "cut": False, "traces": []}
        tasks: dict[str, Callable[[Any, int], object]] = {
            "list": self._list,
            "look": partial(self._at, self._look),
            "identify": partial(self._at, self._identify),
            "change": partial(self._at, self._change),
            "stay": partial(self._at, self._stay),
        }
        self.lines = Lines(self._wants, tasks[job["task"]], report.fault)

    def _list(self, frame: Any, line: int) -> None:
        key = frame.f_code.co_filename, line
        count = self._counts[key] = self._counts.get(key, 0) + 1
        trace = self.lines.backtrace(self.lines.stack(frame))
        number = self._traces.setdefault(trace, len(self._traces))
        if number == len(self.told["traces"]):
            self.told["traces"].append(trace)
        self._moments.append((number, count))
        if len(self._moments) >= self._job["most"]:
            self.told["cut"] = True
            self.lines.stop()

    def _at(self, action: Any, frame: Any, line: int) -> None:
        wanted: dict[tuple[str, int], list[int]] = self._job["at"]
        key = frame.f_code.co_filename, line
        if key not in wanted:
            return
        count = self._counts[key] = self._counts.get(key, 0) + 1
        if count in wanted[key]:
            action(frame, (*key, count))

    def memory(self, frame: Any) -> Memory:
        """The state now."""
        memory = Memory()
        stack = self.lines.stack(frame)
        names: dict[str, int] = {}
        for depth, each in enumerate(stack):
            if each.f_code.co_name == "<module>":
                continue
            name = each.f_code.co_qualname
            count = names[name] = names.get(name, 0) + 1
            label = "" if not depth else name if count == 1 else f"{name}#{count}"
            memory.add_frame(label, each, stack[depth + 1 :])
        inner = stack[0].f_globals if stack and stack[0].f_code.co_name == "<module>" else None
        for module in modules_of(self._wants):
            label = "" if module.__dict__ is inner else module.__name__
            memory.add_module(label, module)
        return memory

    def _tell(self, frame: Any, memory: Memory) -> dict[str, Any]:
        items = [tuple(each) for each in memory.items]
        return {
            "backtrace": self.lines.backtrace(self.lines.stack(frame)),
            "bases": memory.bases,
            "items": items,
            "keys": memory.keys,
            "unseen": memory.unseen,
            "digest": digest(memory),
        }

    def _look(self, frame: Any, moment: tuple[str, int, int]) -> None:
        self.told[_key(moment)] = self._tell(frame, self.memory(frame))

    def _identify(self, frame: Any, moment: tuple[str, int, int]) -> None:
        memory = self.memory(frame)
        self.told[_key(moment)] = [
            None if item.kind == "atom" or issubclass(type(value), FRESH) else self._identity(value)
            for item, value in zip(memory.items, memory.objects, strict=True)
        ]

    def _identity(self, value: Any) -> int:
        """A number of its own; what has one stays there, so that nothing else gets its address."""
        known = self._identities.setdefault(id(value), (len(self._identities), value))
        return known[0]

    def _stay(self, frame: Any, moment: tuple[str, int, int]) -> None:
        """Answer requests; in each child, go on from here."""
        guard, report, paused = self.guard, self._report, self._paused
        guard.on = False
        try:
            if paused is None or guard.dirty or not guard.alone() or paused.unlike():
                os._exit(0)  # it is for runs from the beginning
            request = paused.stand()
        except BaseException:
            os._exit(1)
        report.sink, report.process = request["sink"], os.getpid()
        guard.on = True
        self._job.update(request["change"])
        self._change(frame, moment)

    def _change(self, frame: Any, moment: tuple[str, int, int]) -> None:
        del moment
        memory = self.memory(frame)
        if digest(memory) != self._job["digest"]:
            self._report.stop("diverged", "the state was not the one that was looked at before")
        try:
            Alteration(memory, self._job["alteration"]).apply()
        except CannotBeMade as error:
            self._report.stop("diverged", f"the state cannot be made: {error}")
        self.told["changed"] = self._tell(frame, self.memory(frame))
        if self._job["later"] is None:
            self.lines.stop()
        else:
            trace, self._left = self._job["later"]
            self.lines.go_on(partial(self._follow, trace))

    def _follow(self, trace: tuple[Call, ...], frame: Any, line: int) -> None:
        """Look once more, where there is this backtrace for the n-th time after the change."""
        if (frame.f_code.co_filename, line) != trace[0][1:3]:
            return
        stack = self.lines.stack(frame)
        if self.lines.backtrace(stack) == trace:
            self._left -= 1
            if not self._left:
                self.told["later"] = self._tell(frame, self.memory(frame))
                self.lines.stop()


def digest(memory: Memory) -> bytes:
    """Equal for equal states."""
    plain = [memory.bases, [(*each[:3], each.parts) for each in memory.items]]
    return hashlib.blake2b(marshal.dumps(plain, 2)).digest()
