"""``stripe lsp``: the language server."""

from __future__ import annotations

from collections.abc import Sequence

from stripe.cli.grammar import Parser
from stripe.cli.output import write_lines
from stripe.cli.servers import require_extra, tell_waiting
from stripe.errors import ExitStatus

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
    require_extra("pygls", "lsp", "The language server")
    tell_waiting("lsp", "an editor")
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
