"""What says how many, and what it counts, made less together.

A length or a count stands in the way of leaving out: without a byte of ``5:hello`` the rest is no
netstring any more. So places are guessed at which a number counts the bytes, words or lines that
follow, and these are left out with the number made less. Lengths around them that reach as far as
the end of the input, or of another length's bytes, are made less, too.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Generator, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property, partial
from itertools import accumulate, islice
from typing import Any, Literal, NamedTuple

from stripe.dd import Configuration
from stripe.units.flat import tokens
from stripe.units.formats import json_tree
from stripe.units.model import ROOT, Pass, Units, Within

_LARGE = 1 << 14
"""Longer inputs are not searched for lengths: other units come first."""
_FEW = 64
"""So many elements are tried one by one."""


def counted(data: bytes) -> Generator[Pass, bytes]:
    """Yield passes that leave out what is counted, until that changes nothing.

    If something went, the guesses were good: then single elements are tried, too.
    """
    if len(data) > _LARGE:
        return
    for cut in (json_tree, tokens):
        within = _within(data, cut)
        if within is not None:
            data = yield Pass("what is counted", within)
    for single in (False, True):
        before, first = None, data
        while data != before:
            before = data
            units = Counted(data, single=single)
            if not len(units):
                break
            data = yield Pass("what is counted", units)
        if data == first:
            return


@dataclass(frozen=True, slots=True)
class Place:
    """A number, and what it may count."""

    start: int
    end: int
    number: int
    bounds: Sequence[int]
    """Where each element begins, and where the last one ends."""
    size: int = 0
    """Bytes of a binary number; 0: digits."""
    order: Literal["big", "little"] = "big"
    reaches: bool = False
    """Whether it is taken for the length of places in it, too."""

    def written(self, number: int) -> bytes:
        """Another number as it is written here."""
        return number.to_bytes(self.size, self.order) if self.size else str(number).encode()

    def is_around(self, other: Place) -> bool:
        """Whether it is made less if there is less in the other."""
        alike = (self.size, self.order) == (other.size, other.order)
        within = self.bounds[0] <= other.start and other.bounds[-1] <= self.bounds[-1]
        return self.reaches and alike and within


class Step(NamedTuple):
    """Elements that are left out together."""

    place: int
    first: int
    end: int
    parent: int


class Counted:
    """For each place all that is counted there, and each half of it and the last element.

    With ``single``, every element instead, if there are not too many.
    """

    hierarchical = True

    def __init__(self, data: bytes, *, single: bool = False) -> None:
        self._data = data
        self._single = single

    def __reduce__(self) -> tuple[Any, ...]:
        return partial(Counted, single=self._single), (self._data,)

    @cached_property
    def _places(self) -> list[Place]:
        text = _is_text(self._data)
        found = _in_text(self._data) if text else _in_bytes(self._data)
        # Most of them are by chance, short numbers above all, which come last.
        return list(islice(found, 4 + len(self._data) // 32))

    @cached_property
    def _steps(self) -> list[Step]:
        steps: list[Step] = []
        for number, place in enumerate(self._places):
            count, whole = len(place.bounds) - 1, len(steps)
            steps.append(Step(number, 0, count, ROOT))
            parts = {(0, count // 2), (count // 2, count), (count - 1, count)}
            if self._single and count <= _FEW:
                parts = {(element, element + 1) for element in range(count)}
            steps += [Step(number, *part, whole) for part in sorted(parts - {(0, 0), (0, count)})]
        return steps

    def __len__(self) -> int:
        return len(self._steps)

    def parent(self, unit: int) -> int | None:
        around = self._steps[unit].parent
        return None if around == ROOT else around

    def weight(self, unit: int) -> int:
        return 1

    def render(self, configuration: Configuration[int]) -> bytes:
        kept = set(configuration)
        gone = bytearray(len(self._data))
        touched: set[int] = set()
        for unit, step in enumerate(self._steps):
            if unit not in kept:
                bounds = self._places[step.place].bounds
                start, end = bounds[step.first], bounds[step.end]
                gone[start:end] = b"\1" * (end - start)
                touched.add(step.place)
        numbers: dict[tuple[int, int], bytes] = {}
        for number, place in enumerate(self._places):
            if number in touched or any(place.is_around(self._places[each]) for each in touched):
                less = sum(1 for start in place.bounds[:-1] if gone[start])
                if less and not any(gone[place.start : place.end]):
                    numbers[place.start, place.end] = place.written(max(0, place.number - less))
        written = bytearray()
        position = 0
        for (start, end), text in sorted(numbers.items()):
            if start < position:
                continue  # it shares a byte with the one before, which has been made less
            written += self._left(gone, position, start) + text
            position = end
        return bytes(written + self._left(gone, position, len(self._data)))

    def _left(self, gone: bytearray, start: int, end: int) -> bytes:
        return bytes(self._data[place] for place in range(start, end) if not gone[place])


class Counting(Within):
    """The units of what a number in a text counts; it says how much of that is left."""

    def __init__(self, data: bytes, place: Place, units: Units) -> None:
        super().__init__(units)
        self._data = data
        self._place = place

    def render(self, configuration: Configuration[int]) -> bytes:
        place, inner = self._place, self._units.render(configuration)
        first, last = place.bounds[0], place.bounds[-1]
        between = self._data[place.end : first]
        return (
            self._data[: place.start]
            + place.written(place.number - (last - first) + len(inner))
            + between
            + inner
            + self._data[last:]
        )


def _within(data: bytes, cut: Callable[[bytes], Units]) -> Counting | None:
    """The units of what goes up to the end of a text, if its length is told."""
    places = _in_text(data) if _is_text(data) else iter(())
    place = next((each for each in places if each.reaches), None)
    return None if place is None else Counting(data, place, cut(data[place.bounds[0] :]))


# --- numbers in a text ----------------------------------------------------------------------------

_NUMBER = re.compile(rb"(?<![0-9])[1-9][0-9]{0,5}(?![0-9])")
_BLANK_LINE = re.compile(rb"\r?\n\r?\n")
_WORD = re.compile(rb"[^\s]+[^\S\n]*")
_END = frozenset((b"", b"\r", b"\n"))


def _in_text(data: bytes) -> Iterator[Place]:
    """Numbers of a text with as many bytes, words or lines behind them."""
    for match in _NUMBER.finditer(data):
        start, end = match.span()
        number = int(match[0])
        if data[end : end + 1] == b":" and end + 1 + number <= len(data):
            yield Place(start, end, number, range(end + 1, end + number + 2))
        if data[max(0, start - 1) : start].isalnum() or number > len(data):
            continue
        line = data.find(b"\n", end) + 1 or len(data)
        if line + number <= len(data) and data[line + number :][:1] in _END:
            yield Place(start, end, number, range(line, line + number + 1))
        blank = _BLANK_LINE.search(data, end)
        if blank is not None and blank.end() + number == len(data) and blank.end() != line:
            yield Place(start, end, number, range(blank.end(), len(data) + 1), reaches=True)
        if number > 1:
            for bounds in _words_and_lines(data, number, end, line):
                yield Place(start, end, number, bounds)


def _words_and_lines(data: bytes, number: int, end: int, line: int) -> Iterator[list[int]]:
    """The bounds of as many lines from ``line`` on, and of words before it or on that line."""
    following = data[line:].splitlines(keepends=True)
    if len(following) >= number:
        yield list(accumulate(map(len, following[:number]), initial=line))
    after = line + len(following[0]) if following else line
    for first, last in ((end, line), (line, after)):
        words = [each.span() for each in _WORD.finditer(data, first, last)]
        if len(words) == number:
            yield [*(start for start, _ in words), words[-1][1]]


def _is_text(data: bytes) -> bool:
    if b"\0" in data:
        return False
    try:
        data.decode()
    except UnicodeDecodeError:
        return False
    return True


# --- lengths in binary formats --------------------------------------------------------------------


class _Form(NamedTuple):
    """How records are built: a tag, a length, a kind, as many bytes as the length says, a sum."""

    size: int
    order: Literal["big", "little"]
    tag: int = 0
    kind: int = 0
    sum: int = 0
    own: int = 0
    """How many of the bytes before the others the length counts as well."""


_FORMS = (
    *(_Form(4, order, 4) for order in ("big", "little")),  # IFF, RIFF
    _Form(4, "big", kind=4, sum=4),  # PNG
    _Form(4, "big", kind=4, own=8),  # MP4
    *(
        _Form(size, order, own=own)
        for size in (4, 2)
        for order in ("big", "little")
        for own in (0, size)
    ),
    *(_Form(1, "big", tag=tag) for tag in (0, 1)),
)


def _in_bytes(data: bytes) -> Iterator[Place]:
    """Lengths of records that follow each other up to the end of the data, or of a record."""
    ends = {len(data)}
    found: dict[tuple[int, int, int], Place] = {}
    for form in _FORMS:
        for place in _records(data, form, ends):
            found.setdefault((place.start, place.end, place.bounds[0]), place)
    inner = {place.bounds[-1] for place in found.values() if place.reaches} - ends
    if inner:
        for form in _FORMS:
            for place in _records(data, form, inner):
                found.setdefault((place.start, place.end, place.bounds[0]), place)
    yield from found.values()


def _records(data: bytes, form: _Form, ends: set[int]) -> Iterator[Place]:
    """The lengths of records of a form, in rows that end where one of ``ends`` is."""
    size, order = form.size, form.order
    in_row = bytearray(len(data) + 1)
    for end in ends:
        in_row[end] = 1
    head = form.tag + size + form.kind
    for start in range(len(data) - head, -1, -1):
        field = start + form.tag
        number = int.from_bytes(data[field : field + size], order)
        first, last = start + head, start + head + number - form.own
        after = last + form.sum
        if last < first or after > len(data) or not in_row[after]:
            continue
        in_row[start] = 1
        if last > first:
            yield Place(
                field, field + size, number, range(first, last + 1), size, order, reaches=size > 1
            )
