"""Which search ends with the smallest slice, and with the fewest tests: ``auto`` against others.

All ask one and the same test function (closed, the full and the empty configuration taken for
granted).  Each search in each program has the same budget, so the whole comes to an end, and one
that is not certified by then is compared by the size that it has.  Tests are compared where
another search was certified.  Outcomes are kept on disk: a search that is tried again runs only
what it did not ask before.  Seconds are those of CPU that the tests took when they ran, and the
search's own.
"""

from __future__ import annotations

import argparse
import hashlib
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from statistics import median

from benchmarks.measure import Row, Sizes, value
from benchmarks.programs import recorded
from benchmarks.scale.libraries import LIBRARIES
from benchmarks.scale.outcomes import Outcomes
from benchmarks.scale.shapes import SHAPES, Shape, shape_named
from stripe.backend import Observation, Target
from stripe.checks import Criterion, parse_checks
from stripe.dd import ALGORITHMS, Budget, Outcome, Result, Tester
from stripe.dd.published import PUBLISHED
from stripe.errors import StripeError
from stripe.reduce.guided import Guided
from stripe_pytrace.recording import PythonRecording
from tests.support.caching import cache_folder

OTHERS = ("probdd", "splitting", "sweep", "ddmin")
TESTS, SECONDS, QUICK_SECONDS = 4000, 60.0, 5.0
"""A search ends after so many tests, or seconds of CPU (``--quick``), without a certificate."""

SIZE_GOAL, TESTS_GOAL = 1.1, 1.2
"""How much larger than the smallest slice the one of ``auto`` may be, and how many more tests."""


@dataclass(frozen=True)
class Subject:
    """A program to search in: ``place`` puts it into a folder; ``apart`` while tuning."""

    name: str
    check: str
    apart: bool
    place: Callable[[Path], Target]


@dataclass(frozen=True)
class Found:
    """How a search ended."""

    events: int
    tests: int
    seconds: float
    certified: bool


@dataclass(frozen=True)
class Compared:
    """One program: what ``auto`` found, and the others."""

    name: str
    of: int
    auto: Found
    others: dict[str, Found]

    @property
    def larger(self) -> float:
        """How many times as large as the smallest slice of all that of ``auto`` is."""
        found = [each.events for each in self.others.values()]
        return self.auto.events / max(1, min(found, default=self.auto.events))

    @property
    def ended(self) -> bool:
        """Whether any other search was certified, so that its tests can be compared."""
        return any(each.certified for each in self.others.values())

    @property
    def slower(self) -> float:
        """How many times as many tests as the best of those that were certified it took.

        0 if there is none; without end if ``auto`` alone was not certified.
        """
        if not self.ended:
            return 0.0
        if not self.auto.certified:
            return float("inf")
        fewest = min(each.tests for each in self.others.values() if each.certified)
        return self.auto.tests / max(1, fewest)

    def __str__(self) -> str:
        cells = [f"{self.name:<22}{self.of:>7}  {self.larger:5.2f} {self.slower:5.2f}  "]
        for name, found in [("auto", self.auto), *self.others.items()]:
            mark = " " if found.certified else "*"
            cells.append(f"{name} {found.events:>5}{mark}{found.tests:>5}t{found.seconds:>6.1f}s  ")
        return "".join(cells)


def generated(shape: Shape, size: int) -> Subject:
    """A program of a shape."""

    def place(folder: Path) -> Target:
        (folder / "program.py").write_text(shape.source(size), "utf-8")
        return Target("program.py", directory=folder)

    return Subject(f"{shape.name} {size}", shape.check, shape.apart, place)


def sized(names: Sequence[str]) -> Iterator[Subject]:
    """Programs of any size, named as ``product 12``."""
    for name, size in map(str.split, names):
        yield generated(shape_named(name), int(size))


def subjects() -> Iterator[Subject]:
    """All programs: shapes in two sizes, and libraries."""
    for shape in SHAPES:
        for size in (shape.small, shape.large):
            yield generated(shape, size)
    for library in LIBRARIES:
        yield Subject(library.name, library.check, library.apart, library.place)


def run(sizes: Sizes) -> Iterator[Row]:
    """``make bench ARGS=searches``: every program, or (``--quick``) the short ones."""
    chosen = list(subjects())
    if sizes.quick:
        chosen = chosen[: 2 * len(SHAPES) : 2]
    seconds = QUICK_SECONDS if sizes.quick else SECONDS
    compared = compare(chosen, ("auto", *OTHERS), seconds=seconds)
    for each in compared:
        print(each, file=sys.stderr)
    yield from _rows(compared, len(chosen), seconds)
    libraries = {each.name for each in LIBRARIES}
    there = [each.auto for each in compared if each.name in libraries]
    if there:
        share = 100 * sum(each.certified for each in there) / len(there)
        what = f"libraries certified within {SECONDS:g} s of CPU"
        yield value("searches", what, [share], "%", 50, at_least=True)


def _rows(compared: Sequence[Compared], of: int, seconds: float) -> Iterator[Row]:
    """How many programs were compared, in what respect, and how ``auto`` did there."""
    larger = sorted(each.larger for each in compared)
    slower = sorted(each.slower for each in compared if each.ended)
    budget = f"{seconds:g} s of CPU a search"
    yield value("searches", f"of {of} programs, those searched, {budget}", [len(compared)], "")
    ended = sum(each.auto.certified for each in compared)
    yield value("searches", "  auto certified within that", [ended], "")
    yield value("searches", "  another search certified (tests compared)", [len(slower)], "")
    if not compared:
        return
    what = f"events kept within that, auto / the smallest of {', '.join(OTHERS)}"
    yield value("searches", what, larger[-1:], "x", SIZE_GOAL)
    yield value("searches", "  median", larger, "x")
    if slower:
        what = "tests where another was certified, auto / the fewest"
        yield value("searches", what, slower[-1:], "x", TESTS_GOAL)
        yield value("searches", "  median", slower, "x")


def compare(
    chosen: Sequence[Subject],
    names: Sequence[str],
    tests: int = TESTS,
    seconds: float = SECONDS,
    certifying: float = 0.0,
) -> list[Compared]:
    """Search in all of them, the worst for ``auto`` first; ``certifying``: see :func:`search`."""
    compared = []
    for subject in chosen:
        try:
            found = search(subject, names, tests, seconds, certifying)
        except (StripeError, OSError) as error:
            print(f"{subject.name}: {error}", file=sys.stderr)
            continue
        print(found, file=sys.stderr, flush=True)
        compared.append(found)
    return sorted(compared, key=lambda each: -max(each.larger, each.slower))


def search(
    subject: Subject,
    names: Sequence[str],
    tests: int = TESTS,
    seconds: float = SECONDS,
    certifying: float = 0.0,
) -> Compared:
    """Run the searches of those names in a program.

    ``seconds`` is what each of them has; in libraries ``auto`` has ``certifying`` seconds if that
    is more, so that it is seen which of them are certified.
    """
    libraries = {each.name for each in LIBRARIES}
    with tested(subject) as (recording, criterion, outcomes):
        found: dict[str, Found] = {}
        for name in names:
            longer = name == "auto" and subject.name in libraries
            most = max(seconds, certifying) if longer else seconds

            def over(most: float = most) -> bool:
                return outcomes.spent > most

            outcomes.spent = 0.0
            began = time.process_time()
            ran = outcomes.ran
            tester = Tester(
                outcomes,
                close=lambda events: recording.trace.close(events, control=False),
                budget=Budget(tests),
                stop=over,
            )
            result = searched(name, recording, criterion, tester)
            own = time.process_time() - began - (outcomes.ran - ran)
            found[name] = Found(
                len(result.configuration),
                result.statistics.tests,
                outcomes.spent + own,
                result.certified,
            )
        auto = found.pop("auto")
        return Compared(subject.name, len(recording.trace), auto, found)


@contextmanager
def tested(subject: Subject) -> Iterator[tuple[PythonRecording, Criterion, Outcomes]]:
    """A program recorded, and what tests its configurations."""
    with tempfile.TemporaryDirectory(prefix="benchmark-") as folder:
        target = subject.place(Path(folder))
        key = _key(Path(folder), subject.check)
        with recorded(target) as recording:
            # First of all: the recorded run's directory is valid until the first replay.
            criterion = parse_checks([subject.check])[0].reference(recording.recorded)

            def judged(events: Sequence[int]) -> Outcome:
                with recording.replay(events) as seen:
                    return criterion.judge(seen)

            everything = range(len(recording.trace))
            if judged(everything) is not Outcome.FAIL or judged(()) is Outcome.FAIL:
                raise StripeError("not-reducible", f"{subject.name} shows nothing", "")
            yield recording, criterion, Outcomes(cache_folder("scale") / key, judged)


def searched(
    name: str, recording: PythonRecording, criterion: Criterion, tester: Tester[int]
) -> Result[int]:
    """The result of the search of that name."""
    universe = range(len(recording.trace))
    if name != "auto":
        return (ALGORITHMS.get(name) or PUBLISHED[name])(universe, tester, check=False)

    def observe(events: tuple[int, ...]) -> Observation:
        with recording.replay(tester.closed(events)) as seen:
            return seen

    guided = Guided(recording.trace, criterion, control=False, observe=observe)
    return guided.reduce(universe, tester)


def _key(folder: Path, check: str) -> str:
    """What outcomes depend on."""
    digest = hashlib.sha256(f"{sys.version} {check}".encode())
    for path in sorted(folder.rglob("*.py")):
        digest.update(f"{path.relative_to(folder)} {path.stat().st_size}\n".encode())
        digest.update(path.read_bytes())
    return digest.hexdigest()[:24]


def _chosen(options: argparse.Namespace) -> Iterator[Subject]:
    """The programs that the command line names; all of them if it names none."""
    kinds = {f"{shape.name} {shape.small}" for shape in SHAPES} if options.small else set[str]()
    if options.libraries:
        kinds.update(library.name for library in LIBRARIES)
    everything = not (options.names or kinds or options.sized)
    for each in subjects():
        named = bool(options.names) and each.name.startswith(tuple(options.names))
        half = not options.half or each.apart == (options.half == "apart")
        if half and (everything or named or each.name in kinds):
            yield each
    yield from sized([each for each in options.sized.split(",") if each])


def main() -> None:
    """``python -m benchmarks.scale.searches [NAME...]``: programs by the start of their names."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("names", nargs="*", help="programs; all of them")
    parser.add_argument("--others", default=",".join(OTHERS), help="searches beside auto, if any")
    parser.add_argument("--half", choices=["tuned", "apart"], help="one half of the programs")
    parser.add_argument("--tests", type=int, default=TESTS, help="most tests of a search")
    parser.add_argument("--seconds", type=float, default=SECONDS, help="of CPU, for each search")
    parser.add_argument("--certifying", type=float, default=0.0, help="more for auto in libraries")
    parser.add_argument("--small", action="store_true", help="generated programs of the small size")
    parser.add_argument("--sized", default="", help="those of any size: 'product 12,text 600'")
    parser.add_argument("--libraries", action="store_true", help="libraries")
    options = parser.parse_args()
    chosen = list(_chosen(options))
    others = [name for name in options.others.split(",") if name]
    compared = compare(
        chosen, ["auto", *others], options.tests, options.seconds, options.certifying
    )
    ended = sum(each.ended for each in compared)
    print(
        f"of {len(chosen)} programs {len(compared)} were searched, "
        f"{options.seconds:g} s of CPU and {options.tests} tests a search; "
        f"in {sum(each.auto.certified for each in compared)} auto was certified, "
        f"in {ended} another, so that tests can be compared (slower; else 0)"
    )
    print(f"{'program':<22}{'events':>7} larger slower   *: not certified")
    for each in compared:
        print(each)
    if compared:
        print("median larger", round(median(each.larger for each in compared), 2))
    if ended:
        slower = median(each.slower for each in compared if each.ended)
        print("median slower", round(slower, 2))


if __name__ == "__main__":
    main()
