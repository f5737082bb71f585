"""Where the boxes of a picture are: in columns, each as near as can be to what refers to it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from stripe.report.pictures.boxes import Box, Row
from stripe.report.style import cells
from stripe.results.causes import Side

CHARACTER, LINE = 7.3, 18
"""Width of a character and height of a row, in units of the picture."""

MARGIN, GUTTER, BETWEEN, DOWN = 12, 16, 64, 14
"""Around everything; left of a row, for its mark; between columns; between boxes of one."""

NARROWEST = 60


@dataclass(frozen=True, slots=True)
class Placed:
    """A box, and where it is. ``columns``: where values begin, and those of the failing run.

    ``split``: values of both runs stand side by side.
    """

    box: Box
    x: float
    y: float
    width: float
    height: float
    columns: tuple[float, float]

    def row(self, number: int) -> float:
        """The middle of a row."""
        return self.y + LINE * (number + 1.5)

    @property
    def head(self) -> float:
        """The middle of the title."""
        return self.y + LINE / 2

    @property
    def under(self) -> float:
        """The line below the title."""
        return self.y + LINE + 1

    @property
    def left(self) -> float:
        """Where titles and labels begin."""
        return self.x + GUTTER


@dataclass(frozen=True, slots=True)
class Arrow:
    """From a row of one box to another box, by their numbers."""

    source: int
    row: int
    target: int
    side: Side
    cause: bool


@dataclass(frozen=True, slots=True)
class Layout:
    """A picture, in units of about a pixel."""

    placed: Sequence[Placed]
    arrows: Sequence[Arrow]
    width: float
    height: float

    def paths(self) -> Iterator[tuple[Side, str, str]]:
        """Each arrow's side, and the paths of its line and of its head."""
        ends: Counter[int] = Counter()
        for arrow in self.arrows:
            yield arrow.side, *self._path(arrow, ends[arrow.target])
            ends[arrow.target] += 1

    def _path(self, arrow: Arrow, number: int) -> tuple[str, str]:
        """From the right edge of a row to the left edge of a box, or, going back, to its right."""
        source, target = self.placed[arrow.source], self.placed[arrow.target]
        shift = {Side.PASSING: -4, Side.FAILING: 4}.get(arrow.side, 0)
        x, y = source.x + source.width, source.row(arrow.row) + shift
        end = target.head + min(number, 3) * 3 - 3
        if target.box.column > source.box.column:
            to, back = target.x - 1, -1
            bend = max(28.0, (target.x - x) / 2)
            out, into = x + bend, to - bend
        else:
            to, back = target.x + target.width + 1, 1
            out = into = max(x, to) + 30
        points = (x, y), (out, y), (into, end), (to + 6 * back, end)
        first, *others = (f"{x:.1f} {y:.1f}" for x, y in points)
        return f"M{first}C{' '.join(others)}", f"M{to:.1f} {end:.1f}l{7 * back} -3.5v7z"


def layout(boxes: Sequence[Box]) -> Layout:
    """Where all boxes are."""
    arrows = list(_arrows(boxes))
    sizes = [_size(box) for box in boxes]
    lefts = _lefts(boxes, [width for width, _, _ in sizes])
    placed: dict[int, Placed] = {}
    free: dict[int, float] = {}
    wanted: dict[int, float] = {}
    for number in sorted(range(len(boxes)), key=lambda each: boxes[each].column):
        box, (width, height, columns) = boxes[number], sizes[number]
        y = max(free.get(box.column, MARGIN), wanted.get(number, MARGIN))
        there = placed[number] = Placed(box, lefts[box.column], y, width, height, columns)
        free[box.column] = y + height + DOWN
        for arrow in arrows:
            if arrow.source == number and boxes[arrow.target].column > box.column:
                wanted.setdefault(arrow.target, there.row(arrow.row) - LINE / 2)
    all_placed = [placed[number] for number in range(len(boxes))]
    right = max((each.x + each.width for each in all_placed), default=0)
    back = any(boxes[each.target].column <= boxes[each.source].column for each in arrows)
    return Layout(
        all_placed,
        arrows,
        right + MARGIN + (BETWEEN / 2 if back else 0),
        max((each.y + each.height for each in all_placed), default=0) + MARGIN,
    )


def _arrows(boxes: Sequence[Box]) -> Iterator[Arrow]:
    for number, box in enumerate(boxes):
        for place, row in enumerate(box.rows):
            for value in row.values:
                if value.box is not None:
                    yield Arrow(number, place, value.box, value.side, row.role is not None)


def _lefts(boxes: Sequence[Box], widths: Sequence[float]) -> list[float]:
    """Where each column begins."""
    columns = max((box.column for box in boxes), default=0) + 1
    widest = [0.0] * columns
    for box, width in zip(boxes, widths, strict=True):
        widest[box.column] = max(widest[box.column], width)
    lefts = [float(MARGIN)]
    for width in widest[:-1]:
        lefts.append(lefts[-1] + width + BETWEEN)
    return lefts


def _size(box: Box) -> tuple[float, float, tuple[float, float]]:
    """Width and height of a box, and where the values in it begin."""
    names = [row for row in box.rows if row.values]
    label = GUTTER + _wide(max((cells(row.label) for row in names), default=0))
    first = label + (GUTTER if any(row.label for row in names) else 0)
    both = max((_wide(_told(row, 0)) for row in names if _texts(row) > 1), default=0.0)
    second = first + both + GUTTER
    right = [GUTTER + _wide(cells(box.title) + 2), NARROWEST]
    for row in box.rows:
        if not row.values:
            right.append(GUTTER + _wide(cells(row.label)))
        elif _texts(row) > 1:
            right.append(second + _wide(_told(row, 1)))
        else:
            right.append(first + _wide(max(_told(row, n) for n in range(len(row.values)))))
    return max(right) + GUTTER, LINE * (len(box.rows) + 1) + 4, (first, second)


def _texts(row: Row) -> int:
    """How many values of a row are side by side."""
    return len(row.values) if all(value.box is None for value in row.values) else 1


def _told(row: Row, number: int) -> int:
    return cells(row.values[number].shown)


def _wide(characters: int) -> float:
    return CHARACTER * characters
