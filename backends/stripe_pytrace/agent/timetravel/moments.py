"""One run of the program, counted by line events, that can stop and fork at any of them.

Invariant: event *n* is the *n*-th line of the user's code that control comes to, in every run, as
long as runs are the same; the host compares the paths of two whole runs before it relies on that.
"""

from __future__ import annotations

import os
import select
import sys
from array import array
from typing import Any

from ..process import wire
from ..process.captures import read
from ..process.guard import Guard
from ..recording.monitor import DISABLE, events, monitoring, take_tool_id
from ..recording.report import Report
from ..snapshots.fork_point import state_of_random
from . import inspection
from .alterations import Alterations
from .data_breakpoint import Watch

LOOK_SECONDS = 10.0
"""Seconds that an evaluation may take."""

LINE_BITS = 20
"""A place is the file's number, then so many bits of the line."""

RESUMED = ""
"""What stands for a function's name where a generator goes on."""

ENTERED = events.PY_START | events.PY_RESUME | events.PY_THROW
LEFT = events.PY_RETURN | events.PY_YIELD | events.PY_UNWIND


LONGEST_LOG = 500
"""Characters of what a log point shows."""


class Moments:
    """Counts line events and calls; forks a checkpoint at each event of ``checkpoints``.

    ``channels``: a pair of descriptors for each of these, orders and answers.  ``alterations`` are
    made when the run comes to their events, also where it goes on from a checkpoint.  ``guard``
    looks at whole runs.
    """

    guard: Guard

    def __init__(
        self,
        wants: Any,
        report: Report,
        most: int,
        checkpoints: list[int],
        channels: list[tuple[int, int]],
        alterations: Alterations,
    ) -> None:
        self._wants, self._report, self._most = wants, report, most
        self._alterations = alterations
        alterations.now = lambda: self._now
        self._checkpoints, self._channels = checkpoints, channels
        self._files: dict[str, int] = {}
        self.names: list[str] = []
        self.places, self.depths = array("I"), array("I")
        self.entries, self.functions = array("I"), array("I")
        self.raises, self.kinds = array("I"), array("I")
        self._entered: dict[int, str] = {}  # by level: the call that has come to no line yet
        self.words: dict[str, int] = {}  # names of functions and exceptions, and their numbers
        self._now = self._depth = 0
        self._raised: dict[int, int] = {}
        self._goals = list(checkpoints)
        self._next = 0
        self._scan: tuple[Any, list[Any]] | None = None
        self._watch: Watch | None = None
        self._travels = False
        self._channel = -1, -1
        self._tool = take_tool_id("stripe")
        self._exit = os._exit
        self._ours = False  # whether a fork is one of ours
        self.forks = False
        self._limit = 0
        self._aim()

    def start(self) -> None:
        """Begin to count."""
        register = monitoring.register_callback
        register(self._tool, events.LINE, self._line)
        register(self._tool, events.RAISE, self._raise)
        for kind, callback in (("START", self._start), ("RESUME", self._resume)):
            register(self._tool, getattr(events, f"PY_{kind}"), callback)
        register(self._tool, events.PY_THROW, self._thrown)
        for kind in ("RETURN", "YIELD"):
            register(self._tool, getattr(events, f"PY_{kind}"), self._leave)
        register(self._tool, events.PY_UNWIND, self._unwind)
        monitoring.set_events(self._tool, events.LINE | events.RAISE | ENTERED | LEFT)

    def _aim(self) -> None:
        """The next event at which something is to be done."""
        goal = self._goals[self._next] if self._next < len(self._goals) else self._most
        self._limit = min(goal, self._alterations.next_event(self._most))

    def stop(self) -> None:
        """Count no more."""
        monitoring.set_events(self._tool, 0)

    def note_fork(self) -> None:
        """Called before each fork: those of the program leave what no jump takes back."""
        self.forks |= not self._ours

    def _fork(self) -> int:
        """Fork; the child has the random numbers to come that its parent has."""
        state = state_of_random()
        watched, self.guard.on, self._ours = self.guard.on, False, True
        process = os.fork()
        self._ours = False
        if process:
            self.guard.on = watched  # a fork does what the whole run is seen to do
        elif state is not None:
            sys.modules["random"].setstate(state)  # which seeds itself anew in forks
        return process

    def raised_at(self, error: BaseException) -> int:
        """The event at which an exception was raised; 0: none of the user's code."""
        return self._raised.get(id(error), 0)

    # -- callbacks of the interpreter

    def _file(self, name: str) -> int:
        number = -1
        if self._wants(name):
            number = len(self.names)
            self.names.append(name)
        self._files[name] = number
        return number

    def _line(self, code: Any, line: int) -> Any:
        name = code.co_filename
        number = self._files.get(name)
        if number is None:
            number = self._file(name)
        if number < 0:
            return DISABLE
        if self._watch is not None:
            self._watch.see(self._now, self._depth)
            self._watch.arrive(self._now + 1)
        self._now = now = self._now + 1
        if not self._travels:
            self.places.append(number << LINE_BITS | line)
            self.depths.append(self._depth)
            if self._entered and (name := self._entered.pop(self._depth, None)) is not None:
                self.entries.append(now)
                self.functions.append(self._word(name))
        if now >= self._limit:
            frame: Any = sys._getframe(1)
            while frame.f_code is not code:
                frame = frame.f_back
            self._arrive(frame)
        return None

    def _is_user(self, code: Any) -> bool:
        name = code.co_filename
        number = self._files.get(name)
        return (self._file(name) if number is None else number) >= 0

    def _start(self, code: Any, *_: Any) -> Any:
        return self._enter(code, code.co_qualname)

    def _resume(self, code: Any, *_: Any) -> Any:
        return self._enter(code, RESUMED)

    def _word(self, text: str) -> int:
        return self.words.setdefault(text, len(self.words))

    def _enter(self, code: Any, name: str) -> Any:
        if not self._is_user(code):
            return DISABLE
        if self._watch is not None:
            self._watch.see(self._now, self._depth, resumes=name == RESUMED)
        self._depth += 1
        self._entered[self._depth] = name
        return None

    def _thrown(self, code: Any, *_: Any) -> None:
        if self._is_user(code):
            self._enter(code, RESUMED)

    def _leave(self, code: Any, *_: Any) -> Any:
        if not self._is_user(code):
            return DISABLE
        if self._watch is not None:
            self._watch.leave(self._now, self._depth)
        self._entered.pop(self._depth, None)
        self._depth -= 1
        return None

    def _unwind(self, code: Any, *_: Any) -> None:
        if self._is_user(code):
            self._leave(code)

    def _raise(self, code: Any, _: int, error: BaseException) -> None:
        if not self._is_user(code):
            return
        trace = error.__traceback__
        trace = trace and trace.tb_next
        while trace is not None:
            if self._is_user(trace.tb_frame.f_code):
                return  # it comes from a call, where it was noted
            trace = trace.tb_next
        self._raised[id(error)] = self._now
        if not self._travels:
            self.raises.append(self._now)
            self.kinds.append(self._word(type(error).__qualname__))

    # -- what is done at events

    def _arrive(self, frame: Any) -> None:
        self._alterations.make(self._now, lambda: self._stack(frame))
        goal = self._goals[self._next] if self._next < len(self._goals) else self._most
        if self._now < goal:
            self._aim()
        elif self._watch is not None:
            self._tell({"found": self._watch.found})
            self._exit(0)
        elif self._scan is not None:
            self._test(frame)
        elif self._travels:
            self._stand(frame)
        elif self._next < len(self._goals):
            number, self._next = self._next, self._next + 1
            self._aim()
            printed = _printed()  # the run that goes on prints to the same files
            if self._fork() == 0:
                self._be_checkpoint(number, frame, printed)
        else:
            self._report.stop("refused", "events")

    def _be_checkpoint(self, number: int, frame: Any, printed: list[bytes]) -> None:
        """Fork for each order; returns in a fork that is to run on."""
        self._travels = True
        self._report.process = -1  # what a fork comes to is nobody's report
        self._channel = orders, answers = self._channels[number]
        for other, pair in enumerate(self._channels):
            if other != number:
                os.close(pair[0])
                os.close(pair[1])
        os.close(self._report.sink)
        offsets = _offsets()
        while (order := wire.receive(orders)) is not None:
            _rewind(offsets)
            process = self._fork()
            if process == 0:
                wire.send(answers, {"process": os.getpid()})
                for number, text in enumerate(printed, 1):
                    _own_output(number, text)
                self._follow(order)
                if self._now >= self._limit:
                    self._arrive(frame)
                return
            _, status = os.waitpid(process, 0)
            wire.send(answers, {"over": os.waitstatus_to_exitcode(status)})
        self._exit(0)

    def _follow(self, order: dict[str, Any]) -> None:
        """In a fork of a checkpoint: run on to what is ordered."""
        self._goals, self._next = order.get("events") or [order["event"]], 0
        if "condition" in order:
            try:
                self._scan = inspection.compiled(order["condition"]), []
            except Exception as error:
                self._fail(error)
        elif "watch" in order:
            self._watch = Watch(order, self._wants, lambda: self._stack(sys._getframe()))
            self._watch.arrive(self._now)
        self._aim()

    def _test(self, frame: Any) -> None:
        """Whether the condition holds at this event; the last one tells of all.

        Of a text, as that of a log point, the text itself is told.
        """
        assert self._scan is not None
        condition, found = self._scan
        try:
            value = inspection.evaluated(frame, condition)
        except Exception as error:
            self._fail(error)
        if value:
            found.append((self._now, value[:LONGEST_LOG] if isinstance(value, str) else ""))
        self._next += 1
        if self._next == len(self._goals):
            self._tell({"found": found})
            self._exit(0)
        self._aim()

    def _fail(self, error: Exception) -> None:
        self._tell({"failed": f"{type(error).__name__}: {error}", "event": self._now})
        self._exit(0)

    def _tell(self, message: dict[str, Any]) -> None:
        wire.send(self._channel[1], message)

    def _stand(self, frame: Any) -> None:
        """Answer what is asked at this event."""
        stack = self._stack(frame)
        calls = [(each.f_code.co_qualname, each.f_code.co_filename, each.f_lineno or 0)
                 for each in stack]  # fmt: skip
        self._tell({"here": self._now, "calls": calls})
        while True:
            order = wire.receive(self._channel[0])
            if order is None or "leave" in order:
                self._exit(0)
            self._tell(self._look(stack, order))

    def _stack(self, frame: Any) -> list[Any]:
        found = []
        while frame is not None:
            if self._is_user(frame.f_code):
                found.append(frame)
            frame = frame.f_back
        return found

    def _look(self, stack: list[Any], order: dict[str, Any]) -> dict[str, Any]:
        """Have a fork answer, so that nothing lasts of what it does."""
        reader, writer = os.pipe()
        offsets = _offsets()
        process = self._fork()
        if process == 0:
            os.setsid()
            try:
                wire.send(writer, self._answer(stack, order))
            finally:
                self._exit(0)
        os.close(writer)
        try:
            poll = select.poll()
            poll.register(reader, select.POLLIN)
            answer = None
            if poll.poll(LOOK_SECONDS * 1000):
                answer = wire.receive(reader)
                lost = {"failed": "The process of the evaluation ended without an answer."}
            else:
                lost = {"failed": f"It did not end within {LOOK_SECONDS:.0f} seconds."}
        finally:
            os.close(reader)
        try:
            os.kill(process, 9)
        except ProcessLookupError:
            pass
        os.waitpid(process, 0)
        _rewind(offsets)
        return lost if answer is None else dict(answer)

    def _answer(self, stack: list[Any], order: dict[str, Any]) -> dict[str, Any]:
        self.stop()
        guard = Guard([], set(), _refuse)
        for number, text in enumerate(_printed(), 1):
            _own_output(number, text)  # what stands has not printed yet what waits in its buffers
        _flush()
        before = _printed()
        if "output" in order:
            return {"output": before}
        guard.install()
        guard.on = True
        try:
            answer = inspection.inspected(stack[order["frame"]], order)
        except BaseException as error:
            try:
                said = f"{type(error).__name__}: {error}"
            except Exception:
                said = type(error).__name__
            answer = {"failed": said}
        guard.on = False
        _flush()
        return {**answer, "printed": _printed()[0][len(before[0]) :]}


def _refuse(what: str) -> None:
    raise PermissionError(f"an evaluation may not do this, as it would last: {what}")


def _flush() -> None:
    for stream in (sys.stdout, sys.stderr):
        try:
            stream.flush()
        except Exception:
            continue  # closed, or the program's own


def _printed() -> list[bytes]:
    """What was printed so far to each of the two outputs."""
    found = []
    for number in (1, 2):
        file = os.open(f"/proc/self/fd/{number}", os.O_RDONLY)
        found.append(read(file, os.fstat(file).st_size))
        os.close(file)
    return found


def _own_output(number: int, text: bytes) -> None:
    """Have an output of one's own, with this in it."""
    file = os.memfd_create("output")
    path = f"/proc/self/fd/{file}"
    appending = os.open(path, os.O_WRONLY | os.O_APPEND)
    while text:
        text = text[os.write(appending, text) :]
    os.dup2(appending, number)
    os.close(appending)
    os.close(file)


def _offsets() -> list[tuple[int, int]]:
    """Places in open files, which forks share."""
    found = []
    for each in os.listdir("/proc/self/fd"):
        try:
            if int(each) not in (1, 2):
                found.append((int(each), os.lseek(int(each), 0, os.SEEK_CUR)))
        except OSError:
            continue  # a pipe, or the folder's own descriptor
    return found


def _rewind(offsets: list[tuple[int, int]]) -> None:
    for descriptor, place in offsets:
        try:
            os.lseek(descriptor, place, os.SEEK_SET)
        except OSError:
            continue
