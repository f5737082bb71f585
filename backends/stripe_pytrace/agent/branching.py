"""Branches: replays of configurations that begin alike are forked from one run, the trunk.

The trunk replays a configuration.  Before the first event that a branch leaves out, it forks; the
child goes on without that event, and without the others that the branch leaves out, as a run of
its own: with outputs that begin with what the trunk has printed, and its own limits.  The trunk
waits, and goes on when that run has ended.  It ends when it has come to the last branch, or when it
or a branch has done what lasts: branches that it has not come to are replayed from the beginning,
each by itself.  So are those that begin where a fork would not be like a run from the beginning.

A run whose output is no beginning of the ``expected`` one has *parted*: it is ended at the next of
some chosen events, if all that anybody wants to know is whether it prints that.

Both have to know when control is at an event.  The code of such an event is replaced by ``POINT``
in the plan of its activation, which no site knows: so ``Exits`` asks what it means.
"""

from __future__ import annotations

import _signal as signal  # type: ignore[import-not-found]  # as the server has it
import os
import sys
import time

from .captures import Capture
from .descriptors import FIRST_OF_OURS, LAST_OF_OURS, moved
from .forking import forked
from .progress import Watch
from .server import fork, supervise, threads

TYPE_CHECKING = False  # typing takes as long to import as much of the agent
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    from .guard import Guard
    from .main import Report
    from .plan import Tables
    from .replay import Replayer


class Branching:
    """What is done at certain events of a replay.

    ``request`` has ``branches``, the events that each leaves out, with their ``limits``; or it has
    what output is ``expected``, or both.
    """

    def __init__(
        self, request: dict[str, Any], replayer: Replayer, report: Report, guard: Guard
    ) -> None:
        assert replayer.tables is not None
        self._tables: Tables = replayer.tables
        self._replayer = replayer
        self._report = report
        self._guard = guard
        self._request = request
        self._alarms = request["alarms"]
        self._expected: bytes | None = request.get("expected")
        self._compared = 0  # so much of the output is as expected
        self._stream = sys.stdout
        self._due: dict[int, list[tuple[int, Sequence[int]]]] = {}
        self._answers: list[tuple[int, dict[str, Any]]] = []
        self._is_trunk = "branches" in request
        branches = [memoryview(each).cast("i") for each in request.get("branches", ())]
        for number, removed in enumerate(branches):
            if len(removed):  # else it is the trunk
                self._due.setdefault(removed[0], []).append((number, removed))
        self._looked_at: frozenset[int] = frozenset()
        if self._expected is not None:
            chosen = self._tables.chosen
            marked = replayer.marked.among(chosen)
            self._looked_at = marked if replayer.keep else chosen - marked
        points: dict[int, list[int]] = {}
        for event in sorted(self._looked_at.union(self._due)):
            which = self._tables.activation[event]
            points.setdefault(which, []).append(self._tables.position[event])
        replayer.points = points
        replayer.exits.point = self.point
        if not replayer.keep:
            # Those with points, or that may get other codes, need plans of their own.
            own = {self._tables.activation[event] for each in branches for event in each}
            replayer.partly = own.union(points, replayer.marked)
        if self._is_trunk:
            replayer.everything = False
            report.facts["answers"] = self._answers
            self._outputs = Capture("stdout"), Capture("stderr")
            for each in self._outputs:
                each.move(moved)
            self._files = open_files()

    # -- at a point

    def point(self) -> int:
        """Control is at an event with a point; the code that it would have without."""
        activation = self._replayer.stack[-1]
        plan, position = activation.plan, activation.position()
        assert plan is not None
        guard, on = self._guard, self._guard.on
        guard.on = False  # what follows is not the program's doing
        try:
            event = self._tables.event_at(activation.number, position)
            if self._is_trunk and event in self._due and self._branch(event):
                return plan.path.dropped[position]
            if not self._is_trunk and event in self._looked_at:
                self._look()
        except BaseException as error:
            self._end("lost", f"{type(error).__name__}: {error}")
        finally:
            guard.on = on
        return plan.path.kept[position]

    def _end(self, end: str, detail: str = "") -> None:
        self._report.stop(end, detail)

    # -- branches

    def _branch(self, event: int) -> bool:
        """Run the branches that begin here; true in each of them."""
        for number, removed in self._due.pop(event):
            if self._guard.dirty or not self._guard.alone():
                self._end("branched", "it may have changed files, or have started processes")
            if not self._safe():
                continue
            facts = self._forked()
            if facts is None:
                self._is_trunk = False  # all that is the trunk's stays: to free it takes longer
                self._report.facts.pop("answers")
                leave_out(self._replayer, self._tables, removed)
                return True
            lasting = facts.pop("dirty") or not facts.pop("alone", False)
            ended = facts["end"]
            if ended != "lost" and (not lasting or ended in ("timeout", "blocked")):
                self._answers.append((number, facts))
            if lasting:
                self._guard.taint()
                self._end("branched", "a branch has done what lasts")
        if not self._due:
            self._end("branched")
        return False

    def _safe(self) -> bool:
        """Whether a run that goes on in a fork is now like one from the beginning."""
        return (
            fork is not os.fork  # which does what is for those with threads
            and threads() == 1
            and not self._alarms.latest
            and signal.getsignal(signal.SIGCHLD) == signal.SIG_DFL
            and sys.gettrace() is None
            and sys.getprofile() is None
            and open_files() == self._files
        )

    def _forked(self) -> dict[str, Any] | None:
        """Fork and wait; what the child tells, and ``None`` in the child."""
        report = self._report
        before = [printed(number) for number in (1, 2)]
        for capture, text in zip(self._outputs, before, strict=True):
            capture.begin(text)
        if self._expected is not None and self._expected.startswith(before[0]):
            self._compared = len(before[0])
        began = time.monotonic()
        process, pipe = forked()
        if process == 0:
            os.dup2(pipe, report.sink, inheritable=False)
            os.close(pipe)
            position = os.lseek(0, 0, os.SEEK_CUR)  # the trunk's, for they share the open file
            source = os.open(self._request["stdin"], os.O_RDONLY)
            os.lseek(source, position, os.SEEK_SET)
            os.dup2(source, 0)
            os.close(source)
            for number, capture in enumerate(self._outputs, 1):
                capture.open(number)
            os.closerange(FIRST_OF_OURS, LAST_OF_OURS)
            report.process = os.getpid()
            return None
        self._alarms.clear()
        facts, _ = supervise(process, pipe, None, began, self._request["each"], Watch(self._alarms))
        os.close(pipe)
        self._alarms.clear()
        facts["seconds"] = time.monotonic() - began
        facts["stdout"], facts["stderr"] = (each.take() for each in self._outputs)
        if facts["end"] == "parted":
            facts["stdout"] = b""  # what there is of it says nothing more
        return facts

    # -- parting

    def _look(self) -> None:
        """End the run if what it has printed is not what it has to print."""
        assert self._expected is not None
        try:
            self._stream.flush()
        except Exception:
            self._looked_at = frozenset()
            return
        if os.fstat(1).st_size == self._compared:
            return
        text = printed(1, self._compared)
        self._compared += len(text)
        if text != self._expected[self._compared - len(text) : self._compared]:
            self._end("parted")


def leave_out(replayer: Replayer, tables: Tables, events: Sequence[int]) -> None:
    """Do without some of the events that were to be kept, of which none has passed."""
    running = {each.number: each for each in (*replayer.stack, *replayer.generators.values())}
    left: dict[int, set[int]] = {}
    for event in events:
        number, position = tables.activation[event], tables.position[event]
        if not replayer.bound[number]:
            left.setdefault(number, set()).add(position)
            continue
        plan = running[number].plan
        assert plan is not None
        plan.leave_out(position, running[number].passed())
    for number, positions in left.items():
        marked = replayer.marked.positions(number)
        if replayer.keep:
            replayer.marked[number] = [each for each in marked if each not in positions]
        else:
            replayer.marked[number] = sorted(positions.union(marked))


def printed(number: int, start: int = 0) -> bytes:
    """What has been written to an output that is a file in memory, from ``start`` on."""
    file = os.open(f"/proc/self/fd/{number}", os.O_RDONLY | os.O_CLOEXEC)
    try:
        parts = []
        while part := os.pread(file, 1 << 20, start):
            parts.append(part)
            start += len(part)
        return b"".join(parts)
    finally:
        os.close(file)


def open_files() -> set[str]:
    """The descriptors of this process but ours, each with its file."""
    found = set()
    for name in os.listdir("/proc/self/fd"):
        try:
            if not FIRST_OF_OURS <= int(name) < LAST_OF_OURS:
                found.add(f"{name} {os.readlink(f'/proc/self/fd/{name}')}")
        except OSError:
            pass  # that of the folder which is read
    return found
