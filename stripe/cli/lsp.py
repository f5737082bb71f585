"""``stripe lsp``: the language server."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from stripe.cli.grammar import Parser
from stripe.cli.options import option
from stripe.cli.servers import require_extra, tell_waiting

DESCRIPTION = """\
A language server on standard input and output. It is started by an editor; docs/editors.md
says how for VS Code, Neovim, Emacs and Helix."""


@dataclass(slots=True)
class Options:
    """What the command line asked for."""

    stdio: bool = option("what it does anyway; some editors say it")


def run(arguments: Sequence[str]) -> int:
    """Run the verb; the exit status."""
    build_parser().read(arguments)
    require_extra("pygls", "lsp", "The language server")
    tell_waiting("lsp", "an editor")
    from stripe.lsp.features import serve  # lazy

    return serve()


def build_parser() -> Parser[Options]:
    """The parser of all options."""
    return Parser(Options, prog="stripe lsp", description=DESCRIPTION)
