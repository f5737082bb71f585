"""``%load_ext stripe``: the magic ``%%stripe`` traces a cell of a notebook.

The cell runs as a program of its own, in a fresh interpreter and a copy of the working
directory: it does not see the notebook's variables, nor change them.  One that uses names of other
cells is refused: its own ``NameError`` is not what the user asks about.
"""

from __future__ import annotations

import builtins
import os
import shlex
import symtable
import sys
from collections.abc import Collection, Iterator
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import Any

from stripe.cli.faces import claim_faces, write_faces
from stripe.cli.trace import build_parser, perform, read_options, reads
from stripe.errors import StripeError, UsageError
from stripe.reduce import Result
from stripe.sandbox.scratch import Scratch
from stripe.trace import SourceFile

NAME = "cell.py"

OURS = ("In", "Out", "get_ipython", "exit", "quit", "open", "display")
"""Names that the shell itself sets in a notebook."""


def load(shell: Any) -> None:
    """Add the magic to a running IPython."""

    def of_shell(line: str, cell: str) -> Result | None:
        return magic(line, cell, [each for each in shell.user_ns if each not in OURS])

    of_shell.__doc__ = magic.__doc__
    shell.register_magic_function(of_shell, "cell", "stripe")


def magic(line: str, cell: str, defined: Collection[str] = ()) -> Result | None:
    """The slices of a cell; ``line`` has the options of ``stripe trace``, then arguments.

    ``defined``: the names that other cells have set.

    ``%%stripe --check stdout -- ARGUMENTS``
    """
    from IPython.core.error import UsageError as ShellError

    try:
        require_own_names(cell, defined)
        return _trace_cell(shlex.split(line), cell)
    except (StripeError, ValueError) as error:
        raise ShellError(f"stripe: {error}") from None


def _trace_cell(words: list[str], cell: str) -> Result | None:
    """Run the cell as a program; ``None`` if only help was asked for."""
    with closing(Scratch()) as scratch:
        program = scratch.path / NAME
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
        SourceFile(NAME, each.text, each.elsewhere) if Path(each.path).name == NAME else each
        for each in result.trace.files
    ]
    # The file is gone: there is nothing to verify the slice with.
    result = replace(result, command=("%%stripe",), target=None)
    if result.recorded is not None:
        print(result.recorded.stdout, end="")
        print(result.recorded.stderr, end="", file=sys.stderr)
    write_faces(result, writing)
    writing.complain()
    return result


def require_own_names(cell: str, defined: Collection[str]) -> None:
    """Refuse a cell that needs what other cells have ``defined``; it runs without them.

    Raises :class:`~stripe.errors.UsageError` (``names-of-cells``).
    """
    names = sorted(_free_names(cell) & set(defined))
    if names:
        told = ", ".join(names)
        raise UsageError(
            "names-of-cells",
            f"The cell uses {told}, which other cells define. A traced cell runs as a program of "
            "its own, in a fresh interpreter, and does not see them.",
            "Put what defines them into this cell, or into a file beside the notebook that the "
            "cell imports.",
        )


def _free_names(cell: str) -> set[str]:
    """The global names that a cell reads and never sets; of one that does not parse, none."""
    try:
        table = symtable.symtable(cell, NAME, "exec")
    except SyntaxError:
        return set()
    own = {each.get_name() for each in table.get_symbols() if _is_set(each)}
    read = set()
    for each in _tables(table):
        for symbol in each.get_symbols():
            name = symbol.get_name()
            if symbol.is_declared_global() and symbol.is_assigned():
                own.add(name)
            if symbol.is_referenced() and (symbol.is_global() or each is table):
                read.add(name)
    return {name for name in read - own if not hasattr(builtins, name)}


def _is_set(symbol: symtable.Symbol) -> bool:
    return symbol.is_assigned() or symbol.is_imported() or symbol.is_namespace()


def _tables(table: symtable.SymbolTable) -> Iterator[symtable.SymbolTable]:
    """A table and those below it."""
    yield table
    for each in table.get_children():
        yield from _tables(each)


def before(words: list[str]) -> list[str]:
    """The options of stripe."""
    return words[: words.index("--")] if "--" in words else words


def after(words: list[str]) -> list[str]:
    """The arguments of the program, with the mark before them."""
    return words[words.index("--") :] if "--" in words else []
