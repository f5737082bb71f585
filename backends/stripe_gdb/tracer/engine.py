"""The engine: answers the requests of ``inside/engine.py``, with its recorder and its replayer.

Started as ``python -I -S -c ...`` (see ``tracing_session.py``); requests and answers are lines of
JSON on standard input and output.
"""

from __future__ import annotations

import fcntl
import json
import os
import shlex
import signal
import sys
import time
from collections.abc import Collection, Mapping
from typing import Any

from ..inside.clean_up import Leftovers
from ..inside.crash_location import whereabouts
from ..inside.linker import Elsewhere
from ..inside.record import Recorder
from ..inside.replay import Replayer
from ..inside.requests import QUIET, Requests, told_fault
from . import hooks, system
from .expected_path import Course
from .fast_path import FollowingLane, Lane, NotingLane
from .layout import Code, Function, Ranges
from .library_code import LibraryCode
from .names import names
from .process import BREAKPOINT_HIT, Ended, Process, launch
from .template import Template, make_template
from .tracee import Stop, Tracee

FAULTS = (signal.SIGSEGV, signal.SIGBUS, signal.SIGILL, signal.SIGFPE)
REQUESTS = frozenset(("survey", "record", "load", "replay", "demangle"))


class Refused(Exception):
    """The program does what this engine does not follow."""


class Engine(Requests):
    """Runs the program; one request after the other."""

    recorded: Any
    course: Any

    def __init__(self, job: Mapping[str, Any]) -> None:
        self.program = Tracee(job)
        self.all_stops = [Stop(n, *block[1:]) for n, block in enumerate(self.program.blocks)]
        self.leftovers = Leftovers(job["orphans"])
        self.library_code = LibraryCode(job)
        self.libraries = self.library_code.libraries
        self.code = Code(())
        self.stops: dict[int, Stop] = {}
        self.templates: dict[tuple[str, ...], Template] = {}
        self.environment: Mapping[str, str] = {}
        self.how: tuple[Any, ...] = ()
        self.forkable = job["forkable"]
        self.overdue = self.cancelled = self.forked = self.still = False
        self.process: Process | None = None
        self.lane: Lane | None = None
        self.latest = 0.0
        self.failed = ""
        self.job = job
        self.started = False
        signal.signal(signal.SIGALRM, self.end_run)

    # -- breakpoints

    def arm(self, numbers: Collection[int], alarms: Collection[int] = ()) -> None:
        """Have breakpoints at these blocks, and at no others."""
        blocks, addresses = self.program.blocks, self.program.addresses
        stops = {
            addresses[number]: Stop(number, *blocks[number][1:]) for number in (*numbers, *alarms)
        }
        if stops.keys() != self.stops.keys():
            self.drop_templates()
            self.stops = stops
            own = self.library_code.arm(stops)
            self.code = Code(own, self.functions(set(numbers)), len(blocks))

    def functions(self, numbers: Collection[int]) -> list[Function]:
        """The program's functions that may be copied: all their blocks have breakpoints."""
        blocks, addresses = self.program.blocks, self.program.addresses
        inside: dict[int, list[int]] = {}
        for number, block in enumerate(blocks):
            inside.setdefault(block[1], []).append(number)
        found: list[Function] = []
        for entry, size in self.job["sizes"]:
            own = inside[entry]
            if all(each in numbers for each in own):
                epilogue = next((each for each in own if blocks[each][3]), -1)
                low = addresses[entry]
                where = {addresses[each]: each for each in own}
                found.append((low, low + size, where, epilogue))
        return found

    # -- a process for each run

    def begin(self, job: Mapping[str, Any]) -> Process:
        """The program, at its beginning.

        The first run of an engine is no fork, nor is one that is to be a fresh process.
        """
        how = (job["arguments"], job["simple"], job["streams"])
        if how != self.how or any(each.outdated for each in self.templates.values()):
            self.drop_templates()
        self.how, self.environment = how, job.get("environment", {})
        if self.forkable and self.started and not job.get("fresh"):
            try:
                # What a template has of the environment stays: one for each.
                template = self.template or make_template(self.launch(), self.pass_linker)
                if template is not None:
                    self.templates[tuple(self.environment.values())] = template
                    return template.fork()
                self.forkable = False
            except (Ended, OSError):
                self.drop_templates()
                self.forkable = False
        self.started = True
        return self.launch()

    @property
    def template(self) -> Template | None:
        """What runs are forked from now, if they are."""
        return self.templates.get(tuple(self.environment.values()))

    def launch(self) -> Process:
        shell, simple, streams = self.how
        path = self.job["path"]
        if simple is None:
            command = ["/bin/sh", "-c", f"exec {shlex.quote(path)} {shell}"]
            streams = []
        else:
            command = [path, *simple.split()]
        environment = {**self.job["environment"], **self.environment}
        job = {**self.job, "environment": environment}
        process = launch(command, streams, job, self.code)
        if self.watching:
            self.library_code.listen(process)
        return process

    def pass_linker(self, process: Process) -> int | None:
        """Go on where the linker tells of a change; the signal to deliver then, None elsewhere."""
        return self.go_on(process) if self.library_code.passes(process) else None

    def drop_templates(self) -> None:
        for template in self.templates.values():
            template.close()
        self.templates.clear()

    def end_run(self, number: int, frame: object) -> None:
        """Handles the signals that end a run."""
        if self.process is not None:
            self.overdue, self.cancelled = True, number != signal.SIGALRM
            os.kill(self.process.number, signal.SIGKILL)

    def demangle(self, job: Mapping[str, Any]) -> dict[str, Any]:
        """Names for people, for the symbols of functions; ``None`` if a gdb has to say."""
        return {"names": names(job["symbols"])}

    # -- runs

    def run(self, strategy: Any, job: Mapping[str, Any]) -> dict[str, Any]:
        """Run the program once; what is known of it afterwards."""
        self.overdue = self.cancelled = self.forked = False
        left = 0
        started = time.monotonic()
        try:
            process = self.begin(job)
        except Ended as end:
            status, detail = end.status, ""
        else:
            status, detail = self.attend(process, strategy, job)
        answer = self.facts(strategy, status, detail, started)
        if self.forked:  # it may have left processes, and the template is not one of them
            self.drop_templates()
            self.forkable = False
            left = self.leftovers.end()
        if self.leftovers.renew():
            self.drop_templates()  # it works in a folder that is another one now
        for template in self.templates.values():
            template.unlock()
        return {**answer, "left": left}

    def attend(self, process: Process, strategy: Any, job: Mapping[str, Any]) -> tuple[int, str]:
        """Have a process run to its end; its wait status, and why nobody can follow it, if so."""
        self.overdue = self.still = False
        self.latest = time.monotonic()
        self.program.registers, self.program.process = process.registers, process
        self.process = process
        signal.setitimer(signal.ITIMER_REAL, job["timeout"])
        try:
            try:
                self.lane = self.lane_of(process, strategy, job)
                self.drive(process, strategy)
            except OSError:
                if not self.overdue:  # else it was killed between two stops
                    raise
            finally:
                self.still = time.monotonic() > self.latest + QUIET
                signal.setitimer(signal.ITIMER_REAL, 0)
                self.process = self.lane = None
                process.kill()
        except Ended as end:
            return end.status, ""
        except (Refused, Elsewhere) as refusal:
            return 0, str(refusal)
        return 0, ""

    def facts(self, strategy: Any, status: int, detail: str, started: float) -> dict[str, Any]:
        """What is known of a run that has ended."""
        answer = {
            "end": "exited",
            "status": os.WEXITSTATUS(status),
            "event": strategy.innermost(),
            "values": strategy.values,
            "detail": strategy.detail,
            "seconds": time.monotonic() - started,
            "still": self.still,
            "threads": False,
            "left": 0,
        }
        if self.overdue:
            answer["end"] = "cancelled" if self.cancelled else "timeout"
        elif strategy.ended is not None:
            answer["end"] = strategy.ended
        elif detail:
            answer["end"], answer["detail"] = "diverged", detail
        elif os.WIFSIGNALED(status):
            answer["end"], answer["status"] = "signal", os.WTERMSIG(status)
            if os.WTERMSIG(status) in FAULTS:
                answer["fault"] = self.failed
        return answer

    def lane_of(self, process: Process, strategy: Any, job: Mapping[str, Any]) -> Lane | None:
        """How the program may go past gates without a stop."""
        if not process.gated:
            return None
        if isinstance(strategy, Recorder) and job["notes"]:
            return NotingLane(process, strategy, self.all_stops)
        if isinstance(strategy, Replayer) and strategy.looker is None and self.recorded.cut is None:
            if self.course is None:
                self.course = self.make_course()
            if self.course.known:
                plan = self.course.plan(
                    job["ranges"], strategy.kept, strategy.strict, strategy.spared
                )
                return FollowingLane(process, strategy, self.course, plan, job)
        return Lane(process, strategy)

    def make_course(self) -> Course:
        """The course of the loaded run."""
        start, addresses = self.code.area.start, self.program.addresses
        targets = {
            number: self.code.detours[addresses[number]] - start
            for number in self.code.gates.values()
        }
        results = {entry: place - start for entry, place in self.code.results.items()}
        return Course(self.recorded, targets, results, self.program.main)

    def drive(self, process: Process, strategy: Any) -> None:
        """Let it run from stop to stop, until the strategy has enough or :class:`Ended`."""
        stops, registers, hit = self.stops, process.registers, strategy.hit
        hooks, addresses = self.code.gates, self.program.addresses
        lane = self.lane
        deliver = 0
        while True:
            process.resume(system.CONT, deliver)
            status = process.wait()
            deliver = 0
            if status != BREAKPOINT_HIT:
                deliver = self.other(process, status)
                continue
            self.latest = time.monotonic()
            process.load_registers()
            passing = self.pass_linker(process)
            if passing is not None:
                deliver = passing
                continue
            here = registers.rip - 1
            if here in hooks:
                here = addresses[hooks[here]]
            stop = stops.get(here)
            if stop is None:
                deliver = signal.SIGTRAP  # of its own
                continue
            registers.rip = here
            if (lane is not None and lane.arrive()) or hit(stop):
                return
            if lane is not None:
                lane.depart(stop.entry, stop.function)
            deliver = self.go_on(process)

    def go_on(self, process: Process) -> int:
        """Go on past a breakpoint, if there is one; the signal to deliver then."""
        registers, here = process.registers, process.registers.rip
        detour = process.detours.get(here)
        if detour is not None:
            registers.rip = detour
        process.store_registers()
        code = process.code_at(here)
        if detour is not None or here not in code:
            return 0
        offset = here - code.low
        process.write(here, code.original[offset : offset + 1])
        deliver = self.step_out(process, range(here, here + 1), [])
        process.write(here, code.patched[offset : offset + 1])
        return deliver

    def other(self, process: Process, status: int) -> int:
        """See to a stop that is no breakpoint; the signal to deliver then."""
        number = status >> 8 & 0xFF
        if status >> 16:
            self.event(process, status >> 16)
            return 0
        registers = process.load_registers()
        fragile = process.code_at(registers.rip).fragile
        if number in FAULTS:
            return number if self.fault(process) else 0
        if registers.rip in fragile:
            return self.step_out(process, fragile, [number])
        return number

    def step_out(self, process: Process, inside: Ranges | range, pending: list[int]) -> int:
        """Step on until control is not ``inside``; the signal to deliver then."""
        deliver = 0
        while True:
            process.resume(system.STEP)
            status = process.wait()
            number = status >> 8 & 0xFF
            if status >> 16:
                self.event(process, status >> 16)
            elif number in FAULTS:
                process.load_registers()
                if self.fault(process):
                    deliver = number
            elif number != signal.SIGTRAP:
                pending.append(number)
                continue
            if deliver or process.load_registers().rip not in inside:
                pending = [deliver, *pending] if deliver else pending
                for each in pending[1:]:
                    os.kill(process.number, each)
                return pending[0] if pending else 0

    def fault(self, process: Process) -> bool:
        """An instruction failed; whether it is one of the program's.

        If it is the first one of a block, it did so where it belongs.  If a handler comes back to
        it, this is another event, as it is in gdb.
        """
        registers = process.registers
        here = registers.rip
        code = process.code_at(here)
        if here == code.filling:  # a page of a frame is not there: the stack ends before
            missing = min(registers.rcx, hooks.PAGE - registers.rdi % hooks.PAGE)
            registers.rcx -= missing
            registers.rsi += missing
            registers.rdi += missing
            process.store_registers()
            return False
        original = code.original_of(here)
        information = system.signal_information(process.number)
        self.failed = whereabouts(information, process.number, original, self.job)
        belongs = code.block_of.get(here)
        if belongs is not None:
            registers.rip = belongs
            process.store_registers()
        return True

    def event(self, process: Process, event: int) -> None:
        """It starts or becomes another process."""
        if event == system.EXIT:
            if self.lane is not None:
                self.lane.arrive()
            return
        if event == system.EXEC:
            raise Refused("it replaces itself by another program (exec)")
        if event == system.VFORK_DONE:
            process.arm()
            return
        self.forked = True
        child = process.fork(system.event_message(process.number))
        try:
            child.wait()
            if event != system.CLONE:
                child.arm(on=False)
            system.ptrace(system.DETACH, child.number)
            child.close()
        except Ended:
            pass
        armed = process.armed(self.code)[:1]
        shared = armed and os.pread(process.memory, 1, self.code.low) != armed
        if event == system.CLONE or (event == system.FORK and shared):
            raise Refused("it starts a thread, which only --engine gdb can let run")


def main() -> None:
    """Answer requests until there are none; the first line describes the program."""
    engine = Engine(json.loads(sys.stdin.readline()))
    # While the program runs nothing comes but a word that it shall end: then we get a signal.
    signal.signal(signal.SIGIO, engine.end_run)
    fcntl.fcntl(0, fcntl.F_SETOWN, os.getpid())
    fcntl.fcntl(0, fcntl.F_SETFL, fcntl.fcntl(0, fcntl.F_GETFL) | os.O_ASYNC)
    for line in sys.stdin:
        job = json.loads(line)
        if job["request"] == "cancel":
            continue
        try:
            if job["request"] not in REQUESTS:
                raise ValueError(job["request"])
            said = getattr(engine, job["request"])(job)
        except OSError as error:  # of the system's, about the process
            said = {"end": "failed", "detail": f"{type(error).__name__}: {error}"}
        except Exception as error:
            said = {"end": "fault", "detail": told_fault(error)}
        sys.stdout.write(json.dumps(said) + "\n")
        sys.stdout.flush()
