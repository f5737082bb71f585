"""Where the runs of a native program that cannot be repeated first part."""

from __future__ import annotations

from array import array
from collections.abc import Iterator

from stripe.backend import End, Observation
from stripe.trace import NONE, Trace
from stripe.trace.first_divergence import parted, place
from stripe_gdb.paths import RETURNED
from stripe_gdb.value_comparison import Comparison, Pairs, Seen


def first_parting(trace: Trace, comparison: Comparison) -> str:
    """The first event at which two full replays see different values, as a line of a message.

    Both go the way of the recorded run as far as the program itself goes it.  Where they see the
    same as far as they come, it is where the first of them left that way, or ended; empty if
    nothing can be told.
    """
    (run, one), (_, other) = (comparison.full(fresh=fresh) for fresh in (False, True))
    found = _first_difference(trace, comparison, one, other)
    if found is not None:
        return "\n" + parted(trace, *found)
    return ended(trace, run, max(one, default=NONE))


def unwritten_read(trace: Trace, comparison: Comparison, usual: Seen, filled: Seen) -> str:
    """Where the recorded run first reads what nothing has written, as one line.

    ``usual`` is what a full replay saw where memory was as in the recorded run, ``filled`` what one
    saw where it held something else.  Where their values show no difference (padding, what is read
    in a library), it is the last event of the recorded path that the second came to; empty if it
    came to the end.
    """
    found = _first_difference(trace, comparison, usual, filled)
    if found is not None:
        event, name, _, _ = found
        if name != RETURNED:  # by what it calls, such as memcmp
            return f"reads {name}, which nothing has written, at {place(trace, event)}"
        return f"depends on memory that nothing has written, at {place(trace, event)}"
    latest = max(filled, default=NONE)
    if latest not in range(len(trace) - 1):
        return ""
    return f"depends on memory that nothing has written, at {place(trace, latest)}"


def ended(trace: Trace, run: Observation, latest: int) -> str:
    """Where a replay left the recorded path, or ended before its end: at its latest event."""
    if run.end is End.DIVERGED and latest != NONE:
        left = f"leaves the recorded path: {run.detail}. It does so"
    elif latest in range(len(trace) - 1):
        left = "ends"
    else:
        return ""
    return f"\nA replay of all events {left} at {place(trace, latest)}."


def _first_difference(
    trace: Trace, comparison: Comparison, one: Seen, other: Seen
) -> tuple[int, str, str, str] | None:
    """The event, what it saw there, and as what; None where two runs saw the same."""
    pairs = Pairs()
    for event, after in in_time(trace):
        looks = zip(comparison.looks(event), one.get(event, ()), other.get(event, ()), strict=False)
        for look, old, new in looks:
            if look.after is after and not pairs.same(old, new, makes=look.makes and after):
                return event, look.name, old, new
    return None


def in_time(trace: Trace) -> Iterator[tuple[int, bool]]:
    """The two times at which an event is looked at: before it, and after all that it called."""
    last = array("i", range(len(trace)))
    for event in reversed(range(len(trace))):
        caller = trace.caller[event]
        if caller != NONE:
            last[caller] = max(last[caller], last[event])
    open_: list[int] = []
    for event in range(len(trace)):
        yield event, False
        open_.append(event)
        while open_ and last[open_[-1]] == event:
            yield open_.pop(), True
