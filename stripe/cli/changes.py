"""``stripe changes``: which changes between two versions cause a failure."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from stripe.changes import find_changes
from stripe.changes.granularity import LEVELS, levels_of
from stripe.checks import parse_check
from stripe.cli.exit_status import conclude
from stripe.cli.grammar import Parser, names_and_options
from stripe.cli.options import Count, natural, option, parts_of, shared
from stripe.cli.reads import Read, of_checks
from stripe.cli.report_options import claim_forms, write_forms
from stripe.cli.search_options import searching
from stripe.deadline import Deadline
from stripe.errors import UsageError
from stripe.outputs import Output
from stripe.report.changes import DEFAULT_SECTIONS, SECTIONS, changes_lines
from stripe.report.style import Style
from stripe.results.model import changed

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
class Options:
    """What the command line asked for."""

    test: str | None = option(
        "a command whose exit status says whether it fails",
        "COMMAND",
        group="what to run, and what must stay the same",
    )
    check: list[str] = option(
        "what versions that fail have in common with BAD, as in stripe trace", "SPEC"
    )
    build: str | None = option(
        "comes first; where it fails, nothing is told. What it makes stays for the next test",
        "COMMAND",
    )
    repo: str | None = option("a directory in the repository (default: this one)", "DIR")
    timeout: float | None = option(
        "seconds a build or a test may take (default: ten times what the first took)", "S"
    )
    repeat: int = shared()
    unsafe: bool = shared()
    granularity: str = option(
        "what is left out, coarse to fine (see below)",
        "LEVELS",
        default="auto",
        group="what to look for, and how",
    )
    bisect_first: bool = option(
        "find the first commit after which it fails by halving, then look in that one alone"
    )
    and_then: str | None = option(
        "look for the next cause, too, among all other changes, and write its patch there", "FILE"
    )
    context: int = option(
        "lines around a change that belong to its hunk (default: 0)", "N", default=0, read=natural
    )
    algorithm: str = shared()
    max_tests: int | None = shared(best="answer")
    max_time: float | None = shared()
    jobs: int | None = shared()
    executor: str | None = shared(workers="are sent the versions")
    resume: bool = shared()
    output: str | None = shared(
        "what to write and show",
        answer="the patch, written whenever it gets smaller",
        name="changes.patch",
    )
    json: str | None = shared()
    html: str | None = shared()
    show: frozenset[str] = option(
        "patch, story (what tests have shown, and what not), tests (the search as a picture), "
        "summary; several with commas, or all (default patch,story,summary)",
        "WHAT",
        default=frozenset(DEFAULT_SECTIONS),
        read=parts_of(SECTIONS),
    )
    force: bool = shared()
    quiet: bool = shared()
    verbose: Count = shared()


assert all(level in EPILOG for level in LEVELS), "the help text names them"


def run(arguments: Sequence[str]) -> int:
    """Run the verb; the exit status."""
    parser = build_parser()
    names, options = names_and_options(arguments, parser)
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
    answers = [answer]
    if options.and_then is not None:
        answers.append(Output("--and-then", options.and_then, "answer"))
    deadline = Deadline(options.max_time)
    writing = claim_forms(
        options, _reads(options), "changes-result", answers=answers, deadline=deadline
    )
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
            and_then=options.and_then is not None,
            context=options.context,
            timeout=options.timeout,
            repeat=options.repeat,
            unsafe=options.unsafe,
            max_tests=options.max_tests,
            max_time=options.max_time,
            jobs=search.jobs,
            executor=search.executor,
            resume=options.resume,
            outputs=writing.files,
            improved=lambda patch: search.writer.improved(patch, True),
            progress=search.reporter,
        )
    if result.next is not None:
        writing.write("--and-then", result.next.patch)
        after = changed(result.next, output=tuple(writing.places(answers[1:])))
        result = changed(result, next=after)
    result = changed(result, output=tuple(writing.places([answer])))
    write_forms(result, writing, "changes-result")
    style = Style.of(sys.stdout, full="all" in options.show)
    writing.report(changes_lines(result, style, SECTIONS if style.full else options.show), result)
    return conclude(
        result.ends,
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


def build_parser() -> Parser[Options]:
    """The parser of all options."""
    return Parser(
        Options, prog="stripe changes", usage=USAGE, description=DESCRIPTION, epilog=EPILOG
    )
