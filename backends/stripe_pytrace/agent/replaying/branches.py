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
import fcntl
import os
import sys
import time

from ..process import wire
from ..process.captures import read
from ..process.descriptors import DEVICES, FIRST_OF_OURS, LAST_OF_OURS, moved
from ..process.fork import ended_soon
from ..process.progress import Watch
from ..process.server import SYSTEM_FORK, fork_alone, stand_alone, supervise, threads
from ..recording.monitor import raised_in_ours
from .modes import BRANCHING, Mode

TYPE_CHECKING = False  # typing takes as long to import as much of the agent
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    from ..compiling.linker import Function
    from ..process.guard import Guard
    from ..recording.report import Report
    from .plan import Plan, Tables
    from .replay import Replayer

OPEN = "/proc/self/fd"

WRONG_OUTPUT = wire.framed(
    {"end": "parted", "detail": "", "values": {}, "dirty": False, "alone": True}
)
"""What a run tells that has parted, and done nothing that lasts."""

exit_now = os._exit
"""As it is before a run tells its end by it."""

type Change = tuple[Any, Any, Any]
"""What has got another item, its place, and what was there before, if there was any."""


class Branching(Mode):
    """What is done at certain events of a replay.

    ``request`` has ``branches``, the events that each leaves out, with their ``limits``; or it has
    what output is ``expected``, or both.
    """

    name = BRANCHING

    def __init__(
        self, request: dict[str, Any], replayer: Replayer, report: Report, guard: Guard
    ) -> None:
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
        self._looked_at: frozenset[int] = frozenset()
        # The events at which something is to be done, by activation and position.
        self._points: dict[int, dict[int, int]] = {}

    def configure(self) -> None:
        replayer, request = self._replayer, self._request
        assert replayer.tables is not None
        self._tables = tables = replayer.tables
        branches = [memoryview(each).cast("i") for each in request.get("branches", ())]
        for number, removed in enumerate(branches):
            if len(removed):  # else it is the trunk
                self._due.setdefault(removed[0], []).append((number, removed))
        if self._expected is not None:
            chosen = tables.chosen
            marked = replayer.marked.among(chosen)
            self._looked_at = marked if replayer.keep else chosen - marked
        for event in sorted(self._looked_at.union(self._due)):
            which = tables.activation[event]
            self._points.setdefault(which, {})[tables.position[event]] = event
        replayer.exits.point = self.point
        if not replayer.keep:
            # Those with points, or that may get other codes, need plans of their own.
            own = {tables.activation[event] for each in branches for event in each}
            replayer.partly = own.union(self._points, replayer.marked)
        if self._is_trunk:
            replayer.everything = False
            self._prepare()

    def _prepare(self) -> None:
        """Have what branches tell at hand, and know what is open."""
        report = self._report
        (own,) = moved(os.dup(report.sink))
        self._reader, writer = moved(*os.pipe())
        os.set_blocking(self._reader, False)
        os.dup2(writer, report.sink, inheritable=False)
        os.close(writer)
        self._sinks = report.sink, own  # a branch's, and ours
        self._be(trunk=True)
        self._outputs = Output(1), Output(2)
        self._names = os.listdir(OPEN)
        ours = range(FIRST_OF_OURS, LAST_OF_OURS)
        paths = [f"{OPEN}/{each}" for each in self._names if int(each) not in ours]
        self._files = {path: file for path in paths if (file := target(path))}
        os.closerange(FIRST_OF_OURS, FIRST_OF_OURS)  # it is found now, not in each child

    def plan(self, function: Function, number: int, plan: Plan) -> None:
        if number in self._points and not function.annotates:
            plan.point(self._points[number])

    # -- at a point

    def point(self) -> int:
        """Control is at an event with a point; the code that it would have without."""
        activation = self._replayer.stack[-1]
        plan, position = activation.plan, activation.position()
        assert plan is not None
        guard, on = self._guard, self._guard.on
        guard.on = False  # what follows is not the program's doing
        try:
            event = self._points[activation.number][position]
            if self._is_trunk and event in self._due and self._branch(event):
                return plan.path.dropped[position]
            if not self._is_trunk and event in self._looked_at:
                self._look()
        except BaseException as error:
            if raised_in_ours(error):
                self._report.fault(error)
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
            facts = self._forked(removed)
            if facts is None:
                return True
            if facts["end"] == "fault":
                self._end("fault", facts["detail"])
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
            SYSTEM_FORK is not None
            and threads() == 1
            and not self._alarms.latest
            and signal.getsignal(signal.SIGCHLD) == signal.SIG_DFL
            and sys.gettrace() is None
            and sys.getprofile() is None
            and self._same_files()
        )

    def _same_files(self) -> bool:
        """Whether nothing is open that was not from the beginning.

        But for devices without memory, and more descriptors of the outputs, which are put back.
        """
        names = os.listdir(OPEN)
        if names != self._names:
            ours = range(FIRST_OF_OURS, LAST_OF_OURS)
            for each in map(int, names):
                path = f"{OPEN}/{each}"
                if (
                    each not in ours
                    and path not in self._files
                    and target(path) not in ("", *DEVICES)
                    and not (os.path.sameopenfile(each, 1) or os.path.sameopenfile(each, 2))
                ):
                    return False
        return list(map(target, self._files)) == list(self._files.values())

    def _forked(self, removed: Sequence[int]) -> dict[str, Any] | None:
        """Fork and wait; what the child tells, and ``None`` in the child.

        It goes on with our files, which are put back to what they were.  All is done here that can
        be: what a child writes to, it has to copy first.
        """
        for output in self._outputs:
            output.note()
        if self._expected is not None and self._expected.startswith(self._outputs[0].text):
            self._compared = len(self._outputs[0].text)
        place = os.lseek(0, 0, os.SEEK_CUR)
        changes: list[Change] = []
        process = -1
        self._be(trunk=False)
        try:
            leave_out(self._replayer, self._tables, removed, changes)
            began = time.monotonic()
            if (note := self._replayer.note) is not None:
                note(f"forks a branch without {', '.join(f'event {each}' for each in removed)}")
            process = fork_alone()
            if process == 0:
                stand_alone()
                os.closerange(FIRST_OF_OURS, LAST_OF_OURS)
                self._report.process = os.getpid()
                return None
            facts = ended_soon(process, self._reader)
        finally:
            if process:
                self._be(trunk=True)
                put_back(changes)
        if facts is None:
            watch, each = Watch(self._alarms), self._request["each"]
            facts, _ = supervise(process, self._reader, None, began, each, watch)
        if note is not None:
            note(f"the branch has ended: {facts['end']} {facts.get('detail', '')}".rstrip())
        self._alarms.clear()
        os.lseek(0, place, os.SEEK_SET)
        facts["seconds"] = time.monotonic() - began
        facts["stdout"], facts["stderr"] = (each.take() for each in self._outputs)
        if not all(each.same for each in self._outputs):
            facts["dirty"] = True
        if facts["end"] == "parted":
            facts["stdout"] = b""  # what there is of it says nothing more
        return facts

    def _be(self, *, trunk: bool) -> None:
        """What this process is from here on, or will be after a fork."""
        report = self._report
        self._is_trunk = trunk
        report.sink = self._sinks[trunk]
        if trunk:
            report.facts["answers"] = self._answers
        else:
            report.facts.pop("answers")

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
            self._part()

    def _part(self) -> None:
        """End at once what has printed something else, if there is nothing else to tell."""
        report, guard = self._report, self._guard
        ours = report.process == os.getpid() and not report.values
        if not ours or guard.dirty or not guard.alone():
            self._end("parted")
        os.write(report.sink, WRONG_OUTPUT)
        exit_now(1)


class Output:
    """A descriptor for what the trunk prints, in a file in memory: branches print there as well.

    ``text`` is what stands there without what they print.
    """

    def __init__(self, number: int) -> None:
        self._number = number
        (self._file,) = moved(os.open(f"{OPEN}/{number}", os.O_RDWR | os.O_CLOEXEC))
        self._flags = fcntl.fcntl(number, fcntl.F_GETFL)
        self.text = b""
        self.same = True

    def note(self) -> None:
        """A branch begins: know what was printed before."""
        self._place = os.lseek(self._number, 0, os.SEEK_CUR)
        self.text = read(self._file, os.fstat(self._file).st_size)

    def take(self) -> bytes:
        """What stands there now that a branch has ended; the trunk goes on with what did before."""
        text, size = self.text, os.fstat(self._file).st_size
        found = read(self._file, size)
        self.same = (
            found.startswith(text) and fcntl.fcntl(self._number, fcntl.F_GETFL) == self._flags
        )
        if size != len(text):
            os.ftruncate(self._file, len(text))
        os.lseek(self._number, self._place, os.SEEK_SET)
        return found


def leave_out(
    replayer: Replayer, tables: Tables, events: Sequence[int], changes: list[Change]
) -> None:
    """Do without some of the events that were to be kept, of which none has passed.

    ``changes`` gets what is changed by that.
    """
    running = {each.number: each for each in (*replayer.stack, *replayer.generators.values())}
    left: dict[int, set[int]] = {}
    for event in events:
        number, position = tables.activation[event], tables.position[event]
        if not replayer.bound[number]:
            left.setdefault(number, set()).add(position)
            continue
        plan = running[number].plan
        assert plan is not None
        place, before = plan.leave_out(position, running[number].passed())
        changes.append((plan.codes, place, before))
    for number, positions in left.items():
        known = number in replayer.marked
        marked = replayer.marked.positions(number)
        changes.append((replayer.marked, number, marked if known else None))
        if replayer.keep:
            replayer.marked[number] = [each for each in marked if each not in positions]
        else:
            replayer.marked[number] = sorted(positions.union(marked))


def put_back(changes: list[Change]) -> None:
    """Have it all as it was."""
    for where, place, before in reversed(changes):
        if before is None:
            del where[place]
        else:
            where[place] = before


def printed(number: int, start: int = 0) -> bytes:
    """What has been written to an output that is a file in memory, from ``start`` on."""
    file = os.open(f"{OPEN}/{number}", os.O_RDONLY | os.O_CLOEXEC)
    try:
        return read(file, os.fstat(file).st_size, start)
    finally:
        os.close(file)


def open_files() -> set[str]:
    """The descriptors of this process but ours, each with its file."""
    found = set()
    for name in os.listdir(OPEN):
        if not FIRST_OF_OURS <= int(name) < LAST_OF_OURS and (file := target(f"{OPEN}/{name}")):
            found.add(f"{name} {file}")
    return found


def target(path: str) -> str:
    """Which file a descriptor is one of; nothing if it is not open, as that of a listed folder."""
    try:
        return os.readlink(path)
    except OSError:
        return ""
