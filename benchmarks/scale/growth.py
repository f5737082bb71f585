"""How costs grow with a run: the program of ``longest``, whose slice is the same for any length.

A run of each size is recorded and searched in a process of its own; it tells the processor seconds
of each phase, with all that was started for it, and how much memory it had at most by then.
"""

from __future__ import annotations

import json
import math
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

from benchmarks.measure import Row, Sizes, value
from benchmarks.memory import peak
from benchmarks.programs import recorded
from benchmarks.scale.longest import CHECK, EVENTS_A_ROUND, PROGRAM
from benchmarks.scale.outcomes import cpu
from stripe.backend import Target
from stripe.checks import parse_checks
from stripe.reduce import Settings, reduce
from stripe.report.jsonfile import as_json
from stripe.trace.dependence import Dependences
from stripe.trace.effects import Facts

EVENTS = (10_000, 100_000, 1_000_000)
QUICKLY = (3_000, 30_000)

HOST = 20.0
"""Percent of the processor time of a search, at most."""

PHASES = ("recording", "full replay", "dependences", "search", "JSON")


def run(sizes: Sizes) -> Iterator[Row]:
    """The costs at the largest size, and the slopes: 1 is as the number of events, 0 constant."""
    found = [measured(events) for events in (QUICKLY if sizes.quick else EVENTS)]
    events = [each["events"] for each in found]
    largest = found[-1]
    at = f"{largest['events']:,.0f} events"
    for phase in PHASES:
        yield value("growth", f"{phase}, {at}, processor", [largest[phase]], "s")
        yield value("growth", "  slope", [slope(events, [each[phase] for each in found])], "")
        memory = [each[f"{phase} memory"] for each in found]
        yield value("growth", "  most memory of STRIPE so far", [memory[-1] / 1e6], "MB")
        yield value("growth", "  slope", [slope(events, memory)], "")
    tests = [each["tests"] for each in found]
    yield value("growth", f"tests of the search, {at}", [tests[-1]], "")
    yield value("growth", "  slope", [slope(events, tests)], "")
    share = [each["host"] / each["search"] for each in found]
    yield value(
        "growth", f"  of its processor time, the host's, {at}", [100 * share[-1]], "%", HOST
    )
    size = [each["bytes"] for each in found]
    yield value("growth", f"the result as JSON, {at}", [size[-1] / 1e6], "MB")
    yield value("growth", "  slope", [slope(events, size)], "")


def slope(sizes: Sequence[float], costs: Sequence[float]) -> float:
    """The exponent with which costs grow: the straight line through both logarithms."""
    xs = [math.log(each) for each in sizes]
    ys = [math.log(max(each, 1e-3)) for each in costs]
    x, y = sum(xs) / len(xs), sum(ys) / len(ys)
    above = sum((one - x) * (other - y) for one, other in zip(xs, ys, strict=True))
    return above / sum((one - x) ** 2 for one in xs)


def measured(events: int) -> dict[str, float]:
    """What a run of about so many events costs."""
    words = [sys.executable, "-m", "benchmarks.scale.growth", str(events)]
    done = subprocess.run(words, stdout=subprocess.PIPE, check=True)
    found: dict[str, float] = json.loads(done.stdout)
    return found


def measure(events: int, directory: Path) -> dict[str, float]:
    """The same, in the process for it."""
    size = str(round(events / EVENTS_A_ROUND))
    (directory / "program.py").write_text(PROGRAM.replace("SIZE", size), "utf-8")
    found: dict[str, float] = {}

    def phase[T](name: str, action: Callable[[], T]) -> T:
        began = cpu()
        result = action()
        found[name] = cpu() - began
        found[f"{name} memory"] = peak(os.getpid())
        return result

    def replayed() -> None:
        with recording.replay(range(len(recording.trace))):
            pass

    context = recorded(Target("program.py", directory=directory))
    recording = phase("recording", context.__enter__)
    try:
        trace, checks = recording.trace, parse_checks([CHECK])
        phase("dependences", lambda: len(Dependences(trace, facts=Facts(trace)).events))
        began = time.process_time()
        result = phase("search", lambda: reduce(recording, checks, Settings()))
        host = time.process_time() - began
        text = phase("JSON", lambda: as_json(result.to_json()))
        phase("full replay", replayed)
    finally:
        context.__exit__(None, None, None)
    (found_slice,) = result.slices
    assert found_slice.certified
    found |= {
        "events": len(trace),
        "host": host,
        "tests": found_slice.tests,
        "kept": len(found_slice.events),
        "bytes": len(text),
    }
    return found


def main() -> None:
    """``python -m benchmarks.scale.growth EVENTS``: the costs as JSON."""
    with tempfile.TemporaryDirectory(prefix="benchmark-") as folder:
        print(json.dumps(measure(int(sys.argv[1]), Path(folder))))


if __name__ == "__main__":
    main()
