"""What is tried on a Python program, pass after pass, each a list of units.

A unit is a line, or a place of the syntax tree that stays as it is: leaving it out applies a
transformation there.
"""

from __future__ import annotations

import ast
import warnings
from collections.abc import Generator, Sequence
from functools import cached_property
from typing import Any, Final

from stripe.dd import Configuration
from stripe.units.model import Flat, Pass
from stripe.units.python_edits import (
    TRANSFORMATIONS,
    Replacement,
    Site,
    Transformation,
    edited,
    sites,
)

__all__ = ["INVALID", "compiles", "passes"]

INVALID: Final = b"("
"""Stands for programs that cannot even be written."""


def passes(
    source: bytes, transformations: Sequence[Transformation] = TRANSFORMATIONS
) -> Generator[Pass, bytes]:
    """Yield one pass after the other, and be sent what each has left of the program.

    First lines. Then the program is written as its tree is written, in a uniform style without
    comments; if that still fails, the transformations follow. The program left may be gone
    through again, until that changes nothing.
    """
    valid = compiles(source)
    source = yield Pass("lines", Flat(source.splitlines(keepends=True)))
    if not valid:
        return
    uniform = Uniform(source)
    if uniform.written != source:
        source = yield Pass("uniform style", uniform)
        if uniform.written != source:
            return
    for transformation in transformations:
        source = yield Pass(transformation.name, Places(source, transformation), by_tree=True)


class Uniform:
    """One unit: that the program is written as it is, and not as its tree is."""

    hierarchical = False

    def __init__(self, source: bytes) -> None:
        self._source = source
        written = _written(ast.parse(source))
        self.written = source if written is None else written

    def __len__(self) -> int:
        return 1

    def parent(self, unit: int) -> int | None:
        return None

    def render(self, configuration: Configuration[int]) -> bytes:
        return self._source if configuration else self.written


class Places:
    """The nodes to which a transformation is not applied."""

    hierarchical = True

    def __init__(self, source: bytes, transformation: Transformation) -> None:
        self._source = source
        self._transformation = transformation

    def __reduce__(self) -> tuple[Any, ...]:
        return _again, (self._source, self._transformation.name)

    @cached_property
    def _tree(self) -> ast.Module:
        return ast.parse(self._source)

    @cached_property
    def _sites(self) -> list[Site]:
        return sites(self._tree, self._transformation)

    def __len__(self) -> int:
        return len(self._sites)

    def parent(self, unit: int) -> int | None:
        return self._sites[unit].parent

    def render(self, configuration: Configuration[int]) -> bytes:
        if len(configuration) == len(self._sites):
            return self._source
        kept = set(configuration)
        edits: dict[ast.AST, Replacement] = {}
        for number, site in enumerate(self._sites):
            if number not in kept:
                edits |= site.edits()
        written = _written(edited(self._tree, edits))
        return INVALID if written is None else written


def _again(source: bytes, name: str) -> Places:
    """The places in another process: functions do not travel."""
    return Places(source, next(each for each in TRANSFORMATIONS if each.name == name))


def compiles(source: bytes) -> bool:
    """Whether the program is valid for the Python that runs this."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            compile(source, "<program>", "exec", dont_inherit=True)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return False
    return True


def _written(tree: ast.Module) -> bytes | None:
    """Return the text of a tree, without blank lines; None for a tree that is no program."""
    try:
        text = ast.unparse(tree) + "\n" if tree.body else ""
        dense = "".join(f"{line}\n" for line in text.split("\n") if line.strip())
        if dense != text and not _same(dense, text):
            dense = text  # blank lines in a string
        return dense.encode()
    except Exception:  # whatever is wrong with it
        return None


def _same(one: str, other: str) -> bool:
    return ast.dump(ast.parse(one)) == ast.dump(ast.parse(other))
