"""Seeded faults in C programs: is the faulty line in the slice, and how much has to be read?

``python -m benchmarks.faults [NAME...] [--half aside] [--json FILE]``: a line for each fault of
``benchmarks/data/faults`` and each of the four combinations of control and values.  A line is
*kept* or only *marked*, as a condition that decided that something kept ran.
"""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

from benchmarks.c_faults import FAULTS, Fault
from stripe.backend import Target
from stripe.checks.spec import parse_checks
from stripe.deadline import Deadline
from stripe.errors import StripeError
from stripe.reduce import CriticalSlice, Settings, reduce
from stripe.reduce.backward_walk import way_back
from stripe.trace import Trace
from stripe_gdb.preparation import open_recording

COMBINATIONS = tuple(
    (control, values) for values in ("free", "same") for control in ("trace", "program")
)


@dataclass(frozen=True, slots=True)
class Budget:
    """What the search for one slice may use; ``seconds`` of wall time."""

    tests: int
    seconds: float


@dataclass(frozen=True, slots=True)
class Found:
    """One slice of one fault; lines are of the source, and count once."""

    fault: str
    kind: str
    omission: bool
    control: str
    values: str
    found: bool
    lines: int
    executed: int
    kept: int
    events: int
    tests: int
    seconds: float
    certified: bool
    marked: bool = False
    marked_lines: int = 0
    walked: int = 0
    refused: str = ""

    @property
    def share(self) -> float:
        """What of the executed lines is in the slice."""
        return self.lines / self.executed if self.executed else 1.0

    @property
    def marked_share(self) -> float:
        """What of the executed lines is in the slice or marked."""
        return self.marked_lines / self.executed if self.executed else 1.0


def lines_of(trace: Trace, events: Sequence[int]) -> set[int]:
    """The lines that events stand in."""
    return {trace.statements[trace.statement[event]].line for event in events}


def walked(trace: Trace, found: CriticalSlice, line: int) -> int:
    """The lines that somebody reads who goes back from the symptom, up to ``line``, or all."""
    read: dict[int, None] = {}
    for step in way_back(trace, found):
        read[trace.statements[trace.statement[step.event]].line] = None
        if line in read:
            break
    return len(read)


def measure(
    fault: Fault,
    engine: str,
    budget: Budget,
    combinations: Sequence[tuple[str, str]] = COMBINATIONS,
) -> Iterator[Found]:
    """The slices of one fault."""
    with tempfile.TemporaryDirectory(prefix="stripe-faults-") as place:
        folder = Path(place)
        check = fault.check(folder)
        target = Target(
            fault.build(folder).name,
            directory=folder,
            stdin=fault.stdin.encode(),
            engine=engine,
        )
        for control, values in combinations:
            yield slice_of(fault, target, check, control, values, budget)


def slice_of(
    fault: Fault, target: Target, check: str, control: str, values: str, budget: Budget
) -> Found:
    """One slice."""
    about = (fault.name, fault.kind, fault.omission, control, values)
    began = time.monotonic()
    recording = open_recording(target)
    try:
        trace = recording.trace
        executed = len(lines_of(trace, range(len(trace))))
        settings = Settings(
            control, max_tests=budget.tests, deadline=Deadline(budget.seconds), values=values
        )
        result = reduce(recording, parse_checks([check]), settings)
        (found,) = result.slices
        lines = lines_of(trace, found.events)
        marked = lines | lines_of(trace, found.governing)
        return Found(
            *about,
            fault.line in lines,
            len(lines),
            executed,
            len(found.events),
            found.of,
            found.tests,
            round(time.monotonic() - began, 1),
            found.certified,
            fault.line in marked,
            len(marked),
            walked(trace, found, fault.line),
        )
    except StripeError as error:
        seconds = round(time.monotonic() - began, 1)
        size = len(recording.trace)
        return Found(*about, False, 0, executed, 0, size, 0, seconds, False, refused=error.slug)
    finally:
        recording.close()


def summary(rows: Sequence[Found]) -> Iterator[str]:
    """The totals of each combination."""
    for control, values in COMBINATIONS:
        mine = [row for row in rows if (row.control, row.values) == (control, values)]
        plain = [row for row in mine if not row.omission]
        if not plain:
            continue
        shares = sorted(row.share for row in mine)
        yield (
            f"control {control}, values {values}: "
            f"{sum(row.found for row in plain)} of {len(plain)} faulty lines "
            f"(omissions {sum(row.found for row in mine if row.omission)} of "
            f"{len(mine) - len(plain)}), lines to read {100 * sum(shares) / len(shares):.0f} % "
            f"(median {100 * shares[len(shares) // 2]:.0f} %, most {100 * shares[-1]:.0f} %), "
            f"with marks {sum(row.marked for row in plain)} lines and "
            f"{100 * sum(row.marked_share for row in mine) / len(mine):.0f} %, "
            f"on the way back from the symptom "
            f"{100 * sum(row.walked / row.executed for row in mine) / len(mine):.0f} %, "
            f"{sum(row.certified for row in mine)} certified, "
            f"{sum(row.tests for row in mine)} tests, {sum(row.seconds for row in mine):.0f} s"
        )


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.faults", description=__doc__)
    parser.add_argument("names", nargs="*", metavar="NAME", help="a program, or PROGRAM:LINE")
    parser.add_argument("--half", choices=("all", "tuned", "aside"), default="all")
    parser.add_argument("--values", choices=("free", "same", "both"), default="both")
    parser.add_argument("--control", choices=("trace", "program", "both"), default="both")
    parser.add_argument("--engine", default="ptrace")
    parser.add_argument("--max-tests", type=int, default=400)
    parser.add_argument("--max-time", type=float, default=60.0)
    parser.add_argument("--json", type=Path, metavar="FILE")
    options = parser.parse_args()
    budget = Budget(options.max_tests, options.max_time)
    combinations = [
        each
        for each in COMBINATIONS
        if options.control in (each[0], "both") and options.values in (each[1], "both")
    ]
    rows: list[Found] = []
    for fault in FAULTS:
        if options.half != "all" and fault.aside != (options.half == "aside"):
            continue
        if options.names and not {fault.name, fault.program} & set(options.names):
            continue
        for row in measure(fault, options.engine, budget, combinations):
            rows.append(row)
            seen = "yes" if row.found else "(m)" if row.marked else "NO"
            print(
                f"{row.fault:11} {row.kind:14} {'omission' if row.omission else '':8} "
                f"{row.control:7} {row.values:4} {seen:3} "
                f"lines {row.walked:3} of {row.lines:3}/{row.executed:3} "
                f"events {row.kept:4}/{row.events:5} "
                f"tests {row.tests:4} {row.seconds:6.1f} s "
                f"{'' if row.certified else 'not certified'} {row.refused}",
                flush=True,
            )
    for line in summary(rows):
        print(line)
    if options.json is not None:
        data = [asdict(row) for row in rows]
        options.json.write_text(json.dumps(data, indent=1) + "\n", "utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
