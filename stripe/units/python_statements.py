"""The statements of a Python program as units within units, written as they stand in it.

A unit is a statement with the comments and blank lines before it, its decorators included; within a
compound one lie those of its body, and its other clauses. A block of which nothing is left is a
``pass``.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence

from stripe.units.model import ROOT, Node, Tree


def statements(source: bytes) -> Tree:
    """The statements of a program that compiles, by whole lines."""
    return _Reader(source).tree()


class _Reader:
    """Gives every line to a unit, from the first on."""

    def __init__(self, source: bytes) -> None:
        self._lines = source.splitlines(keepends=True)
        self._module = ast.parse(source)
        self._nodes: list[Node] = []
        self._done = 0  # lines that have a unit

    def tree(self) -> Tree:
        self._block(ROOT, self._module.body)
        if self._done < len(self._lines):
            self._nodes.append(Node(start=self._up_to(len(self._lines))))
        return Tree(self._nodes)

    def _up_to(self, line: int) -> bytes:
        """The lines that have no unit yet, up to that number."""
        text = b"".join(self._lines[self._done : line])
        self._done = max(line, self._done)
        return text

    def _block(self, around: int, body: Sequence[ast.stmt]) -> None:
        for statement in body:
            end = statement.end_lineno or statement.lineno
            if end > self._done:  # else it is on the line of the one before
                self._statement(around, statement, end)

    def _statement(self, around: int, statement: ast.stmt, end: int) -> None:
        blocks = list(_blocks(statement))
        number = len(self._nodes)
        if not blocks or self._first(blocks[0]) <= self._done + 1:
            self._nodes.append(Node(around, start=self._up_to(end)))
            return
        head = self._first(blocks[0]) - 1
        if isinstance(statement, ast.Match):
            self._nodes.append(Node(around, start=self._up_to(statement.subject.end_lineno or 0)))
        else:
            self._nodes.append(self._headed(around, head))
            self._block(number, blocks.pop(0))
        for block in blocks:
            clause = len(self._nodes)
            first = self._first(block)
            if first <= self._done + 1:  # its word is on its line
                self._nodes.append(Node(number, start=self._up_to(block[-1].end_lineno or 0)))
                self._nodes[clause].is_clause = True
                continue
            self._nodes.append(self._headed(number, first - 1))
            self._nodes[clause].is_clause = True
            self._block(clause, block)

    def _headed(self, around: int, line: int) -> Node:
        """A unit with a block in it, whose head ends with that line."""
        inner = self._lines[line]
        indentation = inner[: len(inner) - len(inner.lstrip())]
        return Node(around, start=self._up_to(line), hollow=indentation + b"pass\n")

    def _first(self, block: Sequence[ast.stmt]) -> int:
        """The line in which a block begins, with its decorators."""
        first = block[0]
        decorators: list[ast.expr] = getattr(first, "decorator_list", [])
        return min([first.lineno, *(each.lineno for each in decorators)])


def _blocks(statement: ast.AST) -> Iterator[list[ast.stmt]]:
    """The blocks of a compound statement in their order; those of ``elif`` follow the ``if``'s."""
    if isinstance(statement, ast.Match):
        yield from (case.body for case in statement.cases)
        return
    body = getattr(statement, "body", None)
    if not isinstance(body, list):
        return
    yield body
    for handler in getattr(statement, "handlers", ()):
        yield handler.body
    others = getattr(statement, "orelse", [])
    if isinstance(statement, ast.If) and len(others) == 1 and _is_elif(statement, others[0]):
        yield from _blocks(others[0])
    elif others:
        yield others
    if finally_ := getattr(statement, "finalbody", []):
        yield finally_


def _is_elif(statement: ast.If, other: ast.stmt) -> bool:
    return isinstance(other, ast.If) and other.col_offset == statement.col_offset
