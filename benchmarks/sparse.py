"""A test costs what it keeps: ten events kept of a long trace against ten of a short one."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack

from benchmarks.measure import Row, Sizes, interleaved, ratio, value
from benchmarks.programs import recorded, statement_program, statements
from benchmarks.replay import milliseconds
from stripe.trace import Trace
from stripe_pytrace.recording import PythonRecording

GOAL = 2.0
KEPT = 10


def run(sizes: Sizes) -> Iterator[Row]:
    long, rounds = sizes.choose(1_000_000, 100_000), sizes.choose(100, 30)
    with ExitStack() as stack:
        directory = stack.enter_context(statement_program())
        recordings = [
            stack.enter_context(recorded(statements(directory, events))) for events in (long, 1000)
        ]
        many, few = interleaved(rounds, *map(test, recordings), warm_up=5)
    what = f"a test that keeps {KEPT} events: of {long:,} / of 1,000"
    yield ratio("sparse", what, many, few, GOAL)
    yield value("sparse", f"  of {long:,}", milliseconds(many), "ms")
    yield value("sparse", "  of 1,000", milliseconds(few), "ms")


def test(recording: PythonRecording) -> Callable[[int], None]:
    kept = spread(recording.trace)

    def once(_: int) -> None:
        with recording.replay(kept) as seen:
            if seen.exception is not None:
                raise RuntimeError("the kept events were to run without an error")

    return once


def spread(trace: Trace) -> tuple[int, ...]:
    """The definition of the function, its call, and a few items of its loop from all over it."""
    lines = trace.files[0].lines
    kept = {
        event
        for event in range(100)
        if lines[trace.statements[trace.statement[event]].line - 1].startswith(
            ("import sys", "def work")
        )
    }
    fetches = [
        event
        for event in range(len(trace))
        if trace.scope[event] != -1 and trace.statements[trace.statement[event]].kind == "For"
    ]
    kept.update(ancestors(trace, fetches[0]))
    more = KEPT - len(kept)
    kept.update(fetches[:: len(fetches) // more][:more])
    closed = trace.close(kept)
    if len(closed) != KEPT:
        raise RuntimeError("the chosen events are not closed under parents")
    return closed


def ancestors(trace: Trace, event: int) -> Iterator[int]:
    """The events that ``event`` cannot be without."""
    for parent in trace.parents(event):
        yield parent
        yield from ancestors(trace, parent)
