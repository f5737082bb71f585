"""A recorded run of a Perl program."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from stripe.errors import NotReducible
from stripe.kit.engines import Facts
from stripe.kit.json_engine import JsonEngine
from stripe.kit.limits import replay_seconds
from stripe.kit.served import ServedRecording
from stripe.trace import Trace
from stripe_perl.runner import PerlRunner
from stripe_perl.trace_model import STEPPING, require_stops


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

    def _start(self, key: int) -> JsonEngine:
        engine = super()._start(key)
        if hasattr(self, "_path"):
            engine.ask({"load": self._path["nodes"]}, self._seconds())
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
