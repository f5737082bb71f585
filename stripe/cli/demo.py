"""``stripe demo``: the critical slice of a program that comes with us, wherever one is."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from stripe.cli.grammar import Parser
from stripe.cli.output import write_lines
from stripe.cli.verbs import FIRST_DAY, verb

DESCRIPTION = """\
Writes a small program that crashes into a scratch folder, and traces it there. Nothing is left
of it."""

EPILOG = """\
exit status:
  0  the slice was found            2  the request cannot be understood
  1  the program could not be       3  internal error
     traced here                    130  interrupted"""

NAME = "shops.py"

PROGRAM = """\
# Which shop is cheapest? It crashes.
def average(prices):
    return sum(prices) / len(prices)


def cheapest(shops):
    best = None
    for name, prices in shops.items():
        mean = average(prices)
        if best is None or mean < best[1]:
            best = name, mean
    return best


shops = {"north": [3, 5, 4], "east": [6, 2]}
shops["south"] = []
print("prices of", len(shops), "shops")
print("cheapest:", cheapest(shops)[0])
"""

COMMAND = ("trace", NAME, "--show", "source")


@dataclass(slots=True)
class Options:
    """What the command line asked for: there is nothing to ask for."""


def run(arguments: Sequence[str]) -> int:
    """Run the verb; the exit status is that of the command that it shows."""
    build_parser().read(arguments)
    from stripe.sandbox.scratch import Scratch  # lazy

    scratch, here = Scratch(), Path.cwd()
    try:
        Path(scratch.path, NAME).write_text(PROGRAM, encoding="utf-8")
        os.chdir(scratch.path)
        write_lines(
            [f"{NAME} crashes. What does its crash need?", "", f"$ stripe {' '.join(COMMAND)}"]
        )
        status: int = verb(COMMAND[0]).run(COMMAND[1:])
    finally:
        os.chdir(here)
        scratch.close()
    write_lines(["", "Now with a program of yours:", *FIRST_DAY])
    return status


def build_parser() -> Parser[Options]:
    """The parser of all options."""
    return Parser(
        Options, prog="stripe demo", usage="stripe demo", description=DESCRIPTION, epilog=EPILOG
    )
