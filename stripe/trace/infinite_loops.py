"""Programs that do not end: where the loop has settled that goes on, and why there is none.

See ``Target.cut``.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator, Sequence
from itertools import pairwise

from stripe.errors import NotReducible
from stripe.trace.model import NONE, Trace

ROUNDS = 4
"""How often the header of a loop must have been reached for it to count as one that goes on."""


LONGEST_PERIOD = 64
"""Rounds after which a loop is seen to repeat itself."""


def goes_on(trace: Trace, headers: Sequence[int], entered: int) -> bool:
    """Whether a loop has been going round for most of the trace.

    ``headers`` are the events of its header, ``entered`` is the event the loop began with.
    """
    return len(headers) >= ROUNDS and entered <= len(trace) // 2


def going_on(trace: Trace) -> int:
    """The header (an event) at which a run that was cut off went on.

    It is the last event, or, if its condition asked functions, what called them.  Where no
    condition is known that decided whether it goes on, it is what has been executed before.
    """
    calls = []
    event = len(trace) - 1
    while event != NONE:
        calls.append(event)
        event = trace.caller[event]
    for event in calls:
        decider = trace.control[event]
        while decider != NONE and trace.statement[decider] != trace.statement[event]:
            decider = trace.control[decider]
        if decider != NONE:
            return event
    for event in calls:
        own = (trace.activation[event], trace.statement[event])
        if own in zip(trace.activation[:event], trace.statement[:event], strict=True):
            return event
    return calls[0]


def loop_going_on(trace: Trace) -> int | None:
    """The header (an event) of the loop that does not end, some rounds after it has settled.

    A header decides whether it is executed again.  The loop is the innermost of those that have
    been going round for most of the trace, in the calls that were open when it was cut off.
    """
    within: dict[int, list[int]] = {}  # recursion makes many activations of few events
    for event, activation in enumerate(trace.activation):
        within.setdefault(activation, []).append(event)
    event = len(trace) - 1
    while event != NONE:
        own = within[trace.activation[event]]
        events = own[: bisect_right(own, event)]
        for headers in (*_loops_around(trace, event), _executions(trace, events)):
            if headers and goes_on(trace, headers, headers[0]):
                return settled(trace, headers)
        event = trace.caller[event]
    return None


def _executions(trace: Trace, events: Sequence[int]) -> list[int]:
    """The executions, among the events of an activation, of what stands for the header of a loop.

    In the machine code of a loop whose condition always holds (``for (;;)``, an unsigned number
    that is at least 0) there is none: the first statement of its rounds, by lines, is the best.
    """
    statement = trace.statement
    latest = [each for each in events[:-1] if statement[each] == statement[events[-1]]]
    if not latest:
        return []
    turn = {statement[each] for each in events[bisect_right(events, latest[-1]) - 1 :]}
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


def settled(trace: Trace, headers: Sequence[int]) -> int:
    """The header (an event) some rounds after the loop has settled.

    It has settled where all later rounds execute the same statements, or those that some rounds
    before did (its *period*).  Of the latest header it is not known how it was evaluated; of those
    before it is: the loop went on.
    """
    last = len(headers) - 2
    numbers: dict[bytes, int] = {}  # by what a round executes
    rounds = [
        numbers.setdefault(bytes(memoryview(trace.statement[start:end])), len(numbers))
        for start, end in pairwise(headers[: last + 1])
    ]
    for period in range(1, LONGEST_PERIOD + 1):
        found = last
        while found > 1 and found + period > last:
            found -= 1  # what it repeats is compared with nothing
        while found > 1 and rounds[found - 1] == rounds[found - 1 + period]:
            found -= 1
        if last - found >= (ROUNDS + 1) * period or period == last:
            return headers[min(found + ROUNDS * period, last)]
    return headers[last]


def waits(seconds: str, where: str = "") -> NotReducible:
    """The error for a run that was neither at its end nor in a loop when time was up."""
    return NotReducible(
        "waits-for-ever",
        f"The program was neither at its end nor in a loop of your code after {seconds}: it waits "
        f"for something, or computes in a library{f', at {where}' if where else ''}.",
        "--check hang is about loops. If it waits for input: --input TEXT, --stdin FILE.",
    )


def ended(status: int, stderr: bytes) -> NotReducible:
    """The error for a run that came to its end."""
    text = stderr.decode("utf-8", "replace").strip().rpartition("\n")[2]
    return NotReducible(
        "no-hang",
        f"The program came to its end (exit status {status}); the check 'hang' is about one "
        "that does not." + (f" Its last words: {text}" if text else ""),
        "Leave out --check hang, or give it the input with which it goes on for ever.",
    )


def no_loop() -> NotReducible:
    """The error for a run that was cut off, but in no loop."""
    return NotReducible(
        "no-loop",
        "The program was cut off, but no loop of your code had gone round often enough: does it "
        "call itself again and again, or did it only need more time?",
        "--timeout S cuts it off later; endless recursion ends by itself: try it without "
        "--check hang.",
    )


def not_followed(how: str) -> NotReducible:
    """The error for a run that was cut off in a loop, to which its full replay does not come.

    ``how`` that ended instead.
    """
    return NotReducible(
        "not-reproducible",
        "Replayed in full, the program does not come to where the recorded run was cut off: it "
        f"{how}.",
        "The loop seems to depend on something that changes from run to run: the time, chance, "
        "threads, other programs.",
    )
