"""``stripe verify``: does a slice, or an answer of ``stripe why``, still hold?"""

from __future__ import annotations

import sys
from argparse import Namespace
from collections.abc import Sequence
from dataclasses import replace

from stripe.api import verify
from stripe.checks import parse_check
from stripe.cli.consent import confirm
from stripe.cli.grammar import Parser, result_file
from stripe.cli.options import positive_float, positive_int
from stripe.cli.output import write_lines
from stripe.cli.reads import of_checks, of_program, of_result, of_source
from stripe.cli.report_options import Writing, add_force, json_output, write_data
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


def run(arguments: Sequence[str]) -> int:
    """Run the verb; the exit status."""
    parser = build_parser()
    source, options = result_file(arguments, parser)
    if source is None:
        write_lines([parser.format_help().rstrip()])
        return ExitStatus.OK
    named_by_user = Named(options.program, options.python, options.directory, options.allow_network)
    result = read_verifiable(source)
    if isinstance(result, Document):
        return _ask_again(result, source, options, named_by_user)
    result = replace(result, target=confine_target(result.target, named_by_user))
    reads = [*of_result(source, result), *of_checks(map(named, result.slices))]
    outputs, deadline = json_output(options.json, "verification"), Deadline(options.max_time)
    writing = Writing(outputs, reads, force=options.force, deadline=deadline)
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
    write_data(found, writing)
    writing.report(verification(found, Style.of(sys.stdout)), found)
    if found.interrupted:
        return ExitStatus.INTERRUPTED
    return ExitStatus.OK if found.holds else ExitStatus.NOT_REDUCIBLE


def _ask_again(document: Document, source: str, options: Namespace, named_by_user: Named) -> int:
    """Ask the question of an answer of ``stripe why`` again; the exit status."""
    from stripe.why import MAX_TIME  # lazy
    from stripe.why.verification import ask_again, runs_of  # lazy

    runs = runs_of(document, source)
    target = confine_target(runs.target, named_by_user)
    given = of_program(
        target.program, target.arguments, module=target.module, folder=target.directory
    )
    reads = [*of_source(source), *given, *of_checks(map(parse_check, runs.checks))]
    outputs, seconds = json_output(options.json, "verification"), options.max_time or MAX_TIME
    writing = Writing(outputs, reads, force=options.force, deadline=Deadline(seconds))
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
    write_data(found, writing)
    writing.report(answers(found, Style.of(sys.stdout)), found)
    if found.interrupted:
        return ExitStatus.INTERRUPTED
    return ExitStatus.OK if found.holds else ExitStatus.NOT_REDUCIBLE


def build_parser() -> Parser:
    """The parser of all options."""
    parser = Parser(
        prog="stripe verify",
        usage="stripe verify [OPTIONS] RESULT.json",
        description=DESCRIPTION,
        epilog=EPILOG,
    )
    group = parser.add_argument_group("options")
    for name, kind, text in (
        ("--max-tests", positive_int, "try at most N removals, shared by all slices"),
        ("--max-time", positive_float, "take at most so many seconds, from the very start on"),
        ("--jobs", positive_int, "tests at a time"),
    ):
        default = 1 if name == "--jobs" else None
        parser.option(group, name, metavar="N", type=kind, default=default, help=text)
    parser.option(group, "--yes", flag="store_true", help="run what is shown without being asked")
    parser.option(
        group,
        "--allow-command",
        metavar="COMMAND",
        action="append",
        default=[],
        help="with --yes, also run this command of a check cmd:COMMAND, word for word",
    )
    parser.option(
        group, "--allow-network", flag="store_true", help="the plain run may use the network"
    )
    parser.option(group, "--unsafe", flag="store_true", help="go on where there is no sandbox")
    for names, metavar, text in (
        (("--python", "--perl"), "PATH", "the interpreter to run the program with"),
        (("--program",), "PROGRAM", "the program to run, or the module"),
        (("--directory",), "DIR", "the directory to run it in"),
    ):
        help_ = f"{text}, whatever the result says"
        parser.option(group, *names, metavar=metavar, help=help_)
    parser.option(group, "--json", metavar="FILE", help="write the answer as JSON; - as for trace")
    add_force(parser, group)
    parser.option(group, "-q", "--quiet", flag="store_true", help="no progress")
    parser.option(group, "-v", "--verbose", flag="count", default=0, help="more about errors")
    parser.option(group, "-h", "--help", flag="store_true", help="this text")
    return parser
