"""A run of a million events: what it takes on top of the plain run, and where that goes.

``record`` is all a user waits for: it runs the program plainly and recorded, builds the
trace, prepares a fork server and replays the run in full, to see that it comes out the same.
Its parts are timed by wrapping the functions that do them; the replay is timed once more, alone.
"""

from __future__ import annotations

import time
from collections import defaultdict
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from typing import Any
from unittest.mock import patch

from benchmarks.measure import Row, Sizes, value
from benchmarks.programs import recorded, statement_program, statements
from stripe_pytrace.paths import LogReader
from stripe_pytrace.recording import PythonRecording

GOAL_SECONDS = 3.0
PARTS = {
    "plain run": (PythonRecording, "_run_plainly"),
    "recorded run, its log handed over": (PythonRecording, "_run_recorded"),
    "log to trace": (LogReader, "__init__"),
    "tables for replays": (LogReader, "write_tables"),
    "server started, ready to fork": (PythonRecording, "_start"),
}


def run(sizes: Sizes) -> Iterator[Row]:
    events, rounds = sizes.choose(1_000_000, 100_000), sizes.choose(3, 2)
    extra: list[float] = []
    rest: list[float] = []
    replays: list[float] = []
    parts: dict[str, list[float]] = defaultdict(list)
    with statement_program() as directory:
        target = statements(directory, events)
        for _ in range(rounds):
            with ExitStack() as stack:
                with stopwatches() as taken:
                    began = time.perf_counter()
                    recording = stack.enter_context(recorded(target))
                    whole = time.perf_counter() - began
                events = len(recording.trace)
                began = time.perf_counter()
                with recording.replay(range(events)):
                    replay = time.perf_counter() - began
            extra.append(whole - recording.plain.seconds)
            replays.append(replay)
            for part in PARTS:
                parts[part].append(taken[part])
            rest.append(whole - sum(taken.values()) - replay)
    goal = None if sizes.quick else GOAL_SECONDS
    what = f"{events:,} events: recorded, traced, replayed in full, less the plain run"
    yield value("million", what, extra, "s", goal)
    for part, times in parts.items():
        yield value("million", f"  {part}", times, "s")
    yield value("million", "  full replay", replays, "s")
    yield value("million", "  the rest", rest, "s")


@contextmanager
def stopwatches() -> Iterator[dict[str, float]]:
    """Times every call of ``PARTS``; those inside of each other would count twice."""
    taken = dict.fromkeys(PARTS, 0.0)

    def timed(part: str, function: Any) -> Any:
        def wrapper(*arguments: Any, **options: Any) -> Any:
            began = time.perf_counter()
            try:
                return function(*arguments, **options)
            finally:
                taken[part] += time.perf_counter() - began

        return wrapper

    with ExitStack() as patches:
        for part, (owner, name) in PARTS.items():
            patches.enter_context(patch.object(owner, name, timed(part, getattr(owner, name))))
        yield taken
