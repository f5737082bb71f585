"""The source of a program with every line marked: kept n of m executions."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from stripe.reduce import CriticalSlice
from stripe.report.style import Style, cells, plural, printable
from stripe.trace import NONE, Statement, Trace

if TYPE_CHECKING:
    from rich.text import Text

CONTEXT = 2
"""Lines left visible at both ends of a fold."""

_QUOTE = re.compile(r"[rRuUbB]{0,2}['\"]")

FOLD = 12
"""The shortest stretch of lines with nothing kept that is folded."""


@dataclass(slots=True)
class Line:
    """What happened on one source line.

    ``statements`` start here (0: the line continues another, or holds no code).  ``code``
    says that the own part of a statement which can be executed reaches over this line,
    ``kept_part`` that of a kept one does.  ``governs`` counts the executions that are not kept,
    but decided that kept ones ran; ``governs_part``: a statement with such reaches here.
    ``elsewhere``: it ran, where nothing is recorded.
    """

    statements: int = 0
    executed: int = 0
    kept: int = 0
    code: bool = False
    kept_part: bool = False
    governs: int = 0
    governs_part: bool = False
    elsewhere: bool = False

    @property
    def marked(self) -> bool:
        """Whether it has to be looked at."""
        return self.kept_part or self.governs_part

    @property
    def share(self) -> str:
        """``3/4``: three of four executions are kept; ``1+2/4``: two more are conditions."""
        if not self.governs:
            return f"{self.kept}/{self.executed}"
        return f"{self.kept or ''}+{self.governs}/{self.executed}"


def lines_of(trace: Trace, found: CriticalSlice) -> dict[int, dict[int, Line]]:
    """For each file, what happened on its lines, and what a slice makes of it."""
    deciding = Counter(trace.statement[event] for event in found.governing)
    return _mark_lines(trace, found.statements(trace), deciding)


def _mark_lines(
    trace: Trace, kept: Mapping[int, int], deciding: Mapping[int, int]
) -> dict[int, dict[int, Line]]:
    """For each file, what happened on its lines.

    ``kept`` counts kept events by statement, ``deciding`` those that decided that they ran.
    """
    executed = Counter(trace.statement)
    entered = set()  # statements inside which something was executed
    for number in executed:
        while (number := trace.statements[number].parent) != NONE and number not in entered:
            entered.add(number)
    texts = [file.lines for file in trace.files]
    elsewhere = [frozenset(file.elsewhere) for file in trace.files]
    files: dict[int, dict[int, Line]] = defaultdict(lambda: defaultdict(Line))
    for statement in trace.statements:
        lines = files[statement.file]
        first = lines[statement.line]
        code = bool(executed[statement.id]) or not _without_events(
            statement, texts[statement.file], statement.id in entered
        )
        first.statements += code
        first.executed += executed[statement.id]
        first.kept += kept.get(statement.id, 0)
        first.governs += deciding.get(statement.id, 0)
        reach = range(statement.line, statement.header_end + 1)
        first.elsewhere |= code and not elsewhere[statement.file].isdisjoint(reach)
        for number in reach:
            lines[number].code |= code
            lines[number].kept_part |= statement.id in kept
            lines[number].governs_part |= statement.id in deciding
    return {number: dict(lines) for number, lines in files.items()}


def _without_events(statement: Statement, texts: Sequence[str], entered: bool) -> bool:
    """Whether a statement that has no event could not have any: it compiles to nothing itself."""
    if statement.kind in ("Try", "TryStar", "ExceptHandler"):
        return entered
    if statement.kind in ("Global", "Nonlocal"):
        return True
    if statement.kind != "Expr" or statement.header_end > len(texts):
        return False
    first = texts[statement.line - 1].strip()
    last = texts[statement.header_end - 1].strip()
    # A docstring, or an ellipsis for a body.
    return first == "..." or bool(_QUOTE.match(first) and last.endswith(("'", '"')))


type Said = Mapping[tuple[int, int], str]
"""What is said beside lines, as (file, line)."""


def source(
    trace: Trace, slice_: CriticalSlice, style: Style, said: Said | None = None
) -> Iterator[str]:
    """The marked source of every file that was executed."""
    for number, lines in sorted(lines_of(trace, slice_).items()):
        executed = sum(line.executed for line in lines.values())
        if not executed:
            continue
        path = style.path(trace.files[number].path)
        if not any(line.kept or line.governs for line in lines.values()) and not style.full:
            yield style.dim(f"{path}: nothing kept of {plural(executed, 'event')}")
            continue
        yield style.bold(path)
        beside = {line: text for (file, line), text in (said or {}).items() if file == number}
        yield from _file(path, trace.files[number].lines, lines, style, beside)


ELSEWHERE = "ran, not recorded: before a test, in an import, another thread or process"
"""What is said of a line that ran where nothing is recorded."""


def legend(style: Style, *, governing: bool, elsewhere: bool = False) -> Iterator[str]:
    """What the marks of :func:`source` mean."""
    kept, governs = style.glyph("kept"), style.glyph("governs")
    text = f" {kept} n/m: n of m executions kept    0/m: all left out    -: not executed"
    yield style.dim(style.cut(text, style.width))
    if elsewhere:
        yield style.dim(style.cut(f" ~: {ELSEWHERE}", style.width))
    if governing:
        text = f" {governs} +k/m: k of m are not kept, but decided that kept ones ran"
        yield style.dim(style.cut(text, style.width))


def _file(
    name: str,
    texts: Sequence[str],
    lines: Mapping[int, Line],
    style: Style,
    said: Mapping[int, str],
) -> Iterator[str]:
    counts = [line.share for line in lines.values() if line.executed]
    count_width = max(3, *map(len, counts))
    number_width = max(3, len(str(len(texts))))
    hidden = set() if style.full else folds([lines.get(n + 1) for n in range(len(texts))])
    nothing = Line()
    folded = executed = elsewhere = 0
    for number, text in enumerate(style.code(name, texts), 1):
        line = lines.get(number, nothing)
        if number in hidden:
            folded += 1
            executed += bool(line.executed)
            elsewhere += line.elsewhere and not line.executed
            if number + 1 not in hidden:
                ran = f"{executed} of them executed" if executed else "none executed"
                if elsewhere:
                    ran = f"{executed} of them executed, {elsewhere} ran unrecorded (~)"
                blank = " " * (number_width + count_width + 6)
                yield style.dim(
                    f"{blank}{style.glyph('fold')} {folded} more lines, nothing kept, {ran}"
                )
                folded = executed = elsewhere = 0
            continue
        shown = _line(number, text, line, number_width, count_width, style, said.get(number, ""))
        yield shown


def _line(
    number: int,
    text: Text,
    line: Line,
    number_width: int,
    count_width: int,
    style: Style,
    said: str,
) -> str:
    if line.executed:
        count = line.share
    else:
        count = "~" if line.elsewhere else "-" if line.statements else ""
    mark = style.glyph(
        "kept" if line.kept else "governs" if line.governs else "bar" if line.marked else "none"
    )
    gutter = f"{number:>{number_width}} {count:>{count_width}}"
    said = style.cut(f"  {style.glyph('here')} {printable(said)}", style.width // 2) if said else ""
    room = style.width - number_width - count_width - 8 - cells(said)
    shown = text.plain if style.full else style.cut(text.plain, room)
    if line.kept_part:
        painted, gutter = style.good(mark), style.bold(gutter)
        shown = style.shown(text, None if style.full else room, "bold")
    elif line.governs_part:
        painted, gutter = style.pale(mark), style.pale(gutter)
    elif line.executed:
        painted = mark
    else:
        painted, gutter, shown = mark, style.dim(gutter), style.dim(shown)
    return (
        f" {painted} {gutter}  {style.dim(style.glyph('bar'))} {shown}{style.warn(said)}".rstrip()
    )


def folds(lines: Sequence[Line | None]) -> set[int]:
    """The 1-based numbers of the lines to fold."""
    hidden: set[int] = set()
    start = 0
    for index in range(len(lines) + 1):
        line = lines[index] if index < len(lines) else None
        if index < len(lines) and not (line is not None and line.marked):
            continue
        # lines[start:index] is a stretch with nothing kept
        first = start + (CONTEXT if start else 0)
        last = index - (CONTEXT if index < len(lines) else 0)
        if last - first >= FOLD:
            hidden.update(range(first + 1, last + 1))
        start = index + 1
    return hidden
