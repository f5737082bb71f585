"""A replayed run: one job of the agent, or a server of such runs."""

from __future__ import annotations

import gc
import os
import sys

from .compiling.asserts import Asserts
from .compiling.code import Sources
from .compiling.dialects import Placeholder, Replaying
from .compiling.scope_rules import scope, set_aside
from .observing.value_comparison import Comparer, Comparing
from .observing.watch import Watcher, Watching
from .process.descriptors import settled
from .process.guard import BEGINS, Guard, allowed
from .process.natives import partial
from .process.recursion_limit import MORE
from .process.server import Server, stand_alone, threads
from .process.zygotes import ORDERS, tell_ready, wait_for_order
from .recording import copies
from .recording.imports import Aside
from .recording.monitor import in_this_thread
from .recording.other_tracers import ITER, OtherTracers, opening
from .recording.program import Program
from .recording.report import Report
from .replaying.activation import Leave
from .replaying.decisions import Decisions
from .replaying.loops import SKIP
from .replaying.modes import STRICT, THREADED
from .replaying.plan import Marks, Tables
from .replaying.replay import Replayer
from .replaying.replay_registers import NullContext
from .snapshots.first_event import FirstEvent
from .snapshots.fork_point import PausedRun
from .snapshots.fork_server import ForkPoints
from .values.content import own_class
from .values.hashes import Numbering

TYPE_CHECKING = False  # typing takes as long to import as much of the agent
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

type Job = dict[str, Any]
type Request = dict[str, Any]


class ReplayedRun:
    """Prepares a replay, waits for what is asked, and runs the program.

    ``source``: where a server is asked.  The modes that the replay needs are the job's ``modes``.
    """

    def __init__(self, job: Job, source: int, report: Report) -> None:
        self._job, self._source, self._report = job, source, report
        self._modes, self._looks = job["modes"], job["looks"]
        self._request: Request = {}
        self._first: FirstEvent | None = None
        self._decisions = decisions = Decisions() if job["decisions"] else None
        in_main = in_this_thread()
        self._replayer = replayer = Replayer(
            self._modes,
            in_main=in_main,
            diverge=self._diverge,
            cut=partial(report.stop, "cut", ""),
            fault=report.fault,
            more=MORE if self._looks or job["probes"] or decisions else 0,
            note=None if decisions is None else decisions.note,
        )
        self._in_main = in_main if THREADED in self._modes else None
        self._watcher = Watcher(replayer)
        self._comparer = Comparer(replayer, own_class(scope(job)))
        asserts = Asserts()
        self._dialect = self._dialect_of(asserts)
        # Before the files are tracked, so that their code is instrumented once, here.
        replayer.start()
        self._sources = Sources(
            self._dialect,
            scope(job),
            job["probes"],
            replayer.track,
            closed=True,
            whole=job["whole"],
            aside=set_aside(job),
        )
        for path, text, aside, unused in job["files"]:
            self._sources.prepare(path, text, aside=aside, unused=unused)
        self._program = Program(
            job["program"],
            job["module"],
            job["arguments"],
            self._sources,
            replayer.headroom,
            replayer.raiser,
        )
        self._program.operands = asserts.told
        self._program.leaving = Leave
        self._guard = Guard(job["within"], allowed(job), partial(report.stop, "harmful"))
        self._guard.on_mark = self._pass
        self._guard.install()
        self._tables = Tables(job["tables"])

    def _dialect_of(self, asserts: Asserts) -> Replaying:
        """What stands in the program's code, and calls us."""
        job, replayer, comparer = self._job, self._replayer, self._comparer
        self._aside = aside = Aside(replayer.pause, replayer.unpause)
        kinds: dict[str, Callable[..., Replaying]] = {
            "show": partial(Watching, failed=job["failed"] and tuple(job["failed"])),
            "compare": Comparing,
        }
        kind = kinds.get(self._looks, Replaying)
        return kind(
            {
                **asserts.constants,
                Placeholder.NEXT: next,
                Placeholder.NOW: replayer.now,
                Placeholder.SKIP: SKIP,
                Placeholder.LEAVE: Leave,
                Placeholder.LOOP: replayer.loop,
                Placeholder.ASYNC_LOOP: replayer.async_loop,
                Placeholder.NULL_CONTEXT: NullContext(),
                Placeholder.LANDED: replayer.landed,
                Placeholder.HANDLES: replayer.handles,
                Placeholder.AGREE: replayer.agree,
                Placeholder.ANNOTATED: replayer.annotated,
                Placeholder.ITER: ITER,
                Placeholder.OPENING: opening,
                Placeholder.PROBE: self._report.prober(aside),
                Placeholder.ASIDE: aside,
                Placeholder.PROBE_UNSET: Exception,
                Placeholder.WATCH: self._watcher,
                Placeholder.PART: self._watcher.part,
                **({Placeholder.NUMBERED: Numbering().decorate} if job["numbered"] else {}),
                Placeholder.SEEN: comparer.seen,
                Placeholder.RECEIVER: comparer.receiver,
                Placeholder.COUNTED: comparer.counted,
                Placeholder.CHANGED: comparer.changed,
            },
            strict=STRICT in self._modes,
        )

    def _diverge(self, why: str) -> None:
        """Tell also what has just been raised, of Python's own: to that nobody has to be asked."""
        caught = sys.exception()
        if caught is not None and type(caught).__module__ == "builtins":
            self._report.exception(self._program.described(caught))
        if self._decisions is not None:
            self._decisions.note(f"diverges: {why}")
        self._report.stop("diverged", why)

    def run(self) -> tuple[Any, bool]:
        """Run the program; what it leaves with, and whether it may leave without teardown."""
        job, report, replayer = self._job, self._report, self._replayer
        self._sources.install()
        copies.install(self._sources)
        OtherTracers(
            replayer.tool,
            replayer.pause,
            replayer.unpause,
            self._in_main,
            self._diverge,
            replaying=True,
        ).install()
        self._program.prepare()
        mixed = preimport(job["modules"], self._sources)
        self._guard.settle()  # what library modules did while imported is there for all runs
        self._request = request = self._awaited(mixed)
        report.before = self._finish
        report.install()
        os.register_at_fork(after_in_child=replayer.stop)
        if "orders" in request:
            self._go_ahead(request)
        else:
            if "alarms" in request:
                request["alarms"].install()
            self._configure()
        self._guard.on = True
        if job["late"]:
            self._aside.wait()
        return self._program.run(report.exception), bool(self._request["fast"])

    def _awaited(self, mixed: list[str]) -> Request:
        """What this process is asked to replay; a server forks for each such request.

        ``mixed``: see ``preimport``.
        """
        job, report = self._job, self._report
        if job["mode"] == "serve":
            return self._served(mixed)
        request: Request = {}
        if job["mode"] == "fork":
            if mixed or threads() > 1:
                os._exit(1)  # no fork of this would be what one of the server is
            gc.collect()
            gc.freeze()
            tell_ready()
            request = wait_for_order(stand_alone)
            report.process = os.getpid()
        # The program opens files by the numbers that it has without us.
        os.close(ORDERS)
        report.sink = settled(report.sink)
        return request or job["request"]

    def _served(self, mixed: list[str]) -> Request:
        job, report = self._job, self._report
        gc.collect()
        gc.freeze()
        fork_points = ForkPoints(self._source, report.sink, lambda: server.undo())
        server = Server(
            self._source,
            report.sink,
            job["orphans"],
            fork_points=fork_points,
            zygotes=job.get("zygotes"),
            after=self._program.heed,
            decisions=self._decisions,
        )
        request = server.serve(mixed)
        if "orders" not in request:
            fork_points.forget()
            report.sink, report.process = request["sink"], os.getpid()
        return request

    def _go_ahead(self, request: Request) -> None:
        """Stand at the program's first event, and be configured there."""
        job, report = self._job, self._report
        paused = PausedRun(request, self._source, report.sink, job["orphans"], job["within"])
        report.process = -1  # it is nobody's run

        def resume(asked: Request) -> None:
            self._request = {**asked, "alarms": request["alarms"]}
            report.sink, report.process = asked["sink"], os.getpid()
            if "after" in asked:
                report.after = asked["after"]
            self._configure()

        self._first = FirstEvent(paused, self._guard, resume, at=request["fork_point"])
        self._replayer.modes.insert(0, self._first)

    def _pass(self, mark: str, failure: BaseException | None = None) -> None:
        """A test is about to be set up, or called, or to end the process with a failure."""
        if isinstance(failure, Leave):
            # What raised is left out, and who runs the test only kept it for the end: it passes.
            for stream in (sys.stdout, sys.stderr):
                try:
                    stream.flush()
                except Exception:
                    continue  # there may be none, or nobody who reads it
            os._exit(0)
        if failure is not None:
            self._program.fail(failure, self._report.exception)
            return
        if self._first is not None:
            self._first.reach(mark)
        if mark == BEGINS:
            self._aside.begin()

    def _configure(self) -> None:
        """Have what is asked for take effect."""
        request, replayer = self._request, self._replayer
        marks = Marks(self._tables, request["marked"])
        keep, without = request["keep"], request.get("without", ())
        outermost = request.get("outermost")
        replayer.configure(self._tables, marks, keep, self._job["last"], without, outermost)
        if self._looks == "show":
            self._watcher.begin(set(marks.events), keep)
        elif self._looks == "compare":
            self._comparer.begin(request)

    def _finish(self) -> None:
        """The program has ended: what is told of that besides its end."""
        replayer, guard, facts = self._replayer, self._guard, self._report.facts
        guard.on = False
        replayer.over()
        if not self._request["fast"]:
            replayer.stop()
            gc.unfreeze()  # or the teardown of modules spares objects that it should end
        facts.update(dirty=guard.dirty, alone=guard.alone(), uses=replayer.uses())
        if self._decisions is not None and self._job["mode"] != "serve":
            facts["decisions"] = self._decisions.take()
        if self._looks == "show":
            facts.update(watched=self._watcher.values, parts=self._watcher.parts)
        if isinstance(self._dialect, Comparing):
            facts.update(self._comparer.facts(), labels=self._dialect.labels)


def preimport(names: list[str], sources: Sources) -> list[str]:
    """Import library modules the recorded run imported, once for all replays.

    Returns those that would execute the user's code, which is for the replays to do.  As they
    are half imported now, this process is of no more use then.
    """
    mixed = []
    sources.barred = True
    for name in names:
        sources.asked = False
        try:
            __import__(name)
        except BaseException as error:
            if isinstance(error, KeyboardInterrupt):
                raise
        if sources.asked:
            mixed.append(name)
    sources.barred = False
    return mixed
