"""A whole search in a run of a million events: seconds, of a processor too, and the host's memory.

An interpreter loop, and one line of what it prints, which a small part of the run decides.  The
command is run as a user would run it, with two jobs.  ``python -m benchmarks.scale.longest EVENTS
[OPTION...]`` runs it for so many events; with ``loop`` in front of their number, a long loop beside
what decides the line, and for ``'product 12'`` or the like a program of that shape and size.

The host's share of all seconds of a processor is also told of whole searches in shorter runs.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from benchmarks.measure import Row, Sizes, value
from benchmarks.memory import peak
from benchmarks.scale.shapes import MACHINE, shape_named
from stripe.documents.columns import portions
from stripe.reduce.stored import MOST

SECONDS_GOAL = 60.0
BYTES_GOAL = 100.0
SHARE_GOAL = 20.0
SHORTER = ("product 12", "sorting 130", "quicksort 50", "states 2000")
"""Whole searches of seconds; the last one is over in two, so that its start counts."""

EVENTS_A_ROUND = 43.0
EVENTS_OF_EIGHT_ROUNDS = 75.0
EVERY_SECONDS = 0.02
TICK = os.sysconf("SC_CLK_TCK")

PROGRAM = (
    """\
PROGRAM = [
    ("set", "n", 10), ("set", "f", 1),
    ("mulr", "f", "n"), ("add", "n", -1), ("jgt", "n", 1, 2),
    ("set", "i", 0), ("set", "total", 0),
    ("addr", "total", "i"), ("mod", "total", 9973), ("add", "i", 1), ("jlt", "i", SIZE, 7),
    ("out", "f", 0), ("out", "total", 0),
]
"""
    + MACHINE
)
"""A virtual machine that computes a factorial, and a sum in a long loop."""

CHECK = "stdout:/^f /"

LOOP = """\
def work(rounds):
    prices = [3, 1, 4, 1, 5, 9, 2, 6]
    total = moves = 0
    for number in range(rounds):
        index = number & 7
        price = prices[index]
        amount = price * 12 + index
        if amount > 60:
            moves = moves + 1
            total -= price
        else:
            total += price
        prices[index] = price ^ (number & 1)
        amount %= 17
        total = (total + amount) % 1000003
    return total, moves


f = 1
for factor in range(2, 12):
    if factor % 2:
        f *= factor
    else:
        f = f * factor
total = work(SIZE)
print("total", *total)
print("f", f)
"""
"""A long loop that has no say in the line."""


@dataclass(frozen=True)
class Ran:
    """What a command did: seconds of the clock, of a processor, of the host alone; its peaks.

    ``peak`` is all that the host had in memory, ``anonymous`` what of it was in no file.
    """

    events: int
    kept: int
    tests: int
    certified: bool
    seconds: float
    processor: float
    host: float
    peak: int
    anonymous: int


def run(sizes: Sizes) -> Iterator[Row]:
    """``make bench ARGS=longest``: a million events."""
    events = sizes.choose(1_000_000, 50_000)
    few = searched(2_000)
    ran = searched(events)
    what = f"{ran.events:,} events, {ran.kept:,} kept, certified by {ran.tests:,} tests"
    goal = None if sizes.quick else SECONDS_GOAL
    yield value("longest", what, [ran.seconds], "s", goal)
    yield value("longest", "  seconds of a processor", [ran.processor], "s")
    yield value("longest", "  of these, of the host", [ran.host], "s")
    each = (ran.peak - few.peak) / (ran.events - few.events)
    yield value("longest", "  bytes per event in the host", [each], "B", BYTES_GOAL)
    yield share("  the host's share", ran)
    for name in SHORTER[: sizes.choose(len(SHORTER), 1)]:
        found = shaped(name, "--jobs", "1")
        about = f"{found.events:,} events, {found.kept:,} kept, {found.tests:,} tests"
        yield share(f"{name}, {about}: the host's share", found)


def share(what: str, ran: Ran) -> Row:
    """How many of all seconds of a processor were the host's."""
    return value("longest", what, [100 * ran.host / ran.processor], "%", SHARE_GOAL)


def searched(events: int, *options: str, loop: bool = False) -> Ran:
    """Search in an interpreter loop of about so many events, or in one beside the slice."""
    text, each = (LOOP, EVENTS_OF_EIGHT_ROUNDS / 8) if loop else (PROGRAM, EVENTS_A_ROUND)
    text = text.replace("SIZE", str(round(events / each)))
    return ended(text, CHECK, "--jobs", "2", *options)


def shaped(name: str, *options: str) -> Ran:
    """Search in a program of some shape and size."""
    kind, size = name.split()
    shape = shape_named(kind)
    return ended(shape.source(int(size)), shape.check, *options)


def ended(text: str, check: str, *options: str) -> Ran:
    """A whole search in a program of this text."""
    with tempfile.TemporaryDirectory(prefix="benchmark-") as folder:
        program = Path(folder, "program.py")
        program.write_text(text, "utf-8")
        command = [
            *(sys.executable, "-m", "stripe", "trace", "--python", sys.executable),
            *("--check", check, "--json", "result.json", *options),
            program.name,
        ]
        return watched(command, folder)


def watched(command: Sequence[str], folder: str) -> Ran:
    """Run a search, and look at its process now and then.

    Raises:
        RuntimeError: if it did not end well.
    """
    began = time.perf_counter()
    nothing = subprocess.DEVNULL
    process = subprocess.Popen(command, cwd=folder, stdin=nothing, stdout=nothing)
    host, most, anonymous = 0.0, 0, 0
    while True:
        ended, status, usage = os.wait4(process.pid, os.WNOHANG)
        if ended:
            break
        most = max(most, peak(process.pid))
        anonymous = max(anonymous, peak(process.pid, "RssAnon"))
        host = max(host, own(process.pid))
        time.sleep(EVERY_SECONDS)
    seconds = time.perf_counter() - began
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        raise RuntimeError(f"{command} ended with {process.returncode}")
    result = json.loads(Path(folder, "result.json").read_text("utf-8"))
    (found,) = result["slices"]
    return Ran(
        _events(result, Path(folder)),
        sum(each["kept"] for each in found["statements"]),
        found["tests"]["executed"],
        found["certified"],
        seconds,
        usage.ru_utime + usage.ru_stime,
        host,
        most,
        anonymous,
    )


def _events(result: dict[str, Any], folder: Path) -> int:
    """How many events the trace of a result has, which it may point to."""
    trace = result["trace"]
    if "stored" in trace:
        trace = json.loads((folder / trace["stored"]["name"]).read_text("utf-8"))
    statement = trace["statement"]
    return sum(map(len, portions(statement, MOST))) if type(statement) is str else len(statement)


def own(process: int) -> float:
    """Seconds of a processor that a process itself has used."""
    try:
        fields = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
    except OSError:
        return 0.0
    return (int(fields[11]) + int(fields[12])) / TICK


if __name__ == "__main__":
    beside = sys.argv[1:2] == ["loop"]
    size, *more = sys.argv[1 + beside :]
    if " " in size:
        print(shaped(size, *more))
    else:
        print(searched(int(float(size)), *more, loop=beside))
