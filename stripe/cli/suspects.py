"""``stripe suspects``: where is it wrong? Small changes are tried, and tests are run again."""

from __future__ import annotations

import os
import shlex
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from stripe.backend import AUTOMATIC
from stripe.cli.given import of_given, read_given
from stripe.cli.grammar import Parser, misplaced, split
from stripe.cli.options import ALL_PROCESSORS, Count, option, shared
from stripe.cli.reads import Read, of_program
from stripe.cli.report_options import claim_forms, write_forms
from stripe.dd import Reason
from stripe.deadline import Deadline
from stripe.errors import ExitStatus, UsageError
from stripe.failing_run import slicing, without_cache
from stripe.interventions import Case
from stripe.report.progress import Reporter
from stripe.report.style import Style
from stripe.report.suspects import in_short, suspects_lines
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
    """What the command line asked for."""

    m: str | None = option(
        "the tests of pytest or unittest, or a program that is a module",
        "MODULE",
        names=("-m",),
        group="what to run, and what is right",
    )  # split() has read it
    expect: str | None = option(
        "what one run is to print; line ends at its end do not count, and it has to exit with 0",
        "TEXT|FILE",
    )
    cases: str | None = option("inputs with their right outputs", "DIR")
    stdin: str | None = shared()
    input: str | None = shared()
    python: str | None = shared()
    include: list[str] = shared(of="suspected")
    only: list[str] = shared(of="suspected")
    exclude: list[str] = shared(of="suspected")
    timeout: float | None = option(
        "seconds that one run of a program may take as it is (default: 10)", "S"
    )
    unsafe: bool = shared()
    max_tests: int | None = option(
        "end with the best answer so far after N runs of tests", "N", group="how to search"
    )
    max_time: float | None = option("the same after S seconds (default: 60)", "S")
    jobs: int | None = option(ALL_PROCESSORS, "N")
    failing: list[str] = option(
        "of failing tests only this one, by the name it has in the JSON (repeatable)", "TEST"
    )
    no_slice: bool = option("do not compare the lines with a critical slice of the failing run")
    json: str | None = shared("what to write and show")
    html: str | None = shared()
    sarif: str | None = shared()
    force: bool = shared()
    quiet: bool = shared()
    verbose: Count = shared()


def run(arguments: Sequence[str]) -> int:
    """Run the verb; the exit status."""
    parser = build_parser()
    parts = split(arguments, parser)
    options = parser.read(parts.options)
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
    writing = claim_forms(options, reads, "suspects-result", deadline=deadline)
    with Reporter(sys.stderr, quiet=options.quiet) as reporter:
        result = find_suspects(
            parts.program,
            without_cache(parts.arguments) if tester else parts.arguments,
            module=parts.module,
            expect=None if options.expect is None else expected(options.expect),
            cases=() if options.cases is None else read_cases(options.cases),
            stdin=b"" if options.expect is None else read_given(options.stdin, options.input),
            python=options.python or AUTOMATIC,
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
            found=lambda repair: reporter.found(in_short(repair)),
        )
    write_forms(result, writing, "suspects-result", result.sources)
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


def build_parser() -> Parser[Options]:
    """The parser of all options."""
    return Parser(
        Options, prog="stripe suspects", usage=USAGE, description=DESCRIPTION, epilog=EPILOG
    )
