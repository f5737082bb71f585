"""``stripe why``: why does it fail? One question; the experiments are chosen by themselves."""

from __future__ import annotations

import os
import shutil
import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from stripe.backend import AUTOMATIC, Target
from stripe.checks import parse_checks
from stripe.cli.causes import read_input
from stripe.cli.given import of_given, read_given
from stripe.cli.grammar import Parser, Split, misplaced, split
from stripe.cli.options import ALL_PROCESSORS, Count, interpreter, option, shared
from stripe.cli.output import write_lines
from stripe.cli.reads import Read, of_checks, of_program
from stripe.cli.report_options import claim_forms, write_forms
from stripe.cli.suspects import expected
from stripe.deadline import Deadline
from stripe.errors import ExitStatus, StripeError, UsageError
from stripe.report.progress import Reporter
from stripe.report.style import Style, is_terminal
from stripe.report.why import why_lines
from stripe.results.why import Document
from stripe.why import MAX_TIME, inquire
from stripe.why.question import TESTERS

USAGE = """stripe why [OPTIONS] PROGRAM [OPTIONS] [--] [ARGS...]
       stripe why [OPTIONS] -m MODULE [OPTIONS] [--] [ARGS...]
       stripe why [OPTIONS] -m pytest [--] [TESTS...]"""

DESCRIPTION = """\
Runs PROGRAM, or the first test that fails, and finds out why it crashes, fails, or prints what it
prints: by leaving out what it executed, by small changes, by what was changed since the last
commits, whatever can say something within --max-time. Answers on one screen: where to look, and
how it came about."""

EPILOG = """\
examples:
  stripe why crash.py                          why does it crash?
  stripe why report.py --check 'stdout:/^total/'
  stripe why report.py --line 3                why does it print its third line?
  stripe why fib.py --expect '3 5 8'           why not this?
  stripe why -m pytest tests/test_cart.py::test_total
  stripe why ./labels.c                        (C, C++, Rust: what holds there)

exit status:
  0  places to look at were found       2  the request cannot be understood
  1  nothing useful was found           3  internal error
  130  interrupted (what was found so far is told)"""


@dataclass(slots=True)
class Options:
    """What the command line asked for."""

    m: str | None = shared("what to run, and what is asked about")  # split() has read it
    check: str | None = option(
        "what is asked about, as in stripe trace (default: what fails)", "SPEC"
    )
    line: int | None = option("the N-th line of standard output", "N")
    expect: str | None = option(
        "what should be printed: then small changes are tried that repair it", "TEXT|FILE"
    )
    passes: str | None = option(
        "arguments (and < FILE) with which it passes: what makes the difference is looked for",
        "INPUT",
        names=("--pass",),
    )
    stdin: str | None = shared()
    input: str | None = shared()
    python: str | None = interpreter()
    engine: str | None = shared()
    include: list[str] = shared(of="looked into")
    only: list[str] = shared(of="looked into")
    exclude: list[str] = shared(of="looked into")
    timeout: float | None = option("seconds that one run may take", "S")
    allow_network: bool = shared()
    unsafe: bool = shared()
    max_time: float = option(
        f"seconds for all of it (default: {MAX_TIME:g})",
        "S",
        default=MAX_TIME,
        group="how to search",
    )
    jobs: int | None = option(ALL_PROCESSORS, "N")
    all: bool = option(
        "all that was found out, not only what fits a screen", group="what to write and show"
    )
    json: str | None = shared()
    html: str | None = shared()
    force: bool = shared()
    quiet: bool = shared()
    verbose: Count = shared()


def run(arguments: Sequence[str]) -> int:
    """Run the verb; the exit status."""
    options, parts, parser = read_options(arguments)
    deadline = Deadline(options.max_time)
    writing = claim_forms(options, list(reads(options, parts)), "why-result", deadline=deadline)
    note = misplaced(parts, parser)
    style = Style.of(sys.stdout, full=options.all, verbose=bool(options.verbose))
    draft = Draft(style if not (writing.standard or options.quiet) else None)
    with Reporter(sys.stderr, quiet=options.quiet, verbose=options.verbose) as reporter:
        try:
            document = perform(options, parts, reporter, draft.show)
        except StripeError as error:
            error.hint = f"{error.hint}\n{note}".strip() if note else error.hint
            raise
    write_forms(document, writing, "why-result", document.sources)
    writing.report(draft.replaced_by(why_lines(document, style)), document)
    return exit_status(document)


def read_options(arguments: Sequence[str]) -> tuple[Options, Split, Parser[Options]]:
    """What the command line asks for, and the parser that read it."""
    parser = build_parser()
    parts = split(arguments, parser)
    options = parser.read(parts.options)
    if parts.program is None:
        raise UsageError(
            "no-program",
            "What to run is missing.",
            "For example: stripe why crash.py, or: stripe why -m pytest",
        )
    if sum(each is not None for each in (options.check, options.line, options.expect)) > 1:
        raise UsageError(
            "bad-option",
            "--check, --line and --expect each say what is asked about.",
            "Give one of them.",
        )
    return options, parts, parser


def perform(
    options: Options,
    parts: Split,
    reporter: Reporter | None = None,
    better: Callable[[Document], None] = lambda document: None,
) -> Document:
    """Ask what the command line asks; ``better`` is called with every better answer."""
    return inquire(
        _target(options, parts, Deadline(options.max_time, reporter.doing if reporter else None)),
        check=options.check or "",
        line=options.line,
        expect=None if options.expect is None else expected(options.expect),
        neighbour=read_input("--pass", options.passes) if options.passes else None,
        better=better,
        progress=reporter,
    )


class Draft:
    """The answer so far, on a terminal; a better one, and the last, stand in its place.

    ``style``: of the terminal; ``None``: nothing is to be shown.
    """

    def __init__(self, style: Style | None) -> None:
        shown = style is not None and style.colour and is_terminal(sys.stdout)
        self._style = style if shown else None
        self._lines = 0

    def show(self, document: Document) -> None:
        """Show a better answer."""
        if self._style is None:
            return
        # What is longer than the terminal could not be taken back; one line is for the progress.
        room = shutil.get_terminal_size().lines - 2
        if not document.places:
            room = 1  # that nothing was found is said in the end
        lines = why_lines(document, self._style)[:room]
        write_lines(self.replaced_by(lines))
        self._lines = len(lines)

    def replaced_by(self, lines: list[str]) -> list[str]:
        """Lines that take the place of what is shown."""
        if not self._lines or not lines:
            return lines
        return [f"\r\x1b[{self._lines}A\x1b[J{lines[0]}", *lines[1:]]


def exit_status(document: Document) -> int:
    """What an answer deserves."""
    if document.interrupted:
        return ExitStatus.INTERRUPTED
    return ExitStatus.OK if document.places else ExitStatus.NOT_REDUCIBLE


def _target(options: Options, parts: Split, deadline: Deadline) -> Target:
    tester = parts.module and parts.program in TESTERS
    given = b"" if tester else read_given(options.stdin, options.input)
    assert parts.program is not None
    return Target(
        program=parts.program,
        arguments=tuple(parts.arguments),
        module=parts.module,
        directory=Path.cwd(),
        stdin=given,
        python=options.python or AUTOMATIC,
        engine=options.engine,
        include=tuple(options.include),
        only=tuple(options.only),
        exclude=tuple(options.exclude),
        timeout=options.timeout,
        jobs=options.jobs or os.cpu_count() or 1,
        unsafe=options.unsafe,
        network=options.allow_network,
        deadline=deadline,
    )


def reads(options: Options, parts: Split) -> Iterator[Read]:
    """All that the command line names and is read."""
    assert parts.program is not None
    yield from of_program(parts.program, parts.arguments, module=parts.module)
    yield from of_checks(parse_checks([options.check] if options.check else []))
    if options.expect is not None and os.path.exists(options.expect):
        yield f"{options.expect!r}, what is expected", options.expect
    if not (parts.module and parts.program in TESTERS):
        yield from of_given(options.stdin, options.input)
    if options.python not in (None, AUTOMATIC):
        yield "the interpreter", options.python


def build_parser() -> Parser[Options]:
    """The parser of all options."""
    return Parser(Options, prog="stripe why", usage=USAGE, description=DESCRIPTION, epilog=EPILOG)
