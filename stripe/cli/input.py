"""``stripe input``: reduce a file with which a command fails."""

from __future__ import annotations

import os
import shutil
import sys
from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, replace
from pathlib import Path

from stripe.checks import Check, parse_check
from stripe.cli.ending import conclude
from stripe.cli.executor import where_to_test
from stripe.cli.faces import Writing, add_force, json_output, write_data
from stripe.cli.grammar import Parser, misplaced, split
from stripe.cli.options import budget_options, output_options, positive_float, positive_int
from stripe.cli.output import say, write_lines
from stripe.cli.reads import Read, of_arguments, of_checks
from stripe.dd import ALGORITHMS
from stripe.errors import ExitStatus, UsageError
from stripe.inputs import reduce_file
from stripe.inputs.plan import MODES, Plan
from stripe.outputs import Output
from stripe.outputs.improving import Writer
from stripe.report.inputs import input_lines
from stripe.report.progress import Reporter
from stripe.report.style import Style
from stripe.units.cutting import CUTTERS

SUMMARY = "reduce a file with which a command fails to the little of it that matters"

USAGE = """stripe input FILE [OPTIONS] -- COMMAND [ARGS...]
       stripe input FILE [OPTIONS] --test SCRIPT"""

DESCRIPTION = """\
Leaves out parts of FILE, runs the command on what is left, again and again, and keeps what is
needed to make it fail in the same way. FILE itself is not touched: the best answer so far is in
the file --output names."""

EPILOG = """\
how the command gets the input: where @@ stands in its arguments, or FILE, goes the path of the
candidate; else it is what the command reads. Each run is in a scratch directory. Arguments that
name existing files are made absolute; $STRIPE_CWD is the directory you are in.

each run is in a sandbox: what it writes elsewhere is gone when it ends, and it has no network but
a loopback device of its own.

how a script answers: exit status 0, the failure is still there; 125, cannot say; any other: it is
gone. It gets the candidate's path as argument, and finds it by its name in its directory.

checks: crash (default: exit status or signal, and the sanitizer report, traceback or first line
of the error, without what changes with the input), exit, stdout, stderr, stdout:/REGEX/,
stderr:/REGEX/, exception, file:PATH, cmd:COMMAND; A+B for both

units, coarse to fine with commas between them; auto chooses by the file's name and content:
  lines, tokens, chars, bytes, events (a line each)
  braces (C and its descendants), indent (YAML), markup (HTML, XML), json, csv
  syntax (the tree of the language that the suffix tells; needs the extra `syntax`)
  python (lines, then deletions and replacements in the syntax tree, in this Python's grammar)
  lengths (what a length or a count tells, left out with the number made less)
  numbers (in a text, made smaller), values (bytes, made smaller)
  args (the file is a list of words for @@), options (the same, options with their values)

examples:
  stripe input crash.c --check 'stderr:/internal compiler error/' -- gcc -c @@
  stripe input page.html --test ./still-crashes.sh --jobs 2
  stripe input bad.json --mode diff --passing good.json -- ./parser @@
  stripe input flags.txt --units options -- ./tool @@ data.bin

exit status:
  0  reduced                             2  the request cannot be understood
  1  it cannot be reduced honestly       3  internal error
  130  interrupted (the best input so far is kept, not certified)"""


@dataclass(slots=True)
class Options:
    """What the command line asked for, option by option."""

    test: str | None
    check: list[str]
    arg: int | None
    stdin: bool
    placeholder: str | None
    mode: str
    passing: str | None
    units: str
    algorithm: str
    timeout: float | None
    memory: int | None
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


def run(arguments: Sequence[str]) -> int:
    """Run the verb; the exit status."""
    parser = build_parser()
    parts = split(arguments, parser)
    options = Options(**vars(parser.parse_args(parts.options)))
    if options.help:
        write_lines([parser.format_help().rstrip()])
        return ExitStatus.OK
    if parts.program is None:
        raise UsageError(
            "no-file",
            "There is no file to reduce.",
            "For example: stripe input bug.c -- gcc -c @@ (see stripe input --help).",
        )
    file = Path(parts.program)
    # A typing mistake is reported before anything is run.
    Plan(options.mode, options.units, options.algorithm)
    check = parse_check("+".join(options.check) or "crash")
    answers = _answer_outputs(file, options)
    outputs = [*answers, *json_output(options.json, "input-result")]
    writing = Writing(outputs, reads(file, parts.arguments, check, options), force=options.force)
    with ExitStack() as stack:
        executor, jobs = stack.enter_context(where_to_test(options.executor, options.jobs))
        writer = Writer(answers, options.mode, lambda text: say(f"stripe: {text}"))
        stack.callback(writing.put_left, writer)
        stack.enter_context(writer)
        reporter = stack.enter_context(
            Reporter(sys.stderr, quiet=options.quiet, verbose=options.verbose)
        )
        result = reduce_file(
            file,
            parts.arguments,
            test=options.test,
            check=options.check,
            argument=options.arg,
            stdin=options.stdin,
            placeholder=options.placeholder,
            mode=options.mode,
            passing=options.passing,
            units=options.units,
            algorithm=options.algorithm,
            timeout=options.timeout,
            memory=options.memory and options.memory << 20,
            repeat=options.repeat,
            unsafe=options.unsafe,
            max_tests=options.max_tests,
            max_time=options.max_time,
            jobs=jobs,
            executor=executor,
            resume=options.resume,
            outputs=[each.target for each in outputs if each.target != "-"],
            improved=writer.improved,
            progress=reporter,
        )
    if note := misplaced(parts, parser):
        result = replace(result, notes=(note, *result.notes))
    result = replace(result, output=tuple(writing.places(answers)))
    write_data(result.to_json(), writing)
    if not writing.standard:
        write_lines(input_lines(result, Style.of(sys.stdout)))
    writing.complain()
    return conclude([result.stopped], NOT_VERIFIED if result.verified is False else "")


def _answer_outputs(file: Path, options: Options) -> list[Output]:
    """Where the answers go; in mode ``diff`` that which fails comes first."""
    chosen = options.output is None
    word = {"min": "reduced", "max": "passing", "diff": "failing"}[options.mode]
    target = Path(options.output or f"{file.stem}.{word}{file.suffix}")
    answer = Output("--output", options.output or str(target), "answer", chosen=chosen)
    if options.mode != "diff":
        return [answer]
    if not answer.is_file:
        raise UsageError(
            "bad-option",
            f"--mode diff has two answers, which do not both go to {answer.target!r}.",
            "Name a file, or take both from standard output with --json -",
        )
    stem = target.stem.removesuffix(".failing")
    other = str(target.with_name(f"{stem}.passing{target.suffix}"))
    return [answer, Output("--output (what passes)", other, "answer", chosen=chosen)]


def reads(file: Path, command: Sequence[str], check: Check, options: Options) -> Iterator[Read]:
    """All that the command line names and is read."""
    yield f"{str(file)!r}, the input", file
    if options.passing is not None:
        yield f"{options.passing!r}, the input that passes", options.passing
    if options.test is not None:
        yield f"{options.test!r}, the test script", executable(options.test)
    if command:
        yield f"{command[0]!r}, the command", executable(command[0])
        yield from of_arguments(command[1:])
    yield from of_checks([check])


def executable(name: str) -> str:
    """The file that a command or a script is."""
    return name if os.path.exists(name) else shutil.which(name) or name


NOT_VERIFIED = """\
The answer did not do the same when it was run once more. [not-verified]
The command seems to depend on something that changes; let a majority of runs decide: --repeat 5"""


def build_parser() -> Parser:
    """The parser of all options."""
    parser = Parser(prog="stripe input", usage=USAGE, description=DESCRIPTION, epilog=EPILOG)
    what = parser.add_argument_group("what to run, and what must stay the same")
    parser.option(
        what, "--test", metavar="SCRIPT", help="a script whose exit status says whether it fails"
    )
    parser.option(
        what,
        "--check",
        metavar="SPEC",
        action="append",
        default=[],
        help="what must stay the same (see below); several must all (default: crash)",
    )
    parser.option(
        what, "--arg", metavar="N", type=positive_int, help="the input's path is argument N"
    )
    parser.option(what, "--stdin", flag="store_true", help="the command reads the input")
    parser.option(
        what, "--placeholder", metavar="TEXT", help="the input's path is where TEXT is (default @@)"
    )
    parser.option(
        what,
        "--timeout",
        metavar="S",
        type=positive_float,
        help="seconds one run may take (default: ten times what the first took, at least 5)",
    )
    parser.option(
        what, "--memory", metavar="MB", type=positive_int, help="memory one process may use"
    )
    parser.option(
        what,
        "--repeat",
        metavar="N",
        type=positive_int,
        default=1,
        help="runs of a test whose majority decides, for failures that come and go",
    )
    parser.option(
        what,
        "--unsafe",
        flag="store_true",
        help="go on where this system has no sandbox: tests can change whatever you can",
    )
    search = parser.add_argument_group("what to look for, and how")
    parser.option(
        search,
        "--mode",
        metavar="MODE",
        default="min",
        help="min: the least that fails (default); max: the most that passes; "
        "diff: two inputs as close as can be, one failing, one passing",
    )
    parser.option(
        search,
        "--passing",
        metavar="FILE",
        help="an input that passes, for max and diff (default: the empty one)",
    )
    parser.option(
        search, "--units", metavar="KINDS", default="auto", help="what to leave out (see below)"
    )
    parser.option(
        search,
        "--algorithm",
        metavar="NAME",
        default="auto",
        help=f"the search: auto (default), {', '.join(ALGORITHMS)}",
    )
    budget_options(parser, search, "input")
    output = parser.add_argument_group("what to write and show")
    parser.option(
        output,
        "--output",
        metavar="FILE",
        help="the answer, written whenever it gets better (default: NAME.reduced.SUFFIX, here, or "
        "with a number where that is there already); - is standard output, in the end",
    )
    parser.option(
        output,
        "--json",
        metavar="FILE",
        help="write the result as JSON too; - is standard output, then nothing else goes there",
    )
    add_force(parser, output)
    output_options(parser, output)
    assert set(MODES) == {"min", "max", "diff"}, "the help text names them"
    assert "events" in CUTTERS, "the help text names it"
    return parser
