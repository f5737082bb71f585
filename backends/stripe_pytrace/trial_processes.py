"""The processes in which changes are tried: how they are started, and what they are asked."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from stripe.backend import Target
from stripe.interventions import Intervention, Line
from stripe.kit.engines import Engines, Facts, Gone
from stripe.kit.slots import Slots
from stripe.sandbox.walls import Layer
from stripe.sandbox.workspace import Workspace
from stripe_pytrace.endings import not_run
from stripe_pytrace.host import AgentProcess, Refusal
from stripe_pytrace.interpreter import Interpreter
from stripe_pytrace.runner import Runner

LOOK_SECONDS = 60.0
"""Seconds that whatever is asked but to run tests may take, such as to collect them."""

MEMORY = 2 << 30
"""Bytes of address space that a run may have, unless the user allows more."""

OUTPUT = 8 << 20
WAITING = 4.0
"""Times its fuel a run may take, and seconds more, when it waits for something."""

MOST_STALLS = 3
"""So many times collecting is begun anew without what does not end."""

LOST: Facts = {"end": "lost", "status": -9, "stdout": b"", "stderr": b"", "dirty": True}

DEFAULTS: dict[str, Any] = {"tests": [], "uncollected": [], "only": None, "without": [], "stop": 1}
"""What a request for tests has unless it says otherwise."""


@dataclass(frozen=True, slots=True)
class Stall:
    """Something the collecting of which does not end: where it stands, and what it executed."""

    name: str
    own: str
    detail: str
    lines: frozenset[Line]


class Processes:
    """Those of a search, one for each slot, and *cold* ones, that fork before tests are collected.

    - ``files``: those that are changed; ``modules``: of libraries, that are imported ahead
    - ``stand``: seconds of a processor for which collecting may stand still; 0 for any time
    - ``stalls``: what does not end, which is then left out; never in cold ones
    - ``threads``: what starts threads while tests are collected; all processes are cold then, as
      none that has threads can be forked
    """

    def __init__(
        self, target: Target, interpreter: Interpreter, layer: Layer, workspace: Workspace,
        face: str,
    ) -> None:  # fmt: skip
        self.runner = Runner(target, (), interpreter, workspace, "experiments.laboratory")
        self.runner.limits = {"memory": target.memory or MEMORY, "output": OUTPUT}
        self.files: list[str] = []
        self.modules: list[str] = []
        self.stand = 0.0
        self.cancelled = False
        self.stalls: list[Stall] = []
        self.threads = ""
        self._endless: list[str] = []
        self._early = False
        self._face = face
        self._guarded = layer is Layer.NONE and not target.unsafe
        self._workspace = workspace
        self._known: dict[tuple[int, bool], list[str]] = {}
        self._slots = Slots(workspace)
        self._slots.give(range(target.jobs))
        self._engines: Engines[tuple[int, bool], AgentProcess] = Engines(
            self._start, lambda key: workspace.restore(key[0])
        )

    def lines(self, told: Mapping[str, Sequence[int]], number: int = 0) -> frozenset[Line]:
        """Lines of files that a process in a slot has told."""
        relative = self.runner.paths.relative
        return frozenset(
            Line(relative(number, path), line) for path, lines in told.items() for line in lines
        )

    def learn(self, told: Mapping[str, Any]) -> None:
        """Have modules imported ahead that a run has imported."""
        self.modules += [each for each in told.get("modules", ()) if each not in self.modules]

    # --- starting

    def _start(self, key: tuple[int, bool]) -> AgentProcess:
        """Start a process that forks; a ``cold`` one does it before tests are collected."""
        number, cold = key
        self._known[key] = self.files
        while True:
            job = self._job(number, cold or bool(self.threads))
            try:
                return self.runner.stay(number, job)
            except Refusal as refusal:
                if not self._learnt(number, refusal.facts, early=job["early"]):
                    raise not_run(refusal.message) from None
            except Gone as error:
                raise not_run(error.message) from None

    def _job(self, number: int, cold: bool) -> dict[str, Any]:
        absolute = self.runner.paths.absolute
        return {
            **self.runner.job(number),
            "face": self._face,
            "cold": cold,
            "early": self._early,
            "look": self.stand,
            "endless": [] if cold else [absolute(number, each) for each in self._endless],
            "files": [absolute(number, each) for each in self.files],
            "modules": self._ahead(),
            "allowed": () if self._guarded else None,
        }

    def _ahead(self) -> list[str]:
        """Modules to import before forking: none that may start threads, or come too early."""
        return [] if self._early or self.threads else self.modules

    def _learnt(self, number: int, facts: Mapping[str, Any], *, early: bool) -> bool:
        """Whether what a process could not do is known now, and it can be tried otherwise.

        ``early``: how it was started; the one of another slot may have taught it meanwhile.
        """
        kind, relative = facts.get("kind"), self.runner.paths.relative
        if kind == "early" and not early:
            self._early = True
            return True
        if kind == "threads" and not self.threads:
            started = self.runner.readable(number, facts["detail"])
            self.threads = started.replace(f"{self.runner.target.directory}{os.sep}", "")
            return True
        if kind != "endless" or not facts["name"] or len(self.stalls) >= MOST_STALLS:
            return False
        detail = self.runner.readable(number, facts["detail"])
        own = relative(number, facts["file"])
        lines = self.lines(facts["lines"], number)
        self.stalls.append(Stall(facts["name"], own, detail, lines))
        self._endless.append(relative(number, facts["culprit"]))
        return True

    # --- asking

    def ask(
        self, request: dict[str, Any], *, seconds: float = LOOK_SECONDS, cold: bool = False
    ) -> Facts:
        """Run once; whatever it leaves behind is undone."""
        with self._slots.one() as use:
            number = use.number
            told = self._told(number, request, seconds)
            self._keep_informed(number, cold, told)
            if "delta" in told:
                file, *what = told["delta"]
                told["delta"] = (self.runner.paths.absolute(number, file), *what)
            facts = self._engines.ask(
                (number, cold), lambda server: self.runner.in_time(server.ask(told))
            )
            if facts is None:
                facts = dict(LOST)
            use.dirty = bool(facts.get("dirty", True))
            facts["slot"] = number
            return facts

    def stream(
        self,
        request: dict[str, Any],
        changes: Sequence[Intervention],
        seconds: float,
        patience: float,
    ) -> Iterator[Facts]:
        """What each change came to, as far as it can be told: perhaps of none, or not of all.

        ``patience``: so long a process may take to where it tries them.
        """
        with self._slots.one() as use:
            number = use.number
            told = self._told(number, request, seconds)
            absolute = {
                file: self.runner.paths.absolute(number, file)
                for file in {each.at.file for each in changes}
            }
            told["deltas"] = [
                (absolute[each.at.file], *each.private) for each in changes if not each.slow
            ]
            self._keep_informed(number, False, told)
            told["patience"] = self.runner.target.deadline.limit(patience)
            unread = True
            try:
                server = self._engines.get((number, False))
                for facts in server.stream(told):
                    if "over" in facts:
                        unread = False
                        use.dirty = use.dirty or "lost" in facts
                        if facts.get("stands"):  # it was, until it ran the next one
                            yield dict(LOST, slot=number)
                        return
                    use.dirty = bool(facts.get("dirty", False))
                    yield self.runner.in_time({**facts, "slot": number})
            except Gone:
                unread = False
                self._engines.drop((number, False))
                use.dirty = True
                yield dict(LOST, slot=number)
            finally:
                if unread:  # time is over: what comes now would be taken for the next answer
                    self._engines.drop((number, False))
                    use.dirty = True

    def _keep_informed(self, number: int, cold: bool, told: dict[str, Any]) -> None:
        """Have a process know what is to be changed."""
        if self._known.get((number, cold), self.files) is not self.files:
            files = [self.runner.paths.absolute(number, each) for each in self.files]
            told["ahead"] = {"files": files, "modules": self._ahead()}
            self._known[number, cold] = self.files

    def _told(self, number: int, request: Mapping[str, Any], seconds: float) -> dict[str, Any]:
        """What a process has to know to run once, in so many seconds of a processor."""
        limit = self.runner.target.deadline.limit
        told = {
            **self.runner.request(number),
            **DEFAULTS,
            "timeout": limit(WAITING * seconds + 1.0),
            "wall": limit(10 * seconds + 5.0),
            "processor": 2 * seconds + 1.0,
            **request,
        }
        if "arguments" in told:
            slot = self._workspace.slot(number)
            told["arguments"] = self.runner.paths.arguments(slot, told["arguments"])
        return told

    def text(self, file: str) -> str:
        """A file of the user's."""
        with open(os.path.join(self._workspace.directory, file), "rb") as stream:
            return stream.read().decode("utf-8", "replace")

    def cancel(self) -> None:
        """End all of them; who waits for one is told that it is gone."""
        self.cancelled = self._slots.closed = self._engines.closed = True
        self._engines.drop_all()

    def close(self) -> None:
        """End all of them."""
        self.cancel()
        self.runner.close()
