"""Values made smaller where they stand: numbers in a text, bytes of what is no text.

A unit is a part of a value that stays as it is: leaving it out puts a smaller value in its place.
A number is smaller that has fewer digits, or as many and is less; so this comes to an end.
"""

from __future__ import annotations

import re
from collections.abc import Generator, Sequence
from typing import NamedTuple

from stripe.dd import Configuration
from stripe.units.model import ROOT, Beside, Nested, Pass

_NUMBER = re.compile(rb"(?<![\w\x80-\xff])[0-9]+")
"""Not what belongs to a word, as in ``utf8``."""

_LONG = 1000
"""Numbers of more digits lose digits, and are not reckoned with."""


_MANY = 1000
"""Of more values none is lowered: a test or two for each is too much where hardly anything goes."""


class Value(NamedTuple):
    """A value, and where it stands."""

    start: int
    end: int
    number: int


class Step(NamedTuple):
    """A value, by its place among all, and what is taken from it."""

    value: int
    amount: int


def numbers_lowered(data: bytes) -> Generator[Pass, bytes]:
    """Yield the passes that make numbers in a text smaller, and be sent what each has left.

    First digits are left out, or all of a number, which is 0 then. What must keep its width, as in
    a date, is made less in that in the end.
    """
    if sum(1 for _ in _NUMBER.finditer(data)) > _MANY:
        return
    data = yield Pass("digits of numbers", Digits(data))
    data = yield from _lowered(data, text=True)
    yield from _lowered(data, text=True, padded=True)


def bytes_lowered(data: bytes) -> Generator[Pass, bytes]:
    """Yield the passes that make bytes smaller, and be sent what each has left.

    First all of a byte is taken from it.
    """
    if len(data) > _MANY:
        return
    values = _values(data, text=False)
    steps = [Step(place, value.number) for place, value in enumerate(values) if value.number]
    data = yield Pass("bytes, zero", Lowered(data, values, steps, text=False))
    yield from _lowered(data, text=False)


def _lowered(data: bytes, *, text: bool, padded: bool = False) -> Generator[Pass, bytes, bytes]:
    """Take one from each value, and then as much as goes from those that allowed it.

    So a value that must be what it is costs a test, and one that may be less a binary search.

    With ``padded``, the numbers of a text keep their width; of one as wide anyway, that is known.
    """
    before = _values(data, text=text)
    steps = [
        Step(place, 1)
        for place, value in enumerate(before)
        if value.number and not (padded and len(str(value.number - 1)) == value.end - value.start)
    ]
    if not steps:
        return data
    data = yield Pass("values, one less", Lowered(data, before, steps, text=text, padded=padded))
    values = _values(data, text=text)
    falling = [p for p, old in enumerate(before) if values[p].number < old.number]
    most = max((values[place].number.bit_length() for place in falling), default=0)
    for amount in (1 << power for power in reversed(range(most))):
        values = _values(data, text=text)
        steps = [Step(place, amount) for place in falling if values[place].number >= amount]
        if steps:
            units = Lowered(data, values, steps, text=text, padded=padded)
            data = yield Pass("values, less", units)
    return data


def _values(data: bytes, *, text: bool) -> list[Value]:
    """The numbers of a text, or all bytes."""
    if not text:
        return [Value(place, place + 1, byte) for place, byte in enumerate(data)]
    return [
        Value(match.start(), match.end(), int(match[0]))
        for match in _NUMBER.finditer(data)
        if match.end() - match.start() <= _LONG
    ]


class Lowered(Beside):
    """What is not taken from values; none becomes less than 0."""

    def __init__(
        self,
        data: bytes,
        values: Sequence[Value],
        steps: Sequence[Step],
        *,
        text: bool,
        padded: bool = False,
    ) -> None:
        self._data = data
        self._values = values
        self._steps = steps
        self._text = text
        self._padded = padded

    def __len__(self) -> int:
        return len(self._steps)

    def render(self, configuration: Configuration[int]) -> bytes:
        kept = set(configuration)
        taken: dict[int, int] = {}
        for unit, (place, amount) in enumerate(self._steps):
            if unit not in kept:
                taken[place] = taken.get(place, 0) + amount
        written = bytearray()
        end = 0
        for place, amount in taken.items():
            value = self._values[place]
            number = max(0, value.number - amount)
            written += self._data[end : value.start]
            written += self._written(number, value.end - value.start)
            end = value.end
        return bytes(written + self._data[end:])

    def _written(self, number: int, width: int) -> bytes:
        if not self._text:
            return bytes((number,))
        return str(number).rjust(width if self._padded else 0, "0").encode()


class Digits(Nested):
    """Numbers that are not 0, and if they have several, their digits."""

    def __init__(self, data: bytes) -> None:
        self._data = data
        self._numbers: list[tuple[int, bytes, int]] = []  # where, its digits, its unit
        parents: list[int] = []
        for match in _NUMBER.finditer(data):
            digits = match[0]
            if digits == b"0":
                continue
            number = len(parents)
            parents += [ROOT, *(number for _ in digits if len(digits) > 1)]
            self._numbers.append((match.start(), digits, number))
        super().__init__(parents)

    def render(self, configuration: Configuration[int]) -> bytes:
        kept = set(configuration)
        written = bytearray()
        end = 0
        for start, digits, number in self._numbers:
            left = digits
            if len(digits) > 1:
                places = range(number + 1, number + 1 + len(digits))
                left = bytes(d for d, unit in zip(digits, places, strict=True) if unit in kept)
            if number not in kept:
                left = b""
            if left != digits:
                left = left.lstrip(b"0") or b"0"
            written += self._data[end:start] + left
            end = start + len(digits)
        return bytes(written + self._data[end:])
