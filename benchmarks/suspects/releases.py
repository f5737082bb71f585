"""Mistakes that were really made: ``python -m benchmarks.suspects.releases [--half aside]``.

Each is a fault between two neighbouring releases of a package, as ``benchmarks.why.collection``
finds them, with a test that shows it and the lines that mend it.  ``stripe suspects`` is asked
about the tests of that file; beside it stands Ochiai's formula on the same lines of the same tests.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict, dataclass
from pathlib import Path
from statistics import median
from typing import Any

from benchmarks.suspects.faults import body_lines
from benchmarks.suspects.ranks import as_groups, by_score, worst_rank
from benchmarks.suspects.subjects import DATA
from benchmarks.why.answers import ROOT, Lookup
from benchmarks.why.faults import ASIDE, SEEN, Fault, place, read

LONG = 10
"""Lines of a function from which on a rank within it says something."""

EXTRA_SECONDS = 60.0
"""How much later than its limit a command is ended by us."""


@dataclass(frozen=True)
class Row:
    """One fault.  Ranks are of the nearest fixing line, with ties as they are worst.

    ``function``, ``ochiai_function``: of its function in the list, read by functions.  ``named``:
    the place with that line or function; ``first``, ``final``: seconds until the first place, and
    the one that is told first, was found.  ``refused``: why there is no answer.
    """

    name: str
    lines: int
    rank: int | None = None
    function: int | None = None
    ochiai: int | None = None
    ochiai_function: int | None = None
    named: int | None = None
    executed: int = 0
    offered: int = 0
    tried: int = 0
    first: float | None = None
    final: float | None = None
    seconds: float = 0.0
    cpu: float = 0.0
    refused: str = ""


def measure(fault: Fault, tree: Path, seconds: float) -> Row:
    """Ask about one fault."""
    where = place(fault)
    lookup = Lookup(fault, where)
    fix = fault.fixes[0]
    text = (where.code / fix.file).read_text("utf-8", errors="replace")
    size = body_lines(text, fix.lines)
    with tempfile.TemporaryDirectory(prefix="suspects-") as scratch:
        document, cost = Path(scratch) / "answer.json", Path(scratch) / "cost.json"
        words = [
            sys.executable, "-E", str(ROOT / "benchmarks" / "why" / "asked.py"), str(tree),
            str(cost), "suspects", "--json", str(document), "--no-slice", "--quiet", "--python",
            sys.executable, "--max-time", str(seconds), "--jobs", "1", "--failing", fault.test,
            "-m", "pytest", fault.test.partition("::")[0],
        ]  # fmt: skip
        try:
            ended = subprocess.run(
                words, cwd=where.project, env=where.environment(), capture_output=True, text=True,
                timeout=seconds + EXTRA_SECONDS, check=False,
            )  # fmt: skip
        except subprocess.TimeoutExpired:
            return Row(fault.name, size, refused="no end")
        if not document.exists():
            said = next(iter(ended.stderr.strip().splitlines()), "nothing")
            return Row(fault.name, size, refused=said[:120])
        found = json.loads(document.read_text("utf-8"))
        used = json.loads(cost.read_text("utf-8"))["cpu"]
    return row(fault.name, size, lookup, found, used)


def row(name: str, size: int, lookup: Lookup, found: dict[str, Any], used: float) -> Row:
    """What an answer says of the fault."""
    ranking = [(lookup.line(each["file"], each["line"]), each) for each in found["ranking"]]
    fixing = {line for line, _ in ranking if lookup.is_fix(line)}
    ours = as_groups((line, each["rank"]) for line, each in ranking)
    theirs = by_score({line: each["ochiai"] for line, each in ranking})
    named = [lookup.line(each["file"], each["line"]) for each in found["places"]]
    return Row(
        name, size,
        worst_rank(ours, fixing), lookup.rank(ours)[0],
        worst_rank(theirs, fixing), lookup.rank(theirs)[0],
        next((n for n, line in enumerate(named, 1) if lookup.is_near(line)), None),
        len(ranking), found["changes"]["offered"], found["changes"]["tried"],
        found.get("first_place"), found.get("final_place"), found["seconds"], used,
    )  # fmt: skip


def table(rows: Sequence[Row]) -> Iterator[str]:
    """How often the line, and its function, is first and in the top three."""
    yield "| faults | number | STRIPE first | top 3 | worse | Ochiai first | top 3 | its function: STRIPE first | top 3 | Ochiai first | top 3 | median cpu s |"  # noqa: E501
    yield "|---" * 12 + "|"
    for name, part in (
        ("all", rows),
        (f"functions of {LONG} lines or more", [row for row in rows if row.lines >= LONG]),
    ):
        if part:
            count = len(part)
            cells = [name, str(count)]
            for one in ("rank", "ochiai", "function", "ochiai_function"):
                ranks = [getattr(row, one) or sys.maxsize for row in part]
                cells += [
                    f"{n} ({100 * n / count:.0f} %)"
                    for n in (sum(rank <= most for rank in ranks) for most in (1, 3))
                ]
                if one == "rank":
                    worse = [
                        (row.rank or sys.maxsize) > (row.ochiai or sys.maxsize) for row in part
                    ]
                    cells.append(str(sum(worse)))
            yield f"| {' | '.join([*cells, f'{median(row.cpu for row in part):.1f}'])} |"
    for name in ("first", "final"):
        times = [time for row in rows if (time := getattr(row, name)) is not None]
        if times:
            yield f"until the {name} place: {len(times)}, median {median(times):.1f} s"


def main() -> int:
    """Measure the faults of a half."""
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks.suspects.releases",
        description=(__doc__ or "").partition("\n")[0],
    )
    parser.add_argument("--half", choices=[SEEN, ASIDE], default=SEEN)
    parser.add_argument("--data", type=Path, default=DATA / "releases", help="another collection")
    parser.add_argument("--only", metavar="NAME", help="a fault, or all of a package")
    parser.add_argument("--max-time", type=float, default=30.0, metavar="SECONDS")
    parser.add_argument("--tree", type=Path, default=ROOT, help="the STRIPE that is measured")
    parser.add_argument("--jobs", type=int, default=1, help="faults at a time")
    parser.add_argument("--keep", type=Path, metavar="FILE", help="where results are kept")
    given = parser.parse_args()
    faults = [
        each for each in read(given.data)
        if each.test and each.half == given.half and given.only in (None, each.name, each.package)
    ]  # fmt: skip
    rows = []
    if given.keep and given.keep.exists():
        rows = [Row(**json.loads(line)) for line in given.keep.read_text("utf-8").splitlines()]
    known = {each.name for each in rows}
    ask: Callable[[Fault], Row] = lambda each: measure(each, given.tree.resolve(), given.max_time)  # noqa: E731
    with ThreadPoolExecutor(given.jobs) as pool:
        for each in pool.map(ask, [fault for fault in faults if fault.name not in known]):
            rows.append(each)
            print(each, file=sys.stderr, flush=True)
            if given.keep:
                with given.keep.open("a", encoding="utf-8") as stream:
                    stream.write(f"{json.dumps(asdict(each))}\n")
    print(
        *table([each for each in rows if each.name in {fault.name for fault in faults}]), sep="\n"
    )
    return 0


if __name__ == "__main__":
    sys.exit(main())
