"""``python -m benchmarks.suspects [NAME...]``: where seeded faults stand in the ranking of
``stripe suspects``, and of Ochiai and DStar on the lines that the same tests execute.

The half that was set aside is left alone without ``--aside``: look at it once, at the end.  The
later collections, each an option with its name, have no halves: all of each is set aside.
"""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from dataclasses import asdict, dataclass
from pathlib import Path
from statistics import median

from benchmarks.suspects import engine, mutating
from benchmarks.suspects.faults import (
    COLLECTIONS,
    FIRST,
    SOME_PASS,
    Fault,
    aside,
    body_lines,
    collection,
    faulty_lines,
)
from benchmarks.suspects.ranks import dstar, ochiai, spectrum, worst_rank
from benchmarks.suspects.subjects import subject
from benchmarks.suspects.trying import complaints, observe

FEW_LINES = 4
"""Functions with fewer lines are counted apart: their ranks say little."""

LONG = 30.0
"""Times so many seconds of a processor a fault may take, however busy the machine is."""

NOT_ASKED = "not asked"


@dataclass(frozen=True)
class Row:
    """One fault: ranks with ties as they are worst, ``None`` where the line is not ranked."""

    name: str
    source: str
    made: str
    kind: str
    wrong: str
    lines: int
    stripe: int | None
    ochiai: int | None
    dstar: int | None
    executed: int
    seconds: float
    processor: float
    candidates: int
    refused: str

    @property
    def worse(self) -> bool:
        """Whether the spectrum has the line further in front."""
        return self.refused != NOT_ASKED and number(self.stripe) > number(self.ochiai)


def small(fault: Fault) -> bool:
    """Whether its function has so few lines that its rank says little."""
    right = fault.of.text(fault.file)
    wrong = fault.seeded(right)
    return body_lines(wrong, faulty_lines(right, wrong)) < FEW_LINES


def kept(file: Path | None, faults: Sequence[Fault]) -> list[Row]:
    """What was measured before of these faults."""
    if file is None or not file.exists():
        return []
    rows = [Row(**json.loads(line)) for line in file.read_text("utf-8").splitlines()]
    names = {each.name for each in faults}
    return [row for row in rows if row.name in names]


def number(rank: int | None) -> float:
    return float("inf") if rank is None else rank


def measure(fault: Fault, max_time: float, processor: float | None, without: bool) -> Row:
    """One fault, by the spectrum and, unless ``without``, by the engine."""
    right = fault.of.text(fault.file)
    wrong = fault.seeded(right)
    lines = faulty_lines(right, wrong)
    places = {(fault.file, line) for line in lines}
    tests = fault.of.tests[fault.file]
    (seen,) = observe(fault.of, fault.file, [wrong], cover=True)
    assert seen is not None, f"{fault.name} takes too long"
    groups = spectrum(seen, ochiai)
    answer = engine.Answer((), 0.0, refused=NOT_ASKED)
    if not without:
        with tempfile.TemporaryDirectory(prefix="stripe-suspects-") as scratch:
            folder = Path(scratch)
            fault.of.lay_out(folder)
            (folder / fault.file).write_text(wrong, "utf-8")
            answer = engine.ask(folder, tests, max_time, processor)
    return Row(
        fault.name,
        fault.stratum[0],
        fault.made,
        fault.kind,
        fault.wrong,
        body_lines(wrong, lines),
        worst_rank(answer.groups, places),
        worst_rank(groups, places),
        worst_rank(spectrum(seen, dstar), places),
        sum(map(len, groups)),
        round(answer.seconds, 2),
        round(answer.processor, 2),
        answer.candidates,
        answer.refused,
    )


def table(rows: Sequence[Row]) -> Iterator[str]:
    """For each source, kind, and size of functions: how often first, and in the top three."""
    yield (
        "| faults | number | STRIPE first | top 3 | worse | Ochiai first | top 3 "
        "| DStar first | top 3 |"
    )
    yield "| --- | --- | --- | --- | --- | --- | --- | --- | --- |"
    large = [row for row in rows if row.lines >= FEW_LINES]
    parts: dict[str, Iterable[Row]] = {
        "all": rows,
        f"of {FEW_LINES} lines or more": large,
        "of fewer lines": [row for row in rows if row.lines < FEW_LINES],
    }
    for source in ("programs", "packages"):
        parts[source] = [row for row in large if row.source == source]
        for made in ("hand", "mutation"):
            own = [row for row in large if (row.source, row.made) == (source, made)]
            parts[f"{source}, {made}"] = own
    for kind in sorted({row.kind for row in large if row.made == "hand"}):
        parts[kind] = [row for row in large if row.kind == kind]
    for name, part in parts.items():
        if part := list(part):
            cells = [name, str(len(part))]
            asked = any(row.refused != NOT_ASKED for row in part)
            cells += [] if asked else ["", "", ""]
            for ranker in ("stripe", "ochiai", "dstar") if asked else ("ochiai", "dstar"):
                ranks = [number(getattr(row, ranker)) for row in part]
                for most in (1, 3):
                    found = sum(rank <= most for rank in ranks)
                    cells.append(f"{found} ({100 * found / len(part):.0f} %)")
                if ranker == "stripe":
                    worse = sum(row.worse for row in part)
                    cells.append(f"{worse} ({100 * worse / len(part):.0f} %)")
            yield f"| {' | '.join(cells)} |"


def worst(rows: Sequence[Row], count: int) -> Iterator[str]:
    """Where it did worst, and where worse than the spectrum."""
    ordered = sorted(rows, key=lambda row: (not row.worse, -number(row.stripe)))
    for row in ordered[:count]:
        if row.worse or (row.refused != NOT_ASKED and number(row.stripe) > 3):
            yield (
                f"{row.name:24} {row.kind:26} STRIPE {row.stripe} Ochiai {row.ochiai} "
                f"of {row.executed}, {row.seconds:.1f} s, {row.candidates} candidates "
                f"{row.refused}: {row.wrong}"
            )


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.suspects", description=__doc__)
    option = parser.add_argument
    option("names", nargs="*", metavar="NAME", help="a fault, or a program or package")
    option("--packages", action="store_true", help="those in packages from PyPI, too")
    halves = parser.add_mutually_exclusive_group().add_argument
    halves("--aside", action="store_true", help="the half set aside, and no other")
    for name in [*COLLECTIONS][1:]:
        words = f"the {name} collection, and no other"
        halves(f"--{name}", dest="collection", action="store_const", const=name, help=words)
    parser.set_defaults(collection=FIRST)
    option("--max-time", type=float, metavar="SECONDS", help="for a fault; by default 10")
    option(
        "--processor",
        type=float,
        metavar="SECONDS",
        help="of a processor for a fault, in the place of --max-time",
    )
    option("--few", action="store_true", help=f"faults in functions under {FEW_LINES} lines, too")
    option(
        "--keep",
        type=Path,
        metavar="FILE",
        help="keep each result there; what is there is not measured again",
    )
    option("--jobs", type=int, default=1, metavar="N")
    option("--spectrum", action="store_true", help="the formulas alone")
    option("--validate", action="store_true", help="only see that tests notice them")
    option("--peer", type=int, metavar="N", help="only compare with N of Cosmic Ray")
    option("--worst", type=int, default=20, metavar="N", help="how many to list")
    option("--json", type=Path, metavar="FILE")
    options = parser.parse_args()
    apart = aside(collection())
    whole = options.collection != FIRST
    faults = [
        fault
        for fault in collection(options.collection)
        if (options.packages or not fault.of.package)
        and (not options.names or {fault.name, fault.subject} & set(options.names))
        and (options.validate or whole or (fault.name in apart) == options.aside)
        and (options.few or options.validate or options.spectrum or not small(fault))
    ]
    if not faults:
        others = ", ".join(f"--{name}" for name in ("packages", "aside", *[*COLLECTIONS][1:]))
        parser.error(f"no such fault in this half: see {others}")
    if options.validate:
        found = complaints(faults, some_pass=options.collection in SOME_PASS)
        return sum(print(complaint, flush=True) is None for complaint in found)
    if options.peer:
        compare(faults, options.peer, options.max_time or 10.0)
        return 0
    max_time = options.max_time or (10.0 if options.processor is None else LONG * options.processor)
    rows = kept(options.keep, faults)
    known = {row.name for row in rows}
    with ProcessPoolExecutor(options.jobs) as pool:
        asked = [
            pool.submit(measure, each, max_time, options.processor, options.spectrum)
            for each in faults
            if each.name not in known
        ]
        for each in as_completed(asked):
            rows.append(row := each.result())
            if options.keep is not None:
                with options.keep.open("a", encoding="utf-8") as stream:
                    stream.write(f"{json.dumps(asdict(row))}\n")
            print(
                f"{row.name:24} {row.made:8} {row.kind:24} lines {row.lines:3} STRIPE {row.stripe} "
                f"Ochiai {row.ochiai} DStar {row.dstar} of {row.executed} "
                f"{row.seconds:.1f} s ({row.processor:.1f}) {row.candidates} {row.refused}",
                file=sys.stderr,
                flush=True,
            )
    print(*table(rows), *worst(rows, options.worst), sep="\n")
    if tried := [row for row in rows if row.candidates]:
        rates = [row.candidates / row.seconds for row in tried]
        times = sorted(row.seconds for row in tried)
        print(
            f"seconds: median {median(times):.1f}, most {times[-1]:.1f}; candidates a second, all "
            f"else included: median {median(rates):.0f}, {min(rates):.0f} to {max(rates):.0f}; "
            f"seconds of a processor: median {median(row.processor for row in tried):.1f}"
        )
    if options.json is not None:
        options.json.write_text(json.dumps([asdict(row) for row in rows], indent=1) + "\n", "utf-8")
    return 0


def compare(faults: Sequence[Fault], count: int, max_time: float) -> None:
    """Candidates a second of both, on the same files and tests."""
    for name, file in sorted({(fault.subject, fault.file): fault for fault in faults}):
        fault = next(each for each in faults if (each.subject, each.file) == (name, file))
        row = measure(fault, max_time, None, without=False)
        done, speed = mutating.rate(subject(name), file, count)
        ours = row.candidates / row.seconds if row.seconds else 0.0
        print(
            f"{file}: STRIPE {row.candidates} candidates, {ours:.1f} a second with everything; "
            f"Cosmic Ray {done} candidates, {speed:.2f} a second",
            flush=True,
        )


if __name__ == "__main__":
    sys.exit(main())
