"""Recording a Perl program that does not end."""

from __future__ import annotations

from typing import Any

from stripe.backend import End
from stripe.kit.limits import CUT_SECONDS
from stripe.kit.refusals import seconds as in_seconds
from stripe.run_equality import how_ended
from stripe.sandbox.reads import unwitnessed
from stripe.trace.infinite_loops import ended, loop_going_on, no_loop, not_followed, waits
from stripe_perl.recording import PerlRecording
from stripe_perl.trace_model import nodes_up_to


class CutRecording(PerlRecording):
    """A run that is cut off in a loop; see ``Target.cut``."""

    def _record(self, make_trace: Any) -> None:
        """Record a program that does not end, until it is cut off.

        There is no plain run to compare it with.  What stands for it is the full replay, which
        ends where the trace does.
        """
        runner, target, number = self._runner, self._runner.target, self._recorded_in
        seconds = runner.timeout = target.timeout or CUT_SECONDS
        target.deadline.start_phase("recording the program")
        facts = self._answer(self._engines.get(number), {"cut": True})
        self._engines.drop(number)
        self.plain = self.recorded = runner.observe(number, facts)
        self.reads = unwitnessed(self._stamps, "it does not end")
        if facts["end"] not in ("cut", "timeout"):
            raise ended(self.plain.status, self.plain.stderr)
        trace = make_trace(facts["path"])
        if not len(trace) or (found := loop_going_on(trace)) is None:
            raise no_loop() if facts["end"] == "cut" else waits(in_seconds(seconds))
        self._path = nodes_up_to(facts["path"], found)
        self.trace = make_trace(self._path)
        self._workspace.restore(number)
        target.deadline.start_phase(f"replaying all {len(self.trace)} events")
        with self._fully(strict=True) as full:
            self.plain = self.recorded = full
        if full.end is not End.CUT:
            raise not_followed(how_ended(full))
        self.notes = self._workspace.notes
