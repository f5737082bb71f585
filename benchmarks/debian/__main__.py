"""C programs from Debian's sources: recorded, fully replayed, reduced with a budget.

``python -m benchmarks.debian [NAME...]`` prints a line for each, and says what was refused and why.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
import time
from pathlib import Path

from benchmarks.debian.programs import PROGRAMS, DebianProgram, Unavailable
from benchmarks.faults import lines_of
from stripe.backend import Target
from stripe.checks.spec import parse_checks
from stripe.deadline import Deadline
from stripe.errors import StripeError
from stripe.reduce import CriticalSlice, Settings, reduce
from stripe_gdb.preparation import open_recording


def row(
    program: DebianProgram, control: str, tests: int | None, seconds: float, level: str | None
) -> str:
    """What one program gives, as a line of the table."""
    with tempfile.TemporaryDirectory(prefix="stripe-debian-") as place:
        folder = Path(place)
        program.place(folder)
        began = time.monotonic()
        try:
            target = Target(
                str(program.executable()),
                program.arguments,
                directory=folder,
                stdin=program.stdin,
                engine="ptrace",
            )
            recording = open_recording(target)
        except (StripeError, Unavailable) as error:
            return f"{program.name} | | | | refused: {said(error)}"
        try:
            size = len(recording.trace)
            lines = len(lines_of(recording.trace, range(size)))
            try:
                checks = parse_checks([program.check])
                settings = Settings(
                    control, max_tests=tests, deadline=Deadline(seconds), level=level
                )
                [found] = reduce(recording, checks, settings).slices
            except StripeError as error:
                return f"{program.name} | {size:,} | | {lines} | refused: {said(error)}"
            kept = len(lines_of(recording.trace, found.events))
            taken = time.monotonic() - began
            return (
                f"{program.name} | {size:,} | {len(found.events):,} | {kept} of {lines} | "
                f"{found.tests} | {certified(found)}, "
                f"{taken:.0f} s"
            )
        finally:
            recording.close()


def certified(found: CriticalSlice) -> str:
    """What is known of a slice."""
    if found.certified_at is None:
        return found.stopped.value
    return "1-minimal" + (f" in {found.certified_at}" if found.levels else "")


def said(error: Exception) -> str:
    """An error in one line."""
    slug = f"`{error.slug}`: " if isinstance(error, StripeError) else ""
    return slug + str(error).split("\n")[0][:200]


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.debian", description=__doc__)
    parser.add_argument("names", nargs="*", metavar="NAME")
    parser.add_argument("--control", default="trace")
    parser.add_argument("--level", help="as `stripe trace` has it; no number of tests then")
    parser.add_argument("--max-tests", type=int, default=300)
    parser.add_argument("--max-time", type=float, default=60.0)
    options = parser.parse_args()
    print("program | events | kept | lines | tests |")
    for program in PROGRAMS:
        if not options.names or program.name in options.names:
            most = None if options.level else options.max_tests
            text = row(program, options.control, most, options.max_time, options.level)
            print(text, flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
