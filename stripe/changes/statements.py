"""The statements of a source file, as spans of lines: Python by ast, C and C++ by tree-sitter."""

from __future__ import annotations

import ast
import re
import warnings
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from stripe.units.grammars import is_installed, parser_for, suffix_of

PYTHON = frozenset({"py", "pyi", "pyw"})
C = frozenset({"c", "h", "cc", "cpp", "cxx", "hpp", "hh", "hxx"})

SIMPLE, BLOCK, FUNCTION, CLASS, UNREAD = "simple", "block", "function", "class", "unread"
"""Kinds of statements: of a ``BLOCK`` (if, while, with, ...) the header governs the body.

What the parser does not understand, as where a macro stands for syntax, is ``UNREAD``: no line
belongs to it, and its text is its first line.
"""


@dataclass(slots=True)
class Statement:
    """A statement or definition; lines count from 0, and ``last`` is included.

    - ``head``: the last line of its header; of a simple statement, its last line
    - ``name``: of a function or class, with the names of those around it
    - ``around``: the number of the smallest statement around it, or -1
    - ``text``: its header's lines, without indentation
    """

    kind: str
    first: int
    head: int
    last: int
    name: str = ""
    around: int = -1
    text: bytes = b""


@dataclass(slots=True)
class Statements:
    """All statements of a file, each behind those around it.

    ``at``: for each line the number of the statement whose header has it (of a simple one, any of
    its lines); lines that belong to none, such as comments, are missing.
    """

    lines: int = 0
    """How many lines the file has."""
    all: Sequence[Statement] = ()
    at: dict[int, int] = field(default_factory=dict)

    def around(self, line: int) -> Iterator[int]:
        """The statements that a line is in, the smallest first."""
        number = self.at.get(line, -1)
        if number < 0:
            place = bisect_right(self.all, line, key=lambda each: each.first) - 1
            while place >= 0 and self.all[place].last < line:
                place = self.all[place].around
            number = place
        while number >= 0:
            yield number
            number = self.all[number].around


def statements_of(path: str, content: bytes) -> Statements | None:
    """The statements of a file; ``None``: its language is not read here, or it is not correct."""
    suffix = suffix_of(path)
    found: list[Statement] | None = None
    if suffix in PYTHON:
        found = _python(content)
    elif suffix in C and is_installed(path):
        found = _tree(parser_for(path).parse(content).root_node)
    return None if found is None else _numbered(found, content)


def _numbered(found: list[Statement], content: bytes) -> Statements:
    """Statements in order, with what is around each, their texts and lines."""
    lines = content.split(b"\n")
    found.sort(key=lambda each: (each.first, -each.last))
    at: dict[int, int] = {}
    enclosing: list[int] = []
    for number, each in enumerate(found):
        while enclosing and found[enclosing[-1]].last < each.first:
            enclosing.pop()
        each.around = enclosing[-1] if enclosing else -1
        if each.name and each.around >= 0:
            outer = next((found[n].name for n in reversed(enclosing) if found[n].name), "")
            each.name = f"{outer}.{each.name}" if outer else each.name
        each.text = b"\n".join(line.strip() for line in lines[each.first : each.head + 1])
        if each.kind == UNREAD:
            continue
        for line in range(each.first, each.head + 1):
            if line not in at or each.kind != SIMPLE:
                at[line] = number
        enclosing.append(number)
    for number, each in enumerate(found):
        if each.kind not in (SIMPLE, UNREAD) and re.match(rb"\s*[}#]", lines[each.last]):
            at.setdefault(each.last, number)  # what closes it belongs to its header
    return Statements(len(lines), found, at)


# --- Python


def _python(content: bytes) -> list[Statement] | None:
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            tree = ast.parse(content)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None
    return list(_python_statements(tree))


_HOLDING = ("body", "handlers", "orelse", "finalbody", "cases")
"""Where statements are in other ones; expressions have none."""


def _nodes(tree: ast.AST) -> Iterator[ast.stmt | ast.ExceptHandler | ast.match_case]:
    """All statements, handlers and cases in a syntax tree."""
    pending = [tree]
    while pending:
        held = pending.pop().__dict__
        for name in _HOLDING:
            if name in held:
                pending += held[name]
                yield from held[name]


def _python_statements(tree: ast.AST) -> Iterator[Statement]:
    for node in _nodes(tree):
        body = getattr(node, "body", None)
        if isinstance(node, ast.match_case):
            first, last = node.pattern.lineno - 1, (node.body[-1].end_lineno or 1) - 1
        else:
            decorators = getattr(node, "decorator_list", [])
            first = min([node.lineno, *(each.lineno for each in decorators)]) - 1
            last = (node.end_lineno or node.lineno) - 1
        if isinstance(node, ast.Match):
            yield Statement(BLOCK, first, max(first, node.cases[0].pattern.lineno - 2), last)
        elif not body:
            yield Statement(SIMPLE, first, last, last)
        else:
            head = max(first, _start_of(body[0]) - 1)
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
                yield Statement(FUNCTION, first, head, last, node.name)
            elif isinstance(node, ast.ClassDef):
                yield Statement(CLASS, first, head, last, node.name)
            else:
                yield Statement(BLOCK, first, head, last)
                yield from _branches(node)


def _branches(node: ast.AST) -> Iterator[Statement]:
    """The other branches of a statement: ``else`` and ``finally``, from behind what is before."""
    before = (getattr(node, "handlers", None) or getattr(node, "body", None) or [None])[-1]
    for name in ("orelse", "finalbody"):
        branch = getattr(node, name, None)
        if not branch or before is None:
            continue
        first, start = before.end_lineno or 1, _start_of(branch[0])
        if not (isinstance(branch[0], ast.If) and name == "orelse" and first >= start):
            yield Statement(BLOCK, first, max(first, start - 1), (branch[-1].end_lineno or 1) - 1)
        before = branch[-1]


def _start_of(node: ast.stmt) -> int:
    """The first line of a statement, from 0, with its decorators."""
    decorators: list[ast.expr] = getattr(node, "decorator_list", [])
    return min([node.lineno, *(each.lineno for each in decorators)]) - 1


# --- C

_UNIT = re.compile(
    r"(?:^|_)(?:statement|(?<!parameter_)declaration|definition)$|^enumerator$"
    r"|^preproc_(?:include|def|function_def|call)$"
)
_BLOCKS = re.compile(
    r"^(?:if|while|for|do|switch|case|try|for_range|labeled)_(?:statement|loop)$|^else_clause$"
    r"|^catch_clause$|^preproc_(?:if|ifdef|else|elif)$"
)
_NO_UNITS = frozenset({"compound_statement", "template_declaration"})
_CLASSES = frozenset({
    "namespace_definition", "struct_specifier", "class_specifier", "union_specifier",
    "enum_specifier", "linkage_specification",
})  # fmt: skip
_READ_IN_PARTS = _CLASSES | {
    "translation_unit", "function_definition", "compound_statement", "declaration_list",
    "field_declaration_list", "preproc_if", "preproc_ifdef", "preproc_else", "preproc_elif",
}  # fmt: skip
"""Of these what is around an error is read."""


def _tree(root: Any) -> list[Statement] | None:
    if root.type == "ERROR":
        return None
    found: list[Statement] = []
    pending = [root]
    while pending:
        node = pending.pop()
        kind, above = node.type, node.parent
        if node.has_error and kind not in _READ_IN_PARTS:
            row = node.start_point[0]
            found.append(Statement(UNREAD, row, row, _last_line(node)))
            continue
        pending += node.children
        is_template = above is not None and above.type == "template_declaration"
        first, last = (above if is_template else node).start_point[0], _last_line(node)
        body = node.child_by_field_name("body") or node.child_by_field_name("consequence")
        if kind == "else_clause":
            body = next((each for each in reversed(node.children) if each.is_named), None)
        if kind == "function_definition":
            found.append(Statement(FUNCTION, first, _head(first, body, last), last, _name(node)))
        elif kind in _CLASSES and body is not None:
            name = node.child_by_field_name("name")
            text = name.text.decode("utf-8", "replace") if name is not None else ""
            found.append(Statement(CLASS, first, _head(first, body, last), last, text))
        elif _BLOCKS.match(kind):
            head = first if body is None else _head(first, body, last)
            found.append(Statement(BLOCK, first, head, last))
        elif _UNIT.search(kind) and kind not in _NO_UNITS:
            inner = any(each.type in _CLASSES for each in node.children)
            found.append(Statement(SIMPLE, first, first if inner else last, last))
    return found


def _head(first: int, body: Any, last: int) -> int:
    """The last line of a header: with the brace, if there is one, else before the body."""
    if body is None:
        return last
    start: int = body.start_point[0]
    braced = bool(body.children) and body.children[0].type == "{"
    return max(first, start if braced else start - 1)


def _last_line(node: Any) -> int:
    """The last line with something of a node on it."""
    row: int
    row, column = node.end_point
    return row - 1 if column == 0 and row > node.start_point[0] else row


def _name(node: Any) -> str:
    """The name in a definition: of a C function it is within declarators."""
    while node is not None:
        inner = node.child_by_field_name("declarator")
        if inner is None:
            return str(node.text.decode("utf-8", "replace"))
        node = inner
    return ""
