"""Changes between versions that a real compiler builds, and of a real package: how many tests.

C programs are made up (:mod:`benchmarks.c_histories`), and built by make and gcc; the package is
tomli, each release of which is a commit.  All is run by ``find_changes`` as users run it.
``python -m benchmarks builds``; for one seed and algorithm ``python -m benchmarks.builds gdb|ddd
SEED [ALGORITHM [LEVELS]]``.
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
from collections.abc import Callable
from functools import partial
from pathlib import Path

from benchmarks import blame, c_histories
from benchmarks.c_histories import Files
from benchmarks.measure import Row, Sizes
from stripe.changes import ChangesResult, find_changes

HUNKS, COMMITS, HUNKS_OF_COMMITS = 470, 116, 377
"""The sizes of the histories: of GDB and DDD, about as the paper has them."""

GOALS = {"GDB": 60, "DDD": 15}
"""Tests."""


def written(files: Files) -> Callable[[Path], None]:
    """What writes a version into a folder."""

    def write(target: Path) -> None:
        for path, text in files.items():
            (target / path).write_text(text)

    return write


def answer_to(
    versions: list[Files],
    culprit: str,
    scratch: Path,
    algorithm: str = "auto",
    granularity: str = "auto",
) -> ChangesResult:
    """Ask about a history whose last version gives another number; the answer has the culprit."""
    blame.committed(scratch, [written(each) for each in versions])
    good = scratch / "good"
    subprocess.run(["make", "-s"], cwd=good, check=True)
    number = subprocess.run(["./program"], cwd=good, check=True, capture_output=True, text=True)
    result = find_changes(
        "good",
        "main",
        build="make -s",
        test=f'said=$(./program); test "$said" = {number.stdout.strip()} || '
        '{ echo "it is $said"; exit 1; }',
        repo=scratch / "repository",
        algorithm=algorithm,
        granularity=granularity,
        journals=scratch,
    )
    lines = [line[1:].strip() for each in result.blamed for line in each.lines if line[0] == "+"]
    assert culprit in lines, "the line to blame is in the answer"
    return result


def gdb(seed: int, hunks: int = HUNKS) -> tuple[list[Files], str]:
    """Two versions and nothing between them."""
    return c_histories.two_versions(seed, hunks)


def ddd(
    seed: int, commits: int = COMMITS, hunks: int = HUNKS_OF_COMMITS
) -> tuple[list[Files], str]:
    """A history of many small commits."""
    return c_histories.commits(seed, commits, hunks)


def run(sizes: Sizes) -> list[Row]:
    """The benchmark."""
    made: dict[str, Callable[[int], tuple[list[Files], str]]] = {
        "GDB": partial(gdb, hunks=sizes.choose(HUNKS, 60)),
        "DDD": partial(ddd, commits=sizes.choose(COMMITS, 12), hunks=sizes.choose(377, 40)),
    }
    rows = []
    for name, history in made.items():
        counts = []
        for seed in range(sizes.choose(10, 1)):
            with tempfile.TemporaryDirectory() as scratch:
                result = answer_to(*history(seed), Path(scratch))
            assert result.certified, f"{name} {seed} is proven"
            counts.append(result.tests)
        low, high = min(counts), max(counts)
        # What is promised holds for the worst of them.
        rows.append(Row("builds", f"{name}, gcc", high, low, high, "tests, at most", GOALS[name]))
    with tempfile.TemporaryDirectory() as scratch:
        answer = blame.ours(blame.released(Path(scratch), "tomli"))
    count = float(answer.tests)
    rows.append(Row("builds", "tomli, 6 releases", count, count, count, "tests"))
    return rows


def main() -> None:
    """Tell of one history what it took."""
    kind, number, *how = sys.argv[1:]
    algorithm, granularity = [*how, "auto", "auto"][:2]
    seed = int(number)
    versions, culprit = gdb(seed) if kind == "gdb" else ddd(seed)
    with tempfile.TemporaryDirectory() as scratch:
        result = answer_to(versions, culprit, Path(scratch), algorithm, granularity)
    print(
        f"{kind} {seed} {' '.join(how)}: {result.changes} hunks, {result.tests} tests "
        f"({dict(result.undecided)}), {result.predicted} predicted, {result.blamed_lines} lines "
        f"blamed, {'certified' if result.certified else 'not certified'}, {result.seconds:.0f} s"
    )


if __name__ == "__main__":
    main()
