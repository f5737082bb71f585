"""A recorded native run, and its replays."""

from __future__ import annotations

import contextlib
import functools
import os
from array import array
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

from stripe.backend import Differences, End, Observation
from stripe.errors import BackendError, NotReducible
from stripe.kit.engines import Facts, Gone
from stripe.kit.limits import PLAIN_OUTPUT, replay_output, replay_seconds
from stripe.kit.recording import THREADS, SlotRecording
from stripe.kit.refusals import nothing_to_trace
from stripe.kit.runs import home
from stripe.run_equality import difference, ensure_in_time
from stripe.sandbox.reads import digest
from stripe.trace import NONE, ends
from stripe_gdb.blocks import MANY_BLOCKS, Table, find_blocks
from stripe_gdb.control import control_parents
from stripe_gdb.failures import Where, failure, panic
from stripe_gdb.first_divergence import first_parting, unwritten_read
from stripe_gdb.libraries import Libraries
from stripe_gdb.log_reader import Log, make_trace
from stripe_gdb.refusals import require_recording
from stripe_gdb.runner import Engine
from stripe_gdb.scopes import Scope, inner_scopes
from stripe_gdb.sources import Sources
from stripe_gdb.uninitialised import FILLINGS, Varying
from stripe_gdb.value_comparison import Comparison, Seen, read_seen
from stripe_gdb.witness import WitnessedRunner

ENGINE_ENDED = {
    "end": "blocked",
    "detail": "it ended the process of STRIPE that runs it",
    "status": 0,
    "event": NONE,
}
"""What is known of a replay that never gives an answer."""

ACTS_ONCE = "Where it is in memory is known after a run, and with --live there is one only."
MOST_EVENTS = 5_000_000
MOST_PIECES = 10_000
"""Into so many pieces a run is cut at most to see that replays come from one to the next."""
RECORDING_SECONDS = 300.0  # at least, unless --timeout says otherwise


class NativeRecording(SlotRecording[WitnessedRunner, int, Engine]):
    """A recorded native run; see :class:`stripe.backend.Recording`."""

    FIXED = "Addresses are"

    def __init__(self, runner: WitnessedRunner, sources: Sources, notes: Sequence[str]) -> None:
        super().__init__(runner)
        self._sources = sources
        self._path = self._workspace.root / "log"
        self._comparison: Comparison | None = None
        self.notes = notes
        self._varying = Varying(heap=False)
        self.unwritten = ""
        self._cut: list[int] | None = None
        self._libraries = Libraries(runner.program, sources)
        with self._ending_if_refused():
            self._record_somehow()
            self._give_slots()
            self.notes = [*self.notes, *self._settle_memory()]

    # -- recording

    def _give_slots(self) -> None:
        """Give the slots to replays; the one that has an engine first."""
        slots = range(self._runner.target.jobs + 1)
        self._slots.give(sorted(set(slots) - {self._recorded_in}, reverse=True))

    def _record_somehow(self) -> None:
        """Record; once more if what runs the program has ended, unless it acts for real."""
        try:
            self._record()
        except BackendError:
            if self._runner.target.live:
                raise
            self._engines.drop_all()
            self._recorded_in = self._runner.target.jobs
            self._workspace.restore(self._recorded_in)
            self._record()

    def _record(self, *, witness: bool = True) -> None:
        runner, number = self._runner, self._recorded_in
        live = runner.target.live
        notes = [*self._workspace.notes, *self.notes]
        deadline = runner.target.deadline
        if not live:
            deadline.start_phase("running the program")
        changed = [] if live else self._run_plainly(witness=witness)
        deadline.start_phase("recording the program")
        if runner.target.timeout is None:
            seconds = 0.0 if live else self.plain.seconds
            runner.timeout = max(RECORDING_SECONDS, 100 * seconds)
        self._workspace.restore(number)  # the program may have removed itself
        session, facts = self._with_libraries(self._record_once)
        deadline.start_phase("reading what was recorded")
        self._read(session, facts.get("elsewhere", ()))
        self.recorded = self._observe_recorded(number, facts)
        if live:
            changed = self._take_as_plain()
        unlike = self._is_unlike(changed)
        if unlike and witness and not live:
            self._engines.drop(number)
            self._workspace.restore(number)
            self._record(witness=False)
            return
        if unlike:
            self._disagree("recorded", self.recorded)
        if not self._log.block:
            raise nothing_to_trace()
        self._set_limits()
        if changed or live or runner.target.network:
            self._engines.drop(number)
        else:
            self._go_on_with(session)
        if facts["threads"]:
            notes.append(THREADS)
        notes += self._libraries.notes
        if facts["left"]:
            notes.append("The program leaves processes behind: they are ended after each run.")
        self.notes = notes

    def _record_once(self, session: Engine) -> Facts:
        """Run the program recorded: what is known of it, or of a first run if that is enough."""
        runner, number, functions = self._runner, self._recorded_in, None
        gdb = runner.target.engine != "ptrace"
        if len(runner.table.blocks) > MANY_BLOCKS and not runner.target.live:  # acts once only
            facts = runner.ask(session, number, runner.request(number, "survey", watch=True))
            require_recording(facts, runner.timeout, gdb=gdb)
            functions = sorted({*facts["functions"], *facts.get("elsewhere", ())})
            self._workspace.restore(number)
        facts = self._run_recorded(session, MOST_EVENTS, functions)
        require_recording(facts, runner.timeout, gdb=gdb)
        return facts

    def _with_libraries(self, record: Callable[[Engine], Facts]) -> tuple[Engine, Facts]:
        """Record with an engine, again if that shows shared libraries that are to be recorded."""
        runner, number = self._runner, self._recorded_in
        slot = self._workspace.slot(number)
        while True:
            session = self._begin()
            facts = record(session)
            mapped = [(runner.paths.original(slot, name), at) for name, at in facts["mapped"]]
            if not self._libraries.add(mapped, ACTS_ONCE if runner.target.live else ""):
                return session, facts
            modules = [runner.program, *self._libraries.modules]
            runner.table = find_blocks(
                modules, self._sources.wants, self._sources.line, rounds=runner.target.cut
            )
            self._engines.drop(number)
            self._workspace.restore(number)

    def _begin(self) -> Engine:
        """Start the engine that records."""
        session = self._runner.session(self._recorded_in)
        self._engines.put(self._recorded_in, session)
        return session

    def _run_recorded(
        self, session: Engine, events: int, functions: Sequence[int] | None = None
    ) -> Facts:
        """Run the program recorded, for so many events at most."""
        # Behind the walls the engine can write in the slot only; there a program could, too.
        self._written = home(self._workspace.slot(self._recorded_in)) / "log"
        more = {"functions": functions, "events": events, "log": str(self._written)}
        more["notes"] = not self._runner.target.cut  # nothing is lost of a run that is ended
        request = self._runner.request(self._recorded_in, "record", watch=True, **more)
        return self._runner.ask(session, self._recorded_in, request)

    def _read(self, session: Engine, elsewhere: Sequence[int]) -> None:
        """Make the trace from what was recorded; ``elsewhere``: blocks that other threads ran."""
        self._elsewhere = elsewhere
        self._written.rename(self._path)
        self._log = Log.read(self._path)
        if not self._runner.catches:
            self._log.landings = array("i")
        self._make_trace(session)

    def _make_trace(self, session: Engine) -> None:
        table = self._runner.table
        symbols = {str(entry): each.symbol for entry, each in table.functions.items()}
        named = session.ask({"request": "demangle", "symbols": symbols}, 30)["names"]
        self._names = {int(entry): name for entry, name in named.items()}
        self.trace = make_trace(self._log, table, self._sources, self._names, self._elsewhere)
        self.trace.find_control = self._control

    def _control(self) -> array[int]:
        with self._slots.one() as use:
            use.dirty = False
            return self._branches(self._engines.get(use.number))

    def _branches(self, session: Engine) -> array[int]:
        functions = sorted(self._log.functions())
        table = self._runner.table
        sizes = [(f, table.functions[f].high - table.functions[f].low) for f in functions]
        edges = session.ask({"request": "edges", "functions": sizes}, 60)["edges"]
        return control_parents(self._log, table, [(first, last) for first, last in edges])

    def _first_parting(self) -> str:
        if not self._slots.given:  # the recording is not complete
            self._set_limits()
        self._give_slots()
        return first_parting(self.trace, self._compared())

    def _set_limits(self) -> None:
        """Replays get limits of their own."""
        runner = self._runner
        runner.output = min(replay_output(self.plain), PLAIN_OUTPUT)
        if runner.target.timeout is None:
            runner.timeout = replay_seconds(self.recorded)
        self._stops = 10_000 + 4 * len(self._log.block)

    def _go_on_with(self, session: Engine) -> None:
        """The engine that recorded goes on to replay, as starting one takes as long as many
        replays: its slot and the first one, which shows the same, change places.
        """
        self._recorded_in, used = 0, self._recorded_in
        there = self._workspace.slot(0).directory
        self.plain = replace(self.plain, directory=there)
        self.recorded = replace(self.recorded, directory=there)
        self._workspace.restore(used)
        try:
            self._load(session)
        except Gone:
            self._engines.drop(used)

    def _settle_memory(self) -> list[str]:
        """Find out what memory replays may fill; notes on that."""
        everything = range(len(self._log.block))
        self._runner.target.deadline.start_phase(f"replaying all {len(everything)} events")

        def agrees(variant: int, *, strict: bool) -> bool:
            self.proved += 1
            with self.replay(everything, strict=strict, variant=variant) as full:
                same, late = difference(self.recorded, full) is None, full.end is End.TIMEOUT
            if late:  # what is filled may keep it going, or the machine is busy
                filled, self._varying = self._varying, Varying(heap=False)
                self._varying.spared = frozenset(filled.everything)
                with self.replay(everything, strict=strict) as full:
                    ensure_in_time("replayed", full)
                self._varying = filled
            return same

        functions = list(dict.fromkeys(self._log.activations[0::4]))
        # A condition that reads such memory shows in strict replays only.
        for strict in (True, False):
            self._varying = Varying(heap=not self._runner.program.sanitized)
            agreeing = partial(agrees, strict=strict)
            notes = self._varying.find_spared(functions, agreeing, self._names)
            if notes is not None:
                break
        if notes:
            self.unwritten = self._unwritten_read()
        if notes is None and not (self._runner.target.live or self._runner.target.network):
            with self._fully() as full:
                pass
            self._disagree("fully replayed", full)
        return notes or []

    def _unwritten_read(self) -> str:
        """Where the run reads what nothing has written; empty if it cannot be told."""
        settled = self._varying
        try:
            comparison = self._compared()
            _, usual = comparison.full(fresh=False)
            self._varying = Varying(heap=not self._runner.program.sanitized)
            _, filled = comparison.full(fresh=False)
        except NotReducible:
            return ""
        finally:
            self._varying = settled
        return unwritten_read(self.trace, comparison, usual, filled)

    @property
    def variants(self) -> int:
        """See :class:`stripe.backend.Varied`."""
        return FILLINGS

    @property
    def facts(self) -> Mapping[str, str]:
        """See :class:`stripe.backend.Witnessed`."""
        return {"the program": digest(self._runner.program.path.read_bytes())}

    # -- replaying

    @contextlib.contextmanager
    def replay(
        self,
        events: Sequence[int],
        *,
        strict: bool = False,
        fresh: bool = False,
        variant: int = 0,
    ) -> Iterator[Observation]:
        """See :class:`stripe.backend.Recording`, and :class:`stripe.backend.Varied`."""
        with self._slots.one() as use:
            if fresh:
                self._engines.renew(use.number, events)
            request = self._request(use.number, events, strict=strict, variant=variant)
            request["fresh"] = fresh
            yield self._observe(use.number, self._ask(use.number, request, events))

    @contextlib.contextmanager
    def rehearse(self, *, strict: bool = False) -> Iterator[Observation]:
        """See :class:`stripe.backend.Rehearsing`; the run is cut into pieces."""
        size = len(self._log.block)
        each = -(-size // MOST_PIECES)
        with self._slots.one() as use:
            request = self._request(use.number, range(size), strict=strict)
            request["ranges"] = [
                end for cut in range(0, size, each) for end in (cut, min(cut + each, size))
            ]
            yield self._observe(use.number, self._ask(use.number, request, range(size)))

    @property
    def table(self) -> Table:
        """The blocks of the program."""
        return self._runner.table

    @property
    def blocks(self) -> Sequence[int]:
        """The block of each event."""
        return self._log.block

    def executed(
        self, events: Sequence[int], *, strict: bool = False
    ) -> tuple[Observation, tuple[int, ...]]:
        """Replay ``events``; the run, and the events that took effect in it, in order.

        The observation's directory is not valid.
        """
        with self._slots.one() as use:
            path = home(self._workspace.slot(use.number)) / "log"
            request = self._request(use.number, events, strict=strict)
            facts = self._ask(use.number, {**request, "executed": str(path)})
            found = array("i", path.read_bytes())
            return self._observe(use.number, facts), tuple(found)

    def differences(
        self, events: Sequence[int], *, strict: bool = False, fresh: bool = False
    ) -> Differences:
        """See :class:`stripe.backend.Comparing`."""
        return self._compared().differences(events, strict=strict, fresh=fresh)

    def _compared(self) -> Comparison:
        if self._comparison is None:
            runner = self._runner
            self._comparison = Comparison(
                runner.table, self._sources.text, self._log.block, self._look
            )
        return self._comparison

    def _look(
        self, events: Sequence[int], looks: Mapping[str, Any], *, strict: bool, fresh: bool
    ) -> tuple[Observation, Seen]:
        """Replay ``events``, and look at them; the observation's directory is not valid."""
        with self._slots.one() as use:
            if fresh:
                self._engines.renew(use.number, events)
            path = home(self._workspace.slot(use.number)) / "log"
            request = self._request(use.number, events, strict=strict)
            facts = self._ask(use.number, {**request, "look": {**looks, "path": str(path)}})
            return self._observe(use.number, facts), read_seen(path)

    def _request(
        self, number: int, events: Sequence[int], *, strict: bool, variant: int = 0
    ) -> dict[str, Any]:
        return self._runner.request(
            number,
            "replay",
            ranges=ends(events).tolist(),
            strict=strict,
            stops=self._stops,
            raising=self._raising,
            **self._varying.request(variant),
        )

    def _ask(
        self, number: int, request: dict[str, Any], events: Sequence[int] | None = None
    ) -> Facts:
        question = partial(self._runner.ask, number=number, request=request)
        return self._engines.ask(number, question, events) or dict(ENGINE_ENDED)

    def _start(self, number: int) -> Engine:
        session = self._runner.session(number)
        try:
            self._load(session)
        except BaseException:
            session.close()
            raise
        return session

    def _restore(self, number: int) -> None:
        self._workspace.restore(number)

    def _load(self, session: Engine) -> None:
        landings = list(self._log.landings[0::2])
        job = {
            "log": str(self._path),
            "landings": landings,
            "output": self._runner.output,
            "poisons": FILLINGS,
            "unused": self._runner.program.unused,
            "scopes": self._scopes,
            "cut": self._cut,
        }
        session.ask({"request": "load", **job}, 60)

    @functools.cached_property
    def _scopes(self) -> list[Scope]:
        table = self._runner.table
        lows = {table.functions[each].low for each in self._log.functions()}
        return inner_scopes(table.modules, lows)

    def _observe_recorded(self, number: int, facts: Mapping[str, Any]) -> Observation:
        """The recorded run.  A panic is known by its place: what it unwinds may have run since."""
        run, event = self._runner.observe(number, facts), facts["event"]
        found = panic(run) if self._runner.program.rust else None
        self._raising = [] if found is None else self._blocks_at(found.file, found.line)
        if self._raising:
            blocks = set(self._raising)
            events = (e for e in range(len(self._log.block) - 1, -1, -1))
            event = next((e for e in events if self._log.block[e] in blocks), event)
        return self._observe(number, {**facts, "event": event})

    def _observe(self, number: int, facts: Mapping[str, Any]) -> Observation:
        """A run as checks see it."""
        run, event = self._runner.observe(number, facts), facts["event"]
        if facts.get("called"):
            run = replace(run, detail=self._call(*facts["called"]))
        if event == NONE:
            return run
        statement = self.trace.statements[self.trace.statement[event]]
        file = self.trace.files[statement.file].path
        if run.end is End.DIVERGED and not facts.get("called"):
            run = replace(run, detail=f"{run.detail} ({file}:{statement.line})")
        where = Where(event, statement.id, file, statement.line)
        return replace(run, exception=failure(run, where, rust=self._runner.program.rust))

    def _call(self, entry: int, event: int) -> str:
        """A call that the recorded run did not make, in words."""
        block = self._runner.table.blocks[entry]
        text = f"it calls {self._names.get(entry, '?')} "
        text += f"({self._sources.relative(block.file)}:{block.line})"
        if event != NONE:
            statement = self.trace.statements[self.trace.statement[event]]
            file = self.trace.files[statement.file].path
            text += f" at {file}:{statement.line}"
        return f"{text}, as the recorded run did not"

    def _blocks_at(self, file: str, line: int) -> list[int]:
        """The blocks of a line of a file, which compilers may name relatively."""
        end = "/" + os.path.normpath(file).lstrip("/")
        blocks = enumerate(self._runner.table.blocks)
        return [n for n, each in blocks if each.line == line and each.file.endswith(end)]
