"""A file in all its versions at once: a weave (Rochkind, "The Source Code Control System", 1975).

Every line knows which edit writes it and which ones delete it.  So any set of edits gives a text,
exactly and without conflicts: a line is there if what writes it is, and nothing that deletes it.
Where patches would have to be applied in order, and three-way merges ask back, nothing is left to
decide here; what makes no sense is kept out by what edits require (:mod:`.requirements`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field

from stripe.changes.snapshots import is_text
from stripe.units.alignment import Stretch, stretches

BASE = -1
"""The edit that writes what was there before all edits."""

type Applied = Callable[[int], bool]
"""Whether an edit takes effect."""


@dataclass(slots=True)
class Line:
    """A line, or a whole file that has none; ``born`` and ``dead`` are edits."""

    text: bytes
    born: int
    dead: list[int] = field(default_factory=list)

    def there(self, applied: Applied) -> bool:
        """Whether the line is in the text that the edits give."""
        born = self.born == BASE or applied(self.born)
        return born and not any(map(applied, self.dead))


@dataclass(slots=True)
class Replaced:
    """A stretch of a text that a step replaces: ``old`` lines go, ``new`` ones come at ``at``.

    ``start`` and ``end`` count lines of the version before, ``first`` those of the one after.
    """

    old: Sequence[Line]
    new: Sequence[bytes]
    at: int
    start: int
    end: int
    first: int


class Weave:
    """The lines of a file in all its versions."""

    def __init__(self, content: bytes = b"", born: int = BASE) -> None:
        self.lines = [Line(text, born) for text in split(content)]

    def visible(self, applied: Applied) -> list[Line]:
        """The lines of one version."""
        return [line for line in self.lines if line.there(applied)]

    def render(self, applied: Applied) -> bytes:
        """The text of one version."""
        return together([line.text for line in self.visible(applied)])

    def replaced(self, content: bytes, applied: Applied) -> Iterator[Replaced]:
        """The stretches in which ``content`` differs from a version, the last one first."""
        lines = self.lines
        places = [place for place, line in enumerate(lines) if line.there(applied)]
        old = [lines[place].text for place in places]
        new = split(content)
        for start, end, first, last in reversed(aligned(old, new)):
            at = places[start - 1] + 1 if start else 0
            if start < end:  # what comes takes the place of what goes
                at = places[end - 1] + 1
            yield Replaced(
                [lines[place] for place in places[start:end]],
                new[first:last],
                at,
                start,
                end,
                first,
            )

    def place_of(self, line: Line, before: int) -> int:
        """Where a line is, which is somewhere before a place."""
        place = before - 1
        while self.lines[place] is not line:
            place -= 1
        return place

    def insert(self, at: int, text: bytes, born: int) -> None:
        """Put a line in a place; those of before that come behind it have moved then."""
        self.lines.insert(at, Line(text, born))


def aligned(old: Sequence[bytes], new: Sequence[bytes]) -> list[Stretch]:
    """The stretches in which two texts differ, each beginning where something begins.

    A function that comes between two others may as well be told as the end of the one before it,
    and its own beginning: the same text, but half of it stands in another function.  So what only
    comes, or only goes, is moved over equal lines to where its first line is indented least.
    """
    found = stretches(old, new)
    for number, (start, end, first, last) in enumerate(found):
        before = found[number - 1] if number else Stretch(0, 0, 0, 0)
        behind = (
            found[number + 1]
            if number + 1 < len(found)
            else Stretch(len(old), len(old), len(new), len(new))
        )
        if start == end:
            by = _slide(new, first, last, before.last, behind.first)
        elif first == last:
            by = _slide(old, start, end, before.end, behind.start)
        else:
            continue
        found[number] = Stretch(start + by, end + by, first + by, last + by)
    return found


def _slide(lines: Sequence[bytes], start: int, end: int, least: int, most: int) -> int:
    """By how many lines to move a stretch of them, as far as it stays the same text."""
    up = down = 0
    while start - up > least and lines[start - up - 1] == lines[end - up - 1]:
        up += 1
    while end + down < most and lines[start + down] == lines[end + down]:
        down += 1
    return min(
        range(-up, down + 1),
        key=lambda by: (_depth(lines[start + by : end + by]), by != 0, by),
    )


def _depth(lines: Sequence[bytes]) -> tuple[bool, int]:
    """How little the first line of some is the beginning of something."""
    line = next(filter(bytes.strip, lines), b"")
    return line.strip()[:1] in (b"", b"}", b")", b"]"), len(line) - len(line.lstrip())


def split(content: bytes) -> list[bytes]:
    """The lines of a text, with their ends; what is no text is one piece."""
    if not is_text(content):
        return [content]
    pieces = content.split(b"\n")
    lines = [piece + b"\n" for piece in pieces[:-1]]
    return [*lines, pieces[-1]] if pieces[-1] else lines


def together(lines: Sequence[bytes]) -> bytes:
    """The text of these lines; one that was the last in its version gets an end if it is not."""
    return b"".join(
        line if line.endswith(b"\n") or number == len(lines) else line + b"\n"
        for number, line in enumerate(lines, start=1)
    )
