"""Draws mutations and writes them down: ``python -m benchmarks.suspects.making``, of a later
collection with ``--`` and its name.

Each collection is drawn once: what it writes is the collection, and the half set aside depends on
it.  None but the first has a mutation that does what a fault of an earlier one, or one of its own
that was made by hand, does.
"""

from __future__ import annotations

import argparse
import random
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import batched

from benchmarks.suspects.faults import (
    COLLECTIONS,
    FIRST,
    SOME_PASS,
    Fault,
    before,
    normal,
    read,
)
from benchmarks.suspects.subjects import DATA, Subject, packages, programs
from benchmarks.suspects.trying import observe
from tools.mutants.operators import Mutation, mutations

LIMIT = 8.0
"""Seconds: what takes longer is not taken."""


@dataclass(frozen=True)
class Drawing:
    """What is drawn for a collection.

    How many mutations of each program and package that was there, and of those that came with it;
    fewer where there are not as many.
    """

    seed: int
    program: int
    package: int
    fresh_program: int = 0
    fresh_package: int = 0

    def count(self, of: Subject, name: str) -> int:
        """How many of a subject for the collection of that name; none of what came later."""
        names = list(COLLECTIONS)
        age = names.index(name) - names.index(of.added_for or FIRST)
        if age < 0:
            return 0
        if of.added_for == name:
            return self.fresh_package if of.package else self.fresh_program
        return self.package if of.package else self.program


DRAWINGS: Mapping[str, Drawing] = {
    FIRST: Drawing(seed=17, program=11, package=8),
    "later": Drawing(seed=1711, program=2, package=4),
    "third": Drawing(seed=171123, program=1, package=0, fresh_program=8, fresh_package=9),
    "fourth": Drawing(seed=17112359, program=0, package=0, fresh_program=5, fresh_package=4),
}


def drawn(
    of: Subject,
    file: str,
    count: int,
    seed: int,
    without: Iterable[Fault] = (),
    *,
    some_pass: bool = False,
) -> Iterator[Fault]:
    """Some mutations that tests notice, of as many kinds and functions as possible.

    ``some_pass``: none that makes all tests fail.
    """
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
            if seen is None or not seen.fails or (some_pass and not seen.passes):
                continue
            if kept < count:
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
    choice = parser.add_mutually_exclusive_group().add_argument
    for name in [*COLLECTIONS][1:]:
        choice(f"--{name}", dest="name", action="store_const", const=name)
    parser.set_defaults(name=FIRST)
    name = parser.parse_args().name
    drawing = DRAWINGS[name]
    by_hand, mutated = (DATA / file for file in COLLECTIONS[name])
    without = () if name == FIRST else (*before(name), *read(by_hand))
    entries = ["# Drawn by benchmarks.suspects.making; not to be changed by hand.\n"]
    for of in (*programs().values(), *packages().values()):
        for file in of.tests:
            count = -(-drawing.count(of, name) // len(of.tests))
            mine = drawn(of, file, count, drawing.seed, without, some_pass=name in SOME_PASS)
            faults = list(mine) if count else []
            entries += map(written, faults)
            print(f"{of.name} {file}: {len(faults)}", flush=True)
            mutated.write_text("\n".join(entries), "utf-8")


if __name__ == "__main__":
    main()
