"""Native programs: recording, tests per second against a fresh gdb for each test, memory, jobs.

Both engines are measured, gdb and ptrace; ``ptrace.py`` compares them on more programs.

The rival is what one writes first: for each test a new gdb driven over its machine interface,
with a breakpoint at every statement, that is stopped at each and told where to go on.  It too
is spared all waiting, and the symbols of libraries.
"""

from __future__ import annotations

import os
import platform
import random
import select
import shutil
import subprocess
import tempfile
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from statistics import median

from pygdbmi.gdbcontroller import GdbController

from benchmarks.measure import Row, Sizes, interleaved, ratio, value
from stripe.backend import Target
from stripe_gdb.preparation import open_recording
from stripe_gdb.recording import NativeRecording

GOAL_EVENTS = 10_000.0
GOAL_TESTS = 250.0
GOAL_FRESH = 20.0
GOAL_JOBS = 1.7
SAMPLE = Path(__file__).parent.parent / "examples" / "sample_programs" / "sample.c"
STDIN = b"0\n5\n"

BUSY = """\
#include <stdio.h>
#include <stdlib.h>
static long total;
static long leaf(long x)
{
    long y = x * 3;
    y ^= x >> 2;
    return y;
}
int main(int count, char **arguments)
{
    long rounds = atol(arguments[count - 1]);
    for (long i = 0; i < rounds; i++) {
        total += leaf(i);
        if (i % 7 == 0)
            total ^= 0x55;
    }
    printf("%ld\\n", total);
    return 0;
}
"""


def run(sizes: Sizes) -> Iterator[Row]:
    if shutil.which("gdb") is None or shutil.which("cc") is None:
        return
    with built() as folder:
        for engine in ("gdb", "ptrace") if platform.machine() == "x86_64" else ("gdb",):
            yield from recording(folder, sizes, engine)
            yield from replaying(folder, sizes, engine)
            yield from jobs(folder, sizes, engine)


@contextmanager
def built() -> Iterator[Path]:
    """A folder with the paper's program, ``sample``, and a long loop, ``busy``."""
    with tempfile.TemporaryDirectory(prefix="stripe-bench-") as place:
        folder = Path(place)
        shutil.copy(SAMPLE, folder)
        (folder / "busy.c").write_text(BUSY, "utf-8")
        for name in ("sample", "busy"):
            command = ["cc", "-O0", "-g", f"{name}.c", "-o", name]
            subprocess.run(command, cwd=folder, check=True, stderr=subprocess.DEVNULL)
        yield folder


def recording(folder: Path, sizes: Sizes, engine: str) -> Iterator[Row]:
    rates, sizes_of = [], []
    for _ in range(sizes.choose(3, 2)):
        rounds = sizes.choose(5_000, 500)
        made = open_recording(Target("busy", (str(rounds),), directory=folder, engine=engine))
        try:
            events = len(made.trace)
            rates.append(events / made.recorded.seconds)
            trace = made.trace
            arrays = (trace.statement, trace.activation, trace.caller, trace.scope, made.blocks)
            held = sum(len(each) * 4 for each in arrays)
            sizes_of.append((held + 100.0 * len(trace.activations)) / events)
        finally:
            made.close()
    what = f"{engine}: events recorded a second"
    yield value("native", what, rates, "/s", GOAL_EVENTS, at_least=True)
    yield value("native", f"{engine}: memory of a trace, per event", sizes_of, "B")


def replaying(folder: Path, sizes: Sizes, engine: str) -> Iterator[Row]:
    made = open_recording(Target("sample", directory=folder, stdin=STDIN, engine=engine))
    try:
        configurations = random_configurations(len(made.trace), sizes.choose(60, 8))
        rival = Rival(folder, made)

        def ours(which: int) -> bytes:
            with made.replay(configurations[which % len(configurations)]) as seen:
                return seen.stdout

        def theirs(which: int) -> bytes:
            return rival.test(configurations[which % len(configurations)])

        for which in range(4):
            if ours(which) != theirs(which):
                raise RuntimeError(f"the two ways to run {configurations[which]} disagree")
        mine, its = interleaved(sizes.choose(40, 6), ours, theirs)
        what = f"{engine}: tests a second, one engine for all / a fresh gdb each over MI"
        yield ratio("native", what, its, mine, GOAL_FRESH, at_least=True)
        [alone] = interleaved(sizes.choose(300, 20), ours, warm_up=20)
        rates = [1 / each for each in alone]
        what = f"{engine}: tests a second, the paper's program"
        yield value("native", what, rates, "/s", GOAL_TESTS, at_least=True)
    finally:
        made.close()


def jobs(folder: Path, sizes: Sizes, engine: str) -> Iterator[Row]:
    target = Target("busy", ("100",), directory=folder, jobs=2, engine=engine)
    made = open_recording(target)
    try:
        configurations = random_configurations(len(made.trace), sizes.choose(40, 6))
        half = len(configurations) // 2

        def all_of(chosen: Sequence[Sequence[int]]) -> None:
            for events in chosen:
                with made.replay(events):
                    pass

        def one(_: int) -> None:
            all_of(configurations)

        def two(_: int) -> None:
            parts = (configurations[:half], configurations[half:])
            threads = [threading.Thread(target=all_of, args=(part,)) for part in parts]
            for thread in threads:
                thread.start()
            for thread in threads:
                thread.join()

        two(0)
        alone, both = interleaved(sizes.choose(5, 2), one, two)
        what = f"{engine}: tests a second, two jobs / one"
        yield ratio("native", what, alone, both, GOAL_JOBS, at_least=True)
    finally:
        made.close()


def random_configurations(size: int, count: int) -> list[tuple[int, ...]]:
    dice = random.Random(1)
    shares = (0.1, 0.3, 0.5, 0.7, 0.9, 0.97)
    chosen = [tuple(range(size))]
    while len(chosen) < count:
        share = dice.choice(shares)
        chosen.append(tuple(event for event in range(size) if dice.random() < share))
    return chosen


class Rival:
    """A fresh gdb for each test, driven statement by statement."""

    def __init__(self, folder: Path, recording: NativeRecording) -> None:
        self.folder = folder
        self.blocks = recording.table.blocks
        self.path = list(recording.blocks)
        [self.last] = [n for n, b in enumerate(self.blocks) if b.epilogue]
        (folder / "stdin").write_bytes(STDIN)

    def test(self, kept: Sequence[int]) -> bytes:
        gdb = GdbController(
            ["gdb", "--nx", "--quiet", "--interpreter=mi3"],
            time_to_check_for_additional_output_sec=1e-6,
        )
        try:
            for command in (
                "-gdb-set debug-file-directory /nonexistent",
                "-gdb-set sysroot /nonexistent",
                "-gdb-set auto-solib-add off",
                f"-file-exec-and-symbols {self.folder / 'sample'}",
                f"-exec-arguments < {self.folder / 'stdin'} > {self.folder / 'out'} 2>/dev/null",
            ):
                self.wait(gdb, command, "result")
            for block in self.blocks:
                if not block.entry:
                    where = f"*{block.address}"
                    self.wait(gdb, f"-break-insert {where}", "result")
            here = self.wait(gdb, "-exec-run", "stopped")
            for number in [*(self.path[event] for event in kept), self.last]:
                address = self.blocks[number].address
                if here != address:  # the breakpoint there is hit at once, and must be left
                    self.wait(gdb, f'-data-evaluate-expression "$pc={address}"', "result")
                    self.wait(gdb, "-exec-continue", "stopped")
                here = self.wait(gdb, "-exec-continue", "stopped")
        finally:
            gdb.exit()
        return (self.folder / "out").read_bytes()

    @staticmethod
    def wait(gdb: GdbController, command: str, awaited: str) -> int:
        """Send a command, and read until its result or a stop of the program; where that is."""
        gdb.write(command, read_response=False)
        process = gdb.gdb_process
        assert process is not None
        assert process.stdout is not None
        while True:
            select.select([process.stdout], [], [], 30)
            for record in gdb.get_gdb_response(0, raise_error_on_timeout=False):
                if record["message"] == "error":
                    raise RuntimeError(f"{command}: {record['payload']}")
                if awaited == "result" and record["type"] == "result":
                    return 0
                if record["message"] == awaited:
                    frame = record["payload"].get("frame", {})
                    return int(frame.get("addr", "0"), 16)


if __name__ == "__main__":
    began = time.monotonic()
    for row in run(Sizes(bool(os.environ.get("QUICK")))):
        print(row.compared, round(median([row.figure]), 2), row.unit, row.low, row.high)
    print(f"{time.monotonic() - began:.0f} s")
