"""One run of the program, that leaves checkpoints behind, forks of which go to its moments.

Invariant: event *n* is the *n*-th line of the user's code that control comes to, in every run, as
long as runs are the same; the host compares two whole runs before it relies on that.
"""

from __future__ import annotations

import _signal as signal  # type: ignore[import-not-found]  # as the server has it
import os
import sys
from array import array
from typing import Any

from ..process import wire
from ..process.guard import Guard
from ..recording.monitor import events, monitoring
from ..recording.report import Report
from ..snapshots.fork_point import state_of_random
from .alterations import Alterations
from .data_breakpoint import Watch
from .event_count import EventCount
from .inspection import Expression
from .passes import LONGEST_LOG, Passes
from .path import Path
from .shared_state import SharedState
from .stopped_process import StoppedProcess, file_places, outputs, own_files, own_output

SIGNAL: int = signal.SIGRTMAX - 3
"""By this the navigator asks the run for a checkpoint, and a search whether it is over."""

NO_SLOT = 255
"""In place of a checkpoint's number: only look at how long the run is."""


class Moments:
    """Counts events and notes exceptions; forks a checkpoint whenever it is asked for one.

    ``channels``: a pair of descriptors for each checkpoint that there can be, orders and answers;
    from ``control`` comes the number of the one that is asked for (the first, at the first event,
    is not).  ``most``: events that a run may have.  ``alterations`` are made when the run comes to
    their events, also where it goes on from a checkpoint.  ``guard`` looks at whole runs.
    """

    guard: Guard

    def __init__(
        self,
        wants: Any,
        report: Report,
        most: int,
        channels: list[tuple[int, int]],
        control: int,
        alterations: Alterations,
    ) -> None:
        self._wants, self._report, self._most = wants, report, most
        self._alterations = alterations
        self.count = EventCount(wants, self._arrive)
        alterations.now = lambda: self.count.now
        self._channels, self._control = channels, control
        self.shared = SharedState()
        self._slot: int | None = 0 if channels else None  # of the checkpoint to be made next
        self.raises, self.kinds = array("I"), array("I")
        self.words: dict[str, int] = {}  # types of exceptions, and their numbers
        self._raised: dict[int, int] = {}
        self._order: dict[str, Any] = {}
        self._goals: list[int] = []
        self._found: list[tuple[int, str]] = []
        self._condition: Expression | None = None
        self._passes: Passes | None = None
        self._travels = False
        self._channel = -1, -1
        self._exit = os._exit
        self._ours = False  # whether a fork is one of ours
        self.forks = False
        self.recursed = False  # whether the recursion limit was reached

    def start(self) -> None:
        """Begin to count."""
        monitoring.register_callback(self.count.tool, events.RAISE, self._raise)
        signal.signal(SIGNAL, self._on_signal)
        signal.siginterrupt(SIGNAL, False)
        self._go_on()
        self.count.start()

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

    def _raise(self, code: Any, _: int, error: BaseException) -> None:
        if isinstance(error, RecursionError):
            self.recursed = True
        is_user = self.count.is_user
        if self._travels or not is_user(code):
            return
        trace = error.__traceback__
        trace = trace and trace.tb_next
        while trace is not None:
            if is_user(trace.tb_frame.f_code):
                return  # it comes from a call, where it was noted
            trace = trace.tb_next
        self._raised[id(error)] = now = self.count.now
        self.raises.append(now)
        self.kinds.append(self.words.setdefault(type(error).__qualname__, len(self.words)))

    def _on_signal(self, *_: Any) -> None:
        if self._passes is not None:
            if self._passes.is_over:
                self._tell_found()
            return
        if self._travels:
            return
        slot = os.read(self._control, 1)[0]
        if self.count.now > self._most:
            self._report.stop("refused", "events")
        if slot != NO_SLOT:
            self._slot = slot
        self._go_on()  # by a queue of its own, as the one there was is long

    # -- what is done at events

    def _go_on(self) -> None:
        """Count, up to where something is to be done."""
        goals = [*self._goals[:1]]
        if (change := self._alterations.next_event) is not None:
            goals.append(change)
        if self._slot is not None:
            goals.append(self.count.now + 1)
        if goals:
            self.count.count_to(min(goals))
        else:
            self.count.count()

    def _arrive(self, frame: Any) -> None:
        now = self.count.now
        self._alterations.make(now, lambda: self._stack(frame))
        if not self._travels and self._slot is not None:
            slot, self._slot = self._slot, None
            if what := self.shared.found():
                self._report.stop("refused", f"shared: {what}")
            before = outputs(), file_places()  # the run that goes on has the same files
            if self._fork() == 0:
                self._be_checkpoint(slot, frame, *before)
            else:
                self.count.begin_section()
        if self._travels and self._goals and self._goals[0] == now:
            self._goals.pop(0)
            if self._do(frame):
                return
        self._go_on()

    def _stack(self, frame: Any) -> list[Any]:
        found = []
        while frame is not None:
            if self.count.is_user(frame.f_code):
                found.append(frame)
            frame = frame.f_back
        return found

    def _be_checkpoint(
        self, slot: int, frame: Any, before: list[bytes], places: list[tuple[int, int]]
    ) -> None:
        """Fork for each order; returns in a fork that is to run on."""
        self._travels = True
        self._report.process = -1  # what a fork comes to is nobody's report
        self._channel = orders, answers = self._channels[slot]
        for other, pair in enumerate(self._channels):
            if other != slot:
                os.close(pair[0])
                os.close(pair[1])
        os.close(self._report.sink)
        os.close(self._control)
        code, now = frame.f_code, self.count.now
        depth = len(self._stack(frame))
        wire.send(
            answers, {"stands": [now, code.co_filename, frame.f_lineno, depth, code.co_qualname]}
        )
        while (order := wire.receive(orders)) is not None and "end" not in order:
            if "do" not in order:
                continue  # it was for a process that stood at a moment, and was killed
            process = self._fork()
            if process == 0:
                own_files(places)
                wire.send(answers, {"process": os.getpid()})
                for number, text in enumerate(before, 1):
                    own_output(number, text)
                self._follow(order)
                return
            _, status = os.waitpid(process, 0)
            wire.send(answers, {"over": os.waitstatus_to_exitcode(status)})
        self._exit(0)

    def _follow(self, order: dict[str, Any]) -> None:
        """In a fork of a checkpoint: run on to what is ordered."""
        self._order = order
        self._goals = list(order["events"])
        if order["do"] == "search":
            try:
                self._condition = Expression(order["condition"])
            except Exception as error:
                self._fail(error, self.count.now)

    def _do(self, frame: Any) -> bool:
        """Do what is ordered, at an event; whether counting is not to go on as before."""
        do = self._order["do"]
        if do == "stand":
            stack = self._stack(frame)
            StoppedProcess(stack, self._channel, self._fork, self.count.stop, self._exit).serve(
                self.count.now
            )
        elif do == "search":
            self._search(frame)
        elif do == "passes":
            self._look_for_passes(frame)
        else:
            self._follow_path(frame)
            return True
        return False

    def _search(self, frame: Any) -> None:
        """Whether the condition holds at this event; the last one tells of all.

        Of a text, as that of a log point, the text itself is told.
        """
        assert self._condition is not None
        try:
            value = self._condition.value(frame)
        except Exception as error:
            self._fail(error, self.count.now)
        if value:
            text = value[:LONGEST_LOG] if isinstance(value, str) else ""
            self._found.append((self.count.now, text))
        if not self._goals:
            self._tell_found()

    def _look_for_passes(self, frame: Any) -> None:
        try:
            passes = Passes(self.count, self._order, self._fail)
        except Exception as error:
            self._fail(error, self.count.now)
        self._passes, self._found = passes, passes.found
        self._at_end(self._tell_found)
        self.count.count()
        passes.follow(frame)

    def _follow_path(self, frame: Any) -> None:
        """The path from this event on, or what is watched on it."""
        order, alterations = self._order, self._alterations
        last, watch = order["until"], None
        if order["do"] == "watch":
            watch = Watch(order, self._wants, lambda: self._stack(sys._getframe()))

        def done() -> None:
            self._tell(path.told() if watch is None else {"found": watch.found})

        def limit() -> int:
            change = alterations.next_event
            return int(last) if change is None else min(last, change)

        def arrive(frame: Any) -> None:
            alterations.make(path.now, lambda: self._stack(frame))
            if path.now >= last:
                done()
            path.limit = limit()

        path = Path(self.count, len(self._stack(frame)), limit(), arrive, watch)
        alterations.now = lambda: path.now
        if last <= path.now:
            done()
        self._at_end(done)
        path.follow()

    def _at_end(self, tell: Any) -> None:
        """Have this told where the run ends before."""
        self._report.process, self._report.sent = os.getpid(), False
        self._report.before = tell

    def _tell_found(self) -> None:
        self._tell({"found": self._found})

    def _fail(self, error: Exception, event: int) -> None:
        self._tell({"failed": f"{type(error).__name__}: {error}", "event": event})

    def _tell(self, message: dict[str, Any]) -> None:
        """Answer the order, and end."""
        self._passes = None  # so that no signal tells it once more
        wire.send(self._channel[1], message)
        self._exit(0)
