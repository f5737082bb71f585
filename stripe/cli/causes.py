"""``stripe causes``: which variables make one run fail while another passes."""

from __future__ import annotations

import os
import re
import shlex
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from stripe.backend import Target
from stripe.checks import parse_check
from stripe.cli.executor import where_to_test
from stripe.cli.exit_status import conclude
from stripe.cli.grammar import Parser, names_and_options
from stripe.cli.options import SAME_PATH, Count, option, shared
from stripe.cli.reads import Read, of_checks, of_program
from stripe.cli.report_options import claim_forms, write_forms
from stripe.deadline import Deadline
from stripe.errors import UsageError
from stripe.report.causes import causes_lines
from stripe.report.memory_graph import graph_lines
from stripe.report.progress import Reporter
from stripe.report.style import Style
from stripe.snapshots import Moment
from stripe.states.causes import Input, find_causes
from stripe.states.memory_graph import memory_graph

USAGE = "stripe causes PROGRAM|-m MODULE --fail INPUT --pass INPUT [--check SPEC] [OPTIONS]"

DESCRIPTION = """\
Runs a program, in Python or native, with an input for which it fails and with one for which it
passes, and compares the states of both where they come to the same place by the same calls. It
sets some of the variables of the passing run to what they are in the failing one, lets it run on,
and so finds those that cause the failure; then where one of them causes the next."""

EPILOG = """\
an INPUT is what would be written behind the program: its arguments, and < FILE for what it reads
from standard input. An empty one is ''.

examples:
  stripe causes sort.py --fail '11 14' --pass '9 8 7' --check 'cmd:grep -q ^0 "$STRIPE_STDOUT"'
  stripe causes sort.c --fail '11 14' --pass '9 8 7' --check stdout
  stripe causes parse.py --fail '< bad.txt' --pass '< good.txt'
  stripe causes parse.py --fail '< bad.txt' --pass '< good.txt' --at parse.py:120#3
  stripe causes sort.py --graph sort.py:17 --pass '9 8 7' --picture state.svg

exit status:
  0  found                               2  the request cannot be understood
  1  it cannot be found honestly         3  internal error
  130  interrupted (what was found so far is told, not certified)"""

_AT = re.compile(r"(?P<file>.+?):(?P<line>\d+)(?:#(?P<occurrence>\d+))?")

_READ = "\0<"
_UNQUOTED = re.compile(r"""('[^']*'|"(?:\\.|[^"\\])*"|\\.)|<""", re.DOTALL)
"""What is quoted, as the group, or else the sign for standard input."""


@dataclass(slots=True)
class Options:
    """What the command line asked for."""

    m: str | None = shared("what to run, and what the failure is")
    fail: str | None = option("with this it fails", "INPUT")
    passes: list[str] = option(
        "with this it does not; of several, the one is taken whose run is most like the failing "
        "one",
        "INPUT",
        names=("--pass",),
    )
    check: list[str] = option(
        "what the failure is, as in stripe trace (default: the uncaught exception, else all "
        "that is printed)",
        "SPEC",
    )
    graph: str | None = option(
        "draw the state of one run, that with --fail or --pass (or neither, without an input), "
        "before the line is executed for the N-th time, and search nothing",
        "FILE:LINE[#N]",
    )
    at: str | None = option(
        "look at one moment alone: before the line is executed for the N-th time (default: "
        "1) by the failing run",
        "FILE:LINE[#N]",
    )
    python: str | None = shared()
    include: list[str] = shared(of="looked into")
    only: list[str] = shared(of="looked into")
    exclude: list[str] = shared(of="looked into")
    union: list[str] = option(
        "which member of a (native) union is meant: 'UNION->MEMBER', or "
        "'UNION=TAG:VALUE->MEMBER' where the member TAG beside it has that value",
        "RULE",
    )
    timeout: float | None = option(
        "seconds a run may take (default: ten times what the plain run takes)", "S"
    )
    unsafe: bool = shared()
    max_tests: int | None = shared("how to search", best="chain")
    max_time: float | None = shared()
    jobs: int | None = shared()
    executor: str | None = shared(workers=SAME_PATH)
    resume: bool = shared()
    json: str | None = shared("what to write and show")
    html: str | None = shared()
    sarif: str | None = shared()
    picture: str | None = shared()
    force: bool = shared()
    quiet: bool = shared()
    verbose: Count = shared()


def run(arguments: Sequence[str]) -> int:
    """Run the verb; the exit status."""
    parser = build_parser()
    names, options = names_and_options(arguments, parser)
    if options.m is not None:
        names.insert(0, options.m)
    if options.graph is not None:
        return _draw(names, options, options.graph)
    if len(names) != 1 or options.fail is None or not options.passes:
        raise UsageError(
            "no-inputs",
            "A program and two inputs are needed: one with which it fails, one with which it does "
            "not.",
            "For example: stripe causes sort.py --fail '11 14' --pass '9 8 7' (an argument of the "
            "program belongs into these; see stripe causes --help).",
        )
    at = None if options.at is None else moment(options.at)
    failing = read_input("--fail", options.fail)
    passing = [read_input("--pass", each) for each in options.passes]
    checks = [parse_check(each) for each in options.check]
    reads = [
        *of_program(
            names[0],
            [word for each in (failing, *passing) for word in each.arguments],
            module=options.m is not None,
        ),
        *_files(options),
        *of_checks(checks),
    ]
    deadline = Deadline(options.max_time)
    writing = claim_forms(options, reads, "causes-result", deadline=deadline)
    with (
        where_to_test(options.executor, options.jobs) as (executor, jobs),
        Reporter(sys.stderr, quiet=options.quiet, verbose=options.verbose) as reporter,
    ):
        result = find_causes(
            names[0],
            failing=failing,
            passing=passing,
            check=options.check,
            at=at,
            python=options.python,
            include=options.include,
            only=options.only,
            exclude=options.exclude,
            unions=options.union,
            timeout=options.timeout,
            unsafe=options.unsafe,
            max_tests=options.max_tests,
            max_time=options.max_time,
            module=options.m is not None,
            jobs=jobs,
            executor=executor,
            resume=options.resume,
            outputs=writing.files,
            progress=reporter,
        )
    write_forms(result, writing, "causes-result")
    writing.report(causes_lines(result, Style.of(sys.stdout)), result)
    return conclude([result.stopped])


SEARCHES = (
    "check", "at", "max_tests", "jobs", "executor", "resume", "json", "html", "sarif",
)  # fmt: skip
"""Options that say how to search, or what to tell of a search."""


def _draw(names: Sequence[str], options: Options, place: str) -> int:
    """Draw the state of one run; the exit status."""
    for field in SEARCHES:
        if getattr(options, field):
            raise UsageError(
                "bad-option",
                f"--{field.replace('_', '-')} does not go with --graph, which searches nothing.",
                "Leave one of them out.",
            )
    if len(names) != 1:
        raise UsageError(
            "no-inputs",
            "--graph needs one program.",
            "For example: stripe causes sort.py --graph sort.py:17 --pass '9 8 7'.",
        )
    given = [("--pass", each) for each in options.passes]
    if options.fail is not None:
        given.append(("--fail", options.fail))
    if len(given) > 1:
        raise UsageError(
            "bad-option",
            f"--graph draws one run, and --fail and --pass name {len(given)}.",
            "Give one of them.",
        )
    at = moment(place, "--graph")
    content = read_input(*given[0]) if given else Input()
    reads = [
        *of_program(names[0], content.arguments, module=options.m is not None),
        *_files(options),
    ]
    deadline = Deadline(options.max_time)
    writing = claim_forms(options, reads, "", deadline=deadline)
    target = Target(
        program=names[0],
        module=options.m is not None,
        directory=Path.cwd(),
        arguments=content.arguments,
        stdin=content.stdin,
        python=options.python,
        include=tuple(options.include),
        only=tuple(options.only),
        exclude=tuple(options.exclude),
        unions=tuple(options.union),
        timeout=options.timeout,
        unsafe=options.unsafe,
        deadline=deadline,
    )
    state = memory_graph(target, at)
    if options.picture is not None:
        from stripe.report.pictures import dot, svg  # lazy

        form = dot if options.picture.endswith(".dot") else svg
        writing.make("--picture", lambda: form.of_one_state(state).encode())
    writing.report([*graph_lines(state, Style.of(sys.stdout))], None)
    return 0


def moment(text: str, option: str = "--at") -> Moment:
    """What ``--at`` or ``--graph`` names.

    Raises:
        UsageError: ``bad-option``.
    """
    found = _AT.fullmatch(text)
    if found is None or not int(found["line"]) or found["occurrence"] == "0":
        raise UsageError(
            "bad-option",
            f"{option} {text}: this is no place in a program.",
            f"For example {option} sort.py:17, or {option} sort.py:17#3 before it is executed for "
            "the third time.",
        )
    file = os.path.normpath(found["file"])
    return Moment(file, int(found["line"]), int(found["occurrence"] or 1))


def read_input(option: str, text: str) -> Input:
    """The arguments and the standard input that are named as for a shell.

    Raises:
        UsageError: ``bad-option``, ``no-input``.
    """
    try:
        words = shlex.split(_UNQUOTED.sub(lambda found: found[1] or f" {_READ} ", text))
    except ValueError as error:
        raise UsageError(
            "bad-option", f"{option} {text!r} has an open quote: {error}.", "Close it."
        ) from None
    stdin = b""
    while _READ in words:
        index = words.index(_READ)
        if index + 1 == len(words):
            raise UsageError(
                "bad-option", f"{option} {text!r}: no file follows <.", "Write < FILE, or quote <."
            )
        stdin = _content(words[index + 1])
        del words[index : index + 2]
    return Input(tuple(words), stdin, text)


def _content(path: str) -> bytes:
    try:
        with open(path, "rb") as stream:
            return stream.read()
    except OSError as error:
        raise UsageError(
            "no-input", f"{path!r} cannot be read: {error.strerror}.", "Check the path."
        ) from None


def _files(options: Options) -> Iterator[Read]:
    """The files behind ``<``."""
    for text in (options.fail or "", *options.passes):
        for word in text.split():
            if os.path.exists(word):
                yield f"{word!r}, an input", word


def build_parser() -> Parser[Options]:
    """The parser of all options."""
    return Parser(
        Options, prog="stripe causes", usage=USAGE, description=DESCRIPTION, epilog=EPILOG
    )
