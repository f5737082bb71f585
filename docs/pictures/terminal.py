"""Draws what a command prints in a terminal, in its colours, as SVG."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from html import escape

COLUMN, ROW, MARGIN, BAR = 8.4, 19, 16, 30
"""Sizes in pixels: a character, a line, what is around the text, and the bar of the window."""

PAPER, INK = "#1b1f27", "#d5dae3"

BRIGHT, FADED = "#ffffff", "#7b8494"
COLOURS = {
    "31": "#f07178",
    "32": "#5fd38d",
    "33": "#e5b567",
    "34": "#6cb6ff",
    "35": "#c792ea",
    "36": "#56c8d8",
}
"""What the codes that reports use look like here."""

SAFE = {ord(" "): "\N{NO-BREAK SPACE}", ord("▶"): "▶\N{VARIATION SELECTOR-15}"}
"""What is drawn otherwise: several spaces are not one, and the mark is no coloured button."""

FONTS = "ui-monospace, SFMono-Regular, Menlo, Consolas, 'DejaVu Sans Mono', monospace"


def drawn(command: str, lines: Sequence[str], columns: int) -> str:
    """A window in which a command line was typed, and lines that it printed, with colours."""
    width = round(columns * COLUMN + 2 * MARGIN)
    height = BAR + (len(lines) + 1) * ROW + MARGIN
    return "\n".join(
        [
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" '
            f'width="{width}" height="{height}" font-family="{FONTS}" font-size="14">',
            f"<title>{escape(command)}</title>",
            f'<rect width="{width}" height="{height}" rx="8" fill="{PAPER}"/>',
            *(
                f'<circle cx="{MARGIN + 4 + 18 * number}" cy="16" r="5" fill="{colour}"/>'
                for number, colour in enumerate(("#ff6159", "#ffbd2e", "#28c941"))
            ),
            f'<g fill="{INK}">',
            *texts(0, [("2", "$ "), ("0", command)]),
            *(text for number, line in enumerate(lines, 1) for text in texts(number, styled(line))),
            "</g>",
            "</svg>",
            "",
        ]
    )


def styled(line: str) -> Iterator[tuple[str, str]]:
    """The parts of a line, each with the code that it is printed under."""
    code = "0"
    for index, part in enumerate(re.split(r"\x1b\[([\d;]*)m", line)):
        if index % 2:
            code = part
        elif part:
            yield code, part


def style(code: str) -> str:
    """The attributes of a text that is printed under a code: a colour, bold or faint."""
    codes = code.split(";")
    bold, faint = "1" in codes, "2" in codes
    unlike = BRIGHT if bold else FADED if faint else ""
    fill = next((COLOURS[each] for each in codes if each in COLOURS), unlike)
    weight = ' font-weight="bold"' if bold else ""
    return (f'fill="{fill}"' if fill else "") + weight


def texts(row: int, parts: Iterable[tuple[str, str]]) -> Iterator[str]:
    """The parts of a line at their places; each as wide as it is in a terminal, in any font."""
    at = 0
    y = BAR + (row + 0.75) * ROW
    for code, part in parts:
        blank = len(part) - len(part.lstrip())
        text = part.strip()
        if text:
            x = MARGIN + (at + blank) * COLUMN
            width = len(text) * COLUMN
            yield (
                f'<text x="{x:.1f}" y="{y:.1f}" textLength="{width:.1f}" {style(code)}>'
                f"{escape(text.translate(SAFE), quote=False)}</text>"
            )
        at += len(part)
