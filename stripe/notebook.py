"""``%load_ext stripe``: the magic ``%%stripe`` traces a cell of a notebook.

The cell runs as a program of its own, in a fresh interpreter and a copy of the working
directory: it does not see the notebook's variables, nor change them.
"""

from __future__ import annotations

import os
import shlex
import tempfile
from pathlib import Path
from typing import Any

from stripe.cli.faces import claim_faces, write_faces
from stripe.cli.trace import build_parser, perform, read_options, reads
from stripe.errors import StripeError
from stripe.records import replace
from stripe.reduce import Result
from stripe.trace import SourceFile

NAME = "cell.py"


def load(shell: Any) -> None:
    """Add the magic to a running IPython."""
    shell.register_magic_function(magic, "cell", "stripe")


def magic(line: str, cell: str) -> Result | None:
    """The slices of a cell; ``line`` has the options of ``stripe trace``, then arguments.

    ``%%stripe --check stdout -- ARGUMENTS``
    """
    from IPython.core.error import UsageError

    try:
        return _trace_cell(shlex.split(line), cell)
    except (StripeError, ValueError) as error:
        raise UsageError(f"stripe: {error}") from None


def _trace_cell(words: list[str], cell: str) -> Result | None:
    """Run the cell as a program; ``None`` if only help was asked for."""
    with tempfile.TemporaryDirectory(prefix="stripe-cell-") as folder:
        program = Path(folder, NAME)
        program.write_text(cell, encoding="utf-8")
        options, parts = read_options([*before(words), str(program), *after(words)])
        if options.help:
            print(build_parser().format_help())
            return None
        if options.input is None and options.stdin is None:
            options.stdin = os.devnull
        writing = claim_faces(options, reads(options, parts))
        result = perform(options, parts)
    result.trace.files = [
        SourceFile(NAME, each.text) if Path(each.path).name == NAME else each
        for each in result.trace.files
    ]
    # The file is gone: there is nothing to verify the slice with.
    result = replace(result, command=("%%stripe",), target=None)
    write_faces(result, writing)
    writing.complain()
    return result


def before(words: list[str]) -> list[str]:
    """The options of stripe."""
    return words[: words.index("--")] if "--" in words else words


def after(words: list[str]) -> list[str]:
    """The arguments of the program, with the mark before them."""
    return words[words.index("--") :] if "--" in words else []
