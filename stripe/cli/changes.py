"""``stripe changes``: which changes between two versions cause a failure."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from stripe.changes import find_changes
from stripe.changes.levels import LEVELS, levels_of
from stripe.checks import parse_check
from stripe.cli.exit_status import conclude
from stripe.cli.grammar import Parser, names_and_options
from stripe.cli.options import budget_options, natural, output_options
from stripe.cli.output import write_lines
from stripe.cli.reads import Read, of_checks
from stripe.cli.report_options import Writing, forms_of, parts_of, write_forms
from stripe.cli.search_options import (
    SearchOptions,
    add_algorithm,
    add_outputs,
    add_runs,
    add_test,
    searching,
)
from stripe.deadline import Deadline
from stripe.errors import ExitStatus, UsageError
from stripe.outputs import Output
from stripe.report.changes import DEFAULT_SECTIONS, SECTIONS, changes_lines
from stripe.report.style import Style

USAGE = "stripe changes GOOD BAD --test COMMAND [--build COMMAND] [OPTIONS]"

DESCRIPTION = """\
Applies parts of the changes that lead from GOOD to BAD, runs the test on what comes of it, again
and again, and keeps what is needed to make it fail as it does in BAD. GOOD and BAD are revisions
of a git repository, or two directories; a dot is the working tree. Neither is written in."""

EPILOG = """\
the test is a command for a shell, run at the top of a version. Exit status 0: it passes; 125: it
cannot tell; any other: it fails. Who fails in another way than BAD does (exit status, traceback,
output as far as it is the same each time) does not count as failing. With --check you say it.

each test is in a sandbox: what it writes elsewhere is gone when it ends, and it has no network but
a loopback device of its own. In namespaces the version stands where the repository is; environments
that git ignores (.venv, node_modules and their like) are there, nothing else is.

granularity: auto goes through commit, directory, file, function, hunk and statement (of Python; of
C and C++ with the extra syntax; of other languages hunks). One or more of these, and line, with
commas between them are gone through in this order.

examples:
  stripe changes v1.4 HEAD --test 'python -m pytest -x tests/test_parser.py'
  stripe changes HEAD . --build make --test ./smoke-test --granularity hunk
  stripe changes old/ new/ --test 'python3 /path/to/test.py'

exit status:
  0  found                               2  the request cannot be understood
  1  it cannot be found honestly         3  internal error
  130  interrupted (the best answer so far is kept, not certified)"""


@dataclass(slots=True)
class Options(SearchOptions):
    """What the command line asked for, option by option."""

    build: str | None
    repo: str | None
    granularity: str
    bisect_first: bool
    context: int
    html: str | None
    show: frozenset[str]


def run(arguments: Sequence[str]) -> int:
    """Run the verb; the exit status."""
    parser = build_parser()
    names, given = names_and_options(arguments, parser)
    options = Options(**vars(given))
    if options.help:
        write_lines([parser.format_help().rstrip()])
        return ExitStatus.OK
    if len(names) != 2 or options.test is None:
        raise UsageError(
            "no-versions" if len(names) != 2 else "no-test",
            f"Two versions are needed, and {len(names)} are given."
            if len(names) != 2
            else "Nothing says whether a version fails.",
            "For example: stripe changes v1.0 HEAD --test 'make check' (see stripe changes "
            "--help).",
        )
    good, bad = names
    # A typing mistake is reported before anything is run.
    levels_of(options.granularity)
    answer = Output(
        "--output", options.output or "changes.patch", "answer", chosen=options.output is not None
    )
    outputs = [answer, *forms_of(options)]
    deadline = Deadline(options.max_time)
    writing = Writing(outputs, _reads(options), force=options.force, deadline=deadline)
    with searching(options, [answer], writing) as search:
        result = find_changes(
            good,
            bad,
            test=options.test,
            build=options.build,
            check=options.check,
            repo=options.repo,
            granularity=options.granularity,
            algorithm=options.algorithm,
            bisect_first=options.bisect_first,
            context=options.context,
            timeout=options.timeout,
            repeat=options.repeat,
            unsafe=options.unsafe,
            max_tests=options.max_tests,
            max_time=options.max_time,
            jobs=search.jobs,
            executor=search.executor,
            resume=options.resume,
            outputs=[each.target for each in outputs if each.is_file],
            improved=lambda patch: search.writer.improved(patch, True),
            progress=search.reporter,
        )
    result = replace(result, output=tuple(writing.places([answer])))
    write_forms(result, writing)
    style = Style.of(sys.stdout, full="all" in options.show)
    writing.report(changes_lines(result, style, SECTIONS if style.full else options.show), result)
    return conclude(
        [result.stopped],
        "" if result.verified is not False else NOT_VERIFIED if options.build else NOT_STEADY,
    )


NOT_VERIFIED = """\
The answer did not fail in a place in which nothing else was built. [not-verified]
The test, or the build, seems to depend on what others left; let --build begin with make clean."""

NOT_STEADY = """\
The answer did not fail when it was tested once more. [not-verified]
The test is not steady: seeds, clocks, threads? Let a majority of runs decide: --repeat 5"""


def _reads(options: Options) -> Iterator[Read]:
    """All that the command line names and is read."""
    yield from of_checks(map(parse_check, options.check))
    for command in (options.test, options.build):
        if command is not None and os.path.exists(command):
            yield f"{command!r}, a command", command


def build_parser() -> Parser:
    """The parser of all options."""
    parser = Parser(prog="stripe changes", usage=USAGE, description=DESCRIPTION, epilog=EPILOG)
    what = parser.add_argument_group("what to run, and what must stay the same")
    add_test(
        parser,
        what,
        "COMMAND",
        "a command",
        "what versions that fail have in common with BAD, as in stripe trace",
    )
    parser.option(
        what,
        "--build",
        metavar="COMMAND",
        help="comes first; where it fails, nothing is told. What it makes stays for the next test",
    )
    parser.option(
        what, "--repo", metavar="DIR", help="a directory in the repository (default: this one)"
    )
    add_runs(parser, what, "a build or a test may take (default: ten times what the first took)")
    search = parser.add_argument_group("what to look for, and how")
    parser.option(
        search,
        "--granularity",
        metavar="LEVELS",
        default="auto",
        help="what is left out, coarse to fine (see below)",
    )
    parser.option(
        search,
        "--bisect-first",
        flag="store_true",
        help="find the first commit after which it fails by halving, then look in that one alone",
    )
    parser.option(
        search,
        "--context",
        metavar="N",
        type=natural,
        default=0,
        help="lines around a change that belong to its hunk (default: 0)",
    )
    add_algorithm(parser, search)
    budget_options(parser, search, "answer", workers="are sent the versions")
    output = add_outputs(parser, "the patch, written whenever it gets smaller", "changes.patch")
    parser.option(
        output, "--html", metavar="FILE", help="write a page to look at, in one file; - as above"
    )
    parser.option(
        output,
        "--show",
        metavar="WHAT",
        type=parts_of(SECTIONS),
        default=frozenset(DEFAULT_SECTIONS),
        help="patch, story (what tests have shown, and what not), tests (the search as a picture), "
        "summary; several with commas, or all (default patch,story,summary)",
    )
    output_options(parser, output)
    assert all(level in EPILOG for level in LEVELS), "the help text names them"
    return parser
