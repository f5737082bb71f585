"""Tests per search: the guided one, others of ours, and other packages, on the same traces.

All of them ask one and the same test function (closed, cached, full and empty configuration
taken for granted), so that what is counted is what each strategy asks for.  ``--quick`` takes
the smaller programs only.
"""

from __future__ import annotations

import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from statistics import quantiles

from benchmarks.measure import Row, Sizes, value
from benchmarks.peers import PEERS, failing
from benchmarks.programs import SAMPLES, recorded
from stripe.backend import Target
from stripe.checks import default_check, parse_checks
from stripe.dd import Budget, Outcome, Tester
from stripe.dd.published import PUBLISHED
from stripe.errors import StripeError
from stripe.reduce import Settings, reduce
from stripe.trace import Trace
from stripe_pytrace.recording import PythonRecording
from tests.support import corpus

OURS = ("auto", "ddmin", "sweep", "splitting")
FEWEST, MOST = 30, 5000
LIMIT = 5000
"""Tests after which a search ends without a certificate."""

SAMPLE_RUNS = [
    ("sample.py", b"0\n5\n", "stdout", "trace"),
    ("sample.py", b"0\n5\n", "sum=stdout:/^sum/", "trace"),
    ("sample.py", b"0\n5\n", "mul=stdout:/^mul/", "trace"),
    ("crash.py", b"", "exception", "trace"),
    ("wrong_total.py", b"", "stdout:/^total/", "trace"),
    ("recursion.py", b"", "stdout:/^coins/", "trace"),
    ("account.py", b"", "exception", "trace"),
    ("read_file.py", b"", "stdout:/^warmest/", "trace"),
    ("cleanup.py", b"", "exception", "trace"),
    ("pipeline.py", b"", "stdout:/^alert/", "trace"),
    ("condition.py", b"", "stdout:/^to pay/", "program"),
]

# Their answers hang on the clock, on threads or on other processes.
UNSTEADY = ("async_", "fork_", "gc_", "signals", "subprocess_", "threads_")


@dataclass(frozen=True, slots=True)
class Found:
    """What a search came to: events kept, tests run, seconds, whether it came to its end."""

    events: int
    tests: int
    seconds: float
    finished: bool = True

    @property
    def ratio(self) -> float:
        """Tests for each test that certifying the answer takes."""
        return self.tests / (self.events + 1)


def run(sizes: Sizes) -> Iterator[Row]:
    found: dict[str, list[Found]] = {}
    smaller = fewer = programs = 0
    print(file=sys.stderr)
    with tempfile.TemporaryDirectory(prefix="benchmark-") as folder:
        for name, target, check, control in runs(Path(folder), sizes):
            try:
                with recorded(target) as recording:
                    results = dict(searches(recording, check, control))
            except StripeError as error:
                print(f"{name}: {error}", file=sys.stderr)
                continue
            programs += 1
            for algorithm, result in results.items():
                found.setdefault(algorithm, []).append(result)
                print(line(name, algorithm, result), file=sys.stderr, flush=True)
            smaller += results["auto"].events <= results["ddmin"].events
            fewer += results["auto"].tests <= results["ddmin"].tests
    for algorithm, results_of in found.items():
        ratios = [each.ratio for each in results_of]
        auto = algorithm == "auto"
        what = f"{algorithm}: tests / (k + 1), median of {len(ratios)} programs"
        yield value("search", what, ratios, "", 1.7 if auto else None)
        if len(ratios) > 1:
            tenth = quantiles(ratios, n=10, method="inclusive")[-1]
            yield value("search", "  90th percentile", [tenth], "", 3 if auto else None)
        yield value("search", "  wall time", [each.seconds for each in results_of], "s")
    share = [100 * smaller / programs]
    yield value("search", "auto as small as ddmin or smaller", share, "%", 95, at_least=True)
    share = [100 * fewer / programs]
    yield value("search", "auto with as few tests or fewer", share, "%", 100, at_least=True)


def line(name: str, algorithm: str, result: Found) -> str:
    return (
        f"{name:42.42} {algorithm:18} k + 1 = {result.events + 1:5} tests {result.tests:5} "
        f"ratio {result.ratio:6.2f} {result.seconds:8.2f} s"
        + ("" if result.finished else "  (not certified)")
    )


def runs(folder: Path, sizes: Sizes) -> Iterator[tuple[str, Target, str, str]]:
    """Name, target, check (empty: the default one) and control mode of all that is searched."""
    for program, stdin, check, control in SAMPLE_RUNS:
        target = Target(program, directory=SAMPLES, stdin=stdin)
        yield f"{program} {check}", target, check, control
    most = sizes.choose(MOST, 150)
    for each in corpus.programs():
        if each.name.startswith(UNSTEADY) or not each.golden().exists():
            continue
        events = int(each.golden().read_text("utf-8").split(maxsplit=1)[0])
        if FEWEST <= events <= most:
            directory = folder / each.name
            directory.mkdir()
            yield each.name, each.place(directory), "", "trace"


def searches(recording: PythonRecording, check: str, control: str) -> Iterator[tuple[str, Found]]:
    # First of all: the recorded run's directory is valid until the first replay.
    checks = parse_checks([check]) if check else [default_check(recording.recorded)]
    criterion = checks[0].reference(recording.recorded)
    for algorithm in OURS:
        settings = Settings(control, algorithm, max_tests=LIMIT)
        (result,) = reduce(recording, checks, settings).slices
        yield algorithm, Found(len(result.events), result.tests, result.seconds, result.certified)
    strict = control == "program"

    def test(events: tuple[int, ...]) -> Outcome:
        with recording.replay(events, strict=strict) as seen:
            return criterion.judge(seen)

    for name, published in PUBLISHED.items():
        tester = Tester(test, close=closing(recording.trace, strict), budget=Budget(LIMIT))
        began = time.perf_counter()
        found = published(range(len(recording.trace)), tester)
        seconds = time.perf_counter() - began
        kept, tests = len(found.configuration), found.statistics.tests
        yield name, Found(kept, tests, seconds, found.certified)
    for name, other in PEERS.items():
        tester = Tester(test, close=closing(recording.trace, strict))
        every = tuple(range(len(recording.trace)))
        tester.assume((), Outcome.PASS)
        tester.assume(every, Outcome.FAIL)
        began = time.perf_counter()
        try:
            answer = other(every, failing(tester))
        except ImportError:
            continue
        seconds = time.perf_counter() - began
        closed = tester.closed(tuple(answer))
        yield name, Found(len(closed), tester.statistics.tests, seconds, False)


def closing(trace: Trace, control: bool) -> Callable[[tuple[int, ...]], tuple[int, ...]]:
    return lambda events: trace.close(events, control=control)
