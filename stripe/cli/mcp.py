"""``stripe mcp``: the server for assistants."""

from __future__ import annotations

import os
import signal
import threading
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from stripe.cli.grammar import Parser
from stripe.cli.options import option
from stripe.cli.servers import require_extra, tell_waiting
from stripe.errors import ExitStatus, UsageError
from stripe.interrupts import Terminated

USAGE = "stripe mcp [--project DIR]"

DESCRIPTION = """\
A server of the Model Context Protocol on standard input and output, for one project. It is started
by an assistant; docs/assistants.md says how, and what its tools answer."""


@dataclass(slots=True)
class Options:
    """What the command line asked for."""

    project: str | None = option("the folder of the project (default: this one)", "DIR")


def run(arguments: Sequence[str]) -> int:
    """Run the verb; the exit status."""
    options = build_parser().read(arguments)
    require_extra("mcp", "mcp", "The server for assistants")
    project = Path(options.project or ".").absolute()
    if not project.is_dir():
        raise UsageError(
            "no-such-directory",
            f"There is no directory {str(project)!r}.",
            "Check --project: it names the folder that the project is in.",
        )
    tell_waiting("mcp", "an assistant")
    from stripe.mcp.server import server_of  # lazy

    server = server_of(project)
    signalled = end_input_at_signals()
    server.run("stdio")
    if signalled and signalled[0] != signal.SIGINT:
        raise Terminated(signalled[0])
    return ExitStatus.INTERRUPTED if signalled else ExitStatus.OK


def end_input_at_signals() -> list[int]:
    """Let Ctrl-C, SIGTERM and SIGHUP end the server as the end of its input does; those that came.

    The SDK reads standard input in a thread, which nothing else can end: it would be waited for.
    """
    given = os.dup(0)
    reading, writing = os.pipe()
    os.dup2(reading, 0)
    os.close(reading)
    nowhere = os.open(os.devnull, os.O_WRONLY)
    signalled: list[int] = []

    def end(number: int | None = None, frame: object = None) -> None:
        if number is not None:
            signalled.append(number)
        os.dup2(nowhere, writing, inheritable=False)  # the number stays taken: it may be written to

    def pass_on() -> None:
        with suppress(OSError):  # the server reads no more
            while chunk := os.read(given, 1 << 16):
                while chunk:
                    chunk = chunk[os.write(writing, chunk) :]
        end()

    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, end)
    threading.Thread(target=pass_on, daemon=True).start()
    return signalled


def build_parser() -> Parser[Options]:
    """The parser of all options."""
    return Parser(Options, prog="stripe mcp", usage=USAGE, description=DESCRIPTION)
