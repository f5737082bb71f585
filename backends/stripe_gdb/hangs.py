"""Recording a native program that does not end."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial

from stripe.backend import End
from stripe.kit.limits import CUT_SECONDS
from stripe.run_equality import how_ended
from stripe.sandbox.reads import unwitnessed
from stripe.trace import NONE, Trace
from stripe.trace.infinite_loops import ended, goes_on, no_loop, not_followed, settled, waits
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


def loop_going_on(trace: Trace) -> int | None:
    """The header (an event) of the loop that does not end, some rounds after it has settled.

    A header decides whether it is executed again.  The loop is the innermost of those that have
    been going round for most of the trace, in the calls that were open when it was cut off.
    """
    event = len(trace) - 1
    while event != NONE:
        for headers in (*_loops_around(trace, event), _executions(trace, event)):
            if headers and goes_on(trace, headers, headers[0]):
                return settled(trace, headers)
        event = trace.caller[event]
    return None


def _executions(trace: Trace, event: int) -> list[int]:
    """The executions, in the activation of an event, of what stands for the header of a loop.

    In the machine code of a loop whose condition always holds (``for (;;)``, an unsigned number
    that is at least 0) there is none: the first statement of its rounds, by lines, is the best.
    """
    statement, own = trace.statement, trace.activation[event]
    events = [each for each in range(event + 1) if trace.activation[each] == own]
    latest = [each for each in events[:-1] if statement[each] == statement[event]]
    if not latest:
        return []
    turn = {statement[each] for each in events[events.index(latest[-1]) :]}
    first = min(turn, key=lambda number: trace.statements[number].line)
    return [each for each in events if statement[each] == first]


def _loops_around(trace: Trace, event: int) -> Iterator[list[int]]:
    """The loops that an event is in, in its activation, inside out: the events of their headers."""
    deciders: list[int] = []
    while event != NONE:
        deciders.append(event)
        event = trace.control[event]
    seen = set()
    for decider in deciders:
        number = trace.statement[decider]
        if number not in seen:
            seen.add(number)
            headers = [each for each in reversed(deciders) if trace.statement[each] == number]
            if len(headers) > 1:
                yield headers
