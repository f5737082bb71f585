"""Two inputs as one list of units with edits that lead from the one to the other."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import chain

from stripe.dd import Configuration
from stripe.units.alignment import Stretch, stretches
from stripe.units.flat import lines
from stripe.units.model import Beside, Units

COMMON = None

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
    from stripe.units.kinds import cut  # lazy

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
    done = Stretch(0, 0, 0, 0)
    for each in stretches(before, after):
        yield before[done.end : each.start], after[done.last : each.first]
        yield before[each.start : each.end], after[each.first : each.last]
        done = each
    yield before[done.end :], after[done.last :]
