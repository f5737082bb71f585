"""``stripe trace``: record a run, reduce it, show its critical slices."""

from __future__ import annotations

import functools
import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace

from stripe.api import trace
from stripe.backend import AUTOMATIC
from stripe.campaign.journals import default_folder
from stripe.checks import parse_checks
from stripe.cli.executor import where_to_test
from stripe.cli.exit_status import conclude
from stripe.cli.given import of_given, read_given
from stripe.cli.grammar import Parser, Split, misplaced, split
from stripe.cli.options import SAME_PATH, Count, interpreter, natural, option, parts_of, shared
from stripe.cli.output import say
from stripe.cli.reads import Read, of_checks, of_program
from stripe.cli.report_options import Writing, claim_forms, write_forms
from stripe.deadline import Deadline
from stripe.errors import StripeError, UsageError
from stripe.reduce import (
    ALGORITHMS,
    CERTIFICATE_SECONDS,
    CONTROLS,
    MAX_IDLE,
    Result,
    Settings,
)
from stripe.report import DEFAULT_SECTIONS, SECTIONS, Style, lines
from stripe.report.progress import Reporter
from stripe.report.style import printable
from stripe.report.suggestions import suggestions
from stripe.report.summary import minimality
from stripe.sandbox.walls import Layer
from stripe.trace.window import parse_window

USAGE = """stripe trace [OPTIONS] PROGRAM [OPTIONS] [--] [ARGS...]
       stripe trace [OPTIONS] -m MODULE [OPTIONS] [--] [ARGS...]"""

DESCRIPTION = """\
Runs PROGRAM, records every statement it executes, and runs it again and again with some of
these executions left out, until only those remain that matter: the critical slice.

Options may stand before or directly after PROGRAM. -- or the first argument that is not an
option ends them: everything from there on belongs to the program."""

EPILOG = """\
checks (what must stay the same):
  stdout, stderr            all that was printed there
  stdout:/REGEX/            only the lines in which REGEX is found (also stderr:/REGEX/)
  exit                      the exit status, or the signal that ended the program
  signal                    the signal that ended the program
  crash                     as exit, and what the program complained of
  exception                 type, message and statement of the uncaught exception
  hang                      for a program that does not end: it is cut off, and what must stay
                            is that its loop goes on (Python; --control program)
  var:NAME@FILE:LINE        the last value of a variable after that line
  file:PATH                 the content of a file the program writes
  cmd:COMMAND               COMMAND, run by the shell in the run's directory, exits with 0: the
                            behaviour is there; 125: cannot say; anything else: it is not.
                            It finds $STRIPE_STDOUT and $STRIPE_STDERR (files), $STRIPE_STATUS
                            and $STRIPE_DIRECTORY, and has 60 seconds
  A+B                       both (cmd: must come last); NAME=CHECK gives the column a name

examples:
  stripe trace sample.py --input $'0\\n5\\n'
  stripe trace sample.py --check sum=stdout:/^sum/ --check mul=stdout:/^mul/ < input.txt
  stripe trace --check exception crash.py --config its.toml
  stripe trace prog.py --show tests -- --verbose input.txt
  stripe trace -m json.tool --check stdout data.json
  stripe trace -m pytest tests/test_shop.py  (the first test that fails; also unittest)
  stripe trace ./a.out --check signal -- -x  (C, C++, Rust: built with -O0 -g)
  stripe trace sample.c --check stdout       (compiled first)

exit status:
  0  critical slice found                2  the request cannot be understood
  1  the run cannot be reduced honestly  3  internal error
  130  interrupted (the best slice so far is shown, not certified)"""


LATE_SECONDS = 1.0
"""Seconds after the time limit from which on it is said that the reports took them."""

TESTERS = ("pytest", "unittest")
"""Modules that run tests: what is traced is a failing one of these."""


@dataclass(slots=True)
class Options:
    """What the command line asked for."""

    m: str | None = shared("what to run")  # split() has read it
    stdin: str | None = shared()
    input: str | None = shared()
    tty: bool = option(
        "give the (native) program a terminal; its input then is a script: lines '< TEXT' "
        "wait until the program has written TEXT, lines '> TEXT' type it"
    )
    python: str | None = interpreter()
    engine: str | None = shared()
    include: list[str] = shared(of="traced")
    only: list[str] = shared(of="traced")
    exclude: list[str] = shared(of="traced")
    window: str | None = option(
        "record only a part of the run; what is outside always takes effect. START and END "
        "are times of events (1000..2000; -5000.. are the last 5000), FILE:LINE or a FUNCTION; "
        "either may be missing, and FUNCTION alone is from its first call to the end of its last",
        "START..END",
    )
    max_events: int | None = option(
        "record at most the last N executions: all before always take effect", "N"
    )
    whole: list[str] = option(
        "a function of which nothing is recorded: it runs in full, as part of what calls it; "
        "repeatable",
        "FUNCTION",
    )
    live: bool = option(
        "the recorded run acts for real, once, outside of the sandbox; replays do not",
        group="what the runs may reach (by default: only copies)",
    )
    allow_network: bool = shared()
    unsafe: bool = shared()
    check: list[str] = option(
        "what must stay the same (see below); repeatable, a column each "
        "(default: the uncaught exception if there is one, else stdout)",
        "SPEC",
        group="what to keep, and how to search",
    )
    control: str = option(
        "trace: control follows the recorded run (default); "
        "program: kept conditions must also hold as recorded, so they join the slice",
        "MODE",
        default="trace",
    )
    values: str = option(
        "free: kept executions may see anything by which the behaviour remains; what they "
        "see otherwise than in the recorded run is marked; same: they must see what they saw "
        "there; auto: free, and where other values take part in what was found, the same (default)",
        "MODE",
        default="auto",
    )
    algorithm: str = option(
        "the search: auto lets the data dependences of the run propose what to test "
        f"(default); others: {', '.join(ALGORITHMS[1:])}",
        "NAME",
        default="auto",
    )
    level: str | None = option(
        "go from coarse to fine, with a certified answer at each level, down to this one: "
        "calls (with all that happened in them), rounds (of loops), statements (all executions), "
        "or events (default: straight to events)",
        "LEVEL",
    )
    timeout: float | None = option(
        "seconds of wall time one run may take (default: 30; for tests, what the recorded "
        "run took, several times)",
        "S",
    )
    max_tests: int | None = option(
        "end with the best slice so far after N tests, shared by all checks", "N"
    )
    max_time: float | None = shared()
    jobs: int | None = shared()
    executor: str | None = shared(workers=SAME_PATH)
    resume: bool = shared()
    max_idle: int = option(
        "where hardly anything can be left out, end after N single executions in a row that "
        f"could not, if the rest would take more than {CERTIFICATE_SECONDS:g} s "
        f"(default: {MAX_IDLE}; 0: try each)",
        "N",
        default=MAX_IDLE,
        read=natural,
    )
    show: frozenset[str] = option(
        "source, table, back (from the symptom to its causes, nearest first), "
        "tests (the search as a picture), summary; several with commas, "
        "or all: everything, nothing folded (default source,table,summary)",
        "WHAT",
        default=frozenset(DEFAULT_SECTIONS),
        read=parts_of(SECTIONS),
        group="what to show",
    )
    json: str | None = shared()
    html: str | None = shared()
    sarif: str | None = shared()
    force: bool = shared()
    quiet: bool = shared()
    verbose: Count = shared()


assert set(CONTROLS) == {"trace", "program"}, "the help text names them"


def run(arguments: Sequence[str]) -> int:
    """Run the verb; the exit status."""
    options, parts = read_options(arguments)
    deadline = Deadline(options.max_time)
    writing = claim_forms(options, reads(options, parts), "result", bare=True, deadline=deadline)
    with Reporter(sys.stderr, quiet=options.quiet, verbose=options.verbose) as reporter:
        note = misplaced(parts, build_parser())
        try:
            result = perform(options, parts, reporter, writing.files, watch=bool(writing.outputs))
        except StripeError as error:
            if note:
                error.hint = f"{error.hint}\n{note}".strip()
            raise
        if note:
            result = replace(result, notes=(note, *result.notes))
        reporter.doing("writing the reports")
        write_forms(result, writing, "result", result.sources)
        shown = to_show(result, options, writing, deadline)
    if options.verbose and not options.quiet and result.sandbox:
        say(f"stripe: Sandbox: {Layer(result.sandbox).described}.")
    writing.report(shown, result)
    if deadline.late >= LATE_SECONDS:
        say(
            f"stripe: The reports were written {deadline.late:.0f} s after the time of --max-time: "
            f"of {len(result.trace):,} executions they take that long."
        )
    return conclude((each.stopped for each in result.slices), _doubts(result))


def read_options(arguments: Sequence[str]) -> tuple[Options, Split]:
    """What the command line asks for.  A typing mistake is reported before anything is run."""
    parser = build_parser()
    parts = split(arguments, parser)
    options = parser.read(parts.options)
    if parts.program is None:
        raise UsageError(
            "no-program",
            "There is no program to run.",
            "For example: stripe trace prog.py --check stdout (see stripe trace --help).",
        )
    parse_checks(options.check)
    Settings(options.control, options.algorithm, values=options.values, level=options.level)
    if window := _window(options):
        parse_window(window)
    return options, parts


def perform(
    options: Options,
    parts: Split,
    reporter: Reporter | None = None,
    outputs: Sequence[str] = (),
    *,
    watch: bool = True,
) -> Result:
    """Trace what the command line asks for; ``outputs``, ``watch``: see :func:`stripe.trace`."""
    assert parts.program is not None
    tracing: Callable[..., Result] = functools.partial(
        trace, module=parts.module, check=options.check
    )
    if parts.module:
        from stripe.failing_run import HELPER, trace_helper, trace_test  # lazy

        if parts.program in TESTERS and options.check in ([], ["exception"]):
            tracing = trace_test  # a failing test, and not how its runner tells of it
        elif parts.program == HELPER:  # as the plugin of pytest asks for a test
            tracing = functools.partial(trace_helper, check=options.check)
    with where_to_test(options.executor, options.jobs) as (executor, jobs):
        return tracing(
            parts.program,
            *parts.arguments,
            control=options.control,
            values=options.values,
            algorithm=options.algorithm,
            level=options.level,
            stdin=read_given(options.stdin, options.input),
            tty=options.tty,
            python=options.python or AUTOMATIC,
            engine=options.engine,
            include=options.include,
            only=options.only,
            exclude=options.exclude,
            window=_window(options),
            whole=options.whole,
            timeout=options.timeout,
            live=options.live,
            network=options.allow_network,
            unsafe=options.unsafe,
            max_tests=options.max_tests,
            max_time=options.max_time,
            max_idle=options.max_idle,
            jobs=jobs,
            executor=executor,
            journals=default_folder(),
            resume=options.resume,
            outputs=outputs,
            watch=watch,
            progress=reporter,
            passed=None if reporter is None else reporter.passed,
            doing=None if reporter is None else reporter.doing,
        )


def reads(options: Options, parts: Split) -> Iterator[Read]:
    """All that the command line names and is read."""
    assert parts.program is not None
    yield from of_program(parts.program, parts.arguments, module=parts.module)
    yield from of_checks(parse_checks(options.check))
    yield from of_given(options.stdin, options.input)
    if options.python not in (None, AUTOMATIC):
        yield "the interpreter", options.python


def to_show(
    result: Result, options: Options, writing: Writing, deadline: Deadline
) -> Sequence[str]:
    """The terminal report; empty if what goes to standard output stands alone.

    All of it is made before the first line is written: of a long run that takes seconds, and is
    cut when the ``deadline`` is over.
    """
    if writing.standard or not options.show:
        return ()
    try:
        style = Style.of(sys.stdout, full="all" in options.show, verbose=bool(options.verbose))
    except UsageError as error:
        say(f"stripe: {error.message} [{error.slug}]", error.hint)
        return list(bare_lines(result))
    shown = [*lines(result, SECTIONS if style.full else options.show, style, deadline)]
    if not options.check:
        shown += suggestions(result, style.width)
    return shown


def bare_lines(result: Result) -> Iterator[str]:
    """The answer where no report can be made: the lines that are kept."""
    trace = result.trace
    for found in result.slices:
        yield f"{printable(found.name)}: {len(found.events)} of {found.of} events kept"
        yield f"1-minimal  {minimality(found)}"
        for file, number in sorted(found.lines(trace)):
            text = trace.files[file].lines[number - 1]
            yield printable(f"{trace.files[file].path}:{number}: {text}")


def _doubts(result: Result) -> str:
    """What to say of slices that did not hold in the end, if there are any."""
    names = ", ".join(repr(each.name) for each in result.slices if each.verified is False)
    return names and (
        f"The slice for {names} did not reproduce in a fresh process. [not-verified]\n"
        "The program seems to depend on something that changes between processes; "
        "do not rely on this slice."
    )


def _window(options: Options) -> str:
    """The part of the run to record: ``--window`` or ``--max-events``."""
    if options.max_events is None:
        return options.window or ""
    if options.window:
        raise UsageError(
            "bad-option",
            "Both --window and --max-events are given.",
            f"The last {options.max_events} executions are: --window -{options.max_events}..",
        )
    return f"-{options.max_events}.."


@functools.cache
def build_parser() -> Parser[Options]:
    """The parser of all options."""
    return Parser(Options, prog="stripe trace", usage=USAGE, description=DESCRIPTION, epilog=EPILOG)
