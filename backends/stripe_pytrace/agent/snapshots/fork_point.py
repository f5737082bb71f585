"""A process that has run the program to a moment, and forks there for each run that is asked for.

It is one of the ``ForkPoints`` of the process that has forked it.  What a fork would share with the
others, or would not have, as a run from the beginning has it, keeps it from standing there.
"""

from __future__ import annotations

import _signal as signal  # type: ignore[import-not-found]  # as the server has it
import fcntl
import marshal
import os
import sys
import time

from ..process import wire
from ..process.captures import Capture, printed, redirect
from ..process.descriptors import (
    DEVICES,
    FIRST_OF_OURS,
    LAST_OF_OURS,
    is_regular,
    moved,
    settled,
)
from ..process.fork import clear, forget_ours, forked
from ..process.progress import Alarms, Watch, left_behind
from ..process.server import (
    CONTROL,
    PR_SET_CHILD_SUBREAPER,
    WARDEN,
    load,
    supervise,
    threads,
)
from .fork_server import DECLINES, HOLDS, SPOILS
from .pages import collapse
from .restore import SINK, reserve
from .run_files import RunFiles
from .workers import Workers

TYPE_CHECKING = False  # typing takes as long to import as much of the agent
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

type Request = dict[str, Any]

OPEN = "/proc/self/fd"

RESTORED = "restored"
"""Whether a run was made in a process that is put back after each, and not in a fork."""

CLOCK_TICK_SECONDS = 0.02
"""Files that are changed so much later have later times, as file systems have them."""

FORKS_AT_FIRST = 3
"""Runs of a fork point that are forked: to make a worker takes longer than some of them."""


class ForkPoint:
    """Where a process stands, and forks a run for each request.

    ``request`` is the one that asked for it; ``source`` and ``sink`` are the server's.
    """

    def __init__(self, request: Request, source: int, sink: int, orphans: str) -> None:
        self._bury = load(orphans, os, signal, time)["bury"]
        CONTROL(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)
        self._source, self._sink, self._orders, self._told = moved(
            source, sink, request["orders"], request["told"]
        )
        if WARDEN is not None:
            WARDEN.move(moved)
        self._alarms = Alarms()

    def _fork(self, request: Request, *others: int) -> tuple[int, Request, bool]:
        """Fork a run: its process, what it tells, and whether the host is gone.

        In the child, 0 and where it tells (``sink``).  ``others`` are processes that only wait.
        """
        self._alarms.clear()
        began = time.monotonic()
        child, pipe = forked()
        if child == 0:
            forget_ours()
            return 0, {"sink": pipe}, False
        watch = Watch(self._alarms, *others)
        facts, gone = supervise(child, pipe, self._source, began, request, watch)
        os.close(pipe)
        return child, facts, gone

    def _leave_nothing(self, facts: Request, child: int, workers: Workers) -> bool:
        """End what a run has left behind, and the workers if it was not alone.

        Returns whether it has changed files that are not in its own folders.
        """
        alone, outside = facts.get("alone", False), False
        if not alone:
            workers.end()
        # What a worker may ask of the kernel leaves nothing behind that is to be looked for.
        if not alone or child not in workers.processes:
            outside = clear(facts, child, self._bury)
        facts.pop("alone", None)
        return outside


class PausedRun(ForkPoint):
    """A run at a moment.  Made before the program begins, whose alarms it takes note of.

    ``within``: folders that a run may change.  Where the kernel tells what lasts, each fork begins
    with the files that were there when this one stood: what was written on the way stays, what
    forks have added is removed, and what they have changed of the former is written anew.  It ends
    where they have changed others, which are brought back from outside.
    """

    def __init__(
        self,
        request: Request,
        source: int,
        sink: int,
        orphans: str,
        within: Sequence[str] = (),
    ) -> None:
        self._run_files = RunFiles(within)
        self._thorough = request.get("thorough", False)
        self._asks = self._left = False
        self._own: list[int] = []
        self._asked = 0
        self._workers = Workers()
        super().__init__(request, source, sink, orphans)
        self._outputs = Capture("stdout"), Capture("stderr")
        for each in self._outputs:
            each.move(moved)
        redirect(request, *self._outputs)
        self._alarms = request["alarms"]
        self._alarms.clear()
        self._alarms.install()
        self._files, self._mapped = open_files(), shared_memory()

    def unlike(self) -> str:
        """What a fork would have otherwise than a run from the beginning has; empty: nothing."""
        if threads() > 1:
            return "threads"
        if self._alarms.latest:
            return "an alarm"
        if signal.getsignal(signal.SIGCHLD) != signal.SIG_DFL:
            return "a handler for children that end"
        if sys.gettrace() is not None or sys.getprofile() is not None:
            return "a tracer"
        if any(each.split()[0] in ("1", "2") for each in self._files - open_files()):
            return "another output"
        if shared_memory() != self._mapped:
            return "shared memory"
        self._own = [each for each in self._opened() if not is_read_alone(each)]
        for each in self._own:
            if not self._run_files.holds(each):
                return f"an open file, {target(f'{OPEN}/{each}')}"
            if is_locked(each):
                return f"a locked file, {target(f'{OPEN}/{each}')}"
        return ""

    def decline(self, why: str) -> None:
        """End here, as forks would not be as runs from the beginning; does not return."""
        os.write(self._told, DECLINES + why.encode())
        os._exit(0)

    def lasting(self) -> str:
        """What has lasted so far but in the run's own folders, as the kernel tells.

        If it is nothing, it is asked after each run, too.
        """
        if WARDEN is None or not WARDEN.descriptors:
            return "something done that may last"
        if WARDEN.dirty():
            return "something written outside the run's folders"
        if left_behind([]):
            return "a process"
        self._asks = True
        return self._run_files.note(every=self._thorough)

    @property
    def restores(self) -> bool:
        """Whether replays can be made in a process that is put back after each."""
        return self._workers.pay

    def stand(self) -> Request:
        """Fork for each request, until the host is gone; in a child, returns what it asks for."""
        self._printed = [printed(number) for number in (1, 2)]
        opened = self._opened()
        # They share these with all forks, as the files are open once.
        self._places = [
            (each, os.lseek(each, 0, os.SEEK_CUR), fcntl.fcntl(each, fcntl.F_GETFL))
            for each in {0, 1, 2, *opened}
            if is_regular(each)
        ]
        directory = os.getcwd()
        collapse()
        reserve()
        # A device is the same whatever becomes of files, and so is what runs print to.
        files = [each for each in opened if is_regular(each) and not is_output(each)]
        holds = self._run_files.changed or bool(files)
        if self._run_files.compared:
            if self._thorough:
                self._run_files.link(files)
            time.sleep(CLOCK_TICK_SECONDS)
        os.write(self._told, HOLDS if holds else b".")
        while True:
            request = wire.receive(self._orders)
            if request is None:
                os._exit(0)
            self._have_files(request.get("held", False))
            before = os.stat(".")
            os.chdir(directory)  # may be a new one of that name
            if not os.path.samestat(before, os.stat(".")):
                self._workers.end()
            began = time.monotonic()
            facts = self._run(request)
            if "sink" in facts:
                return facts
            facts["seconds"] = time.monotonic() - began
            facts["stdout"], facts["stderr"] = (each.take() for each in self._outputs)
            wire.send(self._sink, facts)
            os.write(self._told, SPOILS if facts.get("dirty", True) else b".")

    def _have_files(self, held: bool) -> None:
        """Have the files with which each fork begins; end, if that cannot be.

        ``held``: nobody has put them back since the last one.
        """
        if not self._run_files.compared or not self._asked:
            return
        if held:
            if self._left and any(map(is_locked, self._own)):
                self.decline("a file that a fork has locked")
            if self._left and not self._run_files.put_back(self._opened()):
                self.decline("files that it cannot put back")
        elif self._run_files.changed:
            self.decline("what was written on the way is gone")
        else:
            self._run_files.look()

    def _run(self, request: Request) -> Request:
        """Have a worker make a run, or else a fork: what is told of it; in itself, its request."""
        workers = self._workers
        self._asked += 1
        facts, gone, child = None, False, 0
        # Who stands for other runs than replays does not say how they end.
        apart = not request.get("fast") or RESTORED in request.get("without", ())
        self._put_back_files()  # a worker has them as they are when it is made
        worker = None if apart or self._asked <= FORKS_AT_FIRST else workers.ready()
        if worker is not None:
            if worker.order is not None:
                if WARDEN is not None:
                    WARDEN.descriptors = []
                return {**marshal.loads(worker.order), "sink": SINK, "after": worker.stop}
            self._alarms.clear()
            child = worker.process
            order = marshal.dumps(request)
            facts, gone = workers.run(order, None, self._source, request, self._alarms)
        restored = facts is not None
        if facts is None:
            if worker is not None:
                self._put_back_files()  # again: it has begun the run
            child, facts, gone = self._fork(request, *workers.processes)
            if child == 0:
                return {**request, "sink": settled(facts["sink"])}
        if self._asks and left_behind([*workers.processes]):
            facts.pop("alone", None)
        outside = self._leave_nothing(facts, child, workers)
        if self._run_files.compared and not outside:
            facts["left"], facts["dirty"] = True, False  # that is our affair
            self._left = not restored
        if gone:
            os._exit(0)
        if "uses" in facts:
            facts["uses"][RESTORED] = restored, not restored
        return facts

    def _put_back_files(self) -> None:
        """Have what is printed to, and where files are read, as they were."""
        for capture, text in zip(self._outputs, self._printed, strict=True):
            capture.begin(text)
        for each, place, flags in self._places:
            os.lseek(each, place, os.SEEK_SET)
            fcntl.fcntl(each, fcntl.F_SETFL, flags)

    def _opened(self) -> list[int]:
        """What the program has opened."""
        return [int(each.split()[0]) for each in open_files() - self._files]


def is_locked(descriptor: int) -> bool:
    """Whether this process has locked a file, or a fork has by the descriptor that they share."""
    with open(f"/proc/self/fdinfo/{descriptor}", encoding="utf-8", errors="replace") as stream:
        return any(line.startswith("lock:") for line in stream)


def state_of_random() -> Any:
    """What the module ``random`` draws its numbers from; ``None`` where nobody has imported it."""
    module = sys.modules.get("random")
    return None if module is None else module.getstate()


def has_drawn(before: Any) -> bool:
    """Whether a number was drawn from there since it was in a state, or it was seeded anew."""
    now = state_of_random()
    if before is not None or now is None:
        return bool(now != before)
    place = now[1][-1]  # in the words that are made ahead
    return bool(place != len(now[1]) - 1)


def shared_memory() -> set[str]:
    """Where memory is that is written to for all forks."""
    with open("/proc/self/maps", encoding="utf-8", errors="replace") as stream:
        rows = [each.split() for each in stream]
    return {bounds for bounds, rights, *_ in rows if rights[1] == "w" and rights[3] == "s"}


def is_read_alone(descriptor: int) -> bool:
    """Whether forks can have a file of their own: all that they share is a place in it.

    So have those that are what is printed to, once more: all that is written there is added.
    """
    if is_output(descriptor):
        return True
    if is_regular(descriptor):
        return fcntl.fcntl(descriptor, fcntl.F_GETFL) & os.O_ACCMODE == os.O_RDONLY
    return os.readlink(f"/proc/self/fd/{descriptor}") in DEVICES


def is_output(descriptor: int) -> bool:
    """Whether it is what is printed to."""
    return any(os.path.sameopenfile(descriptor, each) for each in (1, 2))


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
