"""How reports look on a given stream: characters, colours, width, and safe text.

This is where rich lays out and paints; what uses it hands over texts and gets lines, which can be
written one by one, cut when the time is over, or given to a pager.  It is imported where it is
needed first: many commands end without a report.
"""

from __future__ import annotations

import functools
import io
import os
import re
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, TextIO

from stripe.libraries import library

if TYPE_CHECKING:
    from rich.console import Console, RenderableType
    from rich.text import Text

PLAIN_WIDTH = 100
"""Columns when the output is not a terminal."""

HIGHLIGHTED_LINES = 5000
"""Longer files are shown without the colours of their language, which then take a second."""

_GLYPHS = {
    "kept": "▶>",
    "none": "  ",
    "governs": "▷+",
    "bullet": "•*",
    "some": "◦+",
    "bar": "│|",
    "rule": "─-",
    "fold": "⋮:",
    "more": "…~",
    "dot": "·-",
    "here": "←<",
}
"""What characters say, and those that do where there is ASCII only."""

_TRAILING_BLANKS = re.compile(r" +(?=(\x1b\[[\d;]*m)*$)")
"""Blanks that fill a line up, before what ends its colours."""


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
    def of(cls, stream: TextIO, *, full: bool = False, verbose: bool = False) -> Style:
        """The style for ``stream``; honours NO_COLOR, FORCE_COLOR, TERM=dumb and COLUMNS.

        Raises UsageError: ``no-library``.
        """
        with library("No report can be shown"):
            from stripe.report.console import console_of  # lazy
        known = is_terminal(stream) or os.environ.get("COLUMNS", "").isdigit()
        console = console_of(stream) if known else console_of(stream, PLAIN_WIDTH)
        return cls(
            colour=console.is_terminal and not (console.is_dumb_terminal or console.no_color),
            unicode=console.encoding.startswith("utf"),
            width=max(40, console.width),
            full=full,
            verbose=verbose,
            base=Path.cwd(),
        )

    def glyph(self, name: str) -> str:
        """The character for ``name``, within what the stream can show."""
        return _GLYPHS[name][not self.unicode]

    def bold(self, text: str) -> str:
        return self._paint("bold", text)

    def dim(self, text: str) -> str:
        return self._paint("dim", text)

    def good(self, text: str) -> str:
        return self._paint("bold green", text)

    def pale(self, text: str) -> str:
        return self._paint("green", text)

    def warn(self, text: str) -> str:
        return self._paint("yellow", text)

    def _paint(self, how: str, text: str) -> str:
        return _paint(how)(text) if self.colour and text.strip() else text

    def heading(self, text: str) -> str:
        """A line that starts a section."""
        text = self.cut(text, self.width - 6)
        rule = self.glyph("rule")
        fill = rule * max(2, self.width - cells(text) - 4)
        return self.dim(rule * 2) + " " + self.bold(text) + " " + self.dim(fill)

    def paragraph(self, text: str, lead: str = "", how: str = "dim") -> Iterator[str]:
        """``text`` behind ``lead``, which is painted, in lines that are broken between words.

        A word that is longer than a line (a path, a slug) stays in one piece.
        """
        indent = cells(lead)
        head = self._paint(how, lead)
        for line in self.wrapped(text, self.width - indent):
            yield f"{head}{line}".rstrip()
            head = " " * indent

    def wrapped(self, text: str, width: int) -> list[str]:
        """``text`` in lines of ``width`` columns, but for words that are longer."""
        from rich.text import Text

        # Of the text, not of wrap(), which takes it for: do not wrap at all.
        told = Text(printable(text), overflow="ignore")
        return [line.plain for line in told.wrap(self._console(), max(20, width))]

    def facts(self, facts: Iterable[tuple[str, str]]) -> Iterator[str]:
        """Paragraphs, with a label before each."""
        told = list(facts)
        column = max((cells(label) for label, _ in told), default=0)
        for label, text in told:
            yield from self.paragraph(text, pad(label, column) + "  ")

    def table(
        self,
        rows: Iterable[Sequence[str]],
        *,
        right: Collection[int] = (),
        head: str = "",
        labels: bool = False,
    ) -> Iterator[str]:
        """Columns with two blanks between them.

        Args:
            rows: Texts without colour, as many in each row.
            right: Numbers of the columns that are flush right.
            head: How the first row is painted, which are names of the columns.
            labels: The first column is dim; texts in the others are broken between words where
                there is no room.  Without, only those in the last one are.
        """
        from rich.table import Table
        from rich.text import Text

        rows = list(rows)
        grid = Table.grid(padding=(0, 2, 0, 0))
        last = len(rows[0]) - 1
        for number in range(last + 1):
            grid.add_column(
                justify="right" if number in right else "left",
                no_wrap=not number or (not labels and number < last),
                style="dim" if labels and not number else "",
            )
        for row in rows:
            grid.add_row(*map(Text, row), style=head if row is rows[0] else None)
        yield from self.lines_of(grid)

    def code(self, name: str, lines: Sequence[str]) -> Iterator[Text]:
        """Lines of a file called ``name``, in the colours of its language.

        These are of the terminal's own sixteen, which people can read on their background.
        """
        from rich.text import Text

        texts = [printable(line) for line in lines]
        if not self.colour or len(texts) > HIGHLIGHTED_LINES:
            return map(Text, texts)
        from rich.syntax import Syntax

        text = "\n".join(texts)
        lexer = Syntax.guess_lexer(name, text)
        return iter(Syntax(text, lexer, theme="ansi_light").highlight(text).split("\n"))

    def shown(self, code: Text, width: int | None, how: str = "") -> str:
        """A line of code, painted, and cut to ``width`` columns, if that is given."""
        plain = code.plain if width is None else self.cut(code.plain, width)
        if not self.colour:
            return plain
        shown = code.copy()
        if plain != code.plain:
            shown.right_crop(len(code) - len(plain) + len(self.glyph("more")))
            shown.append(self.glyph("more"))
        shown.stylize(how)
        shown.no_wrap, shown.overflow = True, "ignore"
        return "".join(self.lines_of(shown))

    def lines_of(self, drawn: RenderableType) -> Iterator[str]:
        """The lines of something that rich lays out."""
        console = self._console()
        with console.capture() as captured:
            console.print(drawn, crop=False)
        text = captured.get() if self.unicode else captured.get().replace("…", self.glyph("more"))
        for line in text.removesuffix("\n").split("\n"):
            yield _TRAILING_BLANKS.sub("", line)

    def _console(self) -> Console:
        return _drawing(self.colour, self.width)

    def cut(self, text: str, width: int) -> str:
        """``text``, with its end replaced by an ellipsis if it is wider than ``width``."""
        return cut(text, width, self.glyph("more"))

    def path(self, path: str) -> str:
        """A path as people read it: from the base on, or else :func:`short`."""
        if self.base is not None:
            try:
                return printable(str(Path(path).relative_to(self.base)))
            except ValueError:
                pass
        return printable(short(path))


def short(path: str) -> str:
    """A path of what is installed, or a package elsewhere, from the package on; else as it is."""
    for mark in ("/site-packages/", "/dist-packages/"):
        if mark in path:
            return path.rpartition(mark)[2]
    folder = os.path.dirname(path)
    if not os.path.isabs(path) or not os.path.exists(os.path.join(folder, "__init__.py")):
        return path
    while os.path.exists(os.path.join(folder, "__init__.py")):
        folder = os.path.dirname(folder)
    return os.path.relpath(path, folder)


def is_terminal(stream: TextIO) -> bool:
    """Whether ``stream`` is an open terminal."""
    try:
        return stream.isatty()
    except (AttributeError, ValueError):
        return False


@cache
def _drawing(colour: bool, width: int) -> Console:
    """What lays out for a report, and writes nowhere itself."""
    from rich.console import Console

    return Console(
        file=io.StringIO(), width=width, height=25, force_terminal=colour, no_color=False,
        color_system="standard" if colour else None, markup=False, emoji=False, highlight=False,
        force_jupyter=False,
    )  # fmt: skip


@cache
def _paint(how: str) -> Callable[[str], str]:
    """What paints a text."""
    from rich.color import ColorSystem
    from rich.style import Style

    return functools.partial(Style.parse(how).render, color_system=ColorSystem.STANDARD)


def cut(text: str, width: int, more: str = "…") -> str:
    """``text``, with its end replaced by ``more`` if it is wider than ``width``."""
    if cells(text) <= width:
        return text
    kept = pad(text, width - len(more))
    return (kept if text.isascii() else kept.rstrip()) + more  # half a character is a blank


def middle(text: str, width: int, more: str = "…") -> str:
    """A name that is cut in the middle: how it begins and ends tells more than what is between."""
    if cells(text) <= width:
        return text
    end = pad(text[::-1], width - width // 2).rstrip()[::-1]
    return cut(text, width - cells(end), more) + end


def apart(one: str, other: str, width: int, more: str = "…") -> tuple[str, str]:
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
    from rich.cells import cell_len

    return cell_len(text)


def pad(text: str, width: int) -> str:
    """``text`` in exactly ``width`` terminal columns: filled with blanks, or cut off."""
    width = max(0, width)
    if text.isascii():
        return f"{text:<{width}.{width}}"
    from rich.cells import set_cell_size

    return set_cell_size(text, width)


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
