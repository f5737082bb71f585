"""Runs of a Python program that are looked at and changed at moments."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from typing import Any

from stripe.backend import Observation, Target
from stripe.errors import NotReducible
from stripe.kit.changed_runs import Changing
from stripe.kit.engines import Facts
from stripe.kit.refusals import require_end
from stripe.kit.slots import Slots, scratch_copies
from stripe.run_equality import difference, ensure_in_time
from stripe.sandbox.walls import Layer, no_sandbox
from stripe.snapshots import Alteration, Backtrace, Call, Item, Later, Moment, Part, Snapshot
from stripe_pytrace.interpreter import Interpreter
from stripe_pytrace.recording import HARMLESS
from stripe_pytrace.refusals import require_own_end
from stripe_pytrace.runner import Runner

SLOWER = 10.0
"""Times what the plain run took, a run may take that is looked at..."""

LEAST_SECONDS = 2.0
"""...but always as long as this."""

LOOKING_SECONDS = 120.0
"""Seconds a run may take whose states are told, or that goes to a moment."""

ATTEMPTS = 2
"""Times a process goes to a moment that ends there with a run, before that runs without it."""


@dataclass(slots=True)
class Ends:
    """How runs end that are compared with each other: all in the same way.

    ``fast``: modules are not torn down, as long as nobody notices.  Who writes files might, as
    some are written to only when what has them open is torn down.
    """

    fast: bool = True


class StateRun(Changing):
    """See :class:`stripe.snapshots.Run`; ``ends`` are shared by runs that are compared."""

    debugger = "pdb"

    def __init__(
        self,
        target: Target,
        interpreter: Interpreter,
        layer: Layer,
        why: str,
        notes: Sequence[str],
        ends: Ends,
    ) -> None:
        self._ends = ends
        self.layer = layer
        self._why = why
        with scratch_copies(target, layer) as self._workspace:
            self._runner = Runner(target, (), interpreter, self._workspace, "observing.states")
            self._slots = Slots(self._workspace)
            self._kept = target.jobs  # the slot that shows what the plain run has left
            self._stamps = self._workspace.stamps(self._kept)
            self._before = True  # nothing is known yet that runs could be compared with
            self._fresh: set[Moment] = set()  # at these, no process can stay and fork
            try:
                self._run_plainly()
                self._before = False
            except BaseException:
                self._runner.close()
                raise
        self.notes = [*notes, *self._workspace.notes]

    @property
    def facts(self) -> Mapping[str, str]:
        """See :class:`stripe.backend.Witnessed`."""
        return self._runner.interpreter.facts

    def stamp(self, path: str) -> str:
        """See :class:`stripe.backend.Witnessed`."""
        return self._stamps.stamp(path)

    def _run_plainly(self, *, witness: bool = True) -> None:
        target = self._runner.target
        if self._guarded and self._before:
            # Before the plain run, which nobody would stop.
            self._slots.give(range(target.jobs))
            with self._told({"task": "list", "most": 1}):
                pass
        self._witnessed = witness
        target.deadline.start_phase("running the program")
        self.plain, self.reads = self._runner.witnessed(self._kept, witness=witness)
        denied = self._workspace.denied(self._kept)
        require_end(self.plain, self._runner.timeout, target, self.layer, denied)
        require_own_end(self.plain)
        if target.timeout is None:
            self._runner.timeout = max(LEAST_SECONDS, SLOWER * self.plain.seconds)
            self._runner.wall = 10 * self._runner.timeout
        if not self._slots.given:
            self._kept = self._slots.give_after(target, self._workspace.changes(self._kept))
            there = self._workspace.slot(self._kept).directory
            self.plain = replace(self.plain, directory=there)

    @contextmanager
    def looked(self, most: int) -> Iterator[tuple[Observation, Sequence[tuple[Moment, Backtrace]]]]:
        """See :class:`stripe.snapshots.Run`."""
        with self._patient(), self._told({"task": "list", "most": most}) as (number, facts):
            self._require_same(number, facts)
            told = facts["told"]
            traces = [self._backtrace(number, each) for each in told["traces"]]
            found = []
            for trace, count in told["moments"]:
                inner = traces[trace][0]
                found.append((Moment(inner.file, inner.line, count), traces[trace]))
            yield self._runner.observe(number, facts), found

    def states(self, moments: Sequence[Moment]) -> Mapping[Moment, Snapshot]:
        """See :class:`stripe.snapshots.Run`."""
        with self._looked_at("look", moments) as (number, told):
            return {moment: self._snapshot(number, each) for moment, each in told.items()}

    def identities(self, moments: Sequence[Moment]) -> Mapping[Moment, Sequence[int | None]]:
        """See :class:`stripe.snapshots.Identifying`."""
        with self._looked_at("identify", moments) as (_, told):
            return told

    @contextmanager
    def _looked_at(
        self, task: str, moments: Sequence[Moment]
    ) -> Iterator[tuple[int, dict[Moment, Any]]]:
        """What is told of moments, for those that the run comes to."""
        with self._patient(), self._told({"task": task}, moments) as (number, facts):
            self._require_same(number, facts)
            keys = {moment: f"{self._absolute(number, moment.file)}:{moment.line}"
                    f"#{moment.occurrence}" for moment in moments}  # fmt: skip
            told = facts["told"]
            yield number, {each: told[key] for each, key in keys.items() if key in told}

    @contextmanager
    def followed(
        self, moment: Moment, alteration: Alteration, later: Later | None
    ) -> Iterator[tuple[Observation, Snapshot | None, Snapshot | None]]:
        """See :class:`stripe.snapshots.Following`."""
        change: dict[str, Any] = {
            "alteration": plainly(alteration),
            "digest": alteration.state.private["digest"],
            "fast": self._fast,
            "later": None,
        }
        with self._slots.one() as use:
            if later is not None:
                trace = tuple(
                    (call.function, self._absolute(use.number, call.file), call.line, call.place)
                    for call in later.backtrace
                )
                change["later"] = trace, later.number
            facts = self._changed(use.number, moment, change)
            use.dirty = bool(facts.get("dirty", True))
            told = facts.get("told", {})
            after, then = (
                self._snapshot(use.number, told[each]) if each in told else None
                for each in ("changed", "later")
            )
            yield self._runner.observe(use.number, facts), after, then

    def _changed(self, number: int, moment: Moment, change: Mapping[str, Any]) -> Facts:
        """Run on from a moment, by a fork of a process that stays there if there can be one."""
        limits: dict[str, Any] = {}
        if change["later"] is not None:
            limits["timeout"] = self._runner.request(number)["wall"]  # every line takes longer
        for _ in range(ATTEMPTS):
            if moment in self._fresh:
                break
            facts = self._runner.forked(
                number,
                self._job(number, {"task": "stay"}, [moment]),
                fork_point=tuple(moment),
                patience=self._runner.target.deadline.limit(LOOKING_SECONDS),
                change=dict(change),
                **limits,
            )
            if "lost" not in facts:
                return facts
            self._workspace.restore(number)
            if not facts["stands"]:
                self._fresh.add(moment)
        return self._once(number, {"task": "change", **change}, [moment], **limits)

    def close(self) -> None:
        """See :class:`stripe.snapshots.Run`."""
        self._slots.closed = True
        self._runner.close()
        self._workspace.close()

    @contextmanager
    def _patient(self) -> Iterator[None]:
        """While a run is looked at: that takes its time, which is not the program's."""
        runner = self._runner
        runner.target.deadline.start_phase("looking at its states")
        before = runner.timeout, runner.wall
        runner.timeout = runner.wall = max(before[0], LOOKING_SECONDS)
        try:
            yield
        finally:
            runner.timeout, runner.wall = before

    @contextmanager
    def _told(
        self, task: Mapping[str, Any], moments: Sequence[Moment] = ()
    ) -> Iterator[tuple[int, Facts]]:
        """Run once; what the agent tells, and in which slot."""
        with self._slots.one() as use:
            facts = self._once(use.number, task, moments)
            use.dirty = bool(facts.get("dirty", True))
            yield use.number, facts

    def _once(
        self, number: int, task: Mapping[str, Any], moments: Sequence[Moment], **limits: Any
    ) -> Facts:
        """A run from the beginning."""
        fast = self._fast
        facts = self._runner.forked(number, self._job(number, task, moments), **limits)
        if facts["end"] == "harmful" and self._guarded:
            raise no_sandbox(f"The program does this: {facts['detail']}", self._why)
        if fast and task["task"] != "change":
            unlike = difference(self.plain, self._runner.observe(number, facts))
            if unlike is not None or facts.get("dirty", True):
                self._ends.fast = False
                self._workspace.restore(number)
                return self._once(number, task, moments, **limits)
        return facts

    @property
    def _fast(self) -> bool:
        return self._ends.fast and not self._before

    @property
    def _guarded(self) -> bool:
        return self.layer is Layer.NONE and not self._runner.target.unsafe

    def _job(
        self, number: int, task: Mapping[str, Any], moments: Sequence[Moment]
    ) -> dict[str, Any]:
        at: dict[tuple[str, int], list[int]] = {}
        for moment in moments:
            key = self._absolute(number, moment.file), moment.line
            at.setdefault(key, []).append(moment.occurrence)
        return {
            **self._runner.job(number),
            "fast": self._fast,
            **task,
            "at": at,
            "allowed": HARMLESS if self._guarded else None,
        }

    def _require_same(self, number: int, facts: Facts) -> None:
        observation = self._runner.observe(number, facts)
        ensure_in_time("stopped to look at its states", observation)
        unlike = difference(self.plain, observation)
        if unlike is not None and self._witnessed:
            self._workspace.restore(self._kept)
            self._run_plainly(witness=False)
            unlike = difference(self.plain, observation)
        raised = observation.exception
        if unlike is not None and raised is not None and raised.type == "RecursionError":
            raise NotReducible(
                "not-reproducible",
                "The program recurses without end, or to the limit, and what looks at its states "
                "takes some levels of that: it fails at another depth than when it runs plainly.",
                "Let the program raise an exception of its own at a depth that no correct run "
                "comes to, and search for the causes of that.",
            )
        if unlike is not None or "told" not in facts:
            raise NotReducible(
                "nondeterministic",
                "The program did something else when its states were looked at than when it ran "
                f"plainly: {(unlike or facts.get('detail') or facts['end']).rstrip('.')}.",
                "Its states can only be compared if all of its runs are the same: fix seeds and "
                "clocks, and leave out what depends on threads.",
            )

    def _absolute(self, number: int, file: str) -> str:
        return self._runner.paths.absolute(number, file)

    def _backtrace(self, number: int, told: Sequence[tuple[str, str, int, int]]) -> Backtrace:
        relative = self._runner.paths.relative
        return tuple(Call(name, relative(number, file), *rest) for name, file, *rest in told)

    def _snapshot(self, number: int, told: Mapping[str, Any]) -> Snapshot:
        items = items_of(told["items"])
        return Snapshot(
            self._backtrace(number, told["backtrace"]),
            [Part(*part) for part in told["bases"]],
            items,
            told["unseen"],
            {"items": told["items"], "keys": told["keys"], "digest": told["digest"]},
        )


def items_of(told: Iterable[Sequence[Any]]) -> list[Item]:
    """Items as the agent tells them; see ``stripe_pytrace.agent.observing.memory``."""
    return [
        Item(
            kind, type_, text, text, [Part(*part) for part in parts], how is not None,
            shared=kind != "atom" and (how is None or how[0] != "tuple"),
        )
        for kind, type_, text, how, parts in told
    ]  # fmt: skip


def plainly(alteration: Alteration) -> dict[str, Any]:
    """An alteration as the agent is told of it."""
    other = alteration.other.private
    new = {ref.item for ref in alteration.contents if ref.new}
    for parts in alteration.contents.values():
        new |= {part.item for _, _, part in parts if part.new}
    return {
        "contents": [
            (tuple(ref), [(step, key, tuple(part)) for step, key, part in parts])
            for ref, parts in alteration.contents.items()
        ],
        "made": {each: (other["items"][each][0], other["items"][each][3]) for each in new},
        "keys": other["keys"],
    }
