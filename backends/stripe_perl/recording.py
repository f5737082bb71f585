"""A recorded run of a Perl program."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any

from stripe.backend import Differences, Observation, Values
from stripe.errors import NotReducible
from stripe.kit.engines import Facts
from stripe.kit.json_engine import JsonEngine
from stripe.kit.limits import replay_seconds
from stripe.kit.served import ServedRecording, require_no_fault
from stripe.run_equality import difference
from stripe.trace import Trace
from stripe_perl.interpreter import find_perl
from stripe_perl.runner import PerlRunner
from stripe_perl.runtime_library import require_headers
from stripe_perl.trace_model import STEPPING, require_stops
from stripe_perl.value_comparison import ValueComparison, unknown


class PerlRecording(ServedRecording):
    """See :class:`stripe.backend.Recording`.

    A host that has not recorded the run is told of it as it starts; replays name events only.
    """

    FIXED = "The order of hashes is"

    def __init__(
        self, runner: PerlRunner, make_trace: Callable[[Mapping[str, Any]], Trace]
    ) -> None:
        def made(path: Any) -> Trace:
            runner.trace = make_trace(path)
            self.recorded = runner.of_trace(self.recorded)
            return runner.trace

        super().__init__(runner, made)
        self._comparison = ValueComparison(self._looked_at, self._unlike_plain)

    @property
    def facts(self) -> Mapping[str, str]:
        """See :class:`stripe.backend.Witnessed`: files that are compiled are read by the run."""
        perl = find_perl(self._runner.target)
        return {"the interpreter": " ".join([perl, *require_headers(perl)[:3]])}

    def differences(
        self, events: Sequence[int], *, strict: bool = False, fresh: bool = False
    ) -> Differences:
        """See :class:`stripe.backend.Comparing`."""
        if self._runner.target.engine == STEPPING:
            raise unknown(f"the engine {STEPPING} runs to the next stop, whatever is read there")
        everything = range(len(self.trace))
        return self._comparison.differences(events, everything, strict=strict, fresh=fresh)

    def _looked_at(self, events: Sequence[int], strict: bool, fresh: bool) -> Facts:
        """Replay ``events`` and log what they see."""
        with self._slots.one() as use:
            if fresh:
                self._engines.drop(use.number)
            facts = self._ask(use.number, self._look("compare", events, strict))
            return {**facts, "observation": self._runner.observe(use.number, facts)}

    @contextmanager
    def watch(
        self, events: Sequence[int], *, strict: bool = False
    ) -> Iterator[tuple[Observation, Values]]:
        """See :class:`stripe.backend.Watching`."""
        with self._slots.one() as use:
            self._engines.drop(use.number)
            facts = self._ask(use.number, self._look("show", events, strict))
            held = {int(event): {name: text for name, _, text in looks}
                    for event, looks in facts.get("looks", {}).items()}  # fmt: skip
            yield self._runner.observe(use.number, facts), held

    def _look(self, how: str, events: Sequence[int], strict: bool) -> dict[str, Any]:
        return {"kept": list(events), "strict": strict, "look": how}

    def _unlike_plain(self, facts: Facts) -> str | None:
        return difference(self.plain, facts["observation"])

    def _start(self, key: int) -> JsonEngine:
        engine = super()._start(key)
        if self._runner.probes:
            asked = [(probe.name, probe.file, probe.line) for probe in self._runner.probes]
            require_no_fault(engine.ask({"probes": asked}, self._seconds()))
        if hasattr(self, "_path"):
            path = {"load": self._path["nodes"], "cut": self._path.get("cut")}
            require_no_fault(engine.ask(path, self._seconds()))
        return engine

    def _seconds(self) -> float:
        """How long a run may take: once it is recorded, several times what that took."""
        limit = self._runner.timeout
        if hasattr(self, "recorded") and self._runner.target.timeout is None:
            limit = replay_seconds(self.plain, self.recorded)
        return self._runner.target.deadline.limit(limit)

    def _answer(self, engine: JsonEngine, request: Mapping[str, Any]) -> Facts:
        words = {name: value for name, value in request.items() if name not in ("path", "strict")}
        if "kept" in request:
            words["mode"] = "program" if request["strict"] else "replay"
            if self._runner.target.engine == STEPPING:
                words["mode"] = "step"
        facts = super()._answer(engine, {**words, "seconds": self._seconds()})
        if facts.get("refused"):
            line = f" in line {facts['line']}" if facts["line"] else ""
            raise NotReducible(
                "perl-not-followed",
                f"The program comes to what cannot be followed{line}: {facts['refused']}.",
                "Give it input by which it does not come there (see docs/perl.md).",
            )
        if facts.get("path") and self._runner.target.engine == STEPPING:
            require_stops(facts["path"])
        return facts
