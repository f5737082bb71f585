"""The tokens of C, C++ or Rust source, cut into statements by punctuation alone.

No parser: what it gets wrong costs tests, never a wrong slice (see ``effects.py``).
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field

TOKEN = re.compile(
    r"""(?P<space>\s+|//[^\n]*|/\*.*?\*/|^[ \t]*\#(?:\\\n|[^\n])*)
      | (?P<text>(?:[LuUbrR]|u8)?"(?:\\.|[^"\\])*"|(?:[LuUb])?'(?:\\(?:.|\n)[^']*|[^'\\\n])')
      | (?P<number>\.?\d(?:[eEpP][-+]|[\w.])*)
      | (?P<name>[^\W\d]\w*)
      | (?P<mark><<=|>>=|\.\.=|->|\+\+|--|<<|>>|&&|\|\||::|=>|==|!=|<=|>=|[-+*/%&|^]=|.)""",
    re.VERBOSE | re.DOTALL | re.MULTILINE,
)
"""Preprocessor lines count as space; so do Rust's attributes, which begin alike."""

OPENING, CLOSING = "([", ")]"


@dataclass(frozen=True, slots=True)
class Token:
    """``kind``: ``text``, ``number``, ``name`` or ``mark``."""

    kind: str
    text: str
    line: int


@dataclass(slots=True)
class Phrase:
    """What stands between two of ``;``, ``{`` and ``}``: a statement, a header, a declaration.

    ``end`` is the mark it ends with, ``depth`` the number of braces around it, ``scope`` the
    phrase before the innermost of them.
    """

    tokens: list[Token] = field(default_factory=list)
    end: str = ""
    depth: int = 0
    scope: Phrase | None = None

    @property
    def first(self) -> int:
        """The line it begins in."""
        return self.tokens[0].line

    @property
    def last(self) -> int:
        """The line it ends in."""
        return self.tokens[-1].line


def words(text: str) -> frozenset[str]:
    """The words of ``text``: tables of names read better that way."""
    return frozenset(text.split())


def tokens(source: str) -> list[Token]:
    """The tokens of ``source``, without space and comments."""
    found: list[Token] = []
    line = 1
    for match in TOKEN.finditer(source):
        kind = match.lastgroup or "mark"
        if kind != "space":
            found.append(Token(kind, match[0], line))
        line += match[0].count("\n")
    return found


def phrases(source: str) -> list[Phrase]:
    """The phrases of ``source`` that are not empty, in order.

    ``;`` within parentheses does not end one; a brace does anywhere, as a lambda's may.
    """
    found: list[Phrase] = []
    current = Phrase()
    parentheses = 0
    opened: list[tuple[int, Phrase | None]] = []  # parentheses around each brace, its scope
    for token in tokens(source):
        mark = token.text if token.kind == "mark" else ""
        if mark in ("{", "}") or (mark == ";" and not parentheses):
            current.end = mark
            if current.tokens:
                found.append(current)
            scope = opened[-1][1] if opened else None
            if mark == "{":
                opened.append((parentheses, current))
                parentheses, scope = 0, current
            elif mark == "}" and opened:
                parentheses = opened.pop()[0]
                scope = opened[-1][1] if opened else None
            current = Phrase(depth=len(opened), scope=scope)
            continue
        if mark and mark in OPENING:
            parentheses += 1
        elif mark and mark in CLOSING:
            parentheses = max(0, parentheses - 1)
        current.tokens.append(token)
    if current.tokens:
        found.append(current)
    return found


def split(row: Sequence[Token], mark: str) -> list[list[Token]]:
    """The parts of ``row`` between ``mark``, as far as that is not in parentheses."""
    parts: list[list[Token]] = [[]]
    depth = 0
    for token in row:
        if token.kind == "mark" and token.text in OPENING:
            depth += 1
        elif token.kind == "mark" and token.text in CLOSING:
            depth -= 1
        if token.kind == "mark" and token.text == mark and depth == 0:
            parts.append([])
        else:
            parts[-1].append(token)
    return parts


def closing(row: Sequence[Token], start: int) -> int:
    """The place of the mark that closes the one at ``start``; the end if there is none."""
    depth = 0
    for place in range(start, len(row)):
        if row[place].kind == "mark":
            depth += (row[place].text in OPENING) - (row[place].text in CLOSING)
            if depth == 0:
                return place
    return len(row)
