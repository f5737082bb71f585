"""A recorded run: one job of the agent."""

from __future__ import annotations

import faulthandler
import fcntl
import gc
import os
import sys
import time

from .compiling.asserts import Asserts
from .compiling.code import Sources, UserFile
from .compiling.dataflow import safe_flows
from .compiling.dialects import Placeholder
from .compiling.scope_rules import installed, scope, set_aside
from .compiling.sites import PAUSE, UNPAUSE
from .process.guard import BEGINS, Guard, allowed
from .process.natives import partial
from .process.recursion_limit import MORE
from .recording import copies
from .recording.child_lines import ChildLines
from .recording.direct import DirectRecorder, fits
from .recording.imports import Aside
from .recording.log_files import Spill
from .recording.monitor import in_this_thread
from .recording.other_tracers import ITER, OtherTracers
from .recording.program import Program
from .recording.record import Recorder, plainly
from .recording.report import RAISE_LIMIT, Report
from .values.hashes import Numbering

TYPE_CHECKING = False  # typing takes as long to import as much of the agent
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from .recording.record import Noting

type Job = dict[str, Any]
FREE = "free"  # the detail of threads that nothing keeps from running at the same time


def recorder_of(job: Job, report: Report, in_main: Callable[[], bool] | None) -> Recorder:
    """What records: the program's own notes where they serve, or else callbacks."""
    more = MORE if job["probes"] else 0
    on_recursion = partial(report.stop, "recursion", "")
    if job["direct"] and fits(program_text(job)):
        unfit = partial(report.stop, "unfit", "")
        return DirectRecorder(on_recursion, unfit, more, report.fault)
    full = partial(report.stop, "exhausted", "")
    return Recorder(
        in_main,
        job["deep"],
        bool if job["deep"] or job["once"] else on_recursion,
        cut_off(report, *job["cut"]) if job["cut"] else plainly,
        more,
        Spill(job["log"], job["spill"], full) if job["spill"] else None,
        on_fault=report.fault,
    )


class RecordedRun:
    """Runs the program once, and leaves a log of it; what is told of it besides is ``facts``."""

    def __init__(self, job: Job, report: Report) -> None:
        self._job, self._report = job, report
        self._folder = os.path.dirname(job["log"])
        self._in_main = in_this_thread() if job["threads"] else None
        self._recorder = recorder = recorder_of(job, report, self._in_main)
        self._numbering, asserts = Numbering(), Asserts()
        self._aside = Aside(lambda: recorder.note(PAUSE), lambda: recorder.note(UNPAUSE))
        dialect = recorder.dialect(
            {
                **asserts.constants,
                **recorder.constants,
                Placeholder.ITER: ITER,
                Placeholder.PROBE: report.prober(self._aside),
                Placeholder.ASIDE: self._aside,
                Placeholder.PROBE_UNSET: Exception,
                **({Placeholder.NUMBERED: self._numbering.decorate} if job["numbered"] else {}),
            }
        )
        self._sources = Sources(
            dialect,
            scope(job),
            job["probes"],
            recorder.track,
            whole=job["whole"],
            coming=self._come,
            aside=set_aside(job),
        )
        self._program = Program(
            job["program"], job["module"], job["arguments"], self._sources, recorder.headroom
        )
        self._program.operands = asserts.told
        self._guard = Guard(job["within"], allowed(job), partial(report.stop, "harmful"))
        if self._in_main is None:
            gil = getattr(sys, "_is_gil_enabled", lambda: True)
            self._guard.on_thread = lambda: report.stop("threads", "" if gil() else FREE)
        self._guard.on_mark = self._pass
        self._children = ChildLines(f"{self._folder}/children", self._sources.wants, recorder.stop)
        self._loaded = set(sys.modules)
        self._before: set[str] = set()  # modules that are there as the first of the user's comes
        self._noted, self._unprepared = -1, False

    def run(self) -> Any:
        """Run the program; what it leaves with."""
        recorder, report, cut = self._recorder, self._report, self._job["cut"]
        report.before = self._finish
        report.install()
        self._guard.install()
        self._sources.install()
        copies.install(self._sources)
        refuse = partial(report.stop, "refused")
        OtherTracers(recorder.tool, recorder.unfit, bool, self._in_main, refuse).install()
        self._program.prepare()
        os.register_at_fork(after_in_child=self._children.begin)
        if cut:
            tell_where(f"{self._folder}/stacks", cut[1])
        self._guard.on = True
        recorder.start()
        if self._job["late"]:
            self._aside.wait()
        return self._program.run(report.exception)

    def _come(self, source: bytes) -> None:
        """A file of the user's is about to be instrumented."""
        if not self._sources.files:
            self._before = set(sys.modules)
        self._recorder.require_fit(source)

    def _pass(self, mark: str, failure: BaseException | None = None) -> None:
        """A test is about to be set up, or called, or to end the process with a failure.

        Between the first two nothing may have been recorded.
        """
        if failure is not None:
            self._program.fail(failure, self._report.exception)
            return
        if mark == BEGINS:
            self._aside.begin()
            self._noted = self._recorder.noted()
        elif not self._aside.waits:
            self._unprepared = self._recorder.noted() == self._noted

    def _finish(self) -> None:
        """The program has ended: write the log, and tell what is to be known of the files."""
        recorder, facts, numbering = self._recorder, self._report.facts, self._numbering
        self._guard.on = False
        recorder.stop()
        gc.unfreeze()  # or the teardown of modules spares objects that it should end
        if facts["end"] in ("exited", "cut"):
            recorder.write(self._job["log"], self._job["largest"])
        ran = self._children.take(self._sources.files)
        modules = [each for each in sys.modules if each not in self._loaded]
        libraries = list(filter(self._is_library, modules))
        facts.update(
            direct=isinstance(recorder, DirectRecorder),
            files=[
                {
                    **describe(file),
                    "elsewhere": sorted(
                        {*file.lines_of(recorder.elsewhere), *ran.get(file.path, ())}
                    ),
                }
                for file in self._sources.files
            ],
            modules=libraries,
            before=list(filter(self._before.__contains__, libraries)),
            aside=self._aside.raised,
            begun=not self._aside.waits,
            unprepared=self._unprepared,
            unseen=installed(each for each in recorder.unseen if not self._sources.wants(each)),
            done=sorted(self._guard.done),
            numbered=numbering.applied,
            hashed=numbering.used,
        )

    def _is_library(self, name: str) -> bool:
        spec = getattr(sys.modules[name], "__spec__", None)
        origin = getattr(spec, "origin", None)
        return origin in ("built-in", "frozen") or (
            isinstance(origin, str) and os.path.isabs(origin) and not self._sources.wants(origin)
        )


def cut_off(report: Report, entries: int, seconds: float) -> Noting:
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


def program_text(job: Job) -> bytes:
    """The source of the program itself, if it is known where that is."""
    try:
        with open(job["program"], "rb") as stream:
            return stream.read()
    except (OSError, TypeError):
        return b""


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
