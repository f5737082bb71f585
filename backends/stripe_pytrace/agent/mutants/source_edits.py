"""A delta as a change of the file's text, for people; it means what the changed tree means."""

from __future__ import annotations

import ast
import io
import itertools
import re
import tokenize
from collections.abc import Iterator
from typing import Any

from .deltas import AFTER, BEFORE, REPLACE, SWAP, TOGETHER, Parsed


def rewritten(file: Parsed, number: int, how: str, text: str) -> str | None:
    """The file after the change; ``None`` if it cannot be written by changing that place alone."""
    wanted_file = Parsed(file.path, file.source)
    wanted_file.apply(number, how, text)
    wanted = ast.dump(wanted_file.tree)
    for attempt in _attempts(file, number, how, text):
        try:
            if ast.dump(ast.parse(attempt)) == wanted:
                return attempt.decode("utf-8", "replace")
        except SyntaxError:
            continue
    return None


def _attempts(file: Parsed, number: int, how: str, text: str) -> Iterator[bytes]:
    node: Any = file.nodes[number]
    source = file.source
    if how == REPLACE:
        yield from _smallest(source, node, text)
    begin, end = _span(source, node)
    if not isinstance(node, ast.stmt):
        for form in (text, f"({text})"):
            yield source[:begin] + form.encode() + source[end:]
        return
    lines = source.splitlines(keepends=True)
    starts = _starts(lines)
    prefix = lines[node.lineno - 1][: node.col_offset]
    if prefix.strip():
        return  # another statement is before it in its line
    indented = text.replace("\n", "\n" + prefix.decode()).rstrip().encode()
    begin -= len(prefix)
    if how == REPLACE:
        yield source[:begin] + prefix + indented + source[end:]
        return
    rest = source[end:]
    cut = rest.find(b"\n") + 1 or len(rest)
    if how == BEFORE:
        yield source[:begin] + prefix + indented + b"\n" + source[begin:]
    elif how == AFTER:
        head = source[: end + cut]
        yield (
            head + (b"" if head.endswith(b"\n") else b"\n") + prefix + indented + b"\n" + rest[cut:]
        )
    elif how == SWAP or how in TOGETHER:
        parent, field, _ = file.place[node]
        block = getattr(parent, field)
        later: Any = block[block.index(node) + TOGETHER.get(how, 2) - 1]
        if how in TOGETHER:
            end = starts[later.end_lineno - 1] + later.end_col_offset
            yield source[:begin] + prefix + indented + source[end:]
            return
        first, last = starts[later.lineno - 1], starts[later.end_lineno or later.lineno]
        middle = starts[int(node.end_lineno or 0)]
        moved = source[first:last]
        moved += b"" if moved.endswith(b"\n") else b"\n"
        yield source[:begin] + moved + source[begin:middle] + source[middle:first] + source[last:]


def _starts(lines: list[bytes]) -> list[int]:
    starts = [0]
    for line in lines:
        starts.append(starts[-1] + len(line))
    return starts


def _span(source: bytes, node: Any) -> tuple[int, int]:
    """Where a node begins and ends, in bytes."""
    starts = _starts(source.splitlines(keepends=True))
    return (
        starts[node.lineno - 1] + node.col_offset,
        starts[node.end_lineno - 1] + node.end_col_offset,
    )


# --- no more than what differs


def _smallest(source: bytes, node: Any, text: str) -> Iterator[bytes]:
    """The source with the innermost expression replaced by which a node and a text differ.

    What is around it stays as it is written: line breaks, quotes, comments.
    """
    (statement, *more) = ast.parse(text).body or [ast.Pass()]
    if more:
        return
    new: Any = statement
    if isinstance(node, ast.expr):
        if not isinstance(statement, ast.Expr):
            return
        new = statement.value
    old, new = _innermost(node, new)
    spans: list[tuple[Any, Any]] = []
    symbols: list[tuple[Any, Any]] = []
    if isinstance(old, ast.BinOp) and isinstance(new, ast.BinOp):
        spans = [(old.left, old.right)]
        symbols = [(old.op, new.op)]
    elif isinstance(old, ast.Compare) and isinstance(new, ast.Compare):
        operands = [old.left, *old.comparators]
        spans = list(itertools.pairwise(operands))
        symbols = list(zip(old.ops, new.ops, strict=False))
    for (left, right), (was, now) in zip(spans, symbols, strict=False):
        if type(was) is not type(now):
            begin, end = _span(source, left)[1], _span(source, right)[0]
            between = source[begin:end].replace(_symbol(was), _symbol(now), 1)
            yield source[:begin] + between + source[end:]
    if not isinstance(old, ast.expr):
        return
    begin, end = _span(source, old)
    if isinstance(old, ast.Constant) and isinstance(new, ast.Constant):
        written = source[begin:end].decode()
        if isinstance(old.value, str) and isinstance(new.value, str):
            literal = in_literal(written, old.value, new.value)
            if literal is not None:
                yield source[:begin] + literal.encode() + source[end:]
    for form in (ast.unparse(new), f"({ast.unparse(new)})"):
        yield source[:begin] + form.encode() + source[end:]


def _innermost(old: Any, new: Any) -> tuple[Any, Any]:
    """The smallest parts of two trees that have a place in the source and hold all that differs."""
    best = old, new
    while type(old) is type(new):
        differing = []
        for name, one in ast.iter_fields(old):
            other = getattr(new, name)
            if isinstance(one, list) and isinstance(other, list):
                if len(one) != len(other):
                    return best
                differing += [pair for pair in zip(one, other, strict=True) if _unlike(*pair)]
            elif _unlike(one, other):
                differing.append((one, other))
        if len(differing) != 1 or not all(isinstance(each, ast.AST) for each in differing[0]):
            return best
        old, new = differing[0]
        if isinstance(old, ast.expr) and isinstance(new, ast.expr):
            best = old, new
    return best


def _unlike(one: Any, other: Any) -> bool:
    if isinstance(one, ast.AST) and isinstance(other, ast.AST):
        return ast.dump(one) != ast.dump(other)
    return type(one) is not type(other) or bool(one != other)


def _symbol(operator: Any) -> bytes:
    """How an operator is written."""
    name = ast.Name("a")
    node = (
        ast.Compare(name, [operator], [name])
        if isinstance(operator, ast.cmpop)
        else ast.BinOp(name, operator, name)
    )
    return ast.unparse(node)[1:-1].strip().encode()


# --- within a string

_LITERAL = re.compile(r"([A-Za-z]*)(\"\"\"|'''|\"|')")
_SIGN = re.compile(r"\\(?:\r?\n|x..|u.{4}|U.{8}|N\{[^}]*\}|[0-7]{1,3}|.)|.", re.DOTALL)


def in_literal(written: str, old: str, new: str) -> str | None:
    """A string literal, or some beside each other, edited where its value changes; or none."""
    first = 0
    while first < min(len(old), len(new)) and old[first] == new[first]:
        first += 1
    rest = 0
    while rest < min(len(old), len(new)) - first and old[-1 - rest] == new[-1 - rest]:
        rest += 1
    removed, added = len(old) - first - rest, new[first : len(new) - rest]
    try:
        parts = list(_parts(written))
    except (tokenize.TokenError, SyntaxError, IndexError):
        return None
    for begin, end in parts:
        part = written[begin:end]
        value = ast.literal_eval(part)
        if not isinstance(value, str):
            return None
        if first + removed <= len(value):
            edited = _edited(part, first, removed, added)
            return None if edited is None else written[:begin] + edited + written[end:]
        first -= len(value)
        if first < 0:
            return None  # it goes over the end of one of them
    return None


def _parts(written: str) -> Iterator[tuple[int, int]]:
    """Where the literals are of which a string is put together."""
    lines = written.splitlines(keepends=True)
    starts = [0]
    for line in lines:
        starts.append(starts[-1] + len(line))
    # In brackets, they may be in several lines.
    for token in tokenize.generate_tokens(io.StringIO(f"(\n{written}\n)").readline):
        if token.type == tokenize.STRING:
            yield (
                starts[token.start[0] - 2] + token.start[1],
                starts[token.end[0] - 2] + token.end[1],
            )


def _edited(literal: str, first: int, removed: int, added: str) -> str | None:
    """One literal with signs of its value replaced, as it is written otherwise."""
    head = _LITERAL.match(literal)
    if head is None:
        return None
    prefix, quote = head.groups()
    body = literal[head.end() : -len(quote)]
    raw = "r" in prefix.lower()
    signs = list(body) if raw else [each[0] for each in _SIGN.finditer(body)]
    if not raw:
        new_line = "\n" if len(quote) == 3 else "\\n"
        added = added.replace("\\", "\\\\").replace("\n", new_line).replace(quote, f"\\{quote}")
    values = [sign for sign in signs if raw or not re.fullmatch(r"\\\r?\n", sign)]
    if len(values) != len(signs):
        return None  # lines that go on in the next one
    before, after = "".join(signs[:first]), "".join(signs[first + removed :])
    return f"{prefix}{quote}{before}{added}{after}{quote}"
