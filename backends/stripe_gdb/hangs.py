"""Recording a native program that does not end."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from stripe.backend import End
from stripe.kit.limits import CUT_SECONDS
from stripe.run_equality import how_ended
from stripe.sandbox.reads import unwitnessed
from stripe.trace.infinite_loops import ended, loop_going_on, no_loop, not_followed, waits
from stripe_gdb.recording import NativeRecording
from stripe_gdb.refusals import require_recording

CUT_EVENTS = 20_000
"""Statements after which it is cut off in any case."""


class CutRecording(NativeRecording):
    """A run that is cut off in a loop; see ``Target.cut``."""

    def _record(self, *, witness: bool = True) -> None:
        """Record a program that does not end, until it is cut off.

        There is no plain run to compare it with.  What stands for it is the full replay, which
        ends where the trace does.
        """
        runner, number = self._runner, self._recorded_in
        seconds = runner.timeout = runner.target.timeout or CUT_SECONDS
        runner.target.deadline.start_phase("recording the program")
        record = partial(self._run_recorded, events=CUT_EVENTS)
        session, facts = self._with_libraries(record)
        self.plain = self.recorded = runner.observe(number, facts)
        self.reads = unwitnessed(self._stamps, "it does not end")
        if facts["end"] in ("exited", "signal"):
            raise ended(self.plain.status, self.plain.stderr)
        if facts["end"] != "timeout":
            require_recording(facts, seconds)
        self._read(session, facts.get("elsewhere", ()))
        self.trace.find_control = partial(self._branches, session)
        found = loop_going_on(self.trace)
        if found is None and facts["still"]:
            raise waits(f"{seconds:g} seconds")
        if found is None:
            raise no_loop()
        last = _next_own(self._log.activation, found)
        self._cut = [found, self._log.block[last]]
        self._log = self._log.until(last)
        self._log.write(self._path)
        self._make_trace(session)
        self._engines.drop(number)
        self._raising = []
        self._set_limits()
        self._workspace.restore(number)
        self._give_slots()
        runner.target.deadline.start_phase(f"replaying all {len(self.trace)} events")
        with self._fully(strict=True) as full:
            self.plain = self.recorded = full
        if full.end is not End.CUT:
            raise not_followed(how_ended(full))
        self.notes = [*self._workspace.notes, *self.notes, *self._libraries.notes]


def _next_own(activation: Sequence[int], event: int) -> int:
    """The event that follows in the same activation."""
    return next(
        each for each in range(event + 1, len(activation)) if activation[each] == activation[event]
    )
