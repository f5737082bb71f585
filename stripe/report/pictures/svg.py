"""Pictures as SVG: a part of a page, or a file of its own that needs nothing else."""

from __future__ import annotations

from collections.abc import Iterator
from html import escape
from importlib.resources import files

from stripe.report.causes import place, steps, together
from stripe.report.pictures.boxes import SIGNS, Row, Value, boxes
from stripe.report.pictures.layout import (
    CHARACTER,
    GUTTER,
    LINE,
    MARGIN,
    Arrow,
    Layout,
    Placed,
    layout,
)
from stripe.report.style import cells, cut, plural, printable
from stripe.states.isolation import Cause
from stripe.states.overlay import Role, Side
from stripe.states.result import CausesResult

MARKS = {Role.CAUSE: "●", Role.CONTEXT: "○"}

LEGEND = "✓ only when it passes   ✗ only when it fails   ● the cause   ○ changed as well"
"""What signs mean."""

COLOURS = (
    ":root{--bg:#fff;--panel:#f6f7f9;--line:#a9b0ba;--text:#1c2430;--faded:#5c646f;--pass:#8a5a00;"
    "--fail:#0063a0;--other:#b34700;--otherbg:#fdeee3;--mono:ui-monospace,'SF Mono',"
    "'Cascadia Mono','DejaVu Sans Mono',Menlo,Consolas,monospace}"
    "@media (prefers-color-scheme:dark){:root{--bg:#12161c;--panel:#1a2028;--line:#56616f;"
    "--text:#dfe5ec;--faded:#8d97a5;--pass:#e8b040;--fail:#6cc0f5;--other:#ffab70;"
    "--otherbg:#3a2717}}"
)
"""Of a file of its own; a page has its own."""

WRAPPED = 110
"""Characters of a line above a picture."""


def style() -> str:
    """The rules of a picture, for whoever has the colours."""
    return files(__package__).joinpath("picture.css").read_text(encoding="utf-8")


def drawn(cause: Cause, number: int) -> Iterator[str]:
    """The picture of a moment, as an element of a page."""
    found = layout(boxes(cause.overlay))
    name = f"state{number}"
    yield (
        f'<svg class="state" viewBox="0 0 {found.width:.0f} {found.height:.0f}" '
        f'width="{found.width:.0f}" height="{found.height:.0f}" role="img" '
        f'aria-labelledby="{name}t"><title id="{name}t">{escape(printable(title(cause)))}</title>'
    )
    yield from _inside(found)
    yield "</svg>"


def title(cause: Cause) -> str:
    """What a picture shows, in a sentence."""
    told = together(cause)
    sizes = cause.overlay
    return (
        f"Both states before {place(cause)}: {plural(cause.deltas, 'difference')} between "
        f"{sizes.passing} and {sizes.failing} variables and objects. The cause: {told}."
    )


def document(result: CausesResult) -> str:
    """A file with the picture of each step of the chain, one below the other."""
    parts: list[str] = []
    y, width = float(MARGIN), 0.0
    for how, cause, _ in steps(result):
        told = together(cause)
        head = cut(printable(f"{how} {place(cause)}, {told}"), WRAPPED)
        parts.append(f'<text class="title" x="{MARGIN}" y="{y + 14:.0f}">{escape(head)}</text>')
        found = layout(boxes(cause.overlay))
        parts.append(f'<g transform="translate(0 {y + 16:.0f})">{"".join(_inside(found))}</g>')
        y += 16 + found.height + LINE
        width = max(width, found.width, cells(head) * CHARACTER + 2 * MARGIN)
    parts.append(f'<text class="quiet" x="{MARGIN}" y="{y + 6:.0f}">{escape(LEGEND)}</text>')
    width = max(width, cells(LEGEND) * CHARACTER + 2 * MARGIN)
    height = y + LINE + MARGIN
    named = escape(printable(f"Why {result.program} fails: states that differ"))
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" class="state" viewBox="0 0 {width:.0f} '
        f'{height:.0f}" width="{width:.0f}" height="{height:.0f}" role="img" '
        f'aria-labelledby="t"><title id="t">{named}</title><style>{COLOURS}{style()}</style>'
        f'<rect class="paper" width="{width:.0f}" height="{height:.0f}" fill="var(--bg)"/>\n'
        + "\n".join(parts)
        + "\n</svg>\n"
    )


def _inside(found: Layout) -> Iterator[str]:
    for each in found.placed:
        yield from _box(each)
    ends: dict[int, int] = {}
    for arrow in found.arrows:
        number = ends[arrow.target] = ends.get(arrow.target, -1) + 1
        yield _arrow(arrow, found, number)


def _box(placed: Placed) -> Iterator[str]:
    box = placed.box
    side = "" if box.side in (Side.BOTH, Side.CHANGED) else f" {box.side.value}"
    frame = " frame" if box.frame else ""
    yield f'<g class="object{side}{frame}">'
    yield (
        f'<rect class="box" x="{placed.x:.1f}" y="{placed.y:.1f}" width="{placed.width:.1f}" '
        f'height="{placed.height:.1f}" rx="5"/>'
    )
    sign = SIGNS.get(box.side, "")
    if box.role is not None:
        yield from _mark(placed, placed.head, box.role)
    yield _text("title", placed.x + GUTTER, placed.head, sign + box.title)
    yield f'<path class="box" d="M{placed.x:.1f} {placed.y + LINE + 1:.1f}h{placed.width:.1f}"/>'
    for number, row in enumerate(box.rows):
        yield from _row(placed, number, row)
    yield "</g>"


def _row(placed: Placed, number: int, row: Row) -> Iterator[str]:
    y = placed.row(number)
    if row.role is not None:
        yield from _mark(placed, y, row.role)
    kind = "quiet" if row.quiet else "cause" if row.role is Role.CAUSE else ""
    if row.label:
        yield _text(kind, placed.x + GUTTER, y, row.label)
    shown = 0
    for value in row.values:
        if value.box is None:
            x = placed.x + placed.columns[min(shown, 1)]
            yield _text(_kind(value, row), x, y, SIGNS[value.side] + value.text)
            shown += 1


def _mark(placed: Placed, y: float, role: Role) -> Iterator[str]:
    """What says that something is the cause, or its context."""
    if role is Role.CAUSE:
        yield (
            f'<rect class="marked" x="{placed.x + 1:.1f}" y="{y - LINE / 2 + 2:.1f}" '
            f'width="{placed.width - 2:.1f}" height="{LINE - 2}"/>'
        )
    yield _text("mark", placed.x + 4, y, MARKS[role])


def _kind(value: Value, row: Row) -> str:
    names = [] if value.side is Side.BOTH else [value.side.value]
    return " ".join([*names, *(["cause"] if row.role is Role.CAUSE else [])])


def _text(kind: str, x: float, y: float, text: str) -> str:
    named = f' class="{kind}"' if kind else ""
    return f'<text{named} x="{x:.1f}" y="{y + 4.5:.1f}" xml:space="preserve">{escape(text)}</text>'


def _arrow(arrow: Arrow, found: Layout, number: int) -> str:
    """From the right edge of a row to the left edge of a box, or, going back, to its right."""
    source, target = found.placed[arrow.source], found.placed[arrow.target]
    shift = {Side.PASSING: -4, Side.FAILING: 4}.get(arrow.side, 0)
    x, y = source.x + source.width, source.row(arrow.row) + shift
    end = target.head + min(number, 3) * 3 - 3
    if target.box.column > source.box.column:
        to, bend = target.x - 1, max(28.0, (target.x - x) / 2)
        curve = (x, y, x + bend, y, to - bend, end, to - 6, end)
        head = f"M{to:.1f} {end:.1f}l-7 -3.5v7z"
    else:
        to = target.x + target.width + 1
        out = max(x, to) + 30
        curve = (x, y, out, y, out, end, to + 6, end)
        head = f"M{to:.1f} {end:.1f}l7 -3.5v7z"
    side = "" if arrow.side is Side.BOTH else f" {arrow.side.value}"
    path = "M{:.1f} {:.1f}C{:.1f} {:.1f} {:.1f} {:.1f} {:.1f} {:.1f}".format(*curve)
    return f'<path class="arrow{side}" d="{path}"/><path class="head{side}" d="{head}"/>'
