"""``stripe suspects``: where is it wrong? Small changes are tried, and tests are run again."""

from __future__ import annotations

import os
import shlex
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from stripe.backend import AUTOMATIC
from stripe.cli.given import add_given, of_given, read_given
from stripe.cli.grammar import Parser, misplaced, split
from stripe.cli.options import output_options, positive_float, positive_int, scope_options
from stripe.cli.output import write_lines
from stripe.cli.reads import Read, of_program
from stripe.cli.report_options import add_faces, claim_faces, write_suspects
from stripe.dd import Reason
from stripe.deadline import Deadline
from stripe.errors import ExitStatus, UsageError
from stripe.failing_run import slicing, without_cache
from stripe.interventions import Case
from stripe.report.progress import Reporter
from stripe.report.style import Style
from stripe.report.suspects import suspects_lines
from stripe.suspects import find_suspects

USAGE = """stripe suspects [OPTIONS] -m pytest [--] [TESTS...]
       stripe suspects [OPTIONS] -m unittest [--] [TESTS...]
       stripe suspects --expect TEXT|FILE [OPTIONS] PROGRAM [--] [ARGS...]
       stripe suspects --cases DIR [OPTIONS] PROGRAM"""

DESCRIPTION = """\
Runs tests of a Python program of which some fail, then runs them again and again with one small
thing of the program changed, in a sandbox. Tells the places where a change makes failing tests
pass and breaks none: that is where to look, and no proof that the change is the right one."""

EPILOG = """\
examples:
  stripe suspects -m pytest tests/test_shop.py
  stripe suspects -m unittest test_shop.TestShop
  stripe suspects --expect '3 5 8' fib.py 3
  stripe suspects --cases cases/ fib.py

cases are files in one folder: NAME.out is what is to be printed; NAME.args the arguments, as for a
shell, and NAME.in what is read from standard input, each if there is one.

exit status:
  0  searched                            2  the request cannot be understood
  1  nothing fails, or nothing to search 3  internal error
  130  interrupted (what was found so far is told)"""


@dataclass(slots=True)
class Options:
    """What the command line asked for, option by option."""

    expect: str | None
    cases: str | None
    stdin: str | None
    input: str | None
    python: str
    include: list[str]
    only: list[str]
    exclude: list[str]
    timeout: float | None
    unsafe: bool
    max_tests: int | None
    max_time: float | None
    jobs: int | None
    failing: list[str]
    no_slice: bool
    json: str | None
    html: str | None
    sarif: str | None
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
            "no-program", "What to run is missing.", "For example: stripe suspects -m pytest"
        )
    tester = parts.module and parts.program in ("pytest", "unittest")
    if tester is (options.expect is not None or options.cases is not None):
        raise UsageError(
            "no-expectation",
            "Tests say themselves what is right: --expect and --cases are for programs."
            if tester
            else f"What is right is not known. {misplaced(parts, parser)}".strip(),
            "Give --expect TEXT (or a file) or --cases DIR before the program, or tests: "
            "-m pytest FILE.",
        )
    given = options.stdin is not None or options.input is not None
    if options.cases is not None and (parts.arguments or options.expect or given):
        raise UsageError(
            "bad-option",
            "--cases says what the program is given, and what it is to print.",
            "Leave out --expect, --stdin, --input and the arguments.",
        )
    if tester and given:
        raise UsageError(
            "bad-option",
            "Tests say themselves what is read: --stdin and --input are for programs.",
            "Leave them out.",
        )
    reads = list(_reads(options, parts.program, parts))
    deadline = Deadline(options.max_time)
    writing = claim_faces(options, reads, "suspects-result", deadline=deadline)
    with Reporter(sys.stderr, quiet=options.quiet) as reporter:
        result = find_suspects(
            parts.program,
            without_cache(parts.arguments) if tester else parts.arguments,
            module=parts.module,
            expect=None if options.expect is None else expected(options.expect),
            cases=() if options.cases is None else read_cases(options.cases),
            stdin=b"" if options.expect is None else read_given(options.stdin, options.input),
            python=options.python,
            include=options.include,
            only=options.only,
            exclude=options.exclude,
            timeout=options.timeout,
            unsafe=options.unsafe,
            max_tests=options.max_tests,
            max_time=options.max_time,
            jobs=options.jobs or os.cpu_count() or 1,
            failing=options.failing,
            slicing=None if options.no_slice else slicing(reporter),
            progress=reporter,
        )
    write_suspects(result, writing)
    style = Style.of(sys.stdout, verbose=bool(options.verbose))
    writing.report(suspects_lines(result, style), result)
    return ExitStatus.INTERRUPTED if result.stopped is Reason.STOPPED else ExitStatus.OK


def expected(given: str) -> bytes:
    """The content of the file of that name, or else the text itself."""
    path = Path(given)
    try:
        if path.is_file():
            return path.read_bytes()
    except (OSError, ValueError):
        pass  # longer than any name of a file
    return given.encode()


def read_cases(folder: str) -> list[Case]:
    """The cases in a folder.

    Raises:
        UsageError: ``no-cases``.
    """
    cases = []
    try:
        for out in sorted(Path(folder).glob("*.out")):
            words, stdin = out.with_suffix(".args"), out.with_suffix(".in")
            cases.append(
                Case(
                    out.stem,
                    shlex.split(words.read_text()) if words.exists() else (),
                    stdin.read_bytes() if stdin.exists() else b"",
                    out.read_bytes(),
                )
            )
    except (OSError, ValueError) as error:
        raise UsageError("no-cases", f"{folder!r} cannot be read: {error}.", _CASES) from None
    if not cases:
        raise UsageError("no-cases", f"There is no case in {folder!r}.", _CASES)
    return cases


_CASES = (
    "A case is a file NAME.out with what is to be printed, and NAME.args and NAME.in beside it, if "
    "it needs them."
)


def _reads(options: Options, program: str, parts: object) -> Iterator[Read]:
    module, arguments = getattr(parts, "module", False), getattr(parts, "arguments", ())
    yield from of_program(program, arguments, module=module)
    if options.expect is not None and os.path.exists(options.expect):
        yield f"{options.expect!r}, what is expected", options.expect
    if options.expect is not None:
        yield from of_given(options.stdin, options.input)
    if options.cases is not None and os.path.isdir(options.cases):
        for each in sorted(Path(options.cases).iterdir()):
            yield f"{str(each)!r}, a case", each


def build_parser() -> Parser:
    """The parser of all options."""
    parser = Parser(prog="stripe suspects", usage=USAGE, description=DESCRIPTION, epilog=EPILOG)
    parser.takes_value["-m"] = True
    what = parser.add_argument_group("what to run, and what is right")
    parser.option(
        what,
        "--expect",
        metavar="TEXT|FILE",
        help="what one run is to print; line ends at its end do not count, and it has to exit with "
        "0",
    )
    parser.option(what, "--cases", metavar="DIR", help="inputs with their right outputs")
    add_given(parser, what)
    parser.option(
        what,
        "--python",
        metavar="PYTHON",
        default=AUTOMATIC,
        help="the interpreter: a path, a command or a version",
    )
    scope_options(parser, what, "suspected")
    parser.option(
        what,
        "--timeout",
        metavar="S",
        type=positive_float,
        help="seconds that one run of a program may take as it is (default: 10)",
    )
    parser.option(
        what,
        "--unsafe",
        flag="store_true",
        help="go on where this system has no sandbox: changed programs can do whatever you can",
    )
    search = parser.add_argument_group("how to search")
    parser.option(
        search,
        "--max-tests",
        metavar="N",
        type=positive_int,
        help="end with what is found after N runs of tests",
    )
    parser.option(
        search,
        "--max-time",
        metavar="S",
        type=positive_float,
        help="the same after S seconds (default: 60)",
    )
    parser.option(
        search,
        "--jobs",
        metavar="N",
        type=positive_int,
        help="runs at a time (default: as many as there are processors)",
    )
    parser.option(
        search,
        "--failing",
        metavar="TEST",
        action="append",
        default=[],
        help="of failing tests only this one, by the name it has in the JSON (repeatable)",
    )
    parser.option(
        search,
        "--no-slice",
        flag="store_true",
        help="do not compare the lines with a critical slice of the failing run",
    )
    output = parser.add_argument_group("what to write and show")
    add_faces(parser, output)
    output_options(parser, output)
    return parser
