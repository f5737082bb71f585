"""The loop of a Python program that goes on."""

from __future__ import annotations

from bisect import bisect_right

from stripe.backend import Observation
from stripe.kit.refusals import seconds
from stripe.trace.infinite_loops import ended, goes_on, settled, waits
from stripe_pytrace.paths import LogReader


def loop_going_on(reader: LogReader) -> int | None:
    """The header (an event) of the loop that does not end, some rounds after it has settled.

    The loop is the innermost of those that have been going round for most of the log.
    """
    trace = reader.trace
    for events, loops in reversed(reader.open):
        positions = [reader.position[event] for event in events]
        for node, _, start, heads in reversed(loops):
            entered = events[bisect_right(positions, start) - 1]
            headers = [events[bisect_right(positions, head) - 1] for head in heads]
            if goes_on(trace, headers, entered):
                found = settled(trace, headers)
                if trace.statement[found] == node:
                    return found
    return None


def require_going_on(run: Observation, end: str, seconds_: float, where: str) -> None:
    """A run that is to be cut off must have come that far.

    ``end`` is what the agent says; ``where`` it was when time was up, if that is known.
    """
    if end == "timeout":
        raise waits(seconds(seconds_), where)
    if end != "cut":
        raise ended(run.status, run.stderr)
