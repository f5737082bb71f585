"""A recorded native run, and its replays."""

from __future__ import annotations

import contextlib
import functools
import os
import queue
import threading
from array import array
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from stripe.backend import Differences, End, Observation, difference, require_agreement
from stripe.errors import BackendError, NotReducible, UsageError
from stripe.sandbox.reads import LIVE, digest, unwitnessed
from stripe.sandbox.walls import Layer
from stripe.trace import NONE, Trace
from stripe_gdb.blocks import Table
from stripe_gdb.comparing import Comparison, Seen, read_seen
from stripe_gdb.control import control_parents
from stripe_gdb.conversation import GdbGone
from stripe_gdb.failures import Where, failure, panic
from stripe_gdb.parting import first_parting
from stripe_gdb.refusals import require_end, require_recording
from stripe_gdb.runner import PLAIN_OUTPUT, Engine
from stripe_gdb.scopes import Scope, inner_scopes
from stripe_gdb.sources import Sources
from stripe_gdb.tracing import Log, make_trace
from stripe_gdb.varying import FILLINGS, Varying
from stripe_gdb.witnessing import WitnessedRunner

ENGINE_ENDED = {
    "end": "blocked",
    "detail": "it ended the process of STRIPE that runs it",
    "status": 0,
    "event": NONE,
}
"""What is known of a replay that never gives an answer."""

SLACK_OUTPUT = 16 << 20
SHORTEST_TIMEOUT = 5.0  # a busy machine can halt everything for seconds
MANY_BLOCKS = 300  # from here on it pays to find out first which functions run
MOST_EVENTS = 5_000_000
RECORDING_SECONDS = 300.0  # at least, unless --timeout says otherwise


class NativeRecording:
    """A recorded native run; see :class:`stripe.backend.Recording`."""

    trace: Trace
    plain: Observation
    recorded: Observation
    notes: Sequence[str]
    layer: Layer

    def __init__(self, runner: WitnessedRunner, sources: Sources, notes: Sequence[str]) -> None:
        self._runner = runner
        self.layer = runner.workspace.layer
        self._sources = sources
        self._workspace = runner.workspace
        self._path = self._workspace.root / "log"
        self._sessions: dict[int, Engine] = {}
        self._replaying: dict[tuple[int, ...], int] = {}
        self._lock = threading.Lock()
        self._comparison: Comparison | None = None
        # Here the program runs plainly and recorded, and leaves what it wrote to be checked.
        self._recorded_in = runner.target.jobs
        self._stamps = self._workspace.stamps(self._recorded_in)
        self._free: queue.SimpleQueue[int] = queue.SimpleQueue()
        self.notes = notes
        self._varying = Varying(heap=not runner.program.sanitized)
        self._cut: list[int] | None = None
        try:
            self._record_somehow()
            self._free_slots()
            self.notes = [*self.notes, *self._settle_memory()]
        except BaseException:
            self._end_sessions()
            runner.close()
            raise

    # -- recording

    def _free_slots(self) -> None:
        """Give the slots to replays, once; the one that has an engine first."""
        if not self._free.empty():
            return
        slots = range(self._runner.target.jobs + 1)
        for number in sorted(set(slots) - {self._recorded_in}, reverse=True):
            self._free.put(number)

    def _record_somehow(self) -> None:
        """Record; once more if what runs the program has ended, unless it acts for real."""
        try:
            self._record()
        except BackendError:
            if self._runner.target.live:
                raise
            self._end_sessions()
            self._recorded_in = self._runner.target.jobs
            self._workspace.restore(self._recorded_in)
            self._record()

    def _record(self, *, witness: bool = True) -> None:
        runner, number = self._runner, self._recorded_in
        live = runner.target.live
        notes = [*self._workspace.notes, *self.notes]
        if not live:
            self.plain, self.reads = runner.witnessed(number, witness=witness)
            require_end(self.plain, runner.timeout)
            changed = self._workspace.changes(number)
        if runner.target.timeout is None:
            seconds = 0.0 if live else self.plain.seconds
            runner.timeout = max(RECORDING_SECONDS, 100 * seconds)
        self._workspace.restore(number)  # the program may have removed itself
        session = runner.session(number)
        with self._lock:
            self._sessions[number] = session
        functions = None
        if len(runner.table.blocks) > MANY_BLOCKS and not live:  # which acts once only
            facts = runner.ask(session, number, runner.request(number, "survey"))
            require_recording(facts, runner.timeout)
            functions = facts["functions"]
        self._workspace.restore(number)
        # Behind the walls the engine can write in the slot only; there a program could, too.
        written = self._workspace.slot(number).tmp.parent / "log"
        request = runner.request(
            number, "record", functions=functions, events=MOST_EVENTS, log=str(written)
        )
        facts = runner.ask(session, number, request)
        require_recording(facts, runner.timeout)
        written.rename(self._path)
        self._log = Log.read(self._path)
        if not runner.program.catches:
            self._log.landings = array("i")
        self._make_trace(session)
        self.recorded = self._observe_recorded(number, facts)
        if live:
            self.plain, self.reads = self.recorded, unwitnessed(self._stamps, LIVE)
            require_end(self.plain, runner.timeout)
            changed = self._workspace.changes(number)
        unlike = changed != self._workspace.changes(number)
        unlike = unlike or difference(self.plain, self.recorded) is not None
        if unlike and witness and not live:
            self._drop(number)
            self._workspace.restore(number)
            self._record(witness=False)
            return
        if unlike:
            self._disagree("recorded", self.recorded)
        if not self._log.block:
            raise NotReducible(
                "nothing-to-trace",
                "No statement of your code ran.",
                "--include GLOB says which files count as your code.",
            )
        self._set_limits()
        if changed or live or runner.target.network:
            self._drop(number)
        else:
            self._go_on_with(session)
        if facts["threads"]:
            notes.append("The program starts threads: they run in full, and are not traced.")
        if facts["left"]:
            notes.append("The program leaves processes behind: they are ended after each run.")
        self.notes = notes

    def _make_trace(self, session: Engine) -> None:
        table = self._runner.table
        symbols = {str(entry): each.symbol for entry, each in table.functions.items()}
        named = session.ask({"request": "demangle", "symbols": symbols}, 30)["names"]
        self._names = {int(entry): name for entry, name in named.items()}
        self.trace = make_trace(self._log, table, self._sources, self._names)
        self.trace.find_control = self._control

    def _control(self) -> array[int]:
        functions = sorted(self._log.functions())
        table = self._runner.table
        sizes = [(f, table.functions[f].high - table.functions[f].low) for f in functions]
        number = self._free.get()
        try:
            edges = self._session(number).ask({"request": "edges", "functions": sizes}, 60)["edges"]
        finally:
            self._free.put(number)
        return control_parents(self._log, table, [(first, last) for first, last in edges])

    def _disagree(self, what: str, run: Observation) -> None:
        self._workspace.restore(self._recorded_in)
        again = self._runner.plainly(self._recorded_in)
        require_agreement(
            what, self.plain, run, again, fixed="Addresses are", parting=self._parting
        )

    def _parting(self) -> str:
        """The first place where runs part, as a line of a message; empty if it cannot be told."""
        self._runner.target.patience.begin("looking where runs part")
        with contextlib.suppress(NotReducible, UsageError, BackendError):
            if self._free.empty():  # the recording is not complete
                self._set_limits()
            self._free_slots()
            return first_parting(self.trace, self._compared())
        return ""

    def _set_limits(self) -> None:
        """Replays get limits of their own."""
        runner = self._runner
        written = max(len(self.plain.stdout), len(self.plain.stderr))
        runner.output = min(2 * written + SLACK_OUTPUT, PLAIN_OUTPUT)
        if runner.target.timeout is None:
            runner.timeout = max(SHORTEST_TIMEOUT, 10 * self.recorded.seconds)
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
        except GdbGone:
            self._drop(used)

    def _settle_memory(self) -> list[str]:
        """Find out what memory replays may fill; notes on that."""
        everything = range(len(self._log.block))

        def agrees(variant: int) -> bool:
            with self.replay(everything, variant=variant) as full:
                return difference(self.recorded, full) is None

        functions = list(dict.fromkeys(self._log.activations[0::4]))
        notes = self._varying.settle(functions, agrees, self._names)
        if notes is None and not (self._runner.target.live or self._runner.target.network):
            with self.replay(everything) as full:
                pass
            self._disagree("fully replayed", full)
        return notes or []

    @property
    def variants(self) -> int:
        """See :class:`stripe.backend.Varied`."""
        return FILLINGS

    @property
    def facts(self) -> Mapping[str, str]:
        """See :class:`stripe.backend.Witnessed`."""
        return {"the program": digest(self._runner.program.path.read_bytes())}

    def stamp(self, path: str) -> str:
        """See :class:`stripe.backend.Witnessed`."""
        return self._stamps.stamp(path)

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
        number = self._free.get()
        try:
            if fresh:
                self._drop(number)
            request = self._request(number, events, strict=strict, variant=variant)
            with self._lock:
                self._replaying[tuple(events)] = number
            try:
                facts = self._ask(number, request)
            finally:
                with self._lock:
                    self._replaying.pop(tuple(events), None)
            yield self._observe(number, facts)
        finally:
            self._workspace.restore(number)
            self._free.put(number)

    def cancel(self, events: Sequence[int]) -> None:
        """See :class:`stripe.backend.Recording`."""
        with self._lock:
            number = self._replaying.get(tuple(events))
            session = None if number is None else self._sessions.get(number)
        if session is not None:
            session.cancel()

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
        number = self._free.get()
        path = self._workspace.slot(number).tmp.parent / "log"
        try:
            request = self._request(number, events, strict=strict)
            facts = self._ask(number, {**request, "executed": str(path)})
            found = array("i", path.read_bytes())
            return self._observe(number, facts), tuple(found)
        finally:
            self._workspace.restore(number)
            self._free.put(number)

    def differences(
        self, events: Sequence[int], *, strict: bool = False, fresh: bool = False
    ) -> Differences:
        """See :class:`stripe.backend.Comparing`."""
        return self._compared().differences(events, strict=strict, fresh=fresh)

    def _compared(self) -> Comparison:
        if self._comparison is None:
            runner = self._runner
            self._comparison = Comparison(
                runner.program, runner.table, self._sources.text, self._log.block, self._look
            )
        return self._comparison

    def _look(
        self, events: Sequence[int], looks: Mapping[str, Any], *, strict: bool, fresh: bool
    ) -> tuple[Observation, Seen]:
        """Replay ``events``, and look at them; the observation's directory is not valid."""
        number = self._free.get()
        path = self._workspace.slot(number).tmp.parent / "log"
        try:
            if fresh:
                self._drop(number)
            request = self._request(number, events, strict=strict)
            facts = self._ask(number, {**request, "look": {**looks, "path": str(path)}})
            return self._observe(number, facts), read_seen(path)
        finally:
            self._workspace.restore(number)
            self._free.put(number)

    def _request(
        self, number: int, events: Sequence[int], *, strict: bool, variant: int = 0
    ) -> dict[str, Any]:
        ranges: list[int] = []
        for event in events:
            if ranges and ranges[-1] == event:
                ranges[-1] += 1
            else:
                ranges += (event, event + 1)
        return self._runner.request(
            number,
            "replay",
            ranges=ranges,
            strict=strict,
            stops=self._stops,
            raising=self._raising,
            **self._varying.request(variant),
        )

    def _ask(self, number: int, request: dict[str, Any]) -> dict[str, Any]:
        """Ask a slot's engine; if it fails, ask a new one, once."""
        for _ in range(2):
            session = self._session(number)
            try:
                return self._runner.ask(session, number, request)
            except GdbGone:
                self._drop(number)
                self._workspace.restore(number)
        return dict(ENGINE_ENDED)

    def _session(self, number: int) -> Engine:
        with self._lock:
            session = self._sessions.get(number)
        if session is None:
            session = self._runner.session(number)
            with self._lock:
                self._sessions[number] = session
            self._load(session)
        return session

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
        return inner_scopes(self._runner.program, lows)

    def _drop(self, number: int) -> None:
        with self._lock:
            found = self._sessions.pop(number, None)
        if found is not None:
            found.close()

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

    # -- the end

    def _end_sessions(self) -> None:
        with self._lock:
            numbers = list(self._sessions)
        for number in numbers:
            with contextlib.suppress(BackendError, OSError):
                self._drop(number)

    def close(self) -> None:
        """End every process and remove every scratch copy."""
        self._end_sessions()
        self._runner.close()
        self._workspace.close()
