"""The words of a command line as units: alone, or with what may belong together.

Which words are values of an option, only its program knows. So an option can go alone, with the
first word after it, with the first two, and with all up to the next option; and each word alone.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

from stripe.dd import Configuration
from stripe.units.model import ROOT, Flat, Nested, Units

_WORD = re.compile(
    rb"""((?:"(?:\\.|[^"\\])*"|'[^']*'|\\.|[^\s"'\\]|["'\\])+)(\s*)|(\s+)""", re.DOTALL
)
_OPTION = re.compile(rb"-(?!\Z|\.?\d)")
"""Not ``-`` alone, nor a number: they are values, or files."""
_ASSIGNED = re.compile(rb"(--?[\w-]+)=(.+)", re.DOTALL)
_BUNDLE = re.compile(rb"-[A-Za-z][A-Za-z0-9]{1,4}")
"""Letters that are options each; what has one of several letters twice is none."""


def args(data: bytes) -> Units:
    """Words as a shell reads them, each with the blanks after it."""
    return Flat([match[0] for match in _WORD.finditer(data)])


def options(data: bytes) -> CommandLine:
    """The words, and within options that have them, what follows ``=`` and single letters."""
    return _Builder().line(data)


@dataclass(frozen=True, slots=True)
class Part:
    """Part of a word."""

    unit: int
    text: bytes
    joint: bytes = b""
    """What stands before it, if there is a part of the word before it."""


@dataclass(frozen=True, slots=True)
class Word:
    """A word of one part, or of several; its blanks are there if any part of it is."""

    parts: Sequence[Part]
    dash: bytes
    """What stands before the first part that is there."""
    blanks: bytes


class CommandLine(Nested):
    """Words, parts of words, and groups of words, which have no text of their own."""

    def __init__(self, parents: Sequence[int], words: Sequence[Word]) -> None:
        super().__init__(parents)
        self._words = words

    def render(self, configuration: Configuration[int]) -> bytes:
        kept = set(configuration)
        written = bytearray()
        for word in self._words:
            parts = [part for part in word.parts if part.unit in kept]
            if parts:
                first, *others = parts
                written += word.dash + first.text
                written += b"".join(part.joint + part.text for part in others)
                written += word.blanks
        return bytes(written)


class _Read(NamedTuple):
    """A word that was read."""

    text: bytes
    blanks: bytes
    is_option: bool


def _phrases(data: bytes) -> list[list[_Read]]:
    """Options, each with the words up to the next, and words that follow none."""
    phrases: list[list[_Read]] = []
    ended = False
    for match in _WORD.finditer(data):
        text, blanks = match[1] or match[3], match[2] or b""
        ended = ended or text == b"--"
        read = _Read(text, blanks, not ended and _OPTION.match(text) is not None)
        if ended or read.is_option or not phrases or not phrases[-1][0].is_option:
            phrases.append([])
        phrases[-1].append(read)
    return phrases


class _Builder:
    """Numbers the units: a group before what is in it."""

    def __init__(self) -> None:
        self._parents: list[int] = []
        self._words: list[Word] = []

    def line(self, data: bytes) -> CommandLine:
        for phrase in _phrases(data):
            self._phrase(phrase, ROOT)
        return CommandLine(self._parents, self._words)

    def _unit(self, around: int) -> int:
        self._parents.append(around)
        return len(self._parents) - 1

    def _phrase(self, phrase: Sequence[_Read], around: int) -> None:
        """An option with words after it, in groups of all, of three and of two words."""
        if len(phrase) == 1:
            self._word(phrase[0], around)
            return
        group = self._unit(around)
        inner = min(len(phrase) - 1, 3)
        self._phrase(phrase[:inner], group)
        for read in phrase[inner:]:
            self._word(read, group)

    def _word(self, read: _Read, around: int) -> None:
        unit = self._unit(around)
        parts, dash = [Part(unit, read.text)], b""
        if read.is_option:
            letters = read.text[1:]
            if assigned := _ASSIGNED.fullmatch(read.text):
                name, value = self._unit(unit), self._unit(unit)
                parts = [Part(name, assigned[1]), Part(value, assigned[2], b"=")]
            elif _BUNDLE.fullmatch(read.text) and len(set(letters)) in (1, len(letters)):
                dash = b"-"
                parts = [Part(self._unit(unit), bytes((letter,))) for letter in letters]
        self._words.append(Word(parts, dash, read.blanks))
