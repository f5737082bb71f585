"""``stripe mcp``: the server for assistants."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from importlib.util import find_spec
from pathlib import Path

from stripe.cli.grammar import Parser
from stripe.cli.output import write_lines
from stripe.errors import ExitStatus, UsageError

USAGE = "stripe mcp [--project DIR]"

DESCRIPTION = """\
A server of the Model Context Protocol on standard input and output, for one project. It is started
by an assistant; docs/assistants.md says how, and what its tools answer."""


def run(arguments: Sequence[str]) -> int:
    """Run the verb; the exit status."""
    parser = build_parser()
    options = parser.parse_args(list(arguments))
    if options.help:
        write_lines([parser.format_help().rstrip()])
        return ExitStatus.OK
    if find_spec("mcp") is None:
        raise UsageError(
            "missing-extra",
            "The server for assistants needs the package mcp, which is not installed.",
            "Install it with: uv tool install 'stripe-trace[mcp]'",
        )
    project = Path(options.project or ".").absolute()
    if not project.is_dir():
        raise UsageError(
            "no-such-directory",
            f"There is no directory {str(project)!r}.",
            "Check --project: it names the folder that the project is in.",
        )
    if sys.stdin is not None and sys.stdin.isatty():
        sys.stderr.write("stripe mcp waits for an assistant to speak to it; Ctrl-C ends it.\n")
    from stripe.mcp.server import server_of  # lazy

    server_of(project).run("stdio")
    return ExitStatus.OK


def build_parser() -> Parser:
    """The parser of all options."""
    parser = Parser(prog="stripe mcp", usage=USAGE, description=DESCRIPTION)
    group = parser.add_argument_group("options")
    parser.option(
        group, "--project", metavar="DIR", help="the folder of the project (default: this one)"
    )
    parser.option(group, "-h", "--help", flag="store_true", help="this text")
    return parser
