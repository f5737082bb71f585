"""What verbs have in common that search with a command of the user's: ``input`` and ``changes``."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING

from stripe.cli.executor import where_to_test
from stripe.cli.grammar import Parser
from stripe.cli.options import positive_float, positive_int
from stripe.cli.output import say
from stripe.cli.report_options import Writing, add_force
from stripe.dd import ALGORITHMS
from stripe.outputs import Output
from stripe.outputs.improvement import Writer
from stripe.report.progress import Reporter

if TYPE_CHECKING:
    from concurrent.futures import Executor


@dataclass(slots=True)
class SearchOptions:
    """What the command line asked for, option by option."""

    test: str | None
    check: list[str]
    algorithm: str
    timeout: float | None
    repeat: int
    unsafe: bool
    max_tests: int | None
    max_time: float | None
    jobs: int | None
    executor: str | None
    resume: bool
    output: str | None
    json: str | None
    force: bool
    quiet: bool
    verbose: int
    help: bool


@dataclass(frozen=True, slots=True)
class Search:
    """Where tests of a search run, who writes its answers, and who tells how far it is."""

    executor: Executor | None
    jobs: int
    writer: Writer
    reporter: Reporter


@contextmanager
def searching(
    options: SearchOptions, answers: list[Output], writing: Writing, mode: str = "min"
) -> Iterator[Search]:
    """What a search needs while it goes on; what could not be written is written in the end."""
    with ExitStack() as stack:
        executor, jobs = stack.enter_context(where_to_test(options.executor, options.jobs))
        writer = Writer(answers, mode, lambda text: say(f"stripe: {text}"))
        stack.callback(writing.put_left, writer)
        stack.enter_context(writer)
        reporter = stack.enter_context(
            Reporter(sys.stderr, quiet=options.quiet, verbose=options.verbose)
        )
        yield Search(executor, jobs, writer, reporter)


def add_test(
    parser: Parser, group: argparse._ArgumentGroup, metavar: str, what: str, check: str
) -> None:
    """``--test`` and ``--check``."""
    parser.option(
        group, "--test", metavar=metavar, help=f"{what} whose exit status says whether it fails"
    )
    parser.option(group, "--check", metavar="SPEC", action="append", default=[], help=check)


def add_runs(parser: Parser, group: argparse._ArgumentGroup, timed: str) -> None:
    """How each test is run; ``timed`` is what ``--timeout`` says."""
    parser.option(group, "--timeout", metavar="S", type=positive_float, help=f"seconds {timed}")
    parser.option(
        group,
        "--repeat",
        metavar="N",
        type=positive_int,
        default=1,
        help="runs of a test whose majority decides, for failures that come and go",
    )
    parser.option(
        group,
        "--unsafe",
        flag="store_true",
        help="go on where this system has no sandbox: tests can change whatever you can",
    )


def add_algorithm(parser: Parser, group: argparse._ArgumentGroup) -> None:
    """``--algorithm``."""
    parser.option(
        group,
        "--algorithm",
        metavar="NAME",
        default="auto",
        help=f"the search: auto (default), {', '.join(ALGORITHMS)}",
    )


def add_outputs(parser: Parser, answer: str, default: str) -> argparse._ArgumentGroup:
    """The group of what is written and shown: ``answer`` goes to a file called ``default``."""
    group = parser.add_argument_group("what to write and show")
    parser.option(
        group,
        "--output",
        metavar="FILE",
        help=f"{answer} (default: {default}, or with a number where that is there already); - is "
        "standard output, in the end",
    )
    parser.option(
        group,
        "--json",
        metavar="FILE",
        help="write the result as JSON too; - is standard output, then nothing else goes there",
    )
    add_force(parser, group)
    return group
