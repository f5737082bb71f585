"""Draws mutations and writes them down: ``python -m benchmarks.suspects.making [--later]``.

Each collection is drawn once: what it writes is the collection, and the half set aside depends on
it.  The later one has no mutation that does what a fault of the first, or one by hand, does.
"""

from __future__ import annotations

import argparse
import random
from collections import Counter
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass, field
from itertools import batched
from pathlib import Path

from benchmarks.suspects.faults import (
    LATER_BY_HAND,
    LATER_MUTATIONS,
    MUTATIONS,
    Fault,
    collection,
    normal,
    read,
)
from benchmarks.suspects.subjects import PACKAGES, Subject, programs
from benchmarks.suspects.trying import observe
from tools.mutants.operators import Mutation, mutations

LIMIT = 8.0
"""Seconds: what takes longer is not taken."""


@dataclass(frozen=True)
class Drawing:
    """What is drawn, and where it is written.

    ``program`` and ``package``: how many mutations of each; fewer where there are not as many.
    ``without``: faults that are not drawn again.
    """

    path: Path
    seed: int
    program: int
    package: int
    without: Collection[Fault] = field(default=())


def first() -> Drawing:
    return Drawing(MUTATIONS, seed=17, program=11, package=8)


def second() -> Drawing:
    without = (*collection(), *read(LATER_BY_HAND))
    return Drawing(LATER_MUTATIONS, seed=1711, program=2, package=4, without=without)


def drawn(
    of: Subject, file: str, count: int, seed: int, without: Iterable[Fault] = ()
) -> Iterator[Fault]:
    """Some mutations that tests notice, of as many kinds and functions as possible."""
    right = of.text(file)
    found = mutations(file, right)
    known = {
        normal(fault.seeded(right))
        for fault in without
        if (fault.subject, fault.file) == (of.name, file)
    }
    draw = random.Random(f"{seed} {of.name} {file}")
    draw.shuffle(found)
    operators: Counter[str] = Counter()
    functions: Counter[str] = Counter()
    ranked: list[tuple[int, int, Mutation]] = []
    for each in found:
        ranked.append((operators[each.operator] + functions[each.function], len(ranked), each))
        operators[each.operator] += 1
        functions[each.function] += 1
    ranked.sort()
    kept = 0
    fresh = (each for *_, each in ranked if not known or normal(each.text) not in known)
    for batch in batched(fresh, count):
        for each, seen in zip(
            batch, observe(of, file, [m.text for m in batch], limit=LIMIT), strict=True
        ):
            if seen is not None and seen.fails and kept < count:
                kept += 1
                yield as_fault(of, each, right)
        if kept == count:
            return


def as_fault(of: Subject, mutation: Mutation, right: str) -> Fault:
    """The mutation as a text that replaces another one, which occurs once."""
    old, new = right.split("\n"), mutation.text.split("\n")
    first = next(n for n, pair in enumerate(zip(old, new, strict=False)) if pair[0] != pair[1])
    same = 0
    while (
        old[-1 - same] == new[-1 - same]
        and len(old) - same > first + 1
        and len(new) - same > first + 1
    ):
        same += 1
    while right.count("\n".join(old[first : len(old) - same])) > 1:
        first, same = first - 1, same - 1
    before, after = ("\n".join(text[first : len(text) - same]) for text in (old, new))
    words = f"{mutation.operator} in {mutation.function}"
    return Fault(of.name, mutation.path, "mutation", mutation.operator, words, before, after)


def written(fault: Fault) -> str:
    """The fault as an entry of TOML."""
    short = ("subject", "file", "made", "kind", "wrong")
    lines = [f"{name} = {getattr(fault, name)!r}" for name in short]
    texts = [f"{name} = '''\n{getattr(fault, name)}'''" for name in ("before", "after")]
    return "\n".join(["[[fault]]", *lines, *texts, ""])


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.suspects.making")
    parser.add_argument("--later", action="store_true", help="the later collection")
    drawing = second() if parser.parse_args().later else first()
    entries = ["# Drawn by benchmarks.suspects.making; not to be changed by hand.\n"]
    for count, subjects in ((drawing.program, programs()), (drawing.package, PACKAGES)):
        for of in subjects.values():
            for file in of.tests:
                faults = list(
                    drawn(of, file, -(-count // len(of.tests)), drawing.seed, drawing.without)
                )
                entries += map(written, faults)
                print(f"{of.name} {file}: {len(faults)}", flush=True)
                drawing.path.write_text("\n".join(entries), "utf-8")


if __name__ == "__main__":
    main()
