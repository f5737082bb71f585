"""Native programs: the ptrace engine against gdb, side by side, on the backend's own samples.

Also what the parts of the ptrace engine bring that are not needed for its answers: gates (against a
stop at each statement), detours (against stepping over each breakpoint, where there are no gates),
and templates (against a fresh process for each test).
"""

from __future__ import annotations

import contextlib
import platform
import shutil
import tempfile
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from statistics import median
from unittest import mock

from benchmarks.measure import Row, Sizes, interleaved, ratio, value
from benchmarks.native import STDIN, built, random_configurations
from stripe.backend import Target
from stripe_gdb import tracing_session
from stripe_gdb.preparation import open_recording
from stripe_gdb.recording import NativeRecording
from tests.stripe_gdb.programs import PROGRAMS

NO_GATES = "from stripe_gdb.tracer import layout as m; m.Code._copies = lambda *a: (); "
WITHOUT = {
    "gates": NO_GATES,
    "gates and detours": NO_GATES + "m.detour = lambda *a: None; ",
    "templates": "from stripe_gdb.tracer import engine as m; "
    "m.make_template = lambda process, _: process.kill(); ",
}
EVERY = 6
"""Every sixth of the samples is measured."""


def run(sizes: Sizes) -> Iterator[Row]:
    if shutil.which("gdb") is None or shutil.which("cc") is None:
        return
    if platform.machine() != "x86_64":
        return
    with built() as folder:
        yield from recording(folder, sizes)
        yield from replaying(folder, sizes)
    yield from samples(sizes)


@contextlib.contextmanager
def opened(target: Target, engine: str, without: str = "") -> Iterator[NativeRecording]:
    """A recording by an engine, ``without`` one of its parts."""
    settings = {name: getattr(target, name) for name in ("program", "arguments", "stdin")}
    with mock.patch.object(tracing_session, "START", starting(without)):
        made = open_recording(Target(**settings, directory=target.directory, engine=engine))
        with made.replay(()):
            pass  # the engine of replays is started now
    try:
        yield made
    finally:
        made.close()


def recording(folder: Path, sizes: Sizes) -> Iterator[Row]:
    target = Target("busy", (str(sizes.choose(3_000, 300)),), directory=folder)
    seconds: dict[tuple[str, str], list[float]] = {}
    events = 0
    for _ in range(sizes.choose(3, 2)):
        ways = ("gdb", ""), ("ptrace", ""), ("ptrace", "gates"), ("ptrace", "gates and detours")
        for way in ways:
            with opened(target, *way) as made:
                events = len(made.trace)
                seconds.setdefault(way, []).append(made.recorded.seconds)
    gdb, ptrace, detours, stepping = seconds.values()
    yield value("ptrace", "events recorded a second, gdb", [events / s for s in gdb], "/s")
    yield value("ptrace", "events recorded a second, ptrace", [events / s for s in ptrace], "/s")
    yield ratio("ptrace", "events recorded a second: ptrace / gdb", gdb, ptrace)
    yield ratio("ptrace", "events recorded a second: gates / detours alone", detours, ptrace)
    yield ratio("ptrace", "events recorded a second: detours alone / steps", stepping, detours)


def replaying(folder: Path, sizes: Sizes) -> Iterator[Row]:
    target = Target("sample", directory=folder, stdin=STDIN)
    with (
        opened(target, "gdb") as gdb,
        opened(target, "ptrace") as ptrace,
        opened(target, "ptrace", "templates") as fresh,
    ):
        configurations = random_configurations(len(gdb.trace), sizes.choose(60, 8))
        actions = [testing(made, configurations) for made in (gdb, ptrace, fresh)]
        one, two, three = interleaved(sizes.choose(8, 3), *actions)
    size = len(configurations)
    for name, seconds in (("gdb", one), ("ptrace", two)):
        rates = [size / each for each in seconds]
        yield value("ptrace", f"tests a second, the paper's program, {name}", rates, "/s")
    yield ratio("ptrace", "tests a second: ptrace / gdb", one, two)
    yield ratio("ptrace", "tests a second: forks of a template / fresh", three, two)


def starting(without: str) -> str:
    """What starts the engine, less one of its parts."""
    before, found, after = tracing_session.START.partition("from stripe_gdb")
    return f"{before}{WITHOUT.get(without, '')}{found}{after}"


def samples(sizes: Sizes) -> Iterator[Row]:
    """Replays of the tests' own samples: for each of them, how much faster."""
    chosen = [
        each for each in PROGRAMS if not each.unavailable() and str(each) != "rust-collections"
    ]
    faster, recorded = [], []
    for program in chosen[:: sizes.choose(EVERY, 40)]:
        with tempfile.TemporaryDirectory(prefix="stripe-bench-") as place:
            path = program.compile(Path(place))
            target = Target(
                path.name, program.arguments, directory=path.parent, stdin=program.stdin
            )
            with opened(target, "gdb") as gdb, opened(target, "ptrace") as ptrace:
                configurations = random_configurations(len(gdb.trace), 10)
                actions = [testing(made, configurations) for made in (gdb, ptrace)]
                one, two = interleaved(sizes.choose(3, 2), *actions)
                faster.append(median(one) / median(two))
                recorded.append(gdb.recorded.seconds / ptrace.recorded.seconds)
    yield value("ptrace", f"tests a second, {len(faster)} samples: ptrace / gdb", faster, "x")
    yield value("ptrace", f"recording, {len(recorded)} samples: ptrace / gdb", recorded, "x")


def testing(
    made: NativeRecording, configurations: Sequence[Sequence[int]]
) -> Callable[[int], None]:
    """All of them in a row, as a search does it: engines that take turns wait for each other."""

    def test(_: int) -> None:
        for events in configurations:
            with made.replay(events):
                pass

    return test
