"""The entry for experiments with the program: tests are run, with one place of it changed.

What is not changed is imported once (``subjects.py``); each request is one forked child, which
makes one change (``deltas.py``), runs the tests that it is told, and tells how they ended.  A
*cold* process forks before tests are collected, for changes of what is executed when they are.
"""

from __future__ import annotations

import ast
import builtins
import gc
import importlib.machinery
import os
import signal
import sys
import time
import warnings
from collections.abc import Callable, Iterator
from types import CodeType, FunctionType
from typing import Any

from ..compiling.scope_rules import scope
from ..mutants.deltas import REPLACE, Codes, Parsed, Replaced, key, pairs
from ..mutants.enumeration import offers
from ..mutants.source_edits import rewritten
from ..observing.spectra import Spectrum, Started
from ..observing.states import AtHand
from ..process import wire
from ..process.guard import Guard, allowed
from ..process.progress import started_by, waited_for_processor
from ..process.server import Server, threads
from ..recording.monitor import raised_in_ours
from ..recording.program import Program, leave
from ..recording.report import Report
from ..recording.thread_origins import origins
from ..snapshots import orders
from ..snapshots.attempts import PausedTest
from ..snapshots.fork_server import ForkPoints
from ..snapshots.restore import with_room
from ..values.subjects import Refused, Tests
from ..values.verdicts import FAILED
from .collection import Collecting, Stall
from .outcomes import Failure, Noted, Row, Seen, limit, uncollected
from .pytests import under_pytest
from .unittests import under_unittest

Job = dict[str, Any]
ERRORS = (SyntaxError, ValueError, RecursionError, TypeError)

_KINDS = 0x20 | 0x80 | 0x200
"""Flags of code objects of generators, coroutines, and generators that are asynchronous."""


def _put_code(function: FunctionType, code: CodeType) -> None:
    """Have a function run other code, also where it is no generator's any more.

    That is warned of; the program may have asked for warnings to be raised, but it is our doing.
    """
    if not (function.__code__.co_flags ^ code.co_flags) & _KINDS:
        function.__code__ = code
        return
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        function.__code__ = code


def main(source: int, sink: int) -> None:
    """Take the job from ``source``; then answer requests until the host is gone."""
    job = wire.begin(source, sink)
    sys.dont_write_bytecode = True
    laboratory = Laboratory(job, source, sink)
    try:
        if job["face"] == "program":
            with_room(laboratory.use_program)
        else:
            sys.path.insert(0, os.getcwd())
            face = under_pytest if job["face"] == "pytest" else under_unittest
            with_room(lambda: laboratory.collect(face))
    except Refused as error:
        laboratory.refuse("tests", str(error))
    except (SyntaxError, ValueError) as error:
        laboratory.refuse("syntax", str(error))
    os._exit(1)


class Laboratory:
    """The process that forks, and what happens in each child."""

    def __init__(self, job: Job, source: int, sink: int) -> None:
        self._job = job
        self._ends = source, sink
        self._wants = scope(job)
        self._files: dict[str, Parsed] = {}
        self._codes = Codes(self._files)
        self._fork_points = ForkPoints(source, sink)
        self._read(job["files"])
        self._functions: dict[tuple[str, tuple[str, int]], list[FunctionType]] = {}
        self._report = Report(sink)
        self._guard = Guard(
            job["within"], allowed(job), lambda what: self._report.stop("harmful", what)
        )
        self._guard.install()
        self._told: dict[str, Any] = {}
        self._spectrum: Spectrum | None = None
        self._before: set[str] = set()
        self._began = 0.0
        self._loaded: set[str] = set()
        self._request: dict[str, Any] | None = None
        self._stall: Stall | None = None
        self._collecting = Collecting(job["endless"], self._begin_collecting)
        self._hook()

    def _read(self, paths: list[str]) -> None:
        """Parse files, each once."""
        for path in paths:
            if path not in self._files:
                with open(path, "rb") as stream:
                    self._files[path] = Parsed(path, stream.read())

    def _hook(self) -> None:
        """Have imports of known files run the code that is at hand."""
        loader: Any = importlib.machinery.SourceFileLoader
        plain, at_hand = loader.get_code, self._imported

        def get_code(self: Any, fullname: str) -> Any:
            code = at_hand(self.get_filename(fullname))
            return plain(self, fullname) if code is None else code

        disguise: Any = get_code
        disguise.__code__ = get_code.__code__.replace(co_filename=plain.__code__.co_filename)
        loader.get_code = get_code

    def _imported(self, path: str) -> Any:
        """A file is about to be imported; its code, if it is at hand."""
        self._collecting.require(path)
        if self._wants(path):
            self._loaded.add(path)
        return self._codes.get(path)

    def refuse(self, kind: str, detail: str, **more: Any) -> None:
        """End, and tell why."""
        if self._request is not None:
            self._report.stop("refused", detail)
        wire.send(self._ends[1], {"end": "refused", "kind": kind, "detail": detail, **more})
        os._exit(1)

    # --- what is run

    def use_program(self) -> None:
        """Fork before the program begins."""
        job = self._job
        sources = AtHand(self._codes)
        program = Program(job["program"], job["module"], job["arguments"], sources, 0)  # type: ignore[arg-type]
        program.warm_up()
        program.prepare()
        self._import_ahead(job["modules"])
        request = self._serve()
        if "fork_point" in request:
            sys.argv[1:] = program.arguments = request["arguments"]
            self._stand(request, None)
        else:
            self._enter(request)
        if request["task"] == "offers":
            os._exit(0)
        self._before = set(sys.modules)
        if self._spectrum is not None:
            self._began = time.perf_counter() - waited_for_processor(os.getpid())
        self.begin()
        program.arguments = request["arguments"]
        sys.argv[1:] = request["arguments"]
        try:
            result = program.run(self._raised)
        finally:
            self._modules()
        leave(result, self._report.send, fast=True)

    def _import_ahead(self, modules: list[str]) -> None:
        """Import library modules that each run would import by itself."""
        for name in modules:
            try:
                __import__(name)
            except Exception:
                continue  # whoever imports it will see

    def collect(self, face: Callable[[list[str], Any, Collecting], None]) -> None:
        """Collect tests; a cold process forks before, as late as it can be."""
        job = self._job
        if job["cold"]:
            __import__(job["face"])
            if job["early"]:
                self._begin_cold()
        elif job["look"]:
            self._spectrum = spectrum = Spectrum(self._wants)
            self._stall = Stall(
                job["look"], self._collecting, lambda: spectrum.lines, self._wants,
                lambda facts: self.refuse("endless", **facts),
            )  # fmt: skip
            spectrum.begin()
            self._stall.begin()
        face(job["arguments"], self.use_tests, self._collecting)

    def _begin_collecting(self) -> None:
        """All is there that the runner of tests needs; of what is yet to be changed, nothing."""
        if self._job["cold"] and self._request is None:
            if threads() > 1:
                self.refuse("early", "plugins of the tests start threads")
            if self._loaded:
                self.refuse("early", "what is to be changed is imported before tests are collected")
            self._begin_cold()

    def _begin_cold(self) -> None:
        """Fork before tests are collected, for changes of what is executed when they are."""
        self._import_ahead(self._job["modules"])
        self._request = request = self._serve()
        self._before = set(sys.modules)
        self._collecting.only = request["only"]
        self._collecting.without = request["without"]
        self._enter(request)
        if request["task"] == "offers":
            os._exit(0)
        self.begin()

    def use_tests(self, tests: Tests) -> None:
        """Fork with all tests collected."""
        if self._request is not None:
            if self._request["task"] == "list":
                self._list(tests, self.end())
            else:
                self._run_tests(tests, self._request)
            os._exit(0)
        if self._job["cold"]:
            self.refuse("early", "a conftest.py fails before tests are collected")
        if self._stall is not None:
            self._stall.end()
        if threads() > 1:
            self.refuse("threads", ", ".join(origins()))
        self._import_ahead(self._job["modules"])
        imported = self.end()
        if self._spectrum is not None:
            self._spectrum.close()
            self._spectrum = None
        request = self._serve()
        if "fork_point" in request:
            self._go_ahead(tests, request)
        self._enter(request)
        if request["task"] == "list":
            self._list(tests, imported)
        elif request["task"] != "offers":
            self._before = set(sys.modules)
            self._run_tests(tests, request)
        os._exit(0)

    def _list(self, tests: Tests, imported: dict[str, list[int]]) -> None:
        """Tell which tests there are."""
        failed = [tuple(each) for each in tests.failed.values()]
        self._told |= {
            "names": tests.names, "files": tests.files, "imported": imported, "failed": failed
        }  # fmt: skip

    def _run_tests(self, tests: Tests, request: dict[str, Any]) -> None:
        results: list[Row] = []
        found: dict[str, tuple[int, int]] = {}
        self._told |= {"results": results, "found": found}
        failures: dict[str, Failure] | None = None
        if request["task"] == "look":
            failures = self._told["failures"] = {}
        noted = Noted(self, tests.names, results, request["stop"], failures=failures)
        known = {name: number for number, name in enumerate(tests.names)}
        try:
            for name in request["uncollected"]:
                if not noted.note(uncollected(tests, name, found)):
                    return
            numbers = []
            for name in request["tests"]:
                if name in known:
                    numbers.append(known[name])
                elif not noted.note((name, FAILED, 0.0, {}, "not collected")):
                    return
            if numbers:
                tests.run(numbers, noted)
        finally:
            self._modules()

    def _go_ahead(self, tests: Tests, request: dict[str, Any]) -> None:
        """Go to where a test is called; in each child that is forked there, run it."""
        started = Started(self._functions)
        number = tests.names.index(request["tests"][0])
        results = self._told["results"] = []
        self._guard.on = True
        tests.run(
            [number],
            Noted(self, tests.names, results, 1, timed=False),
            lambda: self._stand(request, started),
        )
        os._exit(0)

    def _stand(self, request: dict[str, Any], started: Started | None) -> None:
        """Become a fork point; returns in its children.  Ends it if it would not do."""
        late: Callable[[str, int, int], bool] | None = None
        if started is not None:
            self._guard.on = False
            if self._guard.dirty or threads() > 1 or started_by(os.getpid()):
                os._exit(0)  # what is forked here would begin with what must be undone
            before = set(self._functions)
            gc.unfreeze()
            started.generators()
            self._settle()
            started.end(self._functions.keys() - before)
            late = started.within

        known: dict[tuple[str, int], bool] = {}

        def prepare(request: dict[str, Any]) -> Iterator[Replaced | dict[str, Any] | None]:
            deltas = [tuple(each) for each in request["deltas"]]

            def there(delta: Any) -> bool:
                if late is None:
                    return True
                place = delta[:2]
                if place not in known:
                    known[place] = not late(delta[0], *self._files[delta[0]].span(delta[1]))
                return known[place]

            here = [each if there(each) else None for each in deltas]
            changes = (None if each is None else self._compiled(each) for each in here)
            # Compiled together: between two forks, each page that is written to costs a copy.
            made = list(changes) if request["apart"] else changes
            for number, change in enumerate(made):
                request["left"] = len(here) - number
                yield change

        report = self._report
        report.process, report.before = -1, self._finish
        report.install()
        if "input" in request:
            self._take(request["input"])
        paused = PausedTest(
            request, *self._ends, self._job["orphans"], prepare,
            lambda change: orders.written(change, self._files),
        )  # fmt: skip
        self._request = request = paused.stand()
        report.sink, report.process = request["sink"], os.getpid()
        if "after" in request:
            report.after = request["after"]
        try:
            self._begin_run(request)
        except Exception as error:  # the runner of the tests would take it for the test's
            if not raised_in_ours(error):
                raise
            report.fault(error)

    def _begin_run(self, request: dict[str, Any]) -> None:
        """Put in what a fork point's child, or its worker, is to try."""
        self._guard.on = True
        if "input" in request and "after" not in request:
            self._take(request["input"])  # where it stands in it is its own affair
        worker = "order" in request
        self._make(orders.read(request["order"], self._files) if worker else request["run"])
        if not worker:  # one is stopped from outside
            signal.setitimer(signal.ITIMER_PROF, request["fuel"])

    def _make(self, change: Replaced) -> None:
        """Have functions run their new code, and imports find it."""
        path, old, new = change
        self._codes.late[path] = old, new
        if old is not self._files[path].code:
            for before, after in pairs(old, new):
                for each in self._functions.get((path, key(before)), ()):
                    _put_code(each, after)

    def _compiled(self, delta: Any) -> Replaced | dict[str, Any]:
        """What a change is to functions; or why it is no program."""
        path, *what = delta
        try:
            return (path, *self._files[path].changed(*what))
        except ERRORS as error:
            why = f"{type(error).__name__}: {error}"
            return {"end": "refused", "detail": why, "status": 0, "dirty": False}

    def _serve(self) -> dict[str, Any]:
        self._guard.settle()
        self._settle()
        orphans, fork_points = self._job["orphans"], self._fork_points
        return Server(*self._ends, orphans, ahead=self._learn, fork_points=fork_points).serve()

    def _learn(self, news: dict[str, list[str]]) -> None:
        """What is to be changed was not known when we began."""
        self._fork_points.end_all()
        self._read(news["files"])
        self._import_ahead(news["modules"])
        gc.unfreeze()
        self._settle()

    def _settle(self) -> None:
        """Find the functions that a change may be of; then nothing is touched in children."""
        gc.collect()
        self._functions.clear()
        for each in gc.get_objects():
            if type(each) is FunctionType and each.__code__.co_filename in self._files:
                place = each.__code__.co_filename, key(each.__code__)
                self._functions.setdefault(place, []).append(each)
        gc.freeze()

    # --- in a child

    def _enter(self, request: dict[str, Any]) -> None:
        """Prepare a child for what it is to do."""
        report, guard = self._report, self._guard
        report.sink, report.process = request["sink"], os.getpid()
        report.before = self._finish
        report.install()
        guard.on = True
        try:
            self._prepare(request)
        except ERRORS as error:
            report.stop("refused", f"{type(error).__name__}: {error}")
        except Exception as error:
            if not raised_in_ours(error):
                raise
            report.fault(error)

    def _prepare(self, request: dict[str, Any]) -> None:
        task = request["task"]
        if "input" in request:
            self._take(request["input"])
        if task == "offers":
            values = request["values"]
            self._told["offers"] = [
                (path, [*map(tuple, offers(self._files[path], set(lines), values, set(wanted)))])
                for path, (lines, wanted) in request["lines"].items()
            ]
        elif task == "list" and self._job["cold"]:
            self._spectrum = Spectrum(self._wants)
        elif task == "look":
            self._spectrum = Spectrum(self._wants, request["values"])
            limit(request["wait"], request["patience"], self._late)
        elif task in ("try", "show"):
            self._put(*request["delta"], show=task == "show", old=request.get("old", False))
        if "fuel" in request:
            signal.setitimer(signal.ITIMER_PROF, request["fuel"])
        if "alarms" in request:
            request["alarms"].install()

    def _take(self, path: str) -> None:
        """Have a file for standard input."""
        stdin = os.open(path, os.O_RDONLY)
        os.dup2(stdin, 0)
        os.close(stdin)

    def _put(self, path: str, number: int, how: str, text: str, *, show: bool, old: bool) -> None:
        file = self._files[path]
        node: Any = file.nodes[number]
        if show:
            self._told["text"] = rewritten(file, number, how, text)
            if isinstance(node, ast.expr) and how == REPLACE:
                seen = self._told["seen"] = []
                name = "__stripe_seen__"
                setattr(builtins, name, Seen(seen))
                text = f"{name}({ast.unparse(node) if old else text})"
            elif old:
                return
        self._make((path, *file.changed(number, how, text)))

    def _late(self, starved: bool) -> None:
        """The time for a look is over."""
        self._told["starved"] = starved
        self._report.stop("timeout", "")

    def begin(self) -> None:
        """A test begins."""
        if self._spectrum is not None:
            self._spectrum.begin()

    def end(self) -> dict[str, list[int]]:
        """A test has ended; the lines it executed."""
        return {} if self._spectrum is None else self._spectrum.end()

    def _raised(self, facts: dict[str, Any]) -> None:
        """Nothing that a program does after an uncaught exception makes it right."""
        self._report.exception(facts)
        self._modules()
        os._exit(1)

    def _modules(self) -> None:
        """Which library modules are imported by a run: they can be imported ahead of it."""
        if self._spectrum is None:
            return
        found = []
        for name in list(sys.modules):
            spec = getattr(sys.modules[name], "__spec__", None)
            origin = getattr(spec, "origin", None)
            if name not in self._before and (
                origin in ("built-in", "frozen")
                or (isinstance(origin, str) and os.path.isabs(origin) and not self._wants(origin))
            ):
                found.append(name)
        self._told["modules"] = found

    def _finish(self) -> None:
        if self._request is None or "order" not in self._request:
            signal.setitimer(signal.ITIMER_PROF, 0)
        self._guard.on = False
        if self._spectrum is not None:
            if self._began:  # a program: all but what is done for each fork
                now = time.perf_counter() - waited_for_processor(os.getpid())
                self._told["seconds"] = max(0.0, now - self._began)
            self._told["lines"] = self._spectrum.end()
            self._told["values"] = self._spectrum.values
        self._report.facts.update(
            dirty=self._guard.dirty, alone=self._guard.alone(), told=self._told
        )
