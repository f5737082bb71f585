"""The entry for experiments with the program: tests are run, with one place of it changed.

What is not changed is imported once (``faces.py``); each request is one forked child, which makes
one change (``deltas.py``), runs the tests that it is told, and tells how they ended.
"""

from __future__ import annotations

import ast
import builtins
import gc
import importlib.machinery
import os
import signal
import sys
from collections.abc import Callable, Iterator
from types import FunctionType
from typing import Any

from . import wire
from .deltas import REPLACE, Codes, Parsed, Replaced, key, pairs
from .faces import PASSED, Refused, Tests, under_pytest, under_unittest
from .guard import Guard
from .main import Report, allowed, scope
from .offers import offers
from .outposts import Outposts, stand
from .passengers import Sharing, Task, Watcher, share
from .program import Program, leave
from .progress import started_by
from .rewriting import rewritten
from .server import serve, threads, waited_for_processor
from .spectra import Spectrum, Started
from .states import Plain

Job = dict[str, Any]
ERRORS = (SyntaxError, ValueError, RecursionError, TypeError)
LONGEST = 80
MOST_SEEN = 3
PATIENCE = 4
"""Times a run is waited for while others have the processor."""


def main(source: int, sink: int) -> None:
    """Take the job from ``source``; then answer requests until the host is gone."""
    job = wire.begin(source, sink)
    sys.dont_write_bytecode = True
    laboratory = Laboratory(job, source, sink)
    try:
        if job["face"] == "program":
            laboratory.use_program()
        else:
            sys.path.insert(0, os.getcwd())
            face = under_pytest if job["face"] == "pytest" else under_unittest
            if job["cold"]:
                laboratory.begin_cold()
            elif not job["files"]:
                laboratory.look_at_imports()
            face(job["arguments"], laboratory.use_tests)
    except Refused as error:
        wire.send(sink, {"end": "refused", "kind": "tests", "detail": str(error)})
    except (SyntaxError, ValueError) as error:
        wire.send(sink, {"end": "refused", "kind": "syntax", "detail": str(error)})
    os._exit(1)


class Laboratory:
    """The process that forks, and what happens in each child."""

    def __init__(self, job: Job, source: int, sink: int) -> None:
        self._job = job
        self._ends = source, sink
        self._wants = scope(job)
        self._files: dict[str, Parsed] = {}
        self._codes = Codes(self._files)
        self._outposts = Outposts(source, sink)
        self._read(job["files"])
        self._functions: dict[tuple[str, tuple[str, int]], list[FunctionType]] = {}
        self._report = Report(sink)
        self._guard = Guard(
            job["within"], allowed(job), lambda what: self._report.stop("harmful", what)
        )
        self._guard.install()
        self._told: dict[str, Any] = {}
        self._spectrum: Spectrum | None = None
        self._watcher: Watcher | None = None
        self._before: set[str] = set()
        self._request: dict[str, Any] | None = None
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
        plain, codes = loader.get_code, self._codes

        def get_code(self: Any, fullname: str) -> Any:
            code = codes.get(self.get_filename(fullname))
            return plain(self, fullname) if code is None else code

        disguise: Any = get_code
        disguise.__code__ = get_code.__code__.replace(co_filename=plain.__code__.co_filename)
        loader.get_code = get_code

    # --- what is run

    def use_program(self) -> None:
        """Fork before the program begins."""
        job = self._job
        sources = _Sources(self._codes)
        program = Program(job["program"], job["module"], job["arguments"], sources, 0)  # type: ignore[arg-type]
        program.warm_up()
        program.prepare()
        self._import_ahead(job["modules"])
        request = self._serve()
        if "outpost" in request:
            sys.argv[1:] = program.arguments = request["arguments"]
            self._stand(request, None)
        else:
            self._enter(request)
        if request["task"] == "offers":
            os._exit(0)
        self._before = set(sys.modules)
        self.begin()
        program.arguments = request["arguments"]
        sys.argv[1:] = request["arguments"]
        try:
            result = program.run(self._raised)
        finally:
            self._modules()
        leave(result, fast=True)

    def _import_ahead(self, modules: list[str]) -> None:
        """Import library modules that each run would import by itself."""
        for name in modules:
            try:
                __import__(name)
            except Exception:
                continue  # whoever imports it will see

    def look_at_imports(self) -> None:
        """See which lines are executed while tests are collected."""
        self._spectrum = Spectrum(self._wants)
        self._spectrum.begin()

    def begin_cold(self) -> None:
        """Fork before tests are collected, for changes of what is executed when they are."""
        __import__(self._job["face"])
        self._request = self._serve()
        self._enter(self._request)

    def use_tests(self, tests: Tests) -> None:
        """Fork with all tests collected."""
        if self._request is not None:
            self._run_tests(tests, self._request)
            os._exit(0)
        if threads() > 1:
            raise Refused(
                "importing them starts threads, and what has threads cannot be forked safely"
            )
        self._import_ahead(self._job["modules"])
        imported = self.end()
        if self._spectrum is not None:
            self._spectrum.close()
            self._spectrum = None
        request = self._serve()
        if "outpost" in request:
            self._go_ahead(tests, request)
        self._enter(request)
        if request["task"] == "list":
            self._told |= {"names": tests.names, "files": tests.files, "imported": imported}
        elif request["task"] != "offers":
            self._run_tests(tests, request)
        os._exit(0)

    def _run_tests(self, tests: Tests, request: dict[str, Any]) -> None:
        results = self._told["results"] = []
        self._before = set(sys.modules)
        numbers = [tests.names.index(name) for name in request["tests"]]
        try:
            tests.run(numbers, _Outcomes(self, tests.names, results, request["stop"]))
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
            _Outcomes(self, tests.names, results, 1),
            lambda: self._stand(request, started),
        )
        os._exit(0)

    def _stand(self, request: dict[str, Any], started: Started | None) -> None:
        """Become an outpost; returns in its children.  Ends it if it would not do."""
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

        sharing = Sharing(self._files)

        def prepare(request: dict[str, Any]) -> Iterator[Task | dict[str, Any] | None]:
            deltas = [tuple(each) for each in request["deltas"]]
            coming = [tuple(each) for each in request["coming"]]

            def there(delta: Any) -> bool:
                return late is None or not late(delta[0], *self._files[delta[0]].span(delta[1]))

            here = [each for each in deltas if there(each)]
            yield from sharing.firsts(here, [each for each in coming if there(each)])
            # Compiled together: between two forks, each page that is written to costs a copy.
            made = [_compiled(sharing, each) if each in here else None for each in deltas]
            for delta, task in zip(deltas, made, strict=True):
                known = sharing.decided(delta)
                yield task if known is None else share(known)

        report = self._report
        report.process, report.before = -1, self._finish
        report.install()
        self._request = request = stand(request, *self._ends, self._job["orphans"], prepare)
        report.sink, report.process = request["sink"], os.getpid()
        self._guard.on = True
        if "input" in request:
            self._take(request["input"])
        run: Task = request["run"]
        self._make(run.change)
        if run.watcher is not None:
            self._watcher = run.watcher
            run.watcher.install()
        more = 0.0 if run.watcher is None else run.watcher.seconds
        signal.setitimer(signal.ITIMER_PROF, request["fuel"] + more)

    def _make(self, change: Replaced) -> None:
        """Have functions run their new code, and imports find it."""
        path, old, new = change
        self._codes.late[path] = old, new
        if old is not self._files[path].code:
            for before, after in pairs(old, new):
                for each in self._functions.get((path, key(before)), ()):
                    each.__code__ = after

    def _serve(self) -> dict[str, Any]:
        self._guard.settle()
        self._settle()
        return serve(*self._ends, self._job["orphans"], ahead=self._learn, outposts=self._outposts)

    def _learn(self, news: dict[str, list[str]]) -> None:
        """What is to be changed was not known when we began."""
        self._outposts.end_all()
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

    def _prepare(self, request: dict[str, Any]) -> None:
        task = request["task"]
        if "input" in request:
            self._take(request["input"])
        if task == "offers":
            values = request["values"]
            self._told["offers"] = [
                (path, [tuple(each) for each in offers(self._files[path], set(lines), values)])
                for path, lines in request["lines"].items()
            ]
        elif task == "look":
            self._spectrum = Spectrum(self._wants, request["values"])
            self._limit(request["wait"])
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
                setattr(builtins, name, _Seen(seen))
                text = f"{name}({ast.unparse(node) if old else text})"
            elif old:
                return
        self._make((path, *file.changed(number, how, text)))

    def _limit(self, seconds: float) -> None:
        """End after so many seconds of a processor; or of waiting, but not for a processor."""
        patience = PATIENCE

        def waited(*_: Any) -> None:
            nonlocal patience
            patience -= 1
            starved = waited_for_processor(os.getpid()) > seconds / 2
            if starved and patience:
                signal.setitimer(signal.ITIMER_REAL, 2 * seconds)
                return
            self._told["starved"] = starved
            self._report.stop("timeout", "")

        signal.signal(signal.SIGPROF, lambda *_: self._report.stop("timeout", ""))
        signal.signal(signal.SIGALRM, waited)
        signal.setitimer(signal.ITIMER_PROF, seconds)
        signal.setitimer(signal.ITIMER_REAL, 2 * seconds)

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
        signal.setitimer(signal.ITIMER_PROF, 0)
        self._guard.on = False
        if self._spectrum is not None:
            self._told["lines"] = self._spectrum.end()
            self._told["values"] = self._spectrum.values
        if self._watcher is not None:
            self._told |= self._watcher.told()
        self._report.facts.update(
            dirty=self._guard.dirty, alone=self._guard.alone(), told=self._told
        )


def _compiled(sharing: Sharing, delta: Any) -> Task | dict[str, Any]:
    """The run that a change takes; or what is known of it."""
    if (known := sharing.decided(delta)) is not None:
        return known
    try:
        return sharing.task(delta)
    except ERRORS as error:
        why = f"{type(error).__name__}: {error}"
        return {"end": "refused", "detail": why, "status": 0, "dirty": False}


class _Outcomes:
    """Takes down how tests end."""

    def __init__(
        self, laboratory: Laboratory, names: list[str], results: list[Any], stop: int
    ) -> None:
        self._laboratory = laboratory
        self._names = names
        self._results = results
        self._left = stop  # so many may fail
        self._waited = 0.0

    def begin(self, number: int) -> None:
        self._waited = waited_for_processor(os.getpid())
        self._laboratory.begin()

    def end(self, number: int, outcome: str, seconds: float, why: str = "") -> bool:
        # That others had the processor says nothing of how long a test takes.
        seconds = max(0.0, seconds + self._waited - waited_for_processor(os.getpid()))
        lines = self._laboratory.end()
        self._results.append((self._names[number], outcome, seconds, lines, why))
        self._left -= outcome != PASSED
        return self._left > 0


class _Seen:
    """Takes down the first values of an expression."""

    def __init__(self, told: list[str]) -> None:
        self._told = told

    def __call__(self, value: Any) -> Any:
        if len(self._told) < MOST_SEEN:
            try:
                text = repr(value)
            except Exception as error:
                text = f"<repr() raised {type(error).__name__}>"
            self._told.append(text if len(text) <= LONGEST else f"{text[: LONGEST - 3]}...")
        return value


class _Sources(Plain):
    """The program's own file may be at hand."""

    def __init__(self, codes: Codes) -> None:
        super().__init__()
        self._codes = codes

    def main(self, path: str) -> Any:
        """The code of the program."""
        code = self._codes.get(path)
        return super().main(path) if code is None else code
