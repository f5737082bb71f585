"""What a command line names that is read: no output may be written there."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from stripe.checks import Check
from stripe.reduce import Result

type Read = tuple[str, str | Path | int]


def of_arguments(words: Iterable[str], folder: Path = Path()) -> Iterator[Read]:
    """Arguments that name files, as a whole or behind ``=``."""
    for word in words:
        for name in {word, word.partition("=")[2]}:
            if name and "\0" not in name and os.path.exists(folder / name):
                yield f"{name!r}, an argument of the program", folder / name


def of_checks(checks: Iterable[Check], folder: Path = Path()) -> Iterator[Read]:
    """Files that checks look at, or run."""
    for check in checks:
        for part in check.parts:
            for name in part.named:
                if os.path.exists(folder / name):
                    yield f"{name!r}, a file of the check {part.spec!r}", folder / name


def of_program(
    program: str, arguments: Sequence[str], *, module: bool, folder: Path = Path()
) -> Iterator[Read]:
    """A program and what it is given."""
    if module:
        base = folder.joinpath(*program.split("."))
        for path in (base.with_suffix(".py"), base / "__init__.py", base / "__main__.py"):
            yield f"{str(path)!r}, the module", path
    else:
        yield f"{program!r}, the program", folder / program
    yield from of_arguments(arguments, folder)


def of_source(source: str) -> Iterator[Read]:
    """A result in a file."""
    yield ("standard input", 0) if source == "-" else (f"{source!r}, the result", source)


def of_result(source: str, result: Result) -> Iterator[Read]:
    """A result in a file, and what it says was run."""
    yield from of_source(source)
    target = result.target
    folder = Path() if target is None else target.directory
    for file in result.trace.files:
        yield f"{file.path!r}, which was traced", folder / file.path
    if target is not None:
        yield from of_program(target.program, target.arguments, module=target.module, folder=folder)
