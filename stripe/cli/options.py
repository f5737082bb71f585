"""Options that several verbs have: budgets, and what to show."""

from __future__ import annotations

import argparse
import math

from stripe.cli.grammar import Parser


def budget_options(
    parser: Parser,
    group: argparse._ArgumentGroup,
    best: str,
    sharing: str = "",
    workers: str = "need this directory under the same path",
) -> None:
    """Limits of a search, and where it runs; ``best`` is what it ends with."""
    parser.option(
        group,
        "--max-tests",
        metavar="N",
        type=positive_int,
        help=f"end with the best {best} so far after N tests" + (f", {sharing}" if sharing else ""),
    )
    parser.option(
        group,
        "--max-time",
        metavar="S",
        type=positive_float,
        help="the same after S seconds, recording and verifying included",
    )
    parser.option(
        group,
        "--jobs",
        metavar="N",
        type=positive_int,
        help="tests at a time (default: 1); with --executor so many by its workers (default: as "
        "many as they can), and one here",
    )
    parser.option(
        group,
        "--executor",
        metavar="dask://HOST:PORT",
        help=f"run the tests on the workers of a Dask scheduler, which {workers}",
    )
    parser.option(
        group,
        "--resume",
        flag="store_true",
        help="go on with the same search, which was killed or ended early: no test is repeated",
    )


def scope_options(parser: Parser, group: argparse._ArgumentGroup, of: str = "traced") -> None:
    """``--include``, ``--only`` and ``--exclude``; ``of``: what is done with the user's code."""
    for name, words in (
        (
            "include",
            f"{of} too, beside the program's own project: an installed package, a module, "
            "a folder or a file by its name, or a glob",
        ),
        ("only", f"nothing else is {of}"),
        ("exclude", f"not {of}, whatever else is said"),
    ):
        parser.option(
            group,
            f"--{name}",
            metavar="NAME",
            action="append",
            default=[],
            help=f"{words} (repeatable)",
        )


def output_options(parser: Parser, group: argparse._ArgumentGroup) -> None:
    """``-q``, ``-v`` and ``-h``."""
    parser.option(group, "-q", "--quiet", flag="store_true", help="no progress")
    parser.option(
        group,
        "-v",
        "--verbose",
        flag="count",
        default=0,
        help="every reduction as it is found; a traceback for internal errors",
    )
    parser.option(group, "-h", "--help", flag="store_true", help="this text")


def positive_int(text: str) -> int:
    """A whole number from 1."""
    if not text.isdecimal() or int(text) < 1:
        raise argparse.ArgumentTypeError(f"{text!r} is not a whole number from 1")
    return int(text)


def positive_float(text: str) -> float:
    """A finite number above 0."""
    try:
        number = float(text)
    except ValueError:
        number = math.nan
    if not 0 < number < math.inf:
        raise argparse.ArgumentTypeError(f"{text!r} is not a number of seconds above 0")
    return number


def natural(text: str) -> int:
    """A whole number from 0."""
    if not text.isdecimal():
        raise argparse.ArgumentTypeError(f"{text!r} is not a whole number from 0")
    return int(text)
