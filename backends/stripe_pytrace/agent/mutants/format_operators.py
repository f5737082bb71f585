"""Mutation operators of what formats values: format strings of both kinds, and f-strings."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from .expression_operators import Change

MOST = 12

_PERCENT = re.compile(r"%(?:\(\w+\))?[-+ 0#]*\d*(?:\.\d+)?[a-zA-Z]")
_BRACED = re.compile(r"\{\w*(?:![rsa])?(?::[^{}]*)?\}")
_LETTERS = {"d": "sfx", "s": "rd", "r": "s", "f": "dge", "g": "f", "x": "Xd", "X": "x", "e": "f"}


def formats(node: ast.expr) -> Iterator[Change]:
    """The changes of one expression, if it formats."""
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        found = dict.fromkeys(_texts(node.value))
        yield from (Change("format", 1, repr(text)) for text in list(found)[:MOST])
    elif isinstance(node, ast.JoinedStr):
        found = {ast.unparse(each): None for each in _joined(node)}
        yield from (Change("format", 1, text) for text in list(found)[:MOST])


def _texts(value: str) -> Iterator[str]:
    """A text with one of its fields otherwise."""
    for pattern in (_PERCENT, _BRACED):
        for field in pattern.finditer(value):
            for other in _fields(field[0]):
                yield value[: field.start()] + other + value[field.end() :]


def _fields(field: str) -> Iterator[str]:
    """One field otherwise."""
    if field.startswith("%"):
        for letter in _LETTERS.get(field[-1], ""):
            yield field[:-1] + letter
        yield from _numbers(field)
        return
    name, colon, spec = field[1:-1].partition(":")
    yield f"{{{name[:-2]}{colon}{spec}}}" if "!" in name else f"{{{name}!r{colon}{spec}}}"
    for other in _specs(spec):
        yield f"{{{name}:{other}}}"


def _specs(spec: str) -> Iterator[str]:
    """What is behind the colon otherwise."""
    yield from _numbers(spec)
    for one, other in (("<", ">"), (">", "<"), ("^", ">"), (",", "")):
        if one in spec:
            yield spec.replace(one, other)
    if spec and spec[-1] in _LETTERS:
        yield spec[:-1]
        for letter in _LETTERS[spec[-1]]:
            yield spec[:-1] + letter
    elif spec[-1:].isdigit():
        yield f">{spec}"


def _numbers(text: str) -> Iterator[str]:
    """A width or precision larger or smaller by one."""
    for number in re.finditer(r"[1-9]\d*|(?<=\.)0", text):
        for other in (int(number[0]) + 1, int(number[0]) - 1):
            if other >= 0:
                yield f"{text[: number.start()]}{other}{text[number.end() :]}"


def _joined(node: ast.JoinedStr) -> Iterator[ast.JoinedStr]:
    """An f-string with one field, or the text at one of its ends, otherwise."""
    for index, part in enumerate(node.values):
        for other in _pieces(part):
            yield ast.JoinedStr([*node.values[:index], other, *node.values[index + 1 :]])


def _pieces(part: ast.expr) -> Iterator[ast.expr]:
    if isinstance(part, ast.Constant) and isinstance(part.value, str):
        for text in (part.value.strip(), part.value[1:], part.value[:-1]):
            if text != part.value:
                yield ast.Constant(text)
    elif isinstance(part, ast.FormattedValue):
        plain = part.conversion == -1
        yield ast.FormattedValue(part.value, ord("r") if plain else -1, part.format_spec)
        spec = part.format_spec
        if isinstance(spec, ast.JoinedStr) and len(spec.values) == 1:
            written = getattr(spec.values[0], "value", None)
            for other in _specs(written) if isinstance(written, str) else ():
                fresh = ast.JoinedStr([ast.Constant(other)])
                yield ast.FormattedValue(part.value, part.conversion, fresh)
