"""``make bench ARGS=scale``: what long runs, large slices and calls cost, as one table.

Each figure comes from the benchmark of its subject, which can be run alone under the name in
brackets; here is only which belong together.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace

from benchmarks import memory, million, ptrace, recording, shapes, sparse, start
from benchmarks.measure import Row, Sizes
from benchmarks.scale import cluster, growth, jobs, levels, longest, searches

type Benchmark = Callable[[Sizes], Iterable[Row]]

PARTS: dict[str, Benchmark] = {
    "default search [searches]": searches.run,
    "coarse to fine [levels]": levels.run,
    "growth [growth]": growth.run,
    "a search in a million events [longest]": longest.run,
    "a test costs what it keeps [sparse]": sparse.run,
    "a million events [million]": million.run,
    "recording and peers [recording]": recording.run,
    "calls [shapes]": shapes.run,
    "native [ptrace]": ptrace.run,
    "memory, windows [memory]": memory.run,
    "more machines, simulated [cluster]": cluster.run,
    "two processors [jobs]": jobs.run,
    "start and silence [start]": start.run,
}


def run(sizes: Sizes) -> Iterator[Row]:
    """All of it."""
    for part, benchmark in PARTS.items():
        print(f"{part} ...", file=sys.stderr, flush=True)
        began = time.monotonic()
        for row in benchmark(sizes):
            yield replace(row, benchmark=part)
        print(f"  {time.monotonic() - began:.0f} s", file=sys.stderr)
