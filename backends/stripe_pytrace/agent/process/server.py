"""The fork server: prepares once, then forks for every test."""

from __future__ import annotations

import _signal as signal  # type: ignore[import-not-found]  # signal imports more than all else here
import builtins
import fcntl
import os
import select
import sys
import time

from . import limits, wire
from .captures import Capture, redirect
from .descriptors import stand_aside
from .libc import function
from .progress import Alarms, Watch, left_behind, run_waited_for_processor, stopped
from .zygotes import BORN, ORDERS, Zygotes

TYPE_CHECKING = False  # a launcher begins sooner without typing
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from types import ModuleType
    from typing import Any

    from ..replaying.decisions import Decisions
    from ..snapshots.fork_server import ForkPoints

PR_SET_PDEATHSIG = 1
PR_SET_CHILD_SUBREAPER = 36


def prctl() -> Any:
    """The system call, where there is one."""
    try:
        return function("prctl")
    except (ImportError, OSError, AttributeError):
        return lambda *arguments: -1


def load(path: str, *modules: ModuleType) -> dict[str, Any]:
    """What a file of ``stripe.sandbox`` defines.

    If ``modules`` are given, it imports these and no others: once the program's folder is on the
    path, there may be one of the same name.
    """
    namespace: dict[str, Any] = {}
    if modules:
        ours = {each.__name__.strip("_"): each for each in modules}
        known = {"__import__": lambda name, *_: ours[name]}
        namespace["__builtins__"] = vars(builtins) | known
    with open(path, "rb") as stream:
        exec(compile(stream.read(), path, "exec"), namespace)
    return namespace


def warden(told: str | None) -> Any:
    """What undoes what a run did to the world, if we are behind walls (``stripe.sandbox``)."""
    return None if told is None else load(told.split(",", 2)[2])["Warden"]()


FIRST_LOOK, LONGEST_LOOK = 0.02, 0.5
"""Seconds from one look at what a run does to the next: each time twice as many."""


def system_fork() -> Callable[[], int] | None:
    """How to fork if there is one thread; ``None`` where that cannot be had.

    The system's own: what the interpreter does in a child (locks made anew, generators of random
    numbers seeded again) is for those with threads, and to touch all that takes longer than a fork.
    """
    try:
        return function("fork", alone=True)
    except (ImportError, OSError, AttributeError):
        return None


def fork() -> int:
    """Fork, as fast as may be done."""
    if SYSTEM_FORK is None or threads() > 1:
        return os.fork()
    process = SYSTEM_FORK()
    if process < 0:
        raise OSError("there is no memory, or no number, for another process")
    return process


class Manners:
    """What a process hands on to the programs that it becomes, as it is now.

    Libraries that are imported for replays may change it.
    """

    def __init__(self) -> None:
        self._ignored = {number for number in SIGNALS if ignored(number)}
        self._blocked = signal.pthread_sigmask(signal.SIG_BLOCK, ())
        self._umask = os.umask(0)
        os.umask(self._umask)

    def resume(self) -> None:
        """Have it so again."""
        for number in SIGNALS:
            if ignored(number) and number not in self._ignored:
                signal.signal(number, signal.SIG_DFL)
        signal.pthread_sigmask(signal.SIG_SETMASK, self._blocked)
        os.umask(self._umask)


SIGNALS = range(1, signal.NSIG)
LOST = {"end": "lost", "dirty": True}


def ignored(number: int) -> bool:
    return bool(signal.getsignal(number) == signal.SIG_IGN)


# Found at once: what it imports must be forgotten before the program runs (see boot.py).
CONTROL = prctl()
SYSTEM_FORK = system_fork()
BEGUN = Manners()
WARDEN_TOLD = os.environ.get("STRIPE_WARDEN")
WARDEN = warden(WARDEN_TOLD)


def stand_alone() -> None:
    """In a forked child: have a session of its own, and end with who has forked it."""
    os.setsid()
    CONTROL(PR_SET_PDEATHSIG, signal.SIGKILL, 0, 0, 0)


class Server:
    """Answers requests until the host is gone.

    A request with a ``command`` runs that, in a fresh process: the descriptor 3 of
    it is its report, 4 the file ``job`` open for reading.  With the name of a ``zygote``, the
    command is one, and forks what is to run; without a ``job``, the zygote only begins.  One with
    a ``cancel`` ends the run that is going on.

    While a child runs that is ``alone``, the next one is forked, and waits for its request
    with everything done that does not depend on it: with a second processor, a test does not
    wait for a fork.  When a child may have started processes, or sent signals, there is no such
    spare one, which could be among those that are stopped or to bury then.
    """

    def __init__(
        self,
        source: int,
        sink: int,
        orphans: str,
        *,
        ahead: Callable[[Any], None] | None = None,
        fork_points: ForkPoints | None = None,
        zygotes: Zygotes | None = None,
        after: Callable[[dict[str, Any]], object] = bool,
        decisions: Decisions | None = None,
    ) -> None:
        """``orphans``: the path of what ends all that a process has left behind.

        ``ahead``: is given what a request has of that name, before the fork: it is there for all
        that follow.  ``fork_points`` answer requests that are for one of them, ``zygotes`` those
        that name one.  ``after`` is given what was told of each run, when the host has it.
        ``decisions``: those of the runs that it forks are told with what came of them.
        """
        self._source, self._sink = source, sink
        self._bury = load(orphans, os, signal, time)["bury"]
        # Processes the program leaves behind become ours to end, even in other sessions.
        self._reaps = CONTROL(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0) == 0
        self._ahead, self._after, self._decisions = ahead, after, decisions
        self._fork_points = fork_points
        self._owns_zygotes = zygotes is None
        self._zygotes = new_zygotes() if zygotes is None else zygotes
        self._alarms = Alarms()
        self._captures = [(Capture("stdout"), Capture("stderr")) for _ in range(2)]
        self._spare: Child | None = None
        self._alone = False
        self._limits: dict[str, int] = {}

    def serve(self, mixed: Sequence[str] = ()) -> dict[str, Any]:
        """Answer requests.  Returns, in the child, the request to run.

        One with a ``role`` says what else this process is to be, and is returned in itself.
        ``mixed``: modules that the host should not have had us import (``preimport``).
        """
        wire.send(self._sink, {"end": "ready", "threads": threads(), "mixed": list(mixed)})
        while True:
            request = wire.receive(self._source)
            if request is None:
                if self._fork_points is not None:
                    self._fork_points.end_all()
                os._exit(0)
            if "cancel" in request:
                continue  # too late: it has ended by itself
            if "role" in request:
                self._discard_spare()
                if self._owns_zygotes:
                    self._zygotes.end_all()
                return dict(request)
            to_run = self._answer(request)
            if to_run is not None:
                return {**to_run, "alarms": self._alarms}

    def _discard_spare(self) -> None:
        if self._spare is not None:
            self._spare.discard()
            self._spare = None

    def _answer(self, request: dict[str, Any]) -> dict[str, Any] | None:
        """Have a request answered.  Returns, in the child, what it is to run."""
        if request["limits"] != self._limits:
            self._limits = request["limits"]
            limits.apply(self._limits)
            self._discard_spare()
        if self._ahead is not None and "ahead" in request:
            self._discard_spare()
            self._ahead(request.pop("ahead"))
        if self._fork_points is not None and "fork_point" in request:
            self._discard_spare()
            return self._fork_points.ask(request)
        if "zygote" in request and "job" not in request:
            self._zygotes.begin(request)
            wire.send(self._sink, {"end": "begun"})
            return None
        self._zygotes.look()
        if "zygote" in request:
            self._have_zygote_run(request)
            return None
        return self._fork_run(request)

    def _have_zygote_run(self, request: dict[str, Any]) -> None:
        zygotes = self._zygotes
        if not zygotes.ready(request):
            wire.send(self._sink, {"end": "absent"})
            return
        began = time.monotonic()
        self._alarms.clear()
        process, reader = zygotes.run(request)
        if process:
            self._attend(process, reader, began, request, zygotes.outputs)
            return
        facts: dict[str, Any] = {**LOST, "status": 1, "seconds": time.monotonic() - began}
        if facts["seconds"] >= request["timeout"]:
            facts["end"] = "timeout"
        facts["stdout"], facts["stderr"] = (capture.take() for capture in zygotes.outputs)
        wire.send(self._sink, facts)

    def _fork_run(self, request: dict[str, Any]) -> dict[str, Any] | None:
        """Have a child run it; in that one, and in the spare one after it, what that is to run."""
        captures = self._captures
        closed = self._source, self._sink, *self._zygotes.descriptors
        child = self._spare or Child(request, captures[0], closed)
        if child.request is not None:
            return child.request
        began = time.monotonic()
        self._alarms.clear()
        child.ask(request)
        captures.reverse()
        self._spare = None
        if self._alone:
            self._spare = Child(request, captures[0], (*closed, child.reader))
            if self._spare.request is not None:
                return self._spare.request
        self._attend(child.process, child.reader, began, request, captures[1])
        return None

    def _attend(
        self,
        process: int,
        reader: int,
        began: float,
        request: dict[str, Any],
        captured: tuple[Capture, Capture],
    ) -> None:
        """Wait for a run, bring all back to what it was, and tell what came of it."""
        zygotes, fork_points = self._zygotes, self._fork_points
        ours = captured is not zygotes.outputs
        others = zygotes.processes + ([] if self._spare is None else [self._spare.process])
        if fork_points is not None:
            others += fork_points.processes
        watch = Watch(self._alarms, *others)
        facts, gone = supervise(process, reader, self._source, began, request, watch)
        if ours:
            os.close(reader)
        self._alone = facts.pop("alone", False)
        if not self._alone:
            facts["dirty"] = True
            self._clean_up(process)
        if gone:
            os._exit(0)
        facts["seconds"] = time.monotonic() - began
        # Before files are put back: who is still loading may lose them, and print that.
        facts["stdout"], facts["stderr"] = (capture.take() for capture in captured)
        if self._decisions is not None and ours:
            facts["decisions"] = self._decisions.take()
        dirty = facts.get("dirty", True)
        if WARDEN is not None:
            # It looks for itself, in microseconds: audit events do not tell all.
            dirty |= WARDEN.renew()
        if dirty:
            zygotes.spoil()
            if fork_points is not None:
                fork_points.spoil()
        wire.send(self._sink, facts)
        self._after(facts)
        if not self._alone:
            self._discard_spare()

    def undo(self) -> None:
        """Bring back what a process has done that was to be a fork point, and has ended."""
        self._clean_up()
        if WARDEN is not None and WARDEN.renew():
            self._zygotes.spoil()

    def _clean_up(self, process: int | None = None) -> None:
        """End what a run has left, and what it may have stopped, or changed."""
        if self._fork_points is not None:
            self._fork_points.end_all()
        others = self._zygotes.processes + ([] if self._spare is None else [self._spare.process])
        if not self._reaps or left_behind(others):
            self._discard_spare()
            self._zygotes.end_all()
            self._bury(group=process)


class Child:
    """A forked process; in itself, ``request`` is what it is to run.

    Whatever can be set up before the fork is: what a child writes to, it has to copy first.
    ``like`` is a request with the same files; ``others`` are descriptors it must not have.
    """

    request: dict[str, Any] | None = None

    def __init__(
        self, like: dict[str, Any], outputs: tuple[Capture, Capture], others: tuple[int, ...]
    ) -> None:
        redirect(like, *outputs)
        requests, self._requests = os.pipe()
        self.reader, writer = os.pipe()
        self.process = os.fork()
        if self.process != 0:
            os.close(requests)
            os.close(writer)
            return
        stand_alone()
        if WARDEN is not None:
            WARDEN.forget()
        for descriptor in (self.reader, self._requests, *others):
            os.close(descriptor)
        request = wire.receive(requests)
        if request is None:
            os._exit(0)
        os.close(requests)
        os.chdir(request["directory"])  # may be a new one of that name
        if "command" in request:
            execute(request, writer)
        request["sink"] = writer
        self.request = request

    def ask(self, request: dict[str, Any]) -> None:
        """Tell it what to run."""
        wire.send(self._requests, request)
        os.close(self._requests)

    def discard(self) -> None:
        """End it unused; it may have been stopped."""
        os.close(self._requests)
        os.close(self.reader)
        os.kill(self.process, signal.SIGKILL)
        os.waitpid(self.process, 0)


def new_zygotes() -> Zygotes:
    """None yet; those with a command begin as it does."""
    outputs = Capture("stdout"), Capture("stderr")

    def begin(request: dict[str, Any], asked: int, told: int) -> None:
        stand_alone()
        redirect(request, *outputs)
        execute(request, told, asked)

    return Zygotes(begin, outputs)


def be_zygote(asked: int, told: int, outputs: tuple[Capture, Capture]) -> None:
    """In a fork that was made for it: have what a zygote has, and nothing of the server's."""
    stand_alone()
    if WARDEN is not None:
        WARDEN.descriptors = []
    for number, output in enumerate(outputs, 1):
        output.open(number)
    settle(told, asked)
    for number in (BORN, ORDERS):
        os.set_inheritable(number, False)


def settle(report: int, job: int) -> None:
    """Have these for descriptors 3 and 4, and no others but the standard streams."""
    # Out of the way first: either may have one of the numbers that they are to get.
    report, job = (fcntl.fcntl(number, fcntl.F_DUPFD, 16) for number in (report, job))
    os.dup2(report, BORN)
    os.dup2(job, ORDERS)
    os.closerange(ORDERS + 1, 256)


def execute(request: dict[str, Any], writer: int, job: int | None = None) -> None:
    """Become the command, or its witness if there is to be one (``stripe.sandbox.reads``)."""
    try:
        BEGUN.resume()
        if job is None and request["job"] == os.devnull:
            stand_aside(writer)
        else:
            settle(writer, os.open(request["job"], os.O_RDONLY) if job is None else job)
        if "witness" in request:
            folder, told = request["witness"]
            witness(folder).watch(told, request["command"], encoded(request["environment"]))
        os.execve(request["command"][0], request["command"], request["environment"])
    except BaseException as error:
        os.write(2, f"{error}\n".encode())
    finally:
        os._exit(127)


def witness(folder: str) -> Any:
    """The module of ``stripe.sandbox.inside``: a Python of its own would begin later."""
    import importlib

    sys.path.append(folder)
    return importlib.import_module("inside.witness")


def encoded(environment: dict[str, str]) -> dict[bytes, bytes]:
    """An environment as the system has it."""
    return {os.fsencode(name): os.fsencode(value) for name, value in environment.items()}


def threads() -> int:
    """How many threads this process has: forking more than one is unsafe."""
    try:
        return len(os.listdir("/proc/self/task"))
    except OSError:
        return 1


def supervise(
    child: int,
    reader: int,
    source: int,
    began: float,
    request: dict[str, Any],
    watch: Watch,
    tail: int | None = None,
    heard: bytes | bytearray = b"",
) -> tuple[dict[str, Any], bool]:
    """Wait for the child; says how it ended, and whether the host is gone.

    It may take ``timeout`` seconds, where time in which it waited for a processor does not
    count, which is others' doing; ``wall`` seconds, where all does; and ``processor`` seconds
    of one.  It has ended as well when it waits for what cannot come.  ``source``: where the host
    says that it is not needed any more.  ``tail``: the child does not end, but
    stop, when it has told so many bytes behind its message; they are told as well.  ``heard``: the
    beginning of its message, which has been read.
    """
    look = FIRST_LOOK
    deadline, wall = began + request["timeout"], began + request["wall"]
    exited = os.pidfd_open(child)
    poll = select.poll()
    for descriptor in (exited, reader, source):
        poll.register(descriptor, select.POLLIN)
    message = bytearray(heard)
    ended = ""  # by us, and why
    gone = False
    # One that stays has waited in the runs before, too.
    before = forgiven = 0.0 if tail is None else run_waited_for_processor(child)
    waiting, stays = True, False
    while waiting:
        left = min(deadline + forgiven - before, wall) - time.monotonic()
        ready = poll.poll(max(0, int(min(left, look) * 1000) + 1))
        if not ready and left > look:
            look = min(2 * look, LONGEST_LOOK)
            if watch.blocked():
                ended = "blocked"
                break
            if watch.processor > request["processor"]:
                ended = "timeout"
                break
            continue
        if not ready:
            waited = run_waited_for_processor(child)
            if waited > forgiven + 0.01 and time.monotonic() < wall:
                forgiven = waited
                continue
            ended = "timeout"
            break
        for descriptor, _ in ready:
            if descriptor == reader:
                part = os.read(reader, 1 << 16)
                message += part
                if not part:
                    poll.unregister(reader)
                elif tail is not None and wire.whole(message, tail):
                    waiting, stays = False, True
            elif descriptor == exited:
                waiting = False
            else:
                gone = wire.receive(source) is None
                ended = "cancelled"
                waiting = False
    detail = stopped(child) if ended == "timeout" else ""
    if ended:
        for end in (os.killpg, os.kill):
            try:
                end(child, signal.SIGKILL)
            except ProcessLookupError:
                pass
    os.close(exited)
    if stays and not ended:
        return {**told_by(message), "tail": bytes(message[-(tail or 0) :])}, gone
    known = "resource" in sys.modules  # which wait4 imports: the program is not to find it
    _, status, usage = os.wait4(child, 0)
    if not known:
        sys.modules.pop("resource", None)
    if not ended:
        os.set_blocking(reader, False)
        drain(reader, message)
    facts = told_by(message)
    facts["status"] = os.waitstatus_to_exitcode(status)
    facts["processor"] = usage.ru_utime + usage.ru_stime
    if ended:
        facts |= {"end": ended, "dirty": True} | ({"detail": detail} if detail else {})
        facts.pop("alone", None)
    return facts, gone


def drain(reader: int, message: bytearray) -> None:
    """Add what has been told and not read yet; ``reader`` does not block."""
    try:
        while part := os.read(reader, 1 << 16):
            message += part
    except BlockingIOError:
        pass


def told_by(message: bytearray) -> dict[str, Any]:
    """What a child has told, if it is whole; programs can write there, too."""
    told = wire.parse(bytes(message))
    return told if isinstance(told, dict) and "end" in told else dict(LOST)
