"""Programs that do not end: the loop that goes on, and what is said where there is none."""

from __future__ import annotations

from bisect import bisect_right

from stripe.backend import End, Observation
from stripe.errors import NotReducible
from stripe_pytrace.paths import LogReader
from stripe_pytrace.refusals import seconds

ROUNDS = 4
"""How often the header of a loop must have been reached for it to count as one that goes on."""


def loop_going_on(reader: LogReader) -> int | None:
    """The header (an event) of the loop that does not end, some rounds after it has settled.

    The loop is the innermost of those that have been going round for most of the log.  It has
    settled where all later rounds execute the same statements.  Of the latest header it is not
    known how it was evaluated; of those before it is: the loop went on.
    """
    trace = reader.trace
    for events, loops in reversed(reader.open):
        positions = [reader.position[event] for event in events]
        for node, _, start, heads in reversed(loops):
            entered = events[bisect_right(positions, start) - 1]
            if len(heads) < ROUNDS or entered > len(trace) // 2:
                continue
            headers = [events[bisect_right(positions, head) - 1] for head in heads]
            last = settled = len(headers) - 2
            usual = trace.statement[headers[last - 1] : headers[last]]
            while settled > 1 and trace.statement[headers[settled - 1] : headers[settled]] == usual:
                settled -= 1
            found = headers[min(settled + ROUNDS, last)]
            if trace.statement[found] == node:
                return found
    return None


def require_going_on(run: Observation, end: str, seconds_: float, where: str) -> None:
    """A run that is to be cut off must have come that far.

    ``end`` is what the agent says; ``where`` it was when time was up, if that is known.
    """
    if end == "cut":
        return
    if end == "timeout":
        raise NotReducible(
            "waits-for-ever",
            f"The program was neither at its end nor in a loop of your code after "
            f"{seconds(seconds_)}: it waits for something, or computes in a library"
            + (f", at {where}." if where else "."),
            "--check hang is about loops. If it waits for input: --input TEXT, --stdin FILE.",
        )
    text = run.stderr.decode("utf-8", "replace").strip().rpartition("\\n")[2]
    raise NotReducible(
        "no-hang",
        f"The program came to its end (exit status {run.status}); the check 'hang' is about one "
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


def not_followed(full: Observation) -> NotReducible:
    """The error for a run that was cut off in a loop, to which its full replay does not come."""
    why = full.end.value + (f" ({full.detail})" if full.detail else "")
    return NotReducible(
        "not-reproducible",
        f"Replayed in full, the program does not come to where the recorded run was cut off: it "
        f"{why if full.end is not End.EXITED else f'exited with status {full.status}'}.",
        "The loop seems to depend on something that changes from run to run: the time, chance, "
        "threads, other programs.",
    )
