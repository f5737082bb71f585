"""The smallest difference of two texts, and the first values that differ, for people."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

MOST_VALUES = 3
"""Values that are told from where they differ on."""

LONGEST_VALUE = 60
"""Characters of a value; of a longer one those around its difference are told."""

LONGEST_WORDS = 80
"""Characters of a change in words; of a longer one its smallest difference is told."""

LONGEST_PIECE = 60
"""Characters of each side of such a difference."""

AHEAD = 12
"""Characters that are told before a difference within a long text."""

_WORD = re.compile(r"\w")


class Values(NamedTuple):
    """Values of an expression as it is and changed, from where they differ on.

    ``first`` counts them, from 1.
    """

    before: tuple[str, ...]
    after: tuple[str, ...]
    first: int


def first_difference(before: Sequence[str], after: Sequence[str]) -> Values:
    """The first values that differ; none if all that are known are the same."""
    for index in range(max(len(before), len(after))):
        if before[index : index + 1] != after[index : index + 1]:
            then, now = (each[index : index + MOST_VALUES] for each in (before, after))
            pairs = [_around(one, other) for one, other in zip(then, now, strict=False)]
            shared = len(pairs)
            return Values(
                (*(one for one, _ in pairs), *(_cut(each, 0) for each in then[shared:])),
                (*(other for _, other in pairs), *(_cut(each, 0) for each in now[shared:])),
                index + 1,
            )
    return Values((), (), 1)


def _shared(one: Sequence[str], other: Sequence[str]) -> int:
    """How many items two sequences begin with that are the same."""
    pairs = enumerate(zip(one, other, strict=False))
    return next((n for n, (a, b) in pairs if a != b), min(len(one), len(other)))


def _around(one: str, other: str) -> tuple[str, str]:
    """Two values, cut so that their difference is there."""
    if max(len(one), len(other)) <= LONGEST_VALUE:
        return one, other
    same = _shared(one, other)
    start = max(0, same - AHEAD) if same > LONGEST_VALUE // 2 else 0
    return _cut(one, start), _cut(other, start)


def _cut(text: str, start: int) -> str:
    begin = "..." if start else ""
    rest = text[start:]
    return begin + (rest if len(rest) <= LONGEST_VALUE else f"{rest[: LONGEST_VALUE - 3]}...")


def in_words(words: str, old: str, new: str | None) -> str:
    """A change in words: as it is described if that is short, else by what differs, and where.

    ``old``, ``new``: the text of the file before and after.
    """
    becomes, between, became = words.partition("` instead of `")
    if len(words) <= LONGEST_WORDS or not between:
        return words
    instead, of = _around(becomes.removeprefix("`"), became.removesuffix("`"))
    shortened = f"`{instead}` instead of `{of}`"
    if new is None:
        return shortened
    lines, changed = old.split("\n"), new.split("\n")
    first = _shared(lines, changed)
    rest = min(_shared(lines[::-1], changed[::-1]), min(len(lines), len(changed)) - first)
    was, now = lines[first : len(lines) - rest], changed[first : len(changed) - rest]
    if len(was) != 1 or len(now) != 1:
        return shortened
    pieces = _pieces(was[0], now[0])
    return f"`{_piece(pieces[1])}` instead of `{_piece(pieces[0])}` in line {first + 1}"


def _pieces(was: str, now: str) -> tuple[str, str]:
    """What differs of two lines: whole words, something of each, and there once, if it can be."""
    begin = _shared(was, now)
    most = min(len(was), len(now)) - begin
    end = min(most, _shared(was[::-1], now[::-1]))
    left, right = len(was) - len(was.lstrip()), 0
    while True:
        old, new = was[begin : len(was) - end], now[begin : len(now) - end]
        grown = begin, end
        if _splits(was, begin) or _splits(now, begin):
            begin = max(left, begin - 1)
        if _splits(was, len(was) - end) or _splits(now, len(now) - end):
            end = max(right, end - 1)
        if (begin, end) == grown and (not old.strip() or not new.strip() or was.count(old) > 1):
            begin = max(left, begin - 1)
            if begin == grown[0]:
                end = max(right, end - 1)
        if (begin, end) == grown:
            return old, new


def _splits(line: str, place: int) -> bool:
    """Whether a place is within a word."""
    around = line[max(0, place - 1) : place + 1]
    return 0 < place < len(line) and len(_WORD.findall(around)) == 2


def _piece(text: str) -> str:
    return text if len(text) <= LONGEST_PIECE else f"{text[: LONGEST_PIECE - 3]}..."
