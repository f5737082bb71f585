"""What is tried on a Python program, pass after pass, each a list of units.

A unit is a line, or a place of the syntax tree that stays as it is: leaving it out applies a
transformation there.
"""

from __future__ import annotations

import ast
from collections.abc import Generator, Sequence
from functools import cached_property
from itertools import accumulate
from typing import Any

from stripe.dd import Configuration
from stripe.units.model import Beside, Flat, Pass
from stripe.units.python_edits import (
    DELETIONS,
    TRANSFORMATIONS,
    Replacement,
    Site,
    Transformation,
    edited,
    sites,
)
from stripe.units.python_names import Inlined, Unified, variables
from stripe.units.python_statements import statements
from stripe.units.python_text import INVALID, compiles, written


def passes(
    source: bytes, transformations: Sequence[Transformation] = TRANSFORMATIONS
) -> Generator[Pass, bytes]:
    """Yield one pass after the other, and be sent what each has left of the program.

    First statements, then lines. Then the program is written as its tree is written, in a
    uniform style without comments; if that still fails, the transformations follow. Before the
    first one that replaces something, there are to be fewer variables. The program left may be
    gone through again, until that changes nothing.
    """
    valid = compiles(source)
    if valid:
        source = yield Pass("statements", statements(source))
    source = yield Pass("lines", Flat(source.splitlines(keepends=True)))
    if not valid:
        return
    uniform = Uniform(source)
    if uniform.written != source:
        source = yield Pass("uniform style", uniform)
        if uniform.written != source:
            return
    deletes = True
    for transformation in transformations:
        if deletes and transformation not in DELETIONS:
            deletes = False
            source = yield from _fewer_variables(source)
        source = yield Pass(transformation.name, Places(source, transformation), by_tree=True)


def _fewer_variables(source: bytes) -> Generator[Pass, bytes, bytes]:
    """When most is gone, but no more is certified yet that would be tested anew for new names."""
    source = yield Pass("variable by its value", Inlined(source), by_tree=True)
    for name in variables(source):
        others = Unified(source, name)
        if len(others):
            source = yield Pass("two variables by one", others, by_tree=True)
    return source


class Uniform(Beside):
    """One unit: that the program is written as it is, and not as its tree is."""

    def __init__(self, source: bytes) -> None:
        self._source = source
        text = written(ast.parse(source))
        self.written = source if text is None else text

    def __len__(self) -> int:
        return 1

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

    @cached_property
    def _weights(self) -> list[int]:
        starts = [0, *accumulate(map(len, self._source.splitlines(keepends=True)))]
        weights = [_length(site.node, starts) for site in self._sites]
        for whole, site in reversed(list(zip(tuple(weights), self._sites, strict=True))):
            if site.parent is not None:
                weights[site.parent] -= whole
        return [max(1, own) for own in weights]

    def weight(self, unit: int) -> int:
        """The bytes of the node, but for those of nodes within it."""
        return self._weights[unit]

    def render(self, configuration: Configuration[int]) -> bytes:
        if len(configuration) == len(self._sites):
            return self._source
        kept = set(configuration)
        edits: dict[ast.AST, Replacement] = {}
        for number, site in enumerate(self._sites):
            if number not in kept:
                edits |= site.edits()
        text = written(edited(self._tree, edits))
        return INVALID if text is None else text


def _length(node: ast.AST, starts: Sequence[int]) -> int:
    """The bytes of a node; what has no place of its own, as parameters together, has none."""
    if not isinstance(node, ast.stmt | ast.expr | ast.excepthandler | ast.arg | ast.keyword):
        return 0
    first, last = node.lineno, node.end_lineno or node.lineno
    end = starts[last - 1] + (node.end_col_offset or 0)
    return end - starts[first - 1] - node.col_offset


def _again(source: bytes, name: str) -> Places:
    """The places in another process: functions do not travel."""
    return Places(source, next(each for each in TRANSFORMATIONS if each.name == name))
