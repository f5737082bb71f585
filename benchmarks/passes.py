"""What each pass and each fast path of the search earns: ``python -m benchmarks.passes [NAME...]``.

Ten libraries (``benchmarks/data/passes.toml``) are searched with all that there is, and then
without one part at a time.  A part that is left out costs tests, seconds or events kept, as a ratio
to those with it: 1.05 is what it has to earn to stay.  Ratios of ten libraries are told as their
geometric mean, so that each counts alike.

Passes decide what is tested.  They are compared by replays that are remembered: a configuration
takes the processor seconds that it took when it was first replayed, so noise does not decide.  Fast
paths decide how long a test takes.  They are compared by the processor seconds of whole searches,
beside another search with all of them, which shows how much noise there is.
"""

from __future__ import annotations

import argparse
import json
import shutil
import subprocess
import sys
import tempfile
import time
import tomllib
from array import array
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from pathlib import Path
from statistics import geometric_mean
from typing import Any

from benchmarks.scale.libraries import Library
from benchmarks.scale.outcomes import cpu
from stripe.backend import Observation, Recording, Target
from stripe.checks import parse_checks
from stripe.deadline import Deadline
from stripe.errors import StripeError
from stripe.reduce import Result, Settings, reduce
from stripe.reduce.passes import BODIES, FORESIGHT, OUTCOMES, PREDICTION
from stripe_pytrace.agent.snapshots.fork_point import RESTORED
from stripe_pytrace.backend import PythonBackend
from tests.support.caching import cache_folder

DATA = Path(__file__).parent / "data" / "passes.toml"

EARNS = 1.05
"""The ratio from which on a part earns its place."""

SEARCH_SECONDS = 60.0
"""After which a search ends without a certificate."""

TIMED = 600
"""Tests of a search by which fast paths are compared: they are the same ones each time."""

LOOKED_AT = 30
"""Tests of a search in which kept events have to see what they saw in the run: each looks."""

PASSES: dict[str, frozenset[str]] = {BODIES: frozenset({BODIES})}
"""What is left out, by what it is called; compared by replays that are remembered."""

PATHS: dict[str, frozenset[str]] = {
    "": frozenset(),
    "following": frozenset({"following"}),
    PREDICTION: frozenset({PREDICTION}),
    OUTCOMES: frozenset({OUTCOMES}),
    RESTORED: frozenset({RESTORED}),
    "nothing (noise)": frozenset(),
}
"""The same, compared by the seconds of whole searches; what rests on what goes with it."""


@dataclass(frozen=True)
class Installed(Library):
    """A library as pip installs it: not all have a source distribution that runs as it lies."""

    def tree(self) -> Path:
        """See :meth:`Library.tree`."""
        folder = cache_folder("installed") / f"{self.name}-{self.version}"
        if not folder.exists():
            fresh = folder.with_suffix(".new")
            shutil.rmtree(fresh, ignore_errors=True)
            options = ["--quiet", "--no-deps", "--no-compile", "--target", str(fresh)]
            wanted = f"{self.name}=={self.version}"
            command = [sys.executable, "-m", "pip", "install", *options, wanted]
            ended = subprocess.run(command, capture_output=True, text=True, check=False)
            if ended.returncode:
                raise OSError(f"{wanted} cannot be installed: {ended.stderr.strip()}")
            fresh.rename(folder)
        return folder


def libraries() -> list[Installed]:
    """Those of the data file."""
    tables = tomllib.loads(DATA.read_text("utf-8"))["library"]
    return [Installed(**{**each, "parts": tuple(each["parts"])}) for each in tables]


@dataclass(frozen=True, slots=True)
class Cost:
    """What a search took, and left."""

    tests: int
    seconds: float
    events: int
    certified: bool

    @classmethod
    def of(cls, result: Result, seconds: float) -> Cost:
        (found,) = result.slices
        return cls(found.tests, seconds, len(found.events), found.certified)

    def over(self, other: Cost) -> tuple[float, float, float]:
        """Tests, seconds and events as ratios to those of another search."""
        return (
            self.tests / max(1, other.tests),
            self.seconds / max(1e-9, other.seconds),
            self.events / max(1, other.events),
        )


class Remembered:
    """A recording that replays each configuration once, and offers nothing but that.

    - ``spent``: processor seconds that the replays asked for took when they were made
    - ``own``: those of this process in replays that it made
    """

    def __init__(self, recording: Recording) -> None:
        self._recording = recording
        self._known: dict[bytes, tuple[Observation, float]] = {}
        self.spent = self.own = 0.0

    def __getattr__(self, name: str) -> Any:
        return getattr(self._recording, name)

    @contextmanager
    def replay(
        self, events: Sequence[int], *, strict: bool = False, fresh: bool = False
    ) -> Iterator[Observation]:
        """See :class:`stripe.backend.Recording`; checks may not look at the run's directory."""
        key = array("i", events).tobytes() + bytes([strict, fresh])
        found = self._known.get(key)
        if found is None:
            own, began = time.process_time(), cpu()
            with self._recording.replay(events, strict=strict, fresh=fresh) as seen:
                pass
            found = self._known[key] = seen, cpu() - began
            self.own += time.process_time() - own
        self.spent += found[1]
        yield found[0]


@dataclass(frozen=True, slots=True)
class Measured:
    """One library: ``costs`` with all parts (``""``) and without some, by what is left out.

    ``paths``: the same for fast paths, ``looks`` for what is known of looks, ``two`` for tests
    that run ahead; ``passes`` and ``uses``: the statistics of the search with all parts.
    """

    name: str
    of: int
    costs: dict[str, Cost]
    paths: dict[str, Cost]
    looks: dict[str, Cost]
    two: dict[str, Cost]
    passes: list[dict[str, Any]]
    uses: dict[str, tuple[int, int]]

    @classmethod
    def from_json(cls, data: dict[str, Any]) -> Measured:
        """It again, from what ``--json`` has written."""
        kinds = ("costs", "paths", "looks", "two")
        costs = {kind: {name: Cost(**cost) for name, cost in data[kind].items()} for kind in kinds}
        return cls(**{**data, **costs})


def settings(without: frozenset[str], values: str = "free", **more: Any) -> Settings:
    """Those of one search."""
    return Settings(values=values, without=without, deadline=Deadline(SEARCH_SECONDS), **more)


def measured(library: Library, *, passes: bool, paths: bool) -> Measured:
    """Search with all parts, and without some."""
    checks = parse_checks([library.check])
    with tempfile.TemporaryDirectory(prefix="benchmark-") as folder:
        target = library.place(Path(folder))
        recording = PythonBackend().record(target)
        try:
            one = Measured(library.name, len(recording.trace), {}, {}, {}, {}, [], {})
            if passes:
                one.costs.update(_remembered(recording, checks, one.passes))
            if paths:
                _timed(recording, checks, settings(frozenset(), max_tests=LOOKED_AT))  # warms up
                for name, without in PATHS.items():
                    if name == PREDICTION and not one.uses[PREDICTION][0]:
                        continue  # it is of use to no such check
                    chosen = settings(without, max_tests=TIMED)
                    result, one.paths[name] = _timed(recording, checks, chosen)
                    if not name:
                        one.uses.update(result.statistics.uses)
                for name in ("", "looks"):
                    chosen = settings(frozenset({name}), "same", max_tests=LOOKED_AT)
                    _, one.looks[name] = _timed(recording, checks, chosen)
        finally:
            recording.close()
        return one


def _timed(recording: Recording, checks: Sequence[Any], chosen: Settings) -> tuple[Result, Cost]:
    """A search, and its processor seconds."""
    began = cpu()
    result = reduce(recording, checks, chosen)
    return result, Cost.of(result, cpu() - began)


def _remembered(
    recording: Recording, checks: Sequence[Any], passes: list[dict[str, Any]]
) -> Iterator[tuple[str, Cost]]:
    """Searches by replays that are remembered: with all passes, and without some.

    ``passes`` gets the statistics of the first.
    """
    known: Any = Remembered(recording)
    first = reduce(known, checks, settings(frozenset()))  # the others begin with as much known
    passes.extend(each._asdict() for each in first.slices[0].passes)
    for name, without in {"": frozenset[str](), **PASSES}.items():
        spent, own, began = known.spent, known.own, time.process_time()
        result = reduce(known, checks, settings(without))
        search = time.process_time() - began - (known.own - own)
        yield name, Cost.of(result, known.spent - spent + search)


def ahead(library: Library) -> dict[str, Cost]:
    """Seconds of a search with two jobs, with foresight and without: of the clock, not of CPU."""
    costs = {}
    with tempfile.TemporaryDirectory(prefix="benchmark-") as folder:
        recording = PythonBackend().record(
            Target("use.py", directory=library.place(Path(folder)).directory, jobs=2)
        )
        try:
            for name in ("", FORESIGHT):
                began = time.monotonic()
                chosen = settings(frozenset({name}), jobs=2)
                result = reduce(recording, parse_checks([library.check]), chosen)
                costs[name] = Cost.of(result, time.monotonic() - began)
        finally:
            recording.close()
    return costs


def ratios(costs: Sequence[dict[str, Cost]], name: str) -> list[tuple[float, float, float]]:
    """By library, what leaving that out costs."""
    return [each[name].over(each[""]) for each in costs if name in each]


def table(title: str, costs: Sequence[dict[str, Cost]]) -> Iterator[str]:
    """Lines: what is left out, what that costs, and whether it earns its place."""
    costs = [each for each in costs if each]
    if not costs:
        return
    yield f"{title:<24} {'tests':>7} {'seconds':>8} {'events':>7}   most in one library"
    for name in dict.fromkeys(name for each in costs for name in each if name):
        found = ratios(costs, name)
        columns = [[each[place] for each in found] for place in range(3)]
        means = [geometric_mean(max(each, 1e-3) for each in column) for column in columns]
        most = [max(column) for column in columns]
        verdict = "earns 5 %" if max(means) >= EARNS else "does not"
        yield (
            f"{name:<24} {means[0]:>7.3f} {means[1]:>8.3f} {means[2]:>7.3f}   "
            f"{most[0]:.2f} {most[1]:.2f} {most[2]:.2f}   {verdict}"
        )


def report(found: Sequence[Measured]) -> Iterator[str]:
    """All tables."""
    for each in found:
        cost = each.costs.get("") or each.paths[""]
        certified = "" if cost.certified else ", not certified"
        yield (
            f"{each.name}: {cost.events} of {each.of} events after {cost.tests} tests, "
            f"{cost.seconds:.1f} s{certified}"
        )
    yield ""
    yield from table("without the pass", [each.costs for each in found])
    yield ""
    yield from table("without the fast path", [each.paths for each in found])
    yield from table("with --values same", [each.looks for each in found])
    yield from table("with two jobs", [each.two for each in found])
    yield ""
    sums: dict[str, Counter[str]] = {}
    for one in found:
        for done in one.passes:
            counts = {key: value for key, value in done.items() if key != "name"}
            sums.setdefault(done["name"], Counter()).update(counts)
    yield f"{'pass':<16} {'tests':>7} {'successes':>10} {'events':>8} {'seconds':>8}"
    for name, total in sums.items():
        yield (
            f"{name:<16} {total['tests']:>7} {total['successes']:>10} {total['events']:>8} "
            f"{total['seconds']:>8.1f}"
        )
    yield ""
    yield f"{'fast path, cache':<16} {'served':>9} {'did not':>9}"
    for name in found[0].uses if found else ():
        served, not_served = (sum(each.uses[name][which] for each in found) for which in (0, 1))
        yield f"{name:<16} {served:>9} {not_served:>9}"


def main() -> int:
    """Measure the libraries named, or all."""
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks.passes", description=(__doc__ or "").partition("\n")[0]
    )
    parser.add_argument("names", nargs="*", metavar="NAME", help="libraries; all of them")
    parser.add_argument("--only", choices=["passes", "paths"], help="one part of it")
    parser.add_argument("--jobs", action="store_true", help="what foresight earns with two jobs")
    parser.add_argument(
        "--read", type=Path, nargs="+", metavar="FILE", help="measure nothing: show such figures"
    )
    parser.add_argument("--json", type=Path, metavar="FILE", help="write the figures there too")
    options = parser.parse_args()
    found = []
    if options.read:
        figures = [each for path in options.read for each in json.loads(path.read_text("utf-8"))]
        print(*report([Measured.from_json(each) for each in figures]), sep="\n")
        return 0
    for library in libraries():
        if options.names and library.name not in options.names:
            continue
        try:
            one = measured(library, passes=options.only != "paths", paths=options.only != "passes")
            if options.jobs:
                one.two.update(ahead(library))
        except (StripeError, OSError) as error:
            print(f"{library.name}: {error}", file=sys.stderr)
            continue
        found.append(one)
        print(*report([one]), sep="\n", file=sys.stderr, flush=True)
        if options.json:
            options.json.write_text(json.dumps([asdict(each) for each in found]), "utf-8")
    print(*report(found), sep="\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
