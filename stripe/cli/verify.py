"""``stripe verify``: does a slice found earlier still hold?"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from dataclasses import replace

from stripe.api import verify
from stripe.cli.consent import confirm
from stripe.cli.grammar import Parser, result_file
from stripe.cli.options import positive_float, positive_int
from stripe.cli.output import write_lines
from stripe.cli.reads import of_checks, of_result
from stripe.cli.report_options import Writing, add_force, json_output, write_data
from stripe.errors import ExitStatus
from stripe.reduce.consent import Named, confine_target
from stripe.reduce.verify import named
from stripe.report import Style, read_result
from stripe.report.progress import Reporter
from stripe.report.verification import verification

DESCRIPTION = """\
Records the program of RESULT.json anew, finds the kept events in the new trace, replays them in
a fresh process, and leaves out each of them once more. Says what has changed.

This runs what the file says. It is shown, and you are asked. What lies outside of the project,
which is the directory the program ran in, you must name yourself."""

EPILOG = """\
exit status:
  0  every slice holds              2  the request cannot be understood
  1  one does not, or the run       3  internal error
     cannot be replayed honestly    130  interrupted"""


def run(arguments: Sequence[str]) -> int:
    """Run the verb; the exit status."""
    parser = build_parser()
    source, options = result_file(arguments, parser)
    if source is None:
        write_lines([parser.format_help().rstrip()])
        return ExitStatus.OK
    result = read_result(source)
    result = confine_target(result, Named(options.program, options.python, options.directory))
    reads = [*of_result(source, result), *of_checks(map(named, result.slices))]
    writing = Writing(json_output(options.json, "verification"), reads, force=options.force)
    confirm(result, source, yes=options.yes, allowed=options.allow_command)
    from stripe.failing_run import environment, is_of_test, renamed  # lazy

    assert result.target is not None
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
    parser.option(group, "--unsafe", flag="store_true", help="go on where there is no sandbox")
    for name, metavar, text in (
        ("--python", "PYTHON", "the interpreter to run the program with"),
        ("--program", "PROGRAM", "the program to run, or the module"),
        ("--directory", "DIR", "the directory to run it in"),
    ):
        help_ = f"{text}, whatever the result says"
        parser.option(group, name, metavar=metavar, help=help_)
    parser.option(group, "--json", metavar="FILE", help="write the answer as JSON; - as for trace")
    add_force(parser, group)
    parser.option(group, "-q", "--quiet", flag="store_true", help="no progress")
    parser.option(group, "-v", "--verbose", flag="count", default=0, help="more about errors")
    parser.option(group, "-h", "--help", flag="store_true", help="this text")
    return parser
