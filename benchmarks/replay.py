"""Tests per second: the fork server against fresh processes and against a bare fork.

Random closed configurations of the sample program, the same for all; and of a failing test that
pytest runs.  Before anything is timed, every way must come to the same outputs and the same exit
status.
"""

from __future__ import annotations

import random
import tempfile
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from statistics import median

from benchmarks.baseline import BareFork, Outcome, compile_straight
from benchmarks.interventions import FILES
from benchmarks.measure import Row, Sizes, interleaved, ratio, value
from benchmarks.programs import recorded, sample
from stripe.backend import Target
from stripe.failing_run import target_of
from stripe.interventions import Test, Verdict
from stripe.suspects.slices import FailingRun
from stripe.trace import Trace
from stripe_pytrace.agent.snapshots.fork_point import RESTORED
from stripe_pytrace.recording import PythonRecording

GOAL_FRESH = 8.0
GOAL_BARE = 1.5
GOAL_PYTEST = 100.0


def run(sizes: Sizes) -> Iterator[Row]:
    yield from of_script(sizes)
    yield from of_pytest(sizes)


def of_pytest(sizes: Sizes) -> Iterator[Row]:
    """Of a test that pytest runs, in full: put back after each replay, or forked for each."""
    with tempfile.TemporaryDirectory(prefix="benchmark-") as folder:
        for name, text in FILES.items():
            (Path(folder) / name).write_text(text, "utf-8")
        target = Target("pytest", module=True, directory=Path(folder))
        name = "test_shop.py::test_one"
        test = Test(0, name, Verdict.FAILED, 0.0, frozenset(), "test_shop.py")
        with recorded(target_of(FailingRun(target, test))) as recording:
            everything = [tuple(range(len(recording.trace)))]
            once = replayed(recording, everything)

            def put_back(which: int) -> Outcome:
                recording.without = ()
                return once(which)

            def forked(which: int) -> Outcome:
                recording.without = {RESTORED}
                return once(which)

            for _ in range(10):
                if put_back(0) != forked(0):
                    raise RuntimeError("a replay that is put back ends otherwise than a fork")
            forks, runs = interleaved(sizes.choose(300, 30), forked, put_back)
            compared = "cost of a replay of a pytest test: forked / put back"
            yield ratio("replay", compared, forks, runs)
            rates = [1 / each for each in runs]
            compared = f"replays a second of a pytest test of {len(recording.trace)} events"
            yield value("replay", compared, rates, "/s", GOAL_PYTEST, at_least=True)


def of_script(sizes: Sizes) -> Iterator[Row]:
    """Of a script, by ways to have each configuration run."""
    target = sample()
    path = str(target.directory / target.program)
    with tempfile.TemporaryDirectory() as folder, recorded(target) as recording:
        trace = recording.trace
        configurations = random_configurations(trace, sizes.choose(100, 12))
        codes = [compile_straight(trace, events, path) for events in configurations]
        bare = BareFork(recording._modules, Path(folder), target.stdin)
        try:
            fork = replayed(recording, configurations)
            fresh = replayed(recording, configurations, fresh=True)

            def bare_fork(which: int) -> Outcome:
                return bare.run(codes[which % len(codes)])

            for which in range(min(len(configurations), 20)):
                if not fork(which) == fresh(which) == bare_fork(which):
                    raise RuntimeError(f"the ways to run {configurations[which]} disagree")
            rounds = sizes.choose(60, 12)
            forks, processes = interleaved(rounds, fork, fresh)
            rate = f"{1 / median(processes):.0f}/s -> {1 / median(forks):.0f}/s"
            yield ratio("replay", f"tests a second: fork server / fresh processes ({rate})",
                        processes, forks, GOAL_FRESH, at_least=True)  # fmt: skip
            rounds = sizes.choose(300, 60)
            forks, bares = interleaved(rounds, fork, bare_fork, warm_up=10)
            yield ratio("replay", "cost of a test: fork server / bare fork of the same statements",
                        forks, bares, GOAL_BARE)  # fmt: skip
            yield value("replay", "a test by the fork server", milliseconds(forks), "ms")
            yield value("replay", "the same by a bare fork", milliseconds(bares), "ms")
        finally:
            bare.close()


def random_configurations(trace: Trace, count: int) -> list[tuple[int, ...]]:
    """Closed under parents; some keep little, some almost everything, the first two all."""
    dice = random.Random(1)
    chosen: list[tuple[int, ...]] = [tuple(range(len(trace)))] * 2
    while len(chosen) < count:
        share = dice.choice((0.1, 0.3, 0.5, 0.7, 0.9, 0.97))
        kept = [event for event in range(len(trace)) if dice.random() < share]
        chosen.append(trace.close(kept))
    return chosen


def replayed(
    recording: PythonRecording, configurations: Sequence[Sequence[int]], *, fresh: bool = False
) -> Callable[[int], Outcome]:
    def once(which: int) -> Outcome:
        events = configurations[which % len(configurations)]
        with recording.replay(events, fresh=fresh) as seen:
            return seen.status, seen.stdout, seen.stderr

    return once


def milliseconds(times: Sequence[float]) -> list[float]:
    return [1000 * each for each in times]
