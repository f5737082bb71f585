"""What ``--values same`` costs: events, lines, tests and time, against those of ``free``.

The programs are the samples, then in turns those of the corpus, in a random order, and small ones
made at random, of arithmetic, containers, loops, functions and objects; each in both control modes,
as many as there is time for.
"""

from __future__ import annotations

import itertools
import random
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import quantiles

from benchmarks.measure import Row, Sizes, value
from benchmarks.programs import SAMPLES, recorded
from benchmarks.search import SAMPLE_RUNS, UNSTEADY
from stripe.backend import Deadline, Target
from stripe.checks import default_check, parse_checks
from stripe.errors import StripeError
from stripe.reduce import CriticalSlice, Settings, reduce
from stripe_pytrace.recording import PythonRecording
from tests.support import corpus

MOST = 150
"""Events of a program."""

SECONDS = 15.0
"""For each search.  One that comes to no end within it is told apart."""

ALL = 1500
"""Seconds for all programs: no other is begun after that."""

GENERATED = 120


@dataclass(frozen=True, slots=True)
class Pair:
    """The slices of one program and control mode, with values free and the same."""

    name: str
    free: CriticalSlice
    same: CriticalSlice
    lines: tuple[int, int]

    def __str__(self) -> str:
        free, same = self.free, self.same
        return (
            f"{self.name:44.44} of {free.of:4}: events {len(free.events):4} {len(same.events):4}  "
            f"lines {self.lines[0]:3} {self.lines[1]:3}  tests {free.tests:4} {same.tests:4}  "
            f"looks {same.looks:3}  {free.seconds:6.2f} {same.seconds:6.2f} s  "
            f"others {'?' if free.others is None else len(free.others)}"
            + ("" if free.certified and same.certified else "  (not certified)")
        )


def run(sizes: Sizes) -> Iterator[Row]:
    pairs: list[Pair] = []
    refused: list[str] = []
    print(file=sys.stderr)
    end = time.monotonic() + sizes.choose(ALL, 30)
    with tempfile.TemporaryDirectory(prefix="benchmark-") as folder:
        for number, (name, target, check) in enumerate(runs(Path(folder), sizes)):
            if time.monotonic() > end:
                break
            try:
                with recorded(target) as recording:
                    # Who comes second finds looked up already what the recorded run saw.
                    modes = ("free", "same") if number % 2 else ("same", "free")
                    for pair in compared(name, recording, check, modes):
                        pairs.append(pair)
                        print(pair, file=sys.stderr, flush=True)
            except StripeError as error:
                refused.append(name)
                print(f"{name}: {error}", file=sys.stderr)
    for control in ("trace", "program"):
        yield from rows(control, [each for each in pairs if each.name.endswith(control)])
    yield value("values", "programs that are refused", [len(refused)], "")


def rows(control: str, tried: list[Pair]) -> Iterator[Row]:
    """The table of one control mode; ratios are of the sums, and of single programs."""
    pairs = [each for each in tried if each.free.certified and each.same.certified]
    yield value("values", f"{control}: programs that are compared", [len(pairs)], "")
    yield value("values", "  and such that take too long", [len(tried) - len(pairs)], "")
    events = [(len(each.same.events), len(each.free.events)) for each in pairs]
    tests = [(each.same.tests, each.free.tests) for each in pairs]
    seconds = [(each.same.seconds, each.free.seconds) for each in pairs]
    lines = [(each.lines[1], each.lines[0]) for each in pairs]
    for what, found in (("events", events), ("lines", lines), ("tests", tests), ("time", seconds)):
        single = [same / free for same, free in found if free]
        total = sum(same for same, _ in found) / sum(free for _, free in found)
        high = quantiles(single, n=10, method="inclusive")[-1]
        low, most = min(single), max(single)
        yield Row("values", f"{control}: {what}, same / free, all", total, low, most, "x")
        yield value("values", "  90th percentile of programs", [high], "x")
    looks = [(each.same.looks, each.same.tests) for each in pairs]
    part = sum(look for look, _ in looks) / sum(tests for _, tests in looks)
    yield value("values", f"{control}: looks per test", [part], "x")
    other = [100 * sum(bool(each.free.others) for each in pairs) / len(pairs)]
    yield value("values", f"{control}: of {len(pairs)} slices, see others if free", other, "%")
    larger = [100 * sum(same > free for same, free in events) / len(pairs)]
    yield value("values", f"{control}: larger if the same", larger, "%")


def compared(
    name: str, recording: PythonRecording, check: str, modes: Sequence[str]
) -> Iterator[Pair]:
    # First of all: the recorded run's directory is valid until the first replay.
    checks = parse_checks([check]) if check else [default_check(recording.recorded)]
    for control in ("trace", "program"):
        found = {}
        for mode in modes:
            settings = Settings(control, deadline=Deadline(SECONDS), values=mode)
            (found[mode],) = reduce(recording, checks, settings).slices
        free, same = found["free"], found["same"]
        lines = tuple(len(each.lines(recording.trace)) for each in (free, same))
        yield Pair(f"{name} {control}", free, same, (lines[0], lines[1]))


def runs(folder: Path, sizes: Sizes) -> Iterator[tuple[str, Target, str]]:
    """Name, target and check (empty: the default one)."""
    for program, stdin, check, _ in SAMPLE_RUNS:
        yield f"{program} {check}", Target(program, directory=SAMPLES, stdin=stdin), check
    others = of_the_corpus(folder, sizes.choose(MOST, 60)), made(folder)
    for pair in itertools.zip_longest(*others):
        yield from filter(None, pair)


def of_the_corpus(folder: Path, most: int) -> Iterator[tuple[str, Target, str]]:
    """Programs of the corpus of at most so many events."""
    programs = [
        each
        for each in corpus.programs()
        if not each.name.startswith(UNSTEADY)
        and each.golden().exists()
        and int(each.golden().read_text("utf-8").split(maxsplit=1)[0]) <= most
    ]
    for each in random.Random(0).sample(programs, len(programs)):
        directory = folder / each.name
        directory.mkdir()
        yield each.name, each.place(directory), ""


def made(folder: Path) -> Iterator[tuple[str, Target, str]]:
    """Programs made at random."""
    for seed in range(GENERATED):
        directory = folder / f"generated{seed}"
        directory.mkdir()
        (directory / "program.py").write_text(generated(seed), "utf-8")
        yield f"generated {seed}", Target("program.py", directory=directory), ""


def generated(seed: int) -> str:
    """A small program of about twenty statements, of which what it prints needs some."""
    chance = random.Random(seed)
    names = ["a", "b", "c", "total", "best"]

    def atom() -> str:
        return chance.choice([*names, str(chance.randrange(6)), "len(items)", "box.held"])

    def expression() -> str:
        kind = chance.randrange(6)
        one, other = atom(), atom()
        return [
            f"{one} + {other}", f"max({one}, {other})", f"scaled({one})", f"found.get({one}, 0)",
            f"{one} if {other} else {atom()}", f"sum(each > {one} for each in items)",
        ][kind]  # fmt: skip

    def statement(depth: int) -> list[str]:
        kind = chance.randrange(9 if depth else 6)
        name = chance.choice(names)
        if kind < 3:
            return [f"{name} = {expression()}"]
        if kind < 6:
            return [chance.choice([
                f"items.append({expression()})", f"found[{atom()}] = {expression()}",
                f"{name} += {atom()}", f"box.put({atom()})",
            ])]  # fmt: skip
        head = [
            f"for {name} in range({chance.randrange(1, 4)}):", f"if {atom()} > {atom()}:",
            "for each in list(items):",
        ][kind - 6]  # fmt: skip
        body = [line for _ in range(chance.randrange(1, 4)) for line in statement(depth - 1)]
        return [head, *(f"    {line}" for line in body)]

    lines = [
        "def scaled(number):", "    if number > 3:", "        return number * 2", "    return 0",
        "class Box:", "    def __init__(self):", "        self.held = 0", "        self.all = []",
        "    def put(self, what):", "        self.held += what", "        self.all.append(what)",
        "a, b, c, total, best = 1, 0, 3, 0, 0", "items, found, box = [1, 4], {}, Box()",
    ]  # fmt: skip
    for _ in range(10):
        lines += statement(2)
    lines.append(f"print({chance.choice(names)}, {expression()})")
    return "\n".join(lines) + "\n"
