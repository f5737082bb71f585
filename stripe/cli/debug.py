"""``stripe debug``: a debugger that goes backwards."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Iterator, Sequence

from stripe.backend import Journey, Target, TimeTravel, choose_backend
from stripe.cli.given import read_given
from stripe.cli.grammar import Parser, split
from stripe.cli.options import natural, positive_float, positive_int, scope_options
from stripe.cli.output import say, write_lines
from stripe.errors import ExitStatus, UsageError

USAGE = "stripe debug [--port N | --terminal [OPTIONS] [-m] PROGRAM [ARGS...]]"

DESCRIPTION = """\
A debugger that begins at the failure, with the whole run behind it: steps and continues in either
direction, evaluates any expression at any moment. Without arguments it speaks the Debug Adapter
Protocol on standard input and output, and is started by an editor (docs/debugging.md). With
-m pytest NODE it begins where the test fails."""

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
        if parts.program is not None or (parts.options and options.port is None):
            raise UsageError(
                "no-program",
                "Without --terminal, the editor says what to run, in its launch arguments.",
                f"For a terminal: stripe debug --terminal {parts.program or 'PROGRAM'}",
            )
        _serve(options.port)
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
    _at_terminal(target, options)
    return ExitStatus.OK


def _serve(port: int | None) -> None:
    """Speak the protocol, on a port of this machine or the standard streams."""
    from stripe.debug.adapter import Adapter, serve_port  # lazy

    if port is not None:
        serve_port(port, travel, lambda number: say(f"Listening on 127.0.0.1:{number}."))
        return
    if sys.stdin is not None and sys.stdin.isatty():
        say("stripe debug waits for an editor to speak to it; Ctrl-C ends it.",
            "For a terminal: stripe debug --terminal PROGRAM")  # fmt: skip
    Adapter(sys.stdin.buffer, sys.stdout.buffer, travel).serve()


def _at_terminal(target: Target, options: argparse.Namespace) -> None:
    from stripe.debug.launch import Launch  # lazy
    from stripe.debug.terminal import Terminal  # lazy

    launch = Launch(
        target, options.start, options.result or "", options.check or "", options.at or 0
    )
    session = launch.begin(travel)
    try:
        for note in session.journey.notes:
            say(note)
        terminal = Terminal(session, target.directory, lambda text: write_lines([text]))
        raised = session.journey.ending.exception
        if raised is not None and session.is_at_failure:
            write_lines([f"{raised.type}: {raised.message}"])
        terminal.run(_commands())
    finally:
        session.close()


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
    parser.option(
        group, "--port", metavar="N", type=natural,
        help="speak the protocol on this port of 127.0.0.1 (0: any) to each client that comes",
    )  # fmt: skip
    parser.option(
        group, "--result", metavar="FILE",
        help="a slice (stripe trace --json) to step through, or an answer (stripe why --json)",
    )  # fmt: skip
    parser.option(group, "--check", metavar="CHECK", help="which slice, if the file has several")
    parser.option(
        group, "--at", metavar="N", type=positive_int,
        help="begin at the N-th execution of a statement, as reports count",
    )  # fmt: skip
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
