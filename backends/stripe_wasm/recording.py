"""A recorded run in WebAssembly, and its replays: each from the same state of one interpreter.

That state is the interpreter's whole memory and its files (``docs/playground/interpreter.js``), so
there is one way to replay, and it is as good as a fresh process: what a run has changed is gone
when the next one begins.  There are no processes, no threads and no signals.
"""

from __future__ import annotations

import contextlib
import marshal
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, Protocol

from stripe.backend import (
    Differences,
    End,
    Observation,
    Probe,
    Target,
    UncaughtException,
    Values,
)
from stripe.errors import NotReducible
from stripe.kit.engines import Facts
from stripe.kit.runs import without_addresses
from stripe.kit.served import require_no_fault
from stripe.run_equality import difference, require_agreement
from stripe.sandbox.walls import Layer
from stripe.trace import SourceFile, Trace
from stripe_pytrace.activations import left_by_what_ended
from stripe_pytrace.agent.process import wire
from stripe_pytrace.agent.replaying import modes
from stripe_pytrace.kept_marks import all_marked, marked
from stripe_pytrace.log_files import StoredLog
from stripe_pytrace.paths import LogReader
from stripe_pytrace.refusals import (
    raised_elsewhere,
    require_events,
    require_own_end,
    require_recording,
)
from stripe_pytrace.value_comparison import Comparison
from stripe_pytrace.watched_values import failed_at, watched_values
from stripe_wasm.guest import FACTS, FOLDER, JOB, STDERR, STDIN, STDOUT

MOST_ENTRIES = 400_000
"""Entries of the log after which a recording is cut off."""

MOST_SECONDS = 20.0
"""Seconds after which it is."""

APART = (
    "There are no processes here: each replay, also the one that is called fresh, begins with the "
    "same memory of one interpreter."
)
"""A note."""

LOG, TABLES = f"{FOLDER}/log", f"{FOLDER}/tables"

ENDS = {"diverged": End.DIVERGED, "cut": End.CUT}


class Page(Protocol):
    """Runs a job in the other interpreter, given files by their paths.

    The answer has ``files`` that were made or changed, and either ``status`` or, where the
    interpreter itself ended, ``broken``: how.
    """

    def __call__(self, files: Mapping[str, bytes]) -> Mapping[str, Any]: ...


class WasmRecording:
    """A recorded run; see :class:`stripe.backend.Recording`."""

    _outermost: int | None = None
    _tables: bytes = b""
    _numbered = True

    trace: Trace
    plain: Observation
    recorded: Observation

    def __init__(self, page: Page, target: Target, probes: Sequence[Probe], version: str) -> None:
        self._page, self._target, self._probes = page, target, list(probes)
        self.interpreter = version
        self.layer = Layer.NONE
        self.notes: Sequence[str] = ()
        self._files = {
            str(path): path.read_bytes()
            for path in sorted(target.directory.rglob("*"))
            if path.is_file()
        }
        self._deep = False
        self._comparison = Comparison(self._compared)
        self._record()

    # -- recording

    def _record(self) -> None:
        deadline = self._target.deadline
        # Before the plain run, which nobody could end.
        deadline.start_phase("recording the program")
        facts = self._recorded_facts()
        deadline.start_phase("running the program")
        plain = self._run(mode="plain")
        self.plain, changed = self._observe(plain), plain["changed"]
        require_own_end(self.plain)
        self.recorded = self._observe(facts)
        if changed != facts["changed"] or difference(self.plain, self.recorded) is not None:
            self._disagree("recorded", self.recorded)
        deadline.start_phase("reading what was recorded")
        self._read(facts)
        deadline.start_phase(f"replaying all {len(self.trace)} events")
        with self.replay(range(len(self.trace))) as full:
            if difference(self.plain, full) is not None:
                self._disagree("fully replayed", full)
        exception = full.exception and full.exception.but_as(self.recorded.exception)
        self.recorded = replace(self.recorded, exception=exception)
        raiser = exception.event if exception else None
        self._outermost = left_by_what_ended(self.trace, self._left_by, raiser)
        notes = [APART]
        if changed:
            notes.append(f"The program writes files: {', '.join(sorted(changed))}.")
        self.notes = notes

    def _recorded_facts(self) -> Facts:
        while (facts := self._run(mode="record", direct=False))["end"] == "recursion":
            if self._deep:
                break
            self._deep = True
        if facts["end"] == "threads":
            raise NotReducible(
                "needs-processes",
                "The program starts threads, which there are none of in WebAssembly.",
                "Install STRIPE, and trace it there.",
            )
        if facts["end"] == "cut":
            raise NotReducible(
                "too-long-here",
                f"The program did not end within {MOST_ENTRIES} steps or {MOST_SECONDS:.0f} s.",
                "Does it end? Make it do less, or install STRIPE, which records millions of steps.",
            )
        require_recording(facts, any(each.startswith(LOG) for each in facts["files"]), MOST_SECONDS)
        return facts

    def _read(self, facts: Facts) -> None:
        """Make the trace, and the tables for replays."""
        log, tables = Path(LOG), Path(TABLES)
        log.mkdir(parents=True, exist_ok=True)
        for path, content in facts["files"].items():
            if path.startswith(LOG):
                Path(path).write_bytes(content)
        described = facts["files_described"]
        with StoredLog(log) as stored:
            reader = LogReader(stored, described, self._target.deadline.check)
            reader.write_tables(tables)
        self._tables = tables.read_bytes()
        self.trace, self._left_by = reader.trace, reader.left_by
        passed = reader.passed_aside()
        self.trace.narrow()
        paths = [self._relative(each["path"]) for each in described]
        self.trace.files = [
            SourceFile(path, file["text"], tuple(sorted({*file["elsewhere"], *lines})))
            for path, file, lines in zip(paths, described, passed, strict=True)
        ]
        require_events(len(self.trace), self.plain, paths, [])
        self._sources = [(each["path"], each["source"], each["aside"], None) for each in described]
        self._numbered = bool(facts.get("numbered"))

    def _disagree(self, what: str, run: Observation) -> None:
        again = self._observe(self._run(mode="plain"))
        require_agreement(what, self.plain, run, again, fixed="Hash order is")

    # -- replaying

    @contextlib.contextmanager
    def replay(
        self, events: Sequence[int], *, strict: bool = False, fresh: bool = False
    ) -> Iterator[Observation]:
        """See :class:`stripe.backend.Recording`; each replay is like one in a fresh process."""
        yield self._observe(self._replayed(events, strict))

    @contextlib.contextmanager
    def rehearse(self, *, strict: bool = False) -> Iterator[Observation]:
        """See :class:`stripe.backend.Rehearsing`."""
        events = range(len(self.trace))
        yield self._observe(self._replayed(events, strict, about=all_marked(len(events))))

    @contextlib.contextmanager
    def watch(
        self, events: Sequence[int], *, strict: bool = False
    ) -> Iterator[tuple[Observation, Values]]:
        """See :class:`stripe.backend.Watching`."""
        facts = self._replayed(events, strict, looks="show")
        yield self._observe(facts), watched_values(facts, self.trace, without_addresses)

    def differences(
        self, events: Sequence[int], *, strict: bool = False, fresh: bool = False
    ) -> Differences:
        """See :class:`stripe.backend.Comparing`."""
        everything = range(len(self.trace))
        return self._comparison.differences(events, everything, strict=strict, fresh=fresh)

    def _compared(
        self, events: Sequence[int], about: Mapping[str, Any], strict: bool, fresh: bool
    ) -> tuple[Facts, Callable[[str], str]]:
        facts = self._replayed(events, strict, looks="compare", about=about)
        facts["different"] = difference(self.plain, self._observe(facts))
        return facts, without_addresses

    def _replayed(
        self,
        events: Sequence[int],
        strict: bool,
        *,
        looks: str = "",
        about: Mapping[str, Any] | None = None,
    ) -> Facts:
        request = {
            **marked(events, len(self.trace)),
            **(about or {}),
            "fast": True,
        }
        if self._outermost is not None:
            request["outermost"] = self._outermost
        needed = {modes.DEEP: self._deep, modes.STRICT: strict, modes.LOOKING: bool(looks)}
        return self._run(
            mode="once",
            modes=[name for name, holds in needed.items() if holds],
            direct=False,
            numbered=self._numbered,
            looks=looks,
            failed=failed_at(self.trace, self.recorded) if looks == "show" else None,
            tables=TABLES,
            last=None,
            decisions=False,
            modules=[],
            files=self._sources,
            request=request,
        )

    # -- runs

    def _run(self, **job: Any) -> Facts:
        """Do a job; what is told of it, with what it wrote, and which files it changed."""
        target = self._target
        program = str(target.directory / target.program)
        whole = {
            "program": target.program,
            "module": False,
            "arguments": list(target.arguments),
            "directory": str(target.directory),
            "scope": {
                "projects": [str(target.directory)], "libraries": [], "program": program,
                "relocated": [], "include": [], "only": [], "exclude": [],
            },
            "whole": list(target.whole),
            "probes": [(probe.file, probe.line, probe.name) for probe in self._probes],
            "within": [str(target.directory)],
            "log": LOG,
            "once": False,
            "threads": False,
            "deep": self._deep,
            "numbered": self._numbered,
            "opened": True,
            "late": False,
            "allowed": None,
            "cut": (MOST_ENTRIES, MOST_SECONDS) if job["mode"] == "record" else None,
            "largest": 1 << 30,
            "spill": 0,
            **job,
        }  # fmt: skip
        given = {**self._files, JOB: marshal.dumps(whole), STDIN: target.stdin}
        if self._tables:
            given[TABLES] = self._tables
        answer = self._page(given)
        return self._facts(answer, plain=job["mode"] == "plain")

    def _facts(self, answer: Mapping[str, Any], *, plain: bool) -> Facts:
        files: Mapping[str, bytes] = answer["files"]
        told = wire.parse(files.get(FACTS, b""))
        broken = answer.get("broken")
        if broken is not None and (plain or not self._tables):
            raise NotReducible(
                "interpreter-ended",
                f"The program ended the interpreter itself: {broken}.",
                "Install STRIPE, and trace it there: a process of its own may end so.",
            )
        # A plain run tells nothing where it ends itself behind our back; no other may.
        facts: Facts = dict(told or {"end": "exited" if plain else "broken"})
        require_no_fault(facts)
        if "files" in facts:
            facts["files_described"] = facts.pop("files")
        folder = f"{self._target.directory}/"
        facts.update(
            status=answer.get("status", 0),
            detail=facts.get("detail") or broken or "",
            stdout=files.get(STDOUT, b""),
            stderr=files.get(STDERR, b""),
            files=files,
            changed={
                path.removeprefix(folder): content
                for path, content in files.items()
                if path.startswith(folder)
            },
        )
        return facts

    def _observe(self, facts: Facts) -> Observation:
        end = ENDS.get(facts["end"], End.EXITED if facts["end"] == "exited" else End.DIVERGED)
        return Observation(
            end,
            facts["status"],
            facts["stdout"],
            facts["stderr"],
            self._target.directory,
            self._exception(facts.get("exception")),
            {
                self._probes[which]: without_addresses(value)
                for which, value in facts.get("values", {}).items()
            },
            facts["detail"],
        )

    def _exception(self, raised: Mapping[str, Any] | None) -> UncaughtException | None:
        if raised is None:
            return None
        message, *operands = map(without_addresses, (raised["message"], *raised["operands"]))
        return UncaughtException(
            raised["type"],
            message,
            self._relative(raised["file"]),
            raised["line"],
            raised["node"],
            raised["event"],
            tuple(operands),
            raised_elsewhere(raised),
        )

    def _relative(self, path: str) -> str:
        return path.removeprefix(f"{self._target.directory}/")

    def cancel(self, events: Sequence[int]) -> None:
        """Nothing: one replay is made at a time."""

    def close(self) -> None:
        """Nothing is left of it."""
