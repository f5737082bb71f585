"""``stripe input``: reduce a file with which a command fails."""

from __future__ import annotations

import os
import shutil
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from stripe.checks import Check, parse_check
from stripe.cli.exit_status import conclude
from stripe.cli.grammar import Parser, misplaced, split
from stripe.cli.options import SAME_PATH, Count, option, shared
from stripe.cli.reads import Read, of_arguments, of_checks
from stripe.cli.report_options import claim_forms, write_forms
from stripe.cli.search_options import searching
from stripe.deadline import Deadline
from stripe.errors import UsageError
from stripe.inputs import reduce_file
from stripe.inputs.plan import MODES, Plan
from stripe.outputs import Output
from stripe.report.inputs import input_lines
from stripe.report.style import Style
from stripe.units.kinds import KINDS

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
  python (statements, lines, deletions and replacements in the tree, in this Python's grammar)
  members (of zip, tar, gzip and the like, and what is in them, written anew)
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
    """What the command line asked for."""

    test: str | None = option(
        "a script whose exit status says whether it fails",
        "SCRIPT",
        group="what to run, and what must stay the same",
    )
    check: list[str] = option(
        "what must stay the same (see below); several must all (default: crash)", "SPEC"
    )
    arg: int | None = option("the input's path is argument N", "N")
    stdin: bool = option("the command reads the input")
    placeholder: str | None = option("the input's path is where TEXT is (default @@)", "TEXT")
    memory: int | None = option("memory one process may use", "MB")
    timeout: float | None = option(
        "seconds one run may take (default: ten times what the first took, at least 5)", "S"
    )
    repeat: int = shared()
    unsafe: bool = shared()
    mode: str = option(
        "min: the least that fails (default); max: the most that passes; "
        "diff: two inputs as close as can be, one failing, one passing",
        "MODE",
        default="min",
        group="what to look for, and how",
    )
    passing: str | None = option(
        "an input that passes, for max and diff (default: the empty one)", "FILE"
    )
    units: str = option("what to leave out (see below)", "KINDS", default="auto")
    algorithm: str = shared()
    max_tests: int | None = shared(best="input")
    max_time: float | None = shared()
    jobs: int | None = shared()
    executor: str | None = shared(workers=SAME_PATH)
    resume: bool = shared()
    output: str | None = shared(
        "what to write and show",
        answer="the answer, written whenever it gets better",
        name="NAME.reduced.SUFFIX, here",
    )
    json: str | None = shared()
    html: str | None = shared()
    force: bool = shared()
    quiet: bool = shared()
    verbose: Count = shared()


assert set(MODES) == {"min", "max", "diff"}, "the help text names them"
assert "events" in KINDS, "the help text names it"


def run(arguments: Sequence[str]) -> int:
    """Run the verb; the exit status."""
    parser = build_parser()
    parts = split(arguments, parser)
    options = parser.read(parts.options)
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
    named = list(reads(file, parts.arguments, check, options))
    deadline = Deadline(options.max_time)
    writing = claim_forms(options, named, "input-result", answers=answers, deadline=deadline)
    with searching(options, answers, writing, options.mode) as search:
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
            jobs=search.jobs,
            executor=search.executor,
            resume=options.resume,
            outputs=writing.files,
            improved=search.writer.improved,
            progress=search.reporter,
        )
    if note := misplaced(parts, parser):
        result = replace(result, notes=(note, *result.notes))
    result = replace(result, output=tuple(writing.places(answers)))
    write_forms(result, writing, "input-result")
    writing.report(input_lines(result, Style.of(sys.stdout)), result)
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


def build_parser() -> Parser[Options]:
    """The parser of all options."""
    return Parser(Options, prog="stripe input", usage=USAGE, description=DESCRIPTION, epilog=EPILOG)
