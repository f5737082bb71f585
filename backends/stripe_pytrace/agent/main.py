"""The agent's entry: one job, told in one message."""

from __future__ import annotations

import faulthandler
import fcntl
import gc
import os
import sys
import time
from _thread import get_ident

from .compiling.asserts import Asserts
from .compiling.code import Sources, UserFile
from .compiling.dataflow import safe_flows
from .compiling.dialects import Noting, Placeholder, Recording, Replaying
from .compiling.scope_rules import installed, scope, set_aside
from .compiling.sites import PAUSE, UNPAUSE
from .observing.value_comparison import Comparer, Comparing
from .observing.watch import Watcher, Watching
from .process import wire
from .process.descriptors import settled
from .process.guard import Guard, allowed
from .process.natives import partial
from .process.recursion_limit import MORE
from .process.server import be_zygote, new_zygotes, serve, stand_alone, threads
from .process.zygotes import BORN, ORDERS, TWIN, tell_ready, wait_for_order
from .recording import copies
from .recording.child_lines import ChildLines
from .recording.direct import DirectRecorder, fits
from .recording.imports import Aside
from .recording.log_files import Spill
from .recording.monitor import NoToolId, raised_in_ours
from .recording.other_tracers import ITER, OtherTracers
from .recording.program import Program, leave
from .recording.record import Recorder, plainly
from .recording.report import RAISE_LIMIT, Report
from .replaying.activation import Leave
from .replaying.branches import Branching
from .replaying.decisions import Decisions
from .replaying.loops import SKIP
from .replaying.plan import Marks, Tables
from .replaying.replay import Replayer
from .replaying.replay_registers import NullContext
from .snapshots.fork_point import Post, has_drawn, state_of_random
from .snapshots.fork_server import Outposts
from .values.content import own_class
from .values.hashes import Numbering

TYPE_CHECKING = False  # typing takes as long to import as much of the agent
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from .recording.record import Noting as NoteMaker

type Job = dict[str, Any]
WORTH_STANDING = 0.005
"""Seconds of a processor before the first event of the program, from which on forks begin there."""
FREE = "free"  # the detail of threads that nothing keeps from running at the same time


def main(source: int, sink: int) -> None:
    """Take a job from ``source``, answer on ``sink``; see ``host.py`` for the messages."""
    job = wire.begin(source, sink)
    gc.freeze()  # what is ours is not looked through in each run
    if job["mode"] == "wait":
        job, sink = wait(job["orphans"], source, sink)
    elif job["mode"] == "fork":
        tell_ready()
        job = wait_for_order(stand_alone)["job"]
    report = Report(sink)
    try:
        recording = job["mode"] == "record"
        result, fast = record(job, report) if recording else replay(job, source, report)
    except (NoToolId, SyntaxError) as error:
        if job["mode"] == "fork":
            os._exit(1)
        wire.send(sink, {"end": "refused", "kind": type(error).__name__, "detail": str(error)})
        os._exit(1)
    except Exception as error:
        if raised_in_ours(error):
            report.fault(error)
        raise
    leave(result, fast=fast)


def wait(orphans: str, source: int, sink: int) -> tuple[Job, int]:
    """Start what is asked for, until a job comes: in a fork, or for this process (a ``role``).

    Returns the job, and where it reports to.
    """
    zygotes = new_zygotes()
    request = serve(source, sink, orphans, zygotes=zygotes)
    if "role" in request:
        ends = zygotes.fork(TWIN)
        if ends is not None:
            be_zygote(*ends, zygotes.outputs)
            job = wire.begin(ORDERS, BORN)
            os.chdir(job["directory"])
            return job, BORN
        os.chdir(request["directory"])  # the one we were in may have been made anew since
        return {**request["job"], "zygotes": zygotes}, sink
    request["alarms"].close()  # nobody takes note of those of a run that is recorded
    return request["job"], request["sink"]


def record(job: Job, report: Report) -> tuple[Any, bool]:
    main_thread = in_thread(get_ident()) if job["threads"] else None
    more = MORE if job["probes"] else 0
    unfit: Callable[[], object] = bool
    coming: Callable[[bytes], object] = bool
    constants: dict[complex, Any]
    if job["direct"] and fits(program_text(job)):
        unfit = partial(report.stop, "unfit", "")
        direct = DirectRecorder(partial(report.stop, "recursion", ""), unfit, more, report.fault)
        coming = direct.require_fit
        recorder: Recorder = direct
        constants = direct.constants
        kind: type[Recording] = Noting
    else:
        recorder = Recorder(
            main_thread,
            job["deep"],
            lambda: None if job["deep"] or job["once"] else report.stop("recursion", ""),
            cut_off(report, *job["cut"]) if job["cut"] else plainly,
            more,
            Spill(job["log"], job["spill"], lambda: report.stop("exhausted", ""))
            if job["spill"]
            else None,
            on_fault=report.fault,
        )
        constants = {Placeholder.REPORT: recorder.report}
        kind = Recording
    aside = Aside(lambda: recorder.note(PAUSE), lambda: recorder.note(UNPAUSE))
    probe = report.prober(aside)
    asserts = Asserts()
    numbering = Numbering()
    dialect = kind(
        {
            **asserts.constants,
            **constants,
            Placeholder.ITER: ITER,
            Placeholder.PROBE: probe,
            Placeholder.ASIDE: aside,
            Placeholder.PROBE_UNSET: Exception,
            **numbered(job, numbering),
        }
    )
    sources = Sources(
        dialect,
        scope(job),
        job["probes"],
        recorder.track,
        whole=job["whole"],
        coming=coming,
        aside=set_aside(job),
    )
    program = Program(job["program"], job["module"], job["arguments"], sources, recorder.headroom)
    program.operands = asserts.told
    guard = Guard(job["within"], allowed(job), lambda what: report.stop("harmful", what))
    children = ChildLines(f"{os.path.dirname(job['log'])}/children", sources.wants, recorder.stop)
    if main_thread is None:
        gil = getattr(sys, "_is_gil_enabled", lambda: True)
        guard.on_thread = lambda: report.stop("threads", "" if gil() else FREE)
    loaded = set(sys.modules)

    def is_library(name: str) -> bool:
        spec = getattr(sys.modules[name], "__spec__", None)
        origin = getattr(spec, "origin", None)
        return origin in ("built-in", "frozen") or (
            isinstance(origin, str) and os.path.isabs(origin) and not sources.wants(origin)
        )

    def finish() -> None:
        guard.on = False
        recorder.stop()
        gc.unfreeze()  # or the teardown of modules spares objects that it should end
        if report.facts["end"] in ("exited", "cut"):
            recorder.write(job["log"], job["largest"])
        ran = children.take(sources.files)
        report.facts.update(
            direct=kind is Noting,
            files=[
                {
                    **describe(file),
                    "elsewhere": sorted(
                        {*file.lines_of(recorder.elsewhere), *ran.get(file.path, ())}
                    ),
                }
                for file in sources.files
            ],
            modules=[name for name in sys.modules if name not in loaded and is_library(name)],
            aside=aside.raised,
            unseen=installed(path for path in recorder.unseen if not sources.wants(path)),
            done=sorted(guard.done),
            numbered=numbering.applied,
            hashed=numbering.used,
        )

    report.before = finish
    report.install()
    guard.install()
    sources.install()
    copies.install(sources)
    refuse = partial(report.stop, "refused")
    OtherTracers(recorder.tool, unfit, bool, main_thread, refuse).install()
    program.prepare()
    os.register_at_fork(after_in_child=children.begin)
    if job["cut"]:
        tell_where(os.path.join(os.path.dirname(job["log"]), "stacks"), job["cut"][1])
    guard.on = True
    recorder.start()
    return program.run(report.exception), False


def replay(job: Job, source: int, report: Report) -> tuple[Any, bool]:
    main_thread = in_thread(get_ident()) if job["threads"] else None

    def diverge(why: str) -> None:
        """Tell also what has just been raised, of Python's own: to that nobody has to be asked."""
        caught = sys.exception()
        if caught is not None and type(caught).__module__ == "builtins":
            report.exception(program.described(caught))
        if decisions is not None:
            decisions.note(f"diverges: {why}")
        report.stop("diverged", why)

    decisions = Decisions() if job["decisions"] else None
    replayer = Replayer(
        strict=job["strict"],
        main_thread=main_thread,
        diverge=diverge,
        cut=partial(report.stop, "cut", ""),
        fault=report.fault,
        deep=job["deep"],
        more=MORE if job["looks"] or job["probes"] or decisions else 0,
        note=None if decisions is None else decisions.note,
    )
    asserts = Asserts()
    looks = job["looks"]
    aside = Aside(replayer.pause, replayer.unpause)
    watcher = Watcher(replayer)
    comparer = Comparer(replayer, own_class(scope(job)))
    dialect = {"show": Watching, "compare": Comparing}.get(looks, Replaying)(
        {
            **asserts.constants,
            Placeholder.NEXT: next,
            Placeholder.NOW: replayer.now,
            Placeholder.RETURNS: replayer.folds.returns,
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
            Placeholder.PROBE: report.prober(aside),
            Placeholder.ASIDE: aside,
            Placeholder.PROBE_UNSET: Exception,
            Placeholder.WATCH: watcher,
            **numbered(job, Numbering()),
            Placeholder.SEEN: comparer.seen,
            Placeholder.RECEIVER: comparer.receiver,
            Placeholder.COUNTED: comparer.counted,
            Placeholder.CHANGED: comparer.changed,
        },
        strict=job["strict"],
        telling=job["direct"] and not job["strict"] and not looks,
    )
    # Before the files are tracked, so that their code is instrumented once, here.
    replayer.start()
    sources = Sources(
        dialect,
        scope(job),
        job["probes"],
        replayer.track,
        closed=True,
        whole=job["whole"],
        aside=set_aside(job),
    )
    for path, text, alone in job["files"]:
        sources.prepare(path, text, aside=alone)
    program = Program(
        job["program"], job["module"], job["arguments"], sources, replayer.headroom, replayer.raiser
    )
    program.operands = asserts.told
    guard = Guard(job["within"], allowed(job), lambda what: report.stop("harmful", what))
    guard.install()
    tables = Tables(job["tables"])
    if not (job["strict"] or looks or job["deep"] or job["threads"] or tables.windowed):
        replayer.folds.prepare(tables, [each for file in sources.files for each in file.tracked])
    sources.install()
    copies.install(sources)
    OtherTracers(
        replayer.tool,
        replayer.pause,
        replayer.unpause,
        main_thread,
        diverge,
        replaying=True,
    ).install()
    program.prepare()
    mixed = preimport(job["modules"], sources)
    guard.settle()  # what library modules did while imported is there for all runs
    post: Post | None = None
    if job["mode"] == "serve":
        gc.collect()
        gc.freeze()
        outposts = Outposts(source, report.sink)
        request = serve(
            source,
            report.sink,
            job["orphans"],
            mixed,
            outposts=outposts,
            zygotes=job.get("zygotes"),
            after=program.heed,
            decisions=decisions,
        )
        if "orders" in request:
            post = Post(request, source, report.sink, job["orphans"], job["within"])
            report.process = -1  # it is nobody's run
        else:
            outposts.forget()
            report.sink, report.process = request["sink"], os.getpid()
    elif job["mode"] == "fork":
        if mixed or threads() > 1:
            os._exit(1)  # no fork of this would be what one of the server is
        gc.collect()
        gc.freeze()
        tell_ready()
        request = wait_for_order(stand_alone)
        report.process = os.getpid()
    else:
        request = job["request"]
    if job["mode"] != "serve":  # the program opens files by the numbers that it has without us
        os.close(ORDERS)
        report.sink = settled(report.sink)

    def finish() -> None:
        guard.on = False
        replayer.over()
        if not request["fast"]:
            replayer.stop()
            gc.unfreeze()  # see above
        report.facts.update(dirty=guard.dirty, alone=guard.alone(), uses=replayer.uses())
        if decisions is not None and job["mode"] != "serve":
            report.facts["decisions"] = decisions.take()
        if looks == "show":
            report.facts["watched"] = watcher.values
        if isinstance(dialect, Comparing):
            report.facts.update(comparer.facts(), labels=dialect.labels)

    report.before = finish
    report.install()
    if "alarms" in request and post is None:
        request["alarms"].install()
    os.register_at_fork(after_in_child=replayer.stop)

    def configure() -> None:
        marks = Marks(tables, request["marked"])
        replayer.configure(tables, marks, request["keep"], job["last"])
        if looks == "show":
            watcher.begin(set(marks.events), request["keep"])
        elif looks == "compare":
            comparer.begin(request)
        if "branches" in request or "expected" in request:
            replayer.folds.on = False
            Branching(request, replayer, report, guard)
        replayer.do_without(request.get("without", ()))

    began, drawn = time.process_time(), state_of_random()

    def stand(post: Post) -> None:
        """Fork for each request; in each child, be configured and go on from here."""
        nonlocal request
        guard.on = False
        try:
            lasting = guard.dirty or not guard.alone()
            soon = time.process_time() - began < WORTH_STANDING
            if soon or post.unlike() or has_drawn(drawn) or (lasting and not post.untouched()):
                os._exit(0)  # all runs are from the beginning
            if lasting:
                guard.rely()
            gc.freeze()
            request = {**post.stand(), "alarms": request["alarms"]}
        except BaseException:
            os._exit(1)
        report.sink, report.process = request["sink"], os.getpid()
        if drawn is not None:
            sys.modules["random"].seed()  # as in any fork of the server
        configure()
        guard.on = True

    if post is None:
        configure()
    else:
        replayer.before_first = partial(stand, post)
    guard.on = True
    return program.run(report.exception), bool(request["fast"])


def cut_off(report: Report, entries: int, seconds: float) -> NoteMaker:
    """Ends a recording that has as many entries in its log, or has taken so long."""
    now = time.monotonic
    until = now() + seconds

    def noting(log: list[int]) -> Callable[[int], object]:
        append = log.append

        def note(site: int) -> None:
            append(site)
            if len(log) > entries or now() > until:
                RAISE_LIMIT(1 << 20)  # there may be no level left for the next call
                report.stop("cut", "")

        return note

    return noting


def tell_where(path: str, seconds: float) -> None:
    """Write where each thread is when time is up: the recorder hears nothing from one that waits.

    To a descriptor that no program comes to see by chance.
    """
    opened = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC)
    stream = fcntl.fcntl(opened, fcntl.F_DUPFD_CLOEXEC, 200)
    os.close(opened)
    faulthandler.dump_traceback_later(seconds + 1, file=stream)


def numbered(job: Job, numbering: Numbering) -> dict[complex, Any]:
    """What a dialect needs to number the program's objects, if it is to."""
    return {Placeholder.NUMBERED: numbering.decorate} if job["numbered"] else {}


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


def program_text(job: Job) -> bytes:
    """The source of the program itself, if it is known where that is."""
    try:
        with open(job["program"], "rb") as stream:
            return stream.read()
    except (OSError, TypeError):
        return b""


def in_thread(ident: int) -> Callable[[], bool]:
    """Whether the caller runs in a thread."""
    return lambda: get_ident() == ident


def describe(file: UserFile) -> dict[str, Any]:
    """A file's tables as plain data."""
    return {
        "path": file.path,
        "source": file.source,
        "aside": file.aside,
        "text": file.text(),
        "sites": file.sites,
        "nodes": [node.row() for node in file.nodes],
        "functions": file.functions,
        "runs": file.runs,
        "leads": file.leads,
        "wholes": file.wholes,
        "offsets": {
            function.number: file.offsets(function) for function in file.tracked if file.runs
        },
        "flows": safe_flows(file.source),
    }
