"""``stripe lsp``: the language server."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from importlib.util import find_spec

from stripe.cli.grammar import Parser
from stripe.cli.output import write_lines
from stripe.errors import ExitStatus, UsageError

USAGE = "stripe lsp"

DESCRIPTION = """\
A language server on standard input and output. It is started by an editor; docs/editors.md
says how for VS Code, Neovim, Emacs and Helix."""


def run(arguments: Sequence[str]) -> int:
    """Run the verb; the exit status."""
    parser = build_parser()
    if parser.parse_args(list(arguments)).help:
        write_lines([parser.format_help().rstrip()])
        return ExitStatus.OK
    if find_spec("pygls") is None:
        raise UsageError(
            "missing-extra",
            "The language server needs the package pygls, which is not installed.",
            "Install it with: uv tool install 'stripe-trace[lsp]'",
        )
    if sys.stdin is not None and sys.stdin.isatty():
        sys.stderr.write("stripe lsp waits for an editor to speak to it; Ctrl-C ends it.\n")
    from stripe.lsp.features import serve  # lazy

    return serve()


def build_parser() -> Parser:
    """The parser of all options."""
    parser = Parser(prog="stripe lsp", usage=USAGE, description=DESCRIPTION)
    group = parser.add_argument_group("options")
    parser.option(
        group, "--stdio", flag="store_true", help="what it does anyway; some editors say it"
    )
    parser.option(group, "-h", "--help", flag="store_true", help="this text")
    return parser
