"""Run the corpus in the jail and print a table: ``python -m tests.harm [OPTIONS] [WORD ...]``.

With words, only the programs whose name has one of them.
"""

from __future__ import annotations

import argparse
import sys

from tests.harm.programs import programs
from tests.harm.running import run
from tests.harm.worker import Plan


def main() -> int:
    """Exit status 1 if anything was harmed."""
    parser = argparse.ArgumentParser(prog="python -m tests.harm", description=__doc__)
    parser.add_argument("words", nargs="*")
    parser.add_argument("--layer", default="")
    parser.add_argument("--algorithms", default="auto,ddmin")
    parser.add_argument("--every", type=int, default=Plan.every)
    parser.add_argument("--controls", default="trace,program")
    parser.add_argument("--tests", type=int, default=Plan.tests)
    parser.add_argument("--singles", type=int, default=Plan.singles)
    parser.add_argument("--random", type=int, default=Plan.random)
    parser.add_argument("--seed", type=int, default=Plan.seed)
    parser.add_argument("--engine")
    parser.add_argument("--together", action="store_true", help="look once for all of these")
    parser.add_argument("--bare", action="store_true", help="without STRIPE: is there harm at all?")
    parser.add_argument("-v", action="store_true", help="every step and every harm")
    options = parser.parse_args()
    chosen = [
        each
        for each in programs()
        if not options.words or any(word in each.name for word in options.words)
    ]
    plan = Plan(
        layer=options.layer,
        algorithms=tuple(options.algorithms.split(",")),
        every=options.every,
        controls=tuple(options.controls.split(",")),
        tests=options.tests,
        singles=options.singles,
        random=options.random,
        seed=options.seed,
        engine=options.engine,
        together=options.together,
        bare=options.bare,
    )
    full = part = 0
    for found in run(chosen, plan):
        full += found.in_full
        part += found.in_part
        told = {True: "HARM", False: "-"}
        print(
            f"{found.program:40} full {told[found.in_full]:5} part {told[found.in_part]:5}"
            f" {len(found.steps):4} steps {found.seconds:6.1f} s "
            f" {found.steps.get('record', '')[:90]}",
            flush=True,
        )
        if options.v:
            for step, how in found.steps.items():
                print(f"    {step}: {how}")
            for step, harm in found.harm.items():
                print(f"  ! {step}:", *harm, sep="\n        ")
    print(f"{len(chosen)} programs: harm by {full} in full, by {part} in part")
    return int(full + part > 0)


if __name__ == "__main__":
    sys.exit(main())
