"""``stripe verify``: does a slice, or an answer of ``stripe why``, still hold?"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from dataclasses import dataclass, replace

from stripe.api import verify
from stripe.checks import parse_check
from stripe.cli.consent import confirm
from stripe.cli.grammar import Parser, result_file
from stripe.cli.options import Count, interpreter, option, shared
from stripe.cli.reads import of_checks, of_program, of_result, of_source
from stripe.cli.report_options import claim_forms, write_forms
from stripe.deadline import Deadline
from stripe.errors import ExitStatus
from stripe.reduce.consent import Named, confine_target
from stripe.reduce.verify import named
from stripe.report import Style
from stripe.report.progress import Reporter
from stripe.report.reading import read_verifiable
from stripe.report.verification import answers, verification
from stripe.results.why import Document

DESCRIPTION = """\
Records the program of RESULT.json anew, finds the kept events in the new trace, replays them in
a fresh process, and leaves out each of them once more. Says what has changed. Of a result of
stripe why the question is asked again, and each reason of its answer is looked for in the new one.

This runs what the file says. It is shown, and you are asked. What lies outside of the project,
which is the directory the program ran in, you must name yourself."""

EPILOG = """\
exit status:
  0  all of it holds                2  the request cannot be understood
  1  one does not, or the run       3  internal error
     cannot be replayed honestly    130  interrupted"""


@dataclass(slots=True)
class Options:
    """What the command line asked for."""

    max_tests: int | None = option("try at most N removals, shared by all slices", "N")
    max_time: float | None = option("take at most so many seconds, from the very start on", "S")
    jobs: int = option("tests at a time", "N", default=1)
    yes: bool = option("run what is shown without being asked")
    allow_command: list[str] = option(
        "with --yes, also run this command of a check cmd:COMMAND, word for word", "COMMAND"
    )
    allow_network: bool = shared()
    unsafe: bool = shared()
    python: str | None = interpreter(
        "the interpreter to run the program with, whatever the result says"
    )
    program: str | None = option(
        "the program to run, or the module, whatever the result says", "PROGRAM"
    )
    directory: str | None = option("the directory to run it in, whatever the result says", "DIR")
    json: str | None = shared()
    force: bool = shared()
    quiet: bool = shared()
    verbose: Count = shared()


def run(arguments: Sequence[str]) -> int:
    """Run the verb; the exit status."""
    parser = build_parser()
    source, options = result_file(arguments, parser)
    assert source is not None
    named_by_user = Named(options.program, options.python, options.directory, options.allow_network)
    result = read_verifiable(source)
    if isinstance(result, Document):
        return _ask_again(result, source, options, named_by_user)
    result = replace(result, target=confine_target(result.target, named_by_user))
    reads = [*of_result(source, result), *of_checks(map(named, result.slices))]
    deadline = Deadline(options.max_time)
    writing = claim_forms(options, reads, "verification", deadline=deadline)
    assert result.target is not None
    specs = [each.check for each in result.slices]
    confirm(result.target, specs, source, yes=options.yes, allowed=options.allow_command)
    from stripe.failing_run import environment, is_of_test, renamed  # lazy

    target = renamed(result.target)
    if is_of_test(target):
        target = replace(target, environment=environment())
    with Reporter(sys.stderr, quiet=options.quiet, verbose=options.verbose) as reporter:
        found = verify(
            replace(result, target=target),
            max_tests=options.max_tests,
            max_time=options.max_time,
            jobs=options.jobs,
            unsafe=options.unsafe,
            progress=reporter,
            doing=reporter.doing,
        )
    write_forms(found, writing)
    writing.report(verification(found, Style.of(sys.stdout)), found)
    if found.interrupted:
        return ExitStatus.INTERRUPTED
    return ExitStatus.OK if found.holds else ExitStatus.NOT_REDUCIBLE


def _ask_again(document: Document, source: str, options: Options, named_by_user: Named) -> int:
    """Ask the question of an answer of ``stripe why`` again; the exit status."""
    from stripe.why import MAX_TIME  # lazy
    from stripe.why.verification import ask_again, runs_of  # lazy

    runs = runs_of(document, source)
    target = confine_target(runs.target, named_by_user)
    given = of_program(
        target.program, target.arguments, module=target.module, folder=target.directory
    )
    reads = [*of_source(source), *given, *of_checks(map(parse_check, runs.checks))]
    seconds = options.max_time or MAX_TIME
    writing = claim_forms(options, reads, "verification", deadline=Deadline(seconds))
    passing = None if runs.passing is None else (runs.passing.arguments, runs.passing.stdin)
    confirm(
        target,
        runs.checks,
        source,
        yes=options.yes,
        allowed=options.allow_command,
        passing=passing,
    )
    with Reporter(sys.stderr, quiet=options.quiet, verbose=options.verbose) as reporter:
        deadline = Deadline(seconds, reporter.doing)
        target = replace(target, unsafe=options.unsafe, jobs=options.jobs, deadline=deadline)
        found = ask_again(document, target, source, reporter)
    write_forms(found, writing)
    writing.report(answers(found, Style.of(sys.stdout)), found)
    if found.interrupted:
        return ExitStatus.INTERRUPTED
    return ExitStatus.OK if found.holds else ExitStatus.NOT_REDUCIBLE


def build_parser() -> Parser[Options]:
    """The parser of all options."""
    return Parser(
        Options,
        prog="stripe verify",
        usage="stripe verify [OPTIONS] RESULT.json",
        description=DESCRIPTION,
        epilog=EPILOG,
    )
