"""A recorded run, and its replays."""

from __future__ import annotations

import contextlib
import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cache, partial
from typing import Any

from stripe.backend import Differences, Observation, Target, Uses, Values, cut_by_hand
from stripe.kit.engines import Facts
from stripe.kit.limits import SLOWER, replay_output, replay_seconds
from stripe.kit.recording import THREADS, SlotRecording
from stripe.kit.runs import home
from stripe.kit.slots import Use
from stripe.run_equality import difference, ensure_in_time
from stripe.sandbox.walls import Layer, no_sandbox
from stripe.trace import SourceFile
from stripe.trace.infinite_loops import no_loop
from stripe.trace.window import parse_window
from stripe_pytrace.activations import left_by_what_ended
from stripe_pytrace.acts import describe_acts
from stripe_pytrace.agent.process.guard import BEGINS, CALLS
from stripe_pytrace.agent.replaying import modes
from stripe_pytrace.decisions import decision_log
from stripe_pytrace.endings import SERVER_ENDED
from stripe_pytrace.host import AgentProcess
from stripe_pytrace.kept_marks import all_marked, marked
from stripe_pytrace.log_files import StoredLog
from stripe_pytrace.paths import BegunAsideError, LogReader
from stripe_pytrace.refusals import (
    free_threads,
    live_threads,
    needs_outside,
    not_looked_into,
    order_of_addresses,
    require_events,
    require_memory,
    require_modules,
    require_no_given_port,
    require_no_network,
    require_own_end,
    require_recording,
    require_whole,
)
from stripe_pytrace.runner import BUSY, Runner
from stripe_pytrace.value_comparison import Comparison
from stripe_pytrace.watched_values import failed_at, watched_values

SHORTEST_PROCESSOR = 0.5  # a busy machine can halt everything, but not what it uses then
SOONER = 6  # times that a direct recording of a program that calls a lot ends, at most
AGAIN = 3  # times as long as the replay of everything another one may take
ATTEMPTS = 2  # to stand at the first event: one may have been cancelled
LOOK_SECONDS = 0.001  # that looking at one event may take besides: it took a fifth of that
AT_FIRST = 2  # replays of a server that begin at the beginning, whatever is to come
HARMLESS = (("start", "threads"),)
"""What a program may do where there is no sandbox."""

TELLING = re.compile(
    rb"\b(?:gc|getppid|ppid|psutil|monitoring|rusage|getrusage|(?:process|thread)_time(?:_ns)?|"
    rb"clock_gettime(?:_ns)?)\b|\bos\.times\b|/proc/self\b|/dev/fd\b"
)
"""Names of what tells a fork, in which the program's first event is still to come, from a process
that began by itself: nothing has been made, opened or begun by then, but its parent is another one,
what libraries made is not collected, and it has used a processor for other runs; and what a process
that is put back may read of itself."""

TELLING_LINKS = re.compile(rb"\bst_nlink\b")
"""What tells that a file that is open has another name, by which it can be put back."""

WORTH_FORKS = 4
"""Replays of a fork point, from which on it was worth being made."""

TELLING_LATER = re.compile(rb"\bgetpid\b")
"""What tells it as well where imports of the user's code have run by then."""

IMPORT = re.compile(rb"\s*import \w+\s*$")
"""A line that tells nothing: other lines do, which name what it imports."""

Which = tuple[int, bool, str]
"""The server that replays: by slot, whether predicates have a say, and what it looks at."""


def direct_first(target: Target) -> bool:
    """Whether to try to have the program itself note where it is."""
    return not (target.live or target.window)


class PythonRecording(SlotRecording[Runner, Which, AgentProcess]):
    """A recorded Python run; see :class:`stripe.backend.Recording`.

    ``why`` there is no better layer than the workspace's; ``notes`` there are before the run.
    """

    FIXED = "Hash order is"

    direct: bool
    """Whether the program itself noted where it was (``agent/recording/direct.py``)."""

    _modules: list[str]
    """Libraries that are imported before replays begin."""

    _before: list[str]
    """Those of them that the program imports before the first module of the user's."""

    def __init__(self, runner: Runner, why: str = "", notes: Sequence[str] = ()) -> None:
        super().__init__(runner)
        self.interpreter = str(runner.interpreter)
        self._early_notes = notes
        self._why = why
        self._tables = self._workspace.root / "tables"
        self._comparison = Comparison(self._compared)
        self._decisions = decision_log(lambda event: self.trace.name(event))
        self._used, self._missed = Counter[str](), Counter[str]()
        self._replays: dict[Which, int] = {}
        self._tells_forks: bool | None = None  # whether a fork may differ; None: not known yet
        self._failed: dict[Which, int] = {}  # attempts to stand at the first event
        self._forked: Counter[Which] = Counter()  # replays of the process that stands there
        self._thorough: set[Which] = set()  # where it can put back all small files of a run
        self._threads = self._deep = self._hashed = False
        self._fast = True  # see ``_calibrate``
        self._same: bool | None = None  # see ``_repeats``
        self.direct = direct_first(runner.target)
        self._last: int | None = None  # the event where the run was cut off
        self._left_by: bytes = b""  # see ``LogReader``
        self._outermost: int | None = None  # see ``RecordedPaths`` of the agent
        self._numbered = True
        # What is imported from outside the project is seen; live, there is no second recording.
        self._opened = runner.target.live
        self._unread: Facts | None = None  # what was told of a run that is refused
        self._window = parse_window(runner.target.window) if runner.target.window else None
        self._log = home(self._workspace.slot(self._recorded_in)) / "log"
        with self._ending_if_refused():
            self._record()

    # -- recording

    def _record(self, *, witness: bool = True) -> None:
        runner, target = self._runner, self._runner.target
        notes = [*self._early_notes, *self._workspace.notes]
        guarded = self.layer is Layer.NONE and not target.unsafe
        if guarded:
            # Before the plain run, which nobody would stop, and which finds nothing of it.
            self._require_harmless(self._run_recorded(allowed=HARMLESS))
            self._workspace.restore(self._recorded_in)
        changed: list[str] = []
        if not target.live:
            target.deadline.start_phase("running the program")
            with cut_by_hand(target.interruptible):
                changed = self._run_plainly(witness=witness)
            require_own_end(self.plain)
        target.deadline.start_phase("recording the program")
        self._slots.warm(range(1, target.jobs), runner.warm)  # for tests that run ahead
        with cut_by_hand(target.interruptible and not target.live):
            facts = self._run_recorded()
        if self._threads:
            notes.append(THREADS)
        self.recorded = runner.observe(self._recorded_in, facts)
        if target.live:
            self._take_as_plain()
            require_own_end(self.plain)
        written = "files" in facts and len(StoredLog(self._log)) > 0
        require_recording(facts, written, runner.timeout)
        notes += not_looked_into(facts.get("unseen", {}))
        notes += require_modules(self.recorded.exception, runner.interpreter, runner.projects)
        unlike = not target.live and self._is_unlike(changed)
        self._hashed |= bool(facts.get("hashed"))
        self._done = facts.get("done", ())
        self._place = (CALLS if facts.get("unprepared") else BEGINS) if self._late else modes.FIRST
        # It may be like the plain run where it is recorded in another way.
        otherwise, numbered = unlike and self._repeats(), bool(facts.get("numbered"))
        if otherwise and self.direct:
            self._record_by_events(witness=witness)
            return
        if otherwise and (numbered or witness):
            # It looks at its classes, or shows the order, or else may notice its witness.
            self._numbered = self._numbered and not numbered
            self._workspace.restore(self._recorded_in)
            self._record(witness=witness and numbered)
            return
        if unlike:
            require_memory(self.plain, self.recorded)
            self._unread = facts
            self._disagree("recorded", self.recorded)
        if not (target.live or target.network):
            require_no_network(facts["done"])
        target.deadline.start_phase("reading what was recorded")
        if not self._read_apart(facts):
            self._record_imports(witness=witness)
            return
        self._set_limits(float(facts["processor"]))
        target.deadline.start_phase(f"replaying all {len(self.trace)} events")
        self._recorded_in = self._slots.give_after(target, changed)
        there = self._workspace.slot(self._recorded_in).directory
        self.plain = replace(self.plain, directory=there)
        self.recorded = replace(self.recorded, directory=there)
        if not self._calibrate():
            self._recorded_in = target.jobs
            if self._opened or not self._has_aside():
                self._record_by_events(witness=witness)
            else:
                self._record_imports(witness=witness)
            return
        if self.trace.extent is not None and len(self.trace) < self.trace.extent.total:
            notes.append(self.trace.extent.description(len(self.trace)))
        if target.whole:
            names = ", ".join(target.whole)
            notes.append(f"Functions run whole, as part of what calls them: {names}.")
        exception = self.recorded.exception
        if exception is not None and exception.type == "EOFError":
            notes.append(
                "The program asked for more input than there is: give it some with "
                "--input TEXT or --stdin FILE."
            )
        self.notes = notes + describe_acts(self._done, self.layer, live=target.live)

    def _repeats(self) -> bool:
        """Whether plain runs agree; the first may have had a witness, and noticed that."""
        if self._same is None:
            runs = [self.plain]
            while len(runs) < 3 and not self._same:
                self._workspace.restore(self._recorded_in)
                runs.append(self._runner.plainly(self._recorded_in))
                self._same = difference(*runs[-2:]) is None
        return bool(self._same)

    def _read_apart(self, facts: Facts) -> bool:
        """Read what was recorded; False if it depends on what was set aside."""
        raised = self.recorded.exception
        aside = raised is not None and raised.type == facts["aside"]
        if not self._opened and (aside or not facts["begun"]):
            return False
        try:
            self._read(facts)
        except BegunAsideError:
            if self._opened:
                raise  # nothing was set aside, so it is our fault
            return False
        return True

    @property
    def _late(self) -> bool:
        """Whether a test is recorded from where it is set up: all before is one event."""
        return self._runner.target.runs_test and not self._opened

    def _has_aside(self) -> bool:
        return self._late or any(aside for _, _, aside, _ in self._sources)

    def _record_imports(self, *, witness: bool) -> None:
        """Record anew, with what happens in imports, and before a test is set up."""
        self._opened = True
        self._workspace.restore(self._recorded_in)
        self._record(witness=witness)

    def _record_by_events(self, *, witness: bool) -> None:
        """Record anew, with all told by the interpreter's events."""
        self.direct = False
        self._workspace.restore(self._recorded_in)
        self._record(witness=witness)

    def _run_recorded(
        self,
        *,
        allowed: Sequence[tuple[str, str]] | None = None,
        cut: tuple[int, float] | None = None,
    ) -> Facts:
        """Run it recorded; once more where it turns out that more is to be taken care of."""
        if cut is not None:
            self.direct = False  # it is the notes of sites that end it
        ends = ("unfit", "threads", "recursion")
        while (facts := self._run_once(allowed, cut))["end"] in ends:
            self.direct = False
            if facts["end"] == "unfit":
                continue
            if facts["end"] == "recursion":
                self._deep = True
                continue
            if facts.get("detail"):
                raise free_threads()
            if self._runner.target.live:
                raise live_threads()
            self._threads = True
        self.direct = bool(facts.get("direct"))
        return facts

    def _run_once(
        self, allowed: Sequence[tuple[str, str]] | None, cut: tuple[int, float] | None
    ) -> Facts:
        self._workspace.restore(self._recorded_in)
        with StoredLog(self._log):
            pass  # what a run before has left is gone then
        job = {
            **self._runner.job(self._recorded_in),
            "mode": "record",
            "once": self._runner.target.live,
            "threads": self._threads,
            "deep": self._deep,
            "direct": self.direct,
            "numbered": self._numbered,
            "opened": self._opened,
            "late": self._late,
            "allowed": allowed,
            "cut": cut,
            "largest": self._runner.limits["output"],
            "spill": self._runner.limits["output"] if self._window is not None else 0,
        }
        return self._runner.forked(self._recorded_in, job)

    def _require_harmless(self, facts: Facts) -> None:
        if facts["end"] == "harmful":
            raise no_sandbox(f"The program does this: {facts['detail']}", self._why)

    def _read(self, facts: Facts, *, cut: bool = False) -> None:
        """Make the trace, and the tables for replays, from what the recorder left."""
        files, check = facts["files"], self._runner.target.deadline.check
        require_whole(self._runner.target.whole, files)
        with StoredLog(self._log) as log:
            self._make(log, files, check, cut=cut)
        paths = [self._runner.paths.relative(self._recorded_in, file["path"]) for file in files]
        self.trace.files = [
            SourceFile(path, file["text"], tuple(sorted({*file["elsewhere"], *passed})))
            for path, file, passed in zip(paths, files, self._passed, strict=True)
        ]
        used = [file["path"] for file in files]
        unmatched = self._runner.scope.unmatched(used, self._runner.rules(self._recorded_in))
        require_events(len(self.trace), self.plain, paths, unmatched)
        self._sources = [
            (path, file["source"], file["aside"], self._unused(number, file))
            for number, (path, file) in enumerate(zip(paths, files, strict=True))
        ]
        self._modules, self._before = list(facts["modules"]), list(facts["before"])

    def _unused(self, number: int, file: dict[str, Any]) -> tuple[int, int, int] | None:
        """What a file numbers, if nothing in it was recorded: replays need not instrument it."""
        needed = self._window or self._runner.target.whole or self._runner.probes
        if needed or number in self._used_files:
            return None
        return len(file["sites"]), len(file["nodes"]), len(file["functions"])

    def _make(
        self,
        log: StoredLog,
        files: Sequence[dict[str, Any]],
        check: Callable[[], object],
        *,
        cut: bool,
    ) -> None:
        """Read the log: all of it, up to where the run is cut off, or what is in the window."""
        if self._window is not None:
            from stripe_pytrace.places import read_window  # lazy

            reader = read_window(self._window, log, files, check)
        else:
            reader = LogReader(log, files, check)
        if cut:
            from stripe_pytrace.infinite_loops import loop_going_on  # lazy

            self._last = loop_going_on(reader)
            if self._last is None:
                raise no_loop()
            reader = LogReader(log, files, check, self._last)
        reader.write_tables(self._tables)
        self.trace, self._passed = reader.trace, reader.passed_aside()
        self._left_by = reader.left_by
        self._used_files = {reader.functions[each][1] for each in reader.function}
        self.trace.narrow()

    def _explain(self, what: str, run: Observation, again: Observation) -> None:
        if self._hashed and difference(self.plain, again) is None:
            raise order_of_addresses(what, difference(self.plain, run))
        require_no_given_port(self._done, difference(self.plain, again))

    def _first_parting(self) -> str:
        if self._unread is not None:
            self._read(self._unread)
        self._slots.give(range(self._runner.target.jobs))  # if the recording is not complete
        from stripe_pytrace.first_divergence import first_parting  # lazy

        return first_parting(self.trace, self._compared)

    def _set_limits(self, processor: float) -> None:
        """Replays get limits of their own; ``processor``: seconds of one the recorded run used."""
        runner = self._runner
        runner.limits = {**runner.limits, "output": replay_output(self.plain)}
        if runner.target.timeout is None:
            times = SOONER if self.direct else 1
            runner.timeout = times * replay_seconds(self.plain, self.recorded)
            runner.processor = max(SHORTEST_PROCESSOR, times * SLOWER * processor)
        runner.wall = BUSY * runner.timeout

    def _calibrate(self) -> bool:
        """Choose the fastest way to replay that does what the plain run did.

        The fast ways import library modules once for all replays, or those that are imported before
        any of the user's, and skip the teardown of modules at the end; few programs notice.  False:
        none does, so record it by events.
        """
        some = [(self._before, True)] if 0 < len(self._before) < len(self._modules) else []
        ways = [(self._modules, True), *some, ([], True), ([], False)]
        fewest: dict[int, tuple[list[str], bool]] = {}
        chosen: tuple[list[str], bool] | None = None
        while ways:
            self._modules, self._fast = way = ways.pop(0)
            self._replays, self._tells_forks = {}, None
            begun = self._begun()
            with self._fully() as full:
                if difference(self.plain, full) is None:
                    missing = len(self.trace.activations) - (self._begun() - begun)
                    if not missing or way == chosen or self._window is not None:
                        # Only replays can tell events, and this one is the recorded run again.
                        exception = full.exception
                        exception = exception and exception.but_as(self.recorded.exception)
                        self.recorded = replace(self.recorded, exception=exception)
                        raiser = exception.event if exception else None
                        self._outermost = left_by_what_ended(self.trace, self._left_by, raiser)
                        self._limit_by(full.seconds)
                        return True
                    if missing in fewest:
                        ways.clear()  # they do not take place in any of them
                    fewest.setdefault(missing, way)
            self._engines.drop_all()
            if not ways and fewest and chosen is None:
                chosen = fewest[min(fewest)]
                ways.append(chosen)
        if self.direct or (self._has_aside() and not self._opened):
            return False
        if self._runner.target.live or self._runner.target.network:
            ensure_in_time("replayed", full)
            raise needs_outside(difference(self.plain, full) or "")
        self._disagree("fully replayed", full)

    def _begun(self) -> int:
        """How many recorded activations have begun in replays."""
        return self._used["following"] + self._missed["following"]

    def _limit_by(self, seconds: float) -> None:
        """Replays may take some time more than that of everything, which took so long."""
        runner = self._runner
        if self.direct and runner.target.timeout is None:
            runner.timeout = max(runner.timeout / SOONER, AGAIN * seconds)
            shortest = max(SHORTEST_PROCESSOR, AGAIN * seconds)
            runner.processor = max(runner.processor / SOONER, shortest)
            runner.wall = BUSY * runner.timeout

    def uses(self) -> Uses:
        """See :class:`stripe.backend.Accounted`."""
        paths = {name: (self._used[name], self._missed[name]) for name in self._used}
        return {**super().uses(), **paths, "looks": self._comparison.uses}

    @property
    def facts(self) -> Mapping[str, str]:
        """See :class:`stripe.backend.Witnessed`."""
        return self._runner.interpreter.facts

    # -- replaying

    @contextlib.contextmanager
    def replay(
        self, events: Sequence[int], *, strict: bool = False, fresh: bool = False
    ) -> Iterator[Observation]:
        """See :class:`stripe.backend.Recording`."""
        with self._replayed(events, strict, fresh=fresh) as (number, facts):
            yield self._runner.observe(number, facts)

    @contextlib.contextmanager
    def rehearse(self, *, strict: bool = False) -> Iterator[Observation]:
        """See :class:`stripe.backend.Rehearsing`."""
        events = range(len(self.trace))
        about = all_marked(len(events))
        with self._replayed(events, strict, fresh=False, about=about) as (number, facts):
            yield self._runner.observe(number, facts)

    @contextlib.contextmanager
    def _replayed(
        self,
        events: Sequence[int],
        strict: bool,
        *,
        fresh: bool,
        looks: str = "",
        about: Mapping[str, Any] | None = None,
    ) -> Iterator[tuple[int, Facts]]:
        """Replay, in some slot; what its agent tells.

        ``looks``: whether to ``show`` what variables hold, or to ``compare`` what kept events see;
        ``about`` says of which.
        """
        with self._slots.one(as_left=not fresh and not looks) as use:
            number = use.number
            more = LOOK_SECONDS * len(events) if looks else 0.0
            request = {
                **self._runner.request(number, more),
                **marked(events, len(self.trace)),
                **(about or {}),
            }
            if self._outermost is not None:
                request["outermost"] = self._outermost
            if self.without:
                request["without"] = sorted(self.without)
            if fresh:
                facts = self._fresh(number, strict, request, looks, more)
            else:
                request["fast"] = self._fast
                facts = self._ask((number, strict, looks), request, events, use)
            use.dirty, use.left = bool(facts.get("dirty", True)), bool(facts.get("left"))
            if self._decisions is not None:
                what = f"{len(events)} of {len(self.trace)} events kept" + ", fresh" * fresh
                end = f"{facts['end']} {facts.get('detail', '')}".rstrip()
                self._decisions.write(what, facts.get("decisions", ""), end)
            for name, (used, missed) in facts.get("uses", {}).items():
                self._used[name] += used
                self._missed[name] += missed
            yield number, facts

    def _ask(self, which: Which, request: Facts, events: Sequence[int], use: Use) -> Facts:
        if which[2] and (server := self._runner.server(which[0])) is not None:
            job = {**self._job(*which), "mode": "fork"}
            with self._engines.known(events, server):
                beside = self._runner.beside(server, which[0], job, request)
            if beside is not None:
                return beside
        if not which[2] and self._goes_ahead(which):
            seconds = self._runner.target.deadline.limit(self._runner.timeout)
            ahead = {**request, "fork_point": self._place, "patience": seconds}
            ahead["held"] = use.left
            ahead["thorough"] = which in self._thorough
            found = self._asked(which, ahead, events)
            if "lost" not in found:
                self._forked[which] += 1
                return found
            self._slots.restore(use)  # it may have written something on its way
            if self._decisions is not None:
                why = found["why"] or "without a word"
                self._decisions.write(f"fork point at {self._place}", "", why)
            served = self._forked.pop(which, 0)
            if found["stands"] and which not in self._thorough and not self._names_links():
                self._thorough.add(which)
            elif not found["stands"] or served < WORTH_FORKS:
                self._failed[which] = self._failed.get(which, 0) + 1
                if self._place == CALLS and self._failed[which] == ATTEMPTS:
                    self._failed.clear()
                    self._place = BEGINS  # what sets it up keeps forks from standing behind it
        elif use.left:
            self._slots.restore(use)
        return self._asked(which, request, events)

    def _asked(self, which: Which, request: Facts, events: Sequence[int]) -> Facts:
        found = self._engines.ask(
            which, lambda server: self._runner.in_time(server.ask(request)), events
        )
        return found or dict(SERVER_ENDED)

    def _goes_ahead(self, which: Which) -> bool:
        """Whether replays begin where a process has come to the program's first event.

        A script's first event is its first statement, where a process that is put back after each
        replay may stand; before that of a test, pytest has begun.
        """
        if self._failed.get(which, 0) == ATTEMPTS:
            return False
        self._replays[which] = self._replays.get(which, 0) + 1
        if self._replays[which] <= AT_FIRST:
            return False
        if self._tells_forks is None:
            telling = [TELLING, TELLING_LATER] if self._late else [TELLING]
            self._tells_forks = not modes.goes_with(modes.FORKED, self._modes()) or any(
                each.search(line) for line in self._executed_lines() for each in telling
            )
        return not self._tells_forks

    def _names_links(self) -> bool:
        """Whether the program may ask how many names a file has."""
        return any(map(TELLING_LINKS.search, self._executed_lines()))

    def _executed_lines(self) -> Iterator[bytes]:
        """The source of what was executed, recorded or not, but imports of a whole module."""
        trace = self.trace
        lines = [set(each.elsewhere) for each in trace.files]
        for number in set(trace.statement):
            each = trace.statements[number]
            lines[each.file].update(range(each.line, each.header_end + 1))
        for (_, source, *_), executed in zip(self._sources, lines, strict=True):
            text = source.splitlines()
            for number in executed:
                line = text[number - 1] if number <= len(text) else source
                if not IMPORT.match(line):
                    yield line

    @contextlib.contextmanager
    def watch(
        self, events: Sequence[int], *, strict: bool = False
    ) -> Iterator[tuple[Observation, Values]]:
        """See :class:`stripe.backend.Watching`."""
        with self._replayed(events, strict, fresh=True, looks="show") as (number, facts):
            yield self._runner.observe(number, facts), self._values(number, facts)

    def differences(
        self, events: Sequence[int], *, strict: bool = False, fresh: bool = False
    ) -> Differences:
        """See :class:`stripe.backend.Comparing`."""
        everything = range(len(self.trace))
        if "looks" in self.without:
            self._comparison.forget()
        return self._comparison.differences(events, everything, strict=strict, fresh=fresh)

    def _compared(
        self, events: Sequence[int], about: Mapping[str, Any], strict: bool, fresh: bool
    ) -> tuple[Facts, Callable[[str], str]]:
        """Replay and look; what the agent tells, and what makes its texts readable."""
        with self._replayed(events, strict, fresh=fresh, looks="compare", about=about) as (
            number, facts,
        ):  # fmt: skip
            facts["different"] = difference(self.plain, self._runner.observe(number, facts))
            return facts, partial(self._runner.readable, number)

    def _fresh(
        self, number: int, strict: bool, request: dict[str, Any], looks: str, more: float
    ) -> Facts:
        # With nothing imported beforehand: each import takes effect where it is kept only.
        job = {**self._job(number, strict, looks), "mode": "once", "modules": []}
        request["fast"] = False
        return self._runner.below_agent(number, {**job, "request": request}, more)

    def _values(self, number: int, facts: Facts) -> Values:
        readable = cache(partial(self._runner.readable, number))  # few of so many texts differ
        return watched_values(facts, self.trace, readable)

    def _start(self, key: Which) -> AgentProcess:
        """A server that has imported beforehand what can be."""
        while True:
            modules = self._modules
            server = self._runner.serve(key[0], {**self._job(*key), "mode": "serve"})
            mixed = server.greeting["mixed"]
            threads = server.greeting["threads"] > 1  # a library starts some when imported
            if not modules or not (mixed or threads):
                return server
            server.close()
            self._modules = [] if threads else [each for each in modules if each not in mixed]

    def _restore(self, key: Which) -> None:
        self._workspace.restore(key[0])

    def _modes(self, *, strict: bool = False, looks: str = "") -> list[str]:
        """The modes that a replay has to have (``agent/replaying/modes.py``)."""
        needed = {
            modes.THREADED: self._threads,
            modes.DEEP: self._deep,
            modes.WINDOWED: self._window is not None,
            modes.CUT: self._last is not None,
            modes.SLOW: not self._fast,
            modes.STRICT: strict,
            modes.LOOKING: bool(looks),
        }
        return [name for name, holds in needed.items() if holds]

    def _job(self, number: int, strict: bool, looks: str) -> dict[str, Any]:
        return {
            **self._runner.job(number),
            "modes": self._modes(strict=strict, looks=looks),
            "numbered": self._numbered,
            "opened": self._opened,
            "late": self._late,
            "direct": self.direct,
            "looks": looks,
            "failed": failed_at(self.trace, self.recorded) if looks == "show" else None,
            "tables": str(self._tables),
            "last": self._last,
            "decisions": self._decisions is not None,
            "modules": self._modules,
            "allowed": self._allowed(),
            "files": [
                (self._runner.paths.absolute(number, path), *more) for path, *more in self._sources
            ],
        }

    def _allowed(self) -> Sequence[tuple[str, str]] | None:
        """What the guard lets replays do: where there are walls, it is not the guard who says."""
        if self.layer is not Layer.NONE:
            return None
        return self._done if self._runner.target.unsafe else HARMLESS
