"""What verbs have in common that search with a command of the user's: ``input`` and ``changes``."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

from stripe.cli.executor import where_to_test
from stripe.cli.output import say
from stripe.cli.report_options import Writing
from stripe.outputs import Output
from stripe.outputs.improvement import Writer
from stripe.report.progress import Reporter

if TYPE_CHECKING:
    from concurrent.futures import Executor


class SearchOptions(Protocol):
    """The options that say how a search goes on."""

    jobs: int | None
    executor: str | None
    quiet: bool
    verbose: int


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
