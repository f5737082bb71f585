"""``stripe debug``: a debugger that goes backwards."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator, Sequence

from stripe.backend import Journey, Target, TimeTravel, choose_backend
from stripe.cli.given import read_given
from stripe.cli.grammar import Parser, split
from stripe.cli.options import positive_float, scope_options
from stripe.cli.output import say, write_lines
from stripe.errors import ExitStatus, UsageError

USAGE = "stripe debug [--terminal [OPTIONS] [-m] PROGRAM [ARGS...]]"

DESCRIPTION = """\
A debugger that begins at the failure, with the whole run behind it: steps and continues in either
direction, evaluates any expression at any moment. Without arguments it speaks the Debug Adapter
Protocol on standard input and output, and is started by an editor (docs/debugging.md)."""

PROMPT = "(stripe) "


def run(arguments: Sequence[str]) -> int:
    """Run the verb; the exit status."""
    parser = build_parser()
    parts = split(arguments, parser)
    options = parser.parse_args(parts.options)
    if options.help:
        write_lines([parser.format_help().rstrip()])
        return ExitStatus.OK
    if not options.terminal:
        if parts.program is not None or parts.options:
            raise UsageError(
                "no-program",
                "Without --terminal, the editor says what to run, in its launch arguments.",
                f"For a terminal: stripe debug --terminal {parts.program or 'PROGRAM'}",
            )
        if sys.stdin is not None and sys.stdin.isatty():
            say("stripe debug waits for an editor to speak to it; Ctrl-C ends it.",
                "For a terminal: stripe debug --terminal PROGRAM")  # fmt: skip
        from stripe.debug.adapter import serve  # lazy

        serve(travel)
        return ExitStatus.OK
    if parts.program is None:
        raise UsageError(
            "no-program",
            "There is no program to run.",
            "For example: stripe debug --terminal prog.py",
        )
    target = Target(
        parts.program,
        parts.arguments,
        module=parts.module,
        stdin=read_given(options.stdin or os.devnull, None),
        python=options.python,
        include=options.include or (),
        only=options.only or (),
        exclude=options.exclude or (),
        timeout=options.timeout,
        unsafe=options.unsafe,
    )
    _at_terminal(target, at_start=options.start)
    return ExitStatus.OK


def _at_terminal(target: Target, *, at_start: bool) -> None:
    from stripe.debug.session import Session  # lazy
    from stripe.debug.terminal import Terminal  # lazy

    journey = travel(target)
    try:
        for note in journey.notes:
            say(note)
        session = Session(journey, at_start=at_start)
        terminal = Terminal(session, target.directory, lambda text: write_lines([text]))
        raised = journey.ending.exception
        if raised is not None and not at_start:
            write_lines([f"{raised.type}: {raised.message}"])
        terminal.run(_commands())
    finally:
        journey.close()


def _commands() -> Iterator[str]:
    while True:
        if sys.stdin.isatty():
            sys.stderr.write(PROMPT)
            sys.stderr.flush()
        line = sys.stdin.readline()
        if not line:
            return
        yield line


def travel(target: Target) -> Journey:
    """Record a run whose moments can be gone to.

    Raises :class:`~stripe.errors.UsageError` ``cannot-go-back`` for a program of another kind.
    """
    backend = choose_backend(target)
    if not isinstance(backend, TimeTravel):
        raise UsageError(
            "cannot-go-back",
            f"stripe debug takes Python programs, and {target.program!r} is none.",
            "For native programs: gdb with record full, or rr.",
        )
    return backend.travel(target)


def build_parser() -> Parser:
    """The parser of all options."""
    parser = Parser(prog="stripe debug", usage=USAGE, description=DESCRIPTION)
    group = parser.add_argument_group("options")
    parser.option(group, "--terminal", flag="store_true", help="commands by keys, as in pdb")
    parser.option(group, "-m", metavar="MODULE", help="a module instead of a file")
    parser.option(group, "--start", flag="store_true", help="begin at the start of the run")
    parser.option(group, "--stdin", metavar="FILE", help="what the program reads")
    parser.option(group, "--python", metavar="PYTHON", help="the interpreter, or its version")
    parser.option(
        group, "--timeout", metavar="S", type=positive_float, help="seconds that one run may take"
    )
    scope_options(parser, group, "debugged")
    parser.option(group, "--unsafe", flag="store_true", help="go on where there is no sandbox")
    parser.option(group, "-h", "--help", flag="store_true", help="this text")
    return parser
