"""``stripe notebook``: what the magics ``%%stripe`` and ``%%why`` of a notebook ask.

The cell runs as a program of its own, in a fresh interpreter and a copy of the working
directory: it does not see the notebook's variables, nor change them.  One that uses names of other
cells is refused: its own ``NameError`` is not what the user asks about.
"""

from __future__ import annotations

import builtins
import json
import os
import shlex
import symtable
import sys
from collections.abc import Collection, Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from stripe.cli import why as of_why
from stripe.cli.grammar import HelpWanted, NoOptions, Parser
from stripe.cli.output import write_lines
from stripe.cli.report_options import Writing, claim_forms, write_forms
from stripe.cli.trace import Options, perform, read_options, reads
from stripe.errors import ExitStatus, UsageError
from stripe.reduce import RecordedRun
from stripe.report import Style, fragment
from stripe.report.why import why_lines
from stripe.results.why import from_json
from stripe.sandbox.scratch import Scratch
from stripe.trace import SourceFile

DESCRIPTION = """\
Answers the magics %%stripe and %%why of a notebook (%load_ext stripe_magic): reads a cell from
standard input and writes what the notebook shows, both as JSON."""

NAME = "cell.py"

MAGICS = {"trace": "stripe", "why": "why"}


@dataclass(frozen=True, slots=True)
class Cell:
    """What is asked: ``{"verb": ..., "line": ..., "cell": ..., "names": [...], "python": ...}``."""

    verb: str
    """``trace`` or ``why``."""
    words: list[str]
    """The options of the verb, then ``--`` and arguments."""
    text: str
    names: list[str]
    """Names that other cells have set."""
    python: str
    """The notebook's interpreter, which runs the cell if no other is named."""


def run(arguments: Sequence[str]) -> int:
    """Run the verb; the exit status."""
    build_parser().read(arguments)
    if sys.stdin is not None and sys.stdin.isatty():
        sys.stderr.write("stripe notebook waits for a notebook to speak to it; Ctrl-C ends it.\n")
    write_lines([json.dumps(answer(read_cell(sys.stdin.read())))])
    return ExitStatus.OK


def build_parser() -> Parser[NoOptions]:
    """The parser of all options."""
    return Parser(NoOptions, prog="stripe notebook", description=DESCRIPTION)


def read_cell(text: str) -> Cell:
    """Read what is asked.

    Raises :class:`~stripe.errors.UsageError`: ``bad-arguments``, ``bad-option``.
    """
    try:
        asked = json.loads(text)
        line, cell, names, python = (asked[name] for name in ("line", "cell", "names", "python"))
        verb = asked.get("verb", "trace")  # a plugin of 0.1 has no other
        if not all(isinstance(each, str) for each in (line, cell, python, *names)):
            raise TypeError
        if verb not in ("trace", "why"):
            raise ValueError
    except (ValueError, LookupError, TypeError):
        raise UsageError(
            "bad-arguments",
            "Standard input has no cell of a notebook.",
            "In a notebook: %load_ext stripe_magic. A program is traced by stripe trace PROGRAM.",
        ) from None
    try:
        return Cell(verb, shlex.split(line), cell, names, python)
    except ValueError as error:
        raise UsageError(
            "bad-option", f"%%{MAGICS[verb]} {line}: {error}.", "Quote words as in a shell."
        ) from None


def answer(asked: Cell) -> dict[str, Any]:
    """The answer for a cell: what it printed, and how a notebook shows the result.

    Raises all that the verb raises, and ``names-of-cells``.
    """
    require_own_names(asked.text, asked.names)
    with closing(Scratch()) as scratch:
        program = scratch.path / NAME
        program.write_text(asked.text, encoding="utf-8")
        # Behind it an option that lacks its value takes no program for that.
        words = [str(program), *asked.words]
        try:
            return {"trace": slices, "why": why}[asked.verb](asked, program, words)
        except HelpWanted as help:
            return {"stdout": f"{help}\n", "stderr": "", "result": None}


def why(asked: Cell, program: Path, words: list[str]) -> dict[str, Any]:
    """Why a cell fails, or prints what it prints: a screen of text."""
    options, parts, _ = of_why.read_options(words)
    complete(options, asked)
    writing = claim_forms(options, list(of_why.reads(options, parts)), "why-result")
    require_files(writing)
    found = of_why.perform(options, parts)
    # The file is gone: what is typed next is in the notebook.
    output = found.happened.first + len(found.happened.output) - 1
    line = [(f"%%why --line {output}", "why it prints that line")] if found.happened.output else []
    told = {**found.to_json(), "following": line}
    document = from_json(named_cell(told, program), "the answer")
    write_forms(document, writing, "why-result", document.sources)
    writing.complain()
    style = Style(full=options.all, verbose=bool(options.verbose))
    return {
        "stdout": "",
        "stderr": "",
        "text": "\n".join(why_lines(document, style, "%%why --all")),
        "html": None,
        "result": document.to_json(),
    }


def named_cell(data: Any, program: Path) -> Any:
    """JSON data in which the file of the cell has the cell's name."""
    if isinstance(data, str):
        return data.replace(str(program), NAME).replace(str(program).lstrip("/"), NAME)
    if isinstance(data, list | tuple):
        return [named_cell(each, program) for each in data]
    if isinstance(data, dict):
        return {name: named_cell(each, program) for name, each in data.items()}
    return data


def complete(options: Options | of_why.Options, asked: Cell) -> None:
    """What a notebook has no command line for: no input, and its own interpreter."""
    if options.input is None and options.stdin is None:
        options.stdin = os.devnull
    options.python = options.python or asked.python


def require_files(writing: Writing) -> None:
    """Refuse to write to standard output, which a notebook has not."""
    if writing.standard:
        raise UsageError(
            "bad-option", "A notebook has no standard output.", "Name a file: --json FILE"
        )


def slices(asked: Cell, program: Path, words: list[str]) -> dict[str, Any]:
    """The critical slices of a cell."""
    options, parts = read_options(words)
    complete(options, asked)
    writing = claim_forms(options, reads(options, parts), "result")
    require_files(writing)
    result = perform(options, parts, outputs=writing.files)
    result.trace.files = [
        SourceFile(NAME, each.text, each.elsewhere) if Path(each.path).name == NAME else each
        for each in result.trace.files
    ]
    # The file is gone: there is nothing to verify the slice with.
    recorded = named_run(result.recorded, program)
    result = replace(result, command=("%%stripe",), target=None, recorded=recorded)
    write_forms(result, writing, "result", result.sources)
    writing.complain()
    return {
        "stdout": "" if recorded is None else recorded.stdout,
        "stderr": "" if recorded is None else recorded.stderr,
        "text": result.brief,
        "html": fragment(result),
        "result": result.to_json(),
    }


def named_run(recorded: RecordedRun | None, program: Path) -> RecordedRun | None:
    """What a run did, in which the file of the cell has the cell's name."""
    if recorded is None:
        return None
    exception = recorded.exception
    if exception is not None:
        texts = ("message", "file", "innermost")
        named = {each: named_cell(getattr(exception, each), program) for each in texts}
        exception = replace(exception, **named)
    stdout, stderr = named_cell((recorded.stdout, recorded.stderr), program)
    return replace(recorded, stdout=stdout, stderr=stderr, exception=exception)


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
            if symbol.is_referenced() and symbol.is_global():
                read.add(name)
    return {name for name in read - own if not hasattr(builtins, name)}


def _is_set(symbol: symtable.Symbol) -> bool:
    return symbol.is_assigned() or symbol.is_imported() or symbol.is_namespace()


def _tables(table: symtable.SymbolTable) -> Iterator[symtable.SymbolTable]:
    """A table and those below it."""
    yield table
    for each in table.get_children():
        yield from _tables(each)
