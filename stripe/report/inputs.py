"""The terminal's form of a reduced input: the answer if it is short, and a summary."""

from __future__ import annotations

from collections.abc import Iterator

from stripe.dd import Reason
from stripe.inputs.result import InputResult
from stripe.report.style import Style, plural, printable
from stripe.report.summary import STOPPED, VERIFIED, account, note_lines
from stripe.units.kinds import noun

LINES = 24
"""How many lines of an answer are shown."""

BYTES = 4096
"""An answer longer than this is looked at no further."""

_HEX = 16


def input_lines(result: InputResult, style: Style) -> Iterator[str]:
    """All of the report."""
    if result.mode == "diff" and result.passing is not None:
        yield from _content("fails", result.failing, result, style)
        yield from _content("passes", result.passing, result, style)
    else:
        what = "passes" if result.mode == "max" else "still fails"
        yield from _content(what, result.answer, result, style)
    yield style.heading("summary")
    yield from style.facts(_facts(result))
    yield from note_lines(result.notes, style)


def _content(what: str, content: bytes, result: InputResult, style: Style) -> Iterator[str]:
    size = f"{len(content):,} of {result.original:,} bytes"
    yield style.heading(f"{printable(result.file)}: {what} with {size}")
    rows, cut = shown_content(content, LINES, BYTES)
    yield from (style.cut(row, style.width) for row in rows)
    if cut:
        yield style.dim(f"{style.glyph('fold')} the rest is in the file that the summary names")


def shown_content(content: bytes, lines: int, most: int) -> tuple[list[str], bool]:
    """A content as rows of text, or of bytes in hexadecimal, and whether there is more of it.

    Args:
        content: what is shown.
        lines: so many rows at most.
        most: so many bytes are looked at.
    """
    sample = content[:most]
    try:
        text = sample.decode()
    except UnicodeDecodeError as error:
        text = sample[: error.start].decode() if error.start > most - 4 else ""
    if (sample and not text) or "\0" in text:
        rows = range(0, min(len(sample), lines * _HEX), _HEX)
        shown = [f"{row:6x}  {sample[row : row + _HEX].hex(' ')}" for row in rows]
        return shown, len(content) > lines * _HEX
    shown = [printable(line) for line in text.split("\n")]
    if shown and not shown[-1]:
        shown.pop()  # the line behind the last line end
    return shown[:lines], len(shown) > lines or len(content) > most


def _facts(result: InputResult) -> Iterator[tuple[str, str]]:
    yield "bytes", f"{len(result.answer):,} of {result.original:,}"
    yield from account(result)
    best = {"min": "1-minimal", "max": "1-maximal", "diff": "1-minimal difference"}[result.mode]
    yield best, minimality(result)
    yield "run once more", VERIFIED[result.verified]
    if result.output:
        yield plural(len(result.output), "file").partition(" ")[2], ", ".join(result.output)


def minimality(result: InputResult) -> str:
    """``yes``, and in which units, or why not."""
    if result.certified:
        return f"yes, in {noun(result.units)}"
    if result.untried and result.stopped is Reason.FINISHED:
        return f"could not be tried: {result.untried}"
    return f"no: {STOPPED[result.stopped]}"
