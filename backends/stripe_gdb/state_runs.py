"""Runs of a native program that are looked at and changed at moments."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from functools import partial
from typing import Any

from stripe.backend import Observation
from stripe.errors import NotReducible
from stripe.kit.changed_runs import Changing
from stripe.kit.engines import Engines, Facts
from stripe.kit.limits import PLAIN_OUTPUT, replay_output
from stripe.kit.refusals import nothing_to_trace, require_end
from stripe.kit.slots import Slots
from stripe.run_equality import difference, ensure_in_time
from stripe.snapshots import Alteration, Backtrace, Call, Item, Later, Moment, Part, Snapshot
from stripe.trace import NONE
from stripe_gdb.blocks import MANY_BLOCKS
from stripe_gdb.failures import Where, failure
from stripe_gdb.refusals import require_recording
from stripe_gdb.runner import Engine, Runner
from stripe_gdb.sources import Sources

SLOWER = 10.0
"""Times what the plain run took, a run may take that is looked at..."""

LEAST_SECONDS = 2.0
"""...but always as long as this, not counting what it takes to come to a moment."""

LOOKING_SECONDS = 120.0
"""Seconds it may take to come to moments."""

LOST = {"end": "diverged", "detail": "it ended gdb as well", "status": 0, "place": NONE, "told": {}}
"""What is known of a run that never gives an answer."""

type Place = tuple[int, int]
"""Before the n-th execution of a block, counted from 1."""


class StateRun(Changing):
    """See :class:`stripe.snapshots.Run`, ``Following`` and ``Identifying``.

    Each test is a fresh run, in the gdb that the slot has already.
    """

    debugger = "gdb"

    def __init__(self, runner: Runner, sources: Sources, notes: Sequence[str]) -> None:
        self._runner, self._sources = runner, sources
        self._workspace = runner.workspace
        self.layer = self._workspace.layer
        runner.stateful = True
        jobs = runner.target.jobs
        self._slots = Slots(self._workspace)
        self._slots.give(range(jobs))
        self._engines: Engines[int, Engine] = Engines(runner.session, self._workspace.restore)
        runner.target.deadline.start_phase("running the program")
        self.plain = runner.plainly(jobs)
        denied = self._workspace.denied(jobs)
        require_end(self.plain, runner.timeout, runner.target, self.layer, denied)
        if runner.target.timeout is None:
            runner.timeout = max(LEAST_SECONDS, SLOWER * self.plain.seconds)
        runner.output = min(replay_output(self.plain), PLAIN_OUTPUT)
        self.notes: Sequence[str] = [*notes, *self._workspace.notes]
        self._places: dict[Moment, Place] = {}
        self._traces: dict[Moment, Backtrace] = {}
        self._known: dict[str, int] = {}  # numbers of places

    @contextmanager
    def looked(self, most: int) -> Iterator[tuple[Observation, Sequence[tuple[Moment, Backtrace]]]]:
        """See :class:`stripe.snapshots.Run`."""
        with self._slots.one() as use:
            observation = self._listed(use.number, most)
            yield observation, list(self._traces.items())

    def states(self, moments: Sequence[Moment]) -> Mapping[Moment, Snapshot]:
        """See :class:`stripe.snapshots.Run`."""
        known = [each for each in moments if each in self._places]
        if not known:
            return {}
        keys = {moment: "{}:{}".format(*self._places[moment]) for moment in known}
        with self._slots.one() as use:
            facts = self._ask(use.number, "look", at=self._at(known))
            self._require_same(self._observe(use.number, facts))
        told = facts["told"]
        return {
            moment: self._snapshot(self._traces[moment], told[key])
            for moment, key in keys.items()
            if key in told
        }

    def identities(self, moments: Sequence[Moment]) -> Mapping[Moment, Sequence[int | None]]:
        """See :class:`stripe.snapshots.Identifying`."""
        told = self.states(moments)
        known = self._known
        return {
            moment: [
                None if place is None else known.setdefault(place, len(known))
                for place in state.private["places"]
            ]
            for moment, state in told.items()
        }

    @contextmanager
    def followed(
        self, moment: Moment, alteration: Alteration, later: Later | None
    ) -> Iterator[tuple[Observation, Snapshot | None, Snapshot | None]]:
        """See :class:`stripe.snapshots.Following`."""
        change = {
            "alteration": plainly(alteration),
            "digest": alteration.state.private["digest"],
            "later": None if later is None else self._goal(later),
        }
        with self._slots.one() as use:
            facts = self._ask(use.number, "change", at=self._at([moment]), **change)
            told = facts["told"]
            after, then = (
                self._snapshot(trace, told[each]) if each in told else None
                for each, trace in (
                    ("changed", self._traces[moment]),
                    ("later", () if later is None else later.backtrace),
                )
            )
            yield self._observe(use.number, facts), after, then

    def close(self) -> None:
        """See :class:`stripe.snapshots.Run`."""
        self._engines.closed = self._slots.closed = True
        self._engines.drop_all()
        self._runner.close()
        self._workspace.close()

    # -- inside

    def _ask(self, number: int, request: str, **more: object) -> Facts:
        runner = self._runner
        if request != "change":
            runner.target.deadline.start_phase("looking at its states")
        limit = runner.target.deadline.limit
        # Half of what is left for each, as a run may take both.
        looking, running = (limit(2 * each) / 2 for each in (LOOKING_SECONDS, runner.timeout))
        asked = runner.request(number, request, patience=looking, **more)
        asked["timeout"] = running
        facts = self._engines.ask(number, partial(self._say, request=asked)) or dict(LOST)
        return runner.in_time(facts)

    def _say(self, session: Engine, request: Mapping[str, Any]) -> Facts:
        # Twice: once for coming to the moment, once more for what comes then.
        return session.ask(request, 2 * request["patience"] + request["timeout"])

    def _observe(self, number: int, facts: Facts) -> Observation:
        """A run as checks see it; what it died of is known by the place."""
        run = self._runner.observe(number, facts)
        if facts["place"] == NONE:
            return run
        block = self._runner.table.blocks[facts["place"]]
        file = self._sources.relative(block.file)
        where = Where(facts["place"], facts["place"], file, block.line)
        return replace(run, exception=failure(run, where, rust=self._runner.program.rust))

    def _listed(self, number: int, most: int) -> Observation:
        """Run and take note of the moments."""
        functions = sorted(self._runner.table.functions)
        if len(self._runner.table.blocks) > MANY_BLOCKS:
            facts = self._ask(number, "survey")
            functions = facts["functions"]
            self._workspace.restore(number)
        facts = self._ask(number, "moments", most=most, functions=functions)
        require_recording(facts, LOOKING_SECONDS)
        observation = self._observe(number, facts)
        self._require_same(observation)
        if not facts["block"]:
            raise nothing_to_trace()
        self._names = self._demangled(number)
        self._record_moments(facts)
        return observation

    def _demangled(self, number: int) -> Mapping[int, str]:
        functions = self._runner.table.functions
        symbols = {str(entry): each.symbol for entry, each in functions.items()}
        session = self._engines.get(number)
        named = session.ask({"request": "demangle", "symbols": symbols}, 30)["names"]
        return {int(entry): name for entry, name in named.items()}

    def _record_moments(self, facts: Facts) -> None:
        """Take note of moments, by place."""
        blocks = self._runner.table.blocks
        outer: list[Backtrace] = []  # what is on the stack below the activations of a chain
        for caller, block, back in facts["chains"]:
            outer.append(() if caller == NONE else (self._call(block, back), *outer[caller]))
        known: dict[Place, Backtrace] = {}
        lines: Counter[tuple[str, int]] = Counter()
        times: Counter[int] = Counter()
        for chain, block in zip(facts["chain"], facts["block"], strict=True):
            if (chain, block) not in known:
                inner = self._call(block, blocks[block].address)
                known[chain, block] = (inner, *outer[chain])
            trace = known[chain, block]
            line = trace[0].file, trace[0].line
            lines[line] += 1
            times[block] += 1
            moment = Moment(*line, lines[line])
            self._places[moment] = block, times[block]
            self._traces[moment] = trace

    def _call(self, block: int, place: int) -> Call:
        found = self._runner.table.blocks[block]
        name = self._names[found.function]
        return Call(name, self._sources.relative(found.file), found.line, place)

    def _at(self, moments: Sequence[Moment]) -> list[tuple[int, list[int]]]:
        """The executions of blocks, for the engine."""
        found: dict[int, list[int]] = {}
        for moment in moments:
            block, time = self._places[moment]
            found.setdefault(block, []).append(time)
        return list(found.items())

    def _goal(self, later: Later) -> dict[str, Any]:
        """A later moment, for the engine."""
        blocks = self._runner.table.blocks
        inner, *outer = later.backtrace
        return {
            "block": next(n for n, each in enumerate(blocks) if each.address == inner.place),
            "outer": [(call.place, call.line) for call in outer],
            "lines": {str(number): each.line for number, each in enumerate(blocks)},
            "number": later.number,
        }

    def _require_same(self, run: Observation) -> None:
        ensure_in_time("stopped to look at its states", run)
        unlike = difference(self.plain, run)
        if unlike is not None:
            raise NotReducible(
                "nondeterministic",
                "The program did something else when its states were looked at than when it ran "
                f"plainly: {unlike}",
                "Its states can only be compared if all of its runs are the same: fix seeds and "
                "clocks, and leave out what depends on threads.",
            )

    def _snapshot(self, trace: Backtrace, told: Mapping[str, Any]) -> Snapshot:
        items = [
            Item(kind, type_, text, "null" if text is None else text,
                 [Part(*part) for part in parts], how is not None)
            for kind, type_, text, how, parts in told["items"]
        ]  # fmt: skip
        private = {each: told[each] for each in ("items", "digest", "places")}
        bases = [Part(*part) for part in told["bases"]]
        return Snapshot(trace, bases, items, told["unseen"], private)


def plainly(alteration: Alteration) -> dict[str, Any]:
    """An alteration as the engine is told of it."""
    other = alteration.other.private["items"]
    new = {ref.item for ref in alteration.contents if ref.new}
    for parts in alteration.contents.values():
        new |= {part.item for _, _, part in parts if part.new}
    return {
        "contents": [
            (ref, [(step, key, part) for step, key, part in parts])
            for ref, parts in alteration.contents.items()
        ],
        "made": {str(each): other[each][:4] for each in sorted(new)},
    }
