"""``stripe debug``: a debugger that goes backwards."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from stripe.backend import Journey, Target, TimeTravel, choose_backend
from stripe.cli.given import read_given
from stripe.cli.grammar import Parser, split
from stripe.cli.options import natural, option, shared
from stripe.cli.output import say, write_lines
from stripe.errors import ExitStatus, UsageError

USAGE = "stripe debug [--port N | --terminal [OPTIONS] [-m] PROGRAM [ARGS...]]"

DESCRIPTION = """\
A debugger that begins at the failure, with the whole run behind it: steps and continues in either
direction, evaluates any expression at any moment. Without arguments it speaks the Debug Adapter
Protocol on standard input and output, and is started by an editor (docs/debugging.md). With
-m pytest NODE it begins where the test fails."""

PROMPT = "(stripe) "


@dataclass(slots=True)
class Options:
    """What the command line asked for."""

    terminal: bool = option("commands by keys, as in pdb")
    m: str | None = shared()  # split() has read it
    port: int | None = option(
        "speak the protocol on this port of 127.0.0.1 (0: any) to each client that comes",
        "N",
        read=natural,
    )
    result: str | None = option(
        "a slice (stripe trace --json) to step through, or an answer (stripe why --json)", "FILE"
    )
    check: str | None = option("which slice, if the file has several", "CHECK")
    at: int | None = option("begin at the N-th execution of a statement, as reports count", "N")
    start: bool = option("begin at the start of the run")
    stdin: str | None = option("what the program reads", "FILE")
    python: str | None = shared()
    timeout: float | None = option("seconds that one run may take", "S")
    include: list[str] = shared(of="debugged")
    only: list[str] = shared(of="debugged")
    exclude: list[str] = shared(of="debugged")
    unsafe: bool = shared()


def run(arguments: Sequence[str]) -> int:
    """Run the verb; the exit status."""
    parser = build_parser()
    parts = split(arguments, parser)
    options = parser.read(parts.options)
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
        include=options.include,
        only=options.only,
        exclude=options.exclude,
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


def _at_terminal(target: Target, options: Options) -> None:
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


def build_parser() -> Parser[Options]:
    """The parser of all options."""
    return Parser(Options, prog="stripe debug", usage=USAGE, description=DESCRIPTION)
