"""What recording costs the program: its own CPU time, recorded against plain.

The program times its own loop (``time.process_time``) and adds the figure to a file outside
of its working directory, so neither starting processes nor what STRIPE does before and after
the run is in the figure, and the outputs that STRIPE compares stay the same.  Recording it
runs it three times in a row: plainly, recorded, and replayed in full.
"""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from pathlib import Path

from benchmarks import tracers
from benchmarks.measure import Row, Sizes, ratio
from benchmarks.programs import own_times, statement_program, statements

GOAL = 6.0


def run(sizes: Sizes) -> Iterator[Row]:
    events, rounds = sizes.choose(200_000, 50_000), sizes.choose(7, 3)
    plain, watched, replayed = [], [], []
    with statement_program() as directory, tempfile.TemporaryDirectory() as other:
        for _ in range(rounds):
            first, second, last = own_times(statements(directory, events), Path(other))
            plain.append(first)
            watched.append(second)
            replayed.append(last)
        peers = list(tracers.run(directory / "program.py", Path(other), events, rounds))
    yield ratio("recording", "CPU time of a loop: recorded / plain", watched, plain, GOAL)
    yield from peers
    yield ratio("recording", "CPU time of a loop: replayed in full / plain", replayed, plain)
