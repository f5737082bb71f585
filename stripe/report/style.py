"""How reports look on a given stream: characters, colours, width, and safe text."""

from __future__ import annotations

import os
import shutil
import unicodedata
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TextIO

PLAIN_WIDTH = 100
"""Columns when the output is not a terminal."""

_UNICODE = {
    "kept": "▶",
    "none": " ",
    "governs": "▷",
    "bullet": "•",
    "some": "◦",
    "bar": "│",
    "rule": "─",
    "fold": "⋮",
    "more": "…",
    "dot": "·",
    "times": "×",
    "here": "←",
}
_ASCII = {
    "kept": ">",
    "none": " ",
    "governs": "+",
    "bullet": "*",
    "some": "+",
    "bar": "|",
    "rule": "-",
    "fold": ":",
    "more": "...",
    "dot": "-",
    "times": "x",
    "here": "<-",
}


@dataclass(frozen=True, slots=True)
class Style:
    """What a report may use.  Colour only repeats what characters already say.

    ``full``: nothing is folded or cut off in the middle.  ``verbose``: the summary tells more.
    ``base``: paths below it are shown relative to it.
    """

    colour: bool = False
    unicode: bool = True
    width: int = PLAIN_WIDTH
    full: bool = False
    verbose: bool = False
    base: Path | None = None

    @classmethod
    def of(
        cls,
        stream: TextIO,
        environment: Mapping[str, str] | None = None,
        *,
        full: bool = False,
        verbose: bool = False,
    ) -> Style:
        """The style for ``stream``; honours NO_COLOR, FORCE_COLOR, TERM=dumb and COLUMNS."""
        environment = os.environ if environment is None else environment
        terminal = is_terminal(stream)
        colour = terminal and environment.get("TERM") != "dumb"
        if environment.get("FORCE_COLOR"):
            colour = True
        if environment.get("NO_COLOR"):
            colour = False
        if terminal or environment.get("COLUMNS", "").isdigit():
            width = shutil.get_terminal_size((PLAIN_WIDTH, 24)).columns
        else:
            width = PLAIN_WIDTH
        return cls(
            colour=colour,
            unicode=_can_encode(stream, "".join(_UNICODE.values())),
            width=max(40, width),
            full=full,
            verbose=verbose,
            base=Path.cwd(),
        )

    def glyph(self, name: str) -> str:
        """The character for ``name``, within what the stream can show."""
        return (_UNICODE if self.unicode else _ASCII)[name]

    def bold(self, text: str) -> str:
        return self._paint("1", text)

    def dim(self, text: str) -> str:
        return self._paint("2", text)

    def good(self, text: str) -> str:
        return self._paint("1;32", text)

    def pale(self, text: str) -> str:
        return self._paint("32", text)

    def warn(self, text: str) -> str:
        return self._paint("33", text)

    def _paint(self, code: str, text: str) -> str:
        return f"\x1b[{code}m{text}\x1b[0m" if self.colour and text.strip() else text

    def heading(self, text: str) -> str:
        """A line that starts a section."""
        text = self.cut(text, self.width - 6)
        rule = self.glyph("rule")
        fill = rule * max(2, min(self.width, PLAIN_WIDTH) - cells(text) - 4)
        return self.dim(rule * 2) + " " + self.bold(text) + " " + self.dim(fill)

    def cut(self, text: str, width: int) -> str:
        """``text``, with its end replaced by an ellipsis if it is wider than ``width``."""
        return cut(text, width, self.glyph("more"))

    def path(self, path: str) -> str:
        """A path as people want to read it: relative where that is shorter."""
        if self.base is not None:
            try:
                return printable(str(Path(path).relative_to(self.base)))
            except ValueError:
                pass
        return printable(path)


def is_terminal(stream: TextIO) -> bool:
    """Whether ``stream`` is an open terminal."""
    try:
        return stream.isatty()
    except (AttributeError, ValueError):
        return False


def _can_encode(stream: TextIO, text: str) -> bool:
    """Whether ``text`` can be written to ``stream`` as it is."""
    try:
        text.encode(getattr(stream, "encoding", None) or "utf-8")
    except (UnicodeError, LookupError):
        return False
    return True


def cut(text: str, width: int, more: str = _UNICODE["more"]) -> str:
    """``text``, with its end replaced by ``more`` if it is wider than ``width``."""
    if cells(text) <= width:
        return text
    room = width - len(more)
    kept: list[str] = []
    for character in text:
        room -= cells(character)
        if room < 0:
            break
        kept.append(character)
    return "".join(kept) + more


def middle(text: str, width: int, more: str = _UNICODE["more"]) -> str:
    """A name that is cut in the middle: how it begins and ends tells more than what is between."""
    if cells(text) <= width:
        return text
    end = cut(text[::-1], width - width // 2, "")[::-1]
    return cut(text, width - cells(end), more) + end


def apart(one: str, other: str, width: int, more: str = _UNICODE["more"]) -> tuple[str, str]:
    """Two texts, each cut to ``width``: of long ones what differs is there, if that is not all."""
    if one != other and max(cells(one), cells(other)) > width:
        same = 0
        while same < min(len(one), len(other)) and one[same] == other[same]:
            same += 1
        start = same - width // 4
        if same > width // 2:
            one, other = more + one[start:], more + other[start:]
    return cut(one, width, more), cut(other, width, more)


def cells(text: str) -> int:
    """How many terminal columns ``text`` takes."""
    if text.isascii():
        return len(text)
    return sum(
        0
        if unicodedata.combining(character)
        else 2
        if unicodedata.east_asian_width(character) in "WF"
        else 1
        for character in text
    )


def pad(text: str, width: int) -> str:
    """``text`` filled with blanks to ``width`` terminal columns."""
    return text + " " * (width - cells(text))


def printable(text: str) -> str:
    """``text`` without anything that could control the terminal; tabs become blanks."""
    text = text.expandtabs(8)
    if text.isprintable():
        return text
    return "".join(
        character if character.isprintable() else ascii(character)[1:-1] for character in text
    )


def plural(count: int, noun: str) -> str:
    """``1 test``, ``2 tests``."""
    return f"{count} {noun}" if count == 1 else f"{count} {noun}s"


def rate(tests: int, seconds: float) -> str:
    """Tests per second."""
    speed = tests / seconds if seconds > 0 else 0.0
    return f"{speed:.0f} tests/s" if speed >= 10 else f"{speed:.1f} tests/s"


def duration(seconds: float) -> str:
    """A duration as people say it."""
    if seconds < 0.0995:
        return f"{seconds * 1000:.0f} ms"
    if seconds < 9.95:
        return f"{seconds:.1f} s"
    if seconds < 99.5:
        return f"{seconds:.0f} s"
    minutes, rest = divmod(round(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours} h {minutes:02} min" if hours else f"{minutes} min {rest:02} s"
