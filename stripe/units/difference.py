"""Two inputs as one list of units with edits that lead from the one to the other."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from difflib import SequenceMatcher
from itertools import chain

from stripe.dd import Configuration
from stripe.units.flat import lines
from stripe.units.model import Beside, Units

COMMON = None

_AFFORDABLE = 4_000_000
"""How many pairs of units may be compared to align two stretches."""

type _Piece = tuple[bytes, bool | None]
"""A unit, and whether the failing input inserts it (True), deletes it (False) or has it as well."""


class Edits(Beside):
    """The units in which a failing input differs from a passing one.

    None of them gives the passing input, all of them the failing one.
    """

    def __init__(self, pieces: Sequence[_Piece]) -> None:
        self._pieces = pieces
        self._count = sum(1 for _, inserts in pieces if inserts is not COMMON)

    def __len__(self) -> int:
        return self._count

    def render(self, configuration: Configuration[int]) -> bytes:
        applied = set(configuration)
        written = []
        number = 0
        for piece, inserts in self._pieces:
            if inserts is COMMON:
                written.append(piece)
                continue
            if (number in applied) is inserts:
                written.append(piece)
            number += 1
        return b"".join(written)


def edits(passing: bytes, failing: bytes, cutter: str) -> Edits:
    """The edits between two inputs, in units of a flat kind."""
    from stripe.units.cutting import cut

    def pieces(data: bytes) -> list[bytes]:
        units = cut(data, cutter)
        return [units.render((unit,)) for unit in range(len(units))]

    if cutter in ("lines", "events") or not passing or not failing:
        return Edits(list(_merge(pieces(passing), pieces(failing))))
    # Lines first: it is faster, and finer units are then only compared where lines differ.
    merged: list[_Piece] = []
    for before, after in _hunks(_all(lines(passing)), _all(lines(failing))):
        if before == after:
            merged += [(piece, COMMON) for piece in before]
        else:
            merged += _merge(pieces(b"".join(before)), pieces(b"".join(after)))
    return Edits(merged)


def _all(units: Units) -> list[bytes]:
    return [units.render((unit,)) for unit in range(len(units))]


def _merge(before: list[bytes], after: list[bytes]) -> Iterator[_Piece]:
    for old, new in _hunks(before, after):
        if old == new:
            yield from ((piece, COMMON) for piece in old)
        else:
            yield from chain(((piece, False) for piece in old), ((piece, True) for piece in new))


def _hunks(before: list[bytes], after: list[bytes]) -> Iterator[tuple[list[bytes], list[bytes]]]:
    """Stretches of both that correspond: equal, or not."""
    start = 0
    while start < min(len(before), len(after)) and before[start] == after[start]:
        start += 1
    end = 0
    while end < min(len(before), len(after)) - start and before[-1 - end] == after[-1 - end]:
        end += 1
    head = before[:start]
    tail = before[len(before) - end :]
    old, new = before[start : len(before) - end], after[start : len(after) - end]
    yield head, head
    if len(old) * len(new) > _AFFORDABLE or not old or not new:
        if old or new:
            yield old, new
    else:
        matcher = SequenceMatcher(None, old, new, autojunk=False)
        for _, i1, i2, j1, j2 in matcher.get_opcodes():
            yield old[i1:i2], new[j1:j2]
    yield tail, tail
