"""Bytes per recorded event: in a run of the program, in the host, and in what runs are forked from.

The peak of resident memory (``VmHWM``) with a long trace, less that with a short one, by the
events between them.  A recording runs in a host process of its own; from outside, all of its
processes are looked at every few milliseconds.  (``ru_maxrss`` will not do: on Linux, it counts
what a process was before it executed its program, too.)  The same where only the last thousand
events are recorded; and how much the trace takes in a result, as JSON.
"""

from __future__ import annotations

import subprocess
import sys
import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

from benchmarks.measure import Row, Sizes, value
from benchmarks.programs import recorded, statement_program, statements
from stripe.reduce import Result, Statistics
from stripe.report.jsonfile import as_json

GOAL_BYTES = 64.0
FEW = 8.0
ALL, LAST = "1..", "-1000.."
ROLES = {
    "run": "a run, recorded or replayed in full",
    "host": "the host",
    "agent": "what runs are forked from",
}
EVERY_SECONDS = 0.002
SHORT = 1000


def run(sizes: Sizes) -> Iterator[Row]:
    if not Path("/proc/self/status").exists():
        return
    long, rounds = sizes.choose(1_000_000, 200_000), sizes.choose(2, 1)
    written = 0.0
    for window, which, most in ((ALL, "", GOAL_BYTES), (LAST, ", of which the last 1,000", FEW)):
        figures: dict[str, list[float]] = {role: [] for role in ROLES}
        with statement_program() as directory:
            for _ in range(rounds):
                short_events, _, short = peaks(directory, SHORT, window)
                long_events, size, long_peaks = peaks(directory, long, window)
                for role, column in figures.items():
                    more = long_peaks[role] - short[role]
                    column.append(more / (long_events - short_events))
        written = written or size / long_events
        for role, column in figures.items():
            what = f"bytes per event in {ROLES[role]}, {long_events:,} events{which}"
            yield value("memory", what, column, "B", most)
    what = f"bytes per event in a result as JSON, {long_events:,} events"
    yield value("memory", what, [written], "B", None)


def peaks(directory: Path, events: int, window: str) -> tuple[int, int, dict[str, int]]:
    """Record in another process; the events there were, the bytes of the trace as JSON, and the
    peak in bytes of each role.
    """
    command = [sys.executable, "-m", "benchmarks.memory", str(directory), str(events), window]
    host = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    found = dict.fromkeys(ROLES, 0)
    known: dict[int, str] = {}
    while host.poll() is None:
        for process in family(host.pid):
            role = "host" if process == host.pid else known.get(process) or role_of(process)
            if role is not None:
                known[process] = role
                found[role] = max(found[role], peak(process))
        time.sleep(EVERY_SECONDS)
    assert host.stdout is not None
    output = host.stdout.read().split()
    host.stdout.close()
    if host.returncode:
        raise RuntimeError(f"recording {events} events failed")
    if missing := [role for role in ROLES if not found[role]]:
        raise RuntimeError(f"recording {events} events: no {', '.join(missing)} was seen")
    found["host"] = int(output[1])
    return int(output[0]), int(output[2]), found


def family(process: int) -> Iterator[int]:
    """A process and everything below it."""
    yield process
    try:
        children = Path(f"/proc/{process}/task/{process}/children").read_text().split()
    except OSError:
        return
    for child in children:
        yield from family(int(child))


def role_of(process: int) -> str | None:
    """What a process below the host is for, by its command and that of who started it.

    The agent is started behind walls; it forks the recorded run, and then the replays.
    """
    try:
        parent = int(Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[1])
        agents = [_is_agent(each) for each in (process, parent)]
    except (OSError, IndexError):
        return None
    if not agents[0]:
        return None
    return "run" if agents[1] else "agent"


def _is_agent(process: int) -> bool:
    command = Path(f"/proc/{process}/cmdline").read_bytes().split(b"\0")[:-1]
    return len(command) >= 4 and command[-4].endswith(b"boot.py")


def peak(process: int | str, which: str = "VmHWM") -> int:
    """The most memory a process ever had in bytes, or has of some kind; 0 if it is gone."""
    try:
        status = Path(f"/proc/{process}/status").read_text()
    except OSError:
        return 0
    _, found, rest = status.partition(f"{which}:")
    return int(rest.split()[0]) * 1024 if found else 0


def record(directory: Path, events: int, window: str) -> None:
    target = statements(directory, events)
    with recorded(replace(target, window="" if window == ALL else window)) as recording:
        trace, most = recording.trace, peak("self")
    total = len(trace) if trace.extent is None else trace.extent.total
    result = Result((), "trace", "", trace, (), (), Statistics(0, 0, 0, 0))
    print(total, most, len(as_json(result.to_json())))


if __name__ == "__main__":
    record(Path(sys.argv[1]), int(sys.argv[2]), sys.argv[3])
