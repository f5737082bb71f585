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

    ``end`` is the mark it ends with, ``scope`` the phrase before the innermost brace around it.
    """

    tokens: list[Token] = field(default_factory=list)
    end: str = ""
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


HEADERS = words("if while for switch")
LABELS = words("case default")


def phrases(source: str) -> list[Phrase]:
    """The phrases of ``source`` that are not empty, in order.

    ``;`` within parentheses does not end one; a brace does anywhere, as a lambda's may.  What
    follows ``if (...)``, ``else`` or a label is a phrase of its own.
    """
    cutter = _Cutter()
    for token in tokens(source):
        cutter.add(token)
    cutter.cut("")
    return cutter.found


class _Cutter:
    """Cuts tokens into phrases."""

    def __init__(self) -> None:
        self.found: list[Phrase] = []
        self._current = Phrase()
        self._parentheses = 0
        self._opened: list[tuple[int, Phrase]] = []  # parentheses around each brace, its scope

    def add(self, token: Token) -> None:
        row, mark = self._current.tokens, token.text if token.kind == "mark" else ""
        if mark == "{":
            # `if (c) {` was cut at the parenthesis: the brace belongs to that.
            scope = self.cut(mark) or Phrase(scope=self._scope())
            self._opened.append((self._parentheses, scope))
            self._parentheses = 0
            self._current = Phrase(scope=scope)
        elif mark == "}":
            self.cut(mark)
            if self._opened:
                self._parentheses = self._opened.pop()[0]
            self._current = Phrase(scope=self._scope())
        elif mark == ";" and not self._parentheses:
            self.cut(mark)
        elif token.text in ("else", "do") and token.kind == "name" and not row:
            pass
        else:
            row.append(token)
            self._count(mark)
            if mark and not self._parentheses and self._ends(row, mark):
                self.cut(mark)

    def _count(self, mark: str) -> None:
        """How deep in parentheses the next token is."""
        if mark and mark in OPENING:
            self._parentheses += 1
        elif mark and mark in CLOSING:
            self._parentheses = max(0, self._parentheses - 1)

    @staticmethod
    def _ends(row: Sequence[Token], mark: str) -> bool:
        """Whether a mark outside of parentheses ends a header, or a label."""
        if mark == ")":
            return row[0].text in HEADERS
        return mark == ":" and (row[0].text in LABELS or (len(row) == 2 and row[0].kind == "name"))

    def cut(self, end: str) -> Phrase | None:
        """End the current phrase, if it has begun."""
        phrase = self._current
        self._current = Phrase(scope=phrase.scope)
        if not phrase.tokens:
            return None
        phrase.end = end
        self.found.append(phrase)
        return phrase

    def _scope(self) -> Phrase | None:
        return self._opened[-1][1] if self._opened else None


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
