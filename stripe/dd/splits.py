"""Ways to cut a configuration into pieces."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable
from itertools import pairwise

from stripe.dd.outcomes import Configuration

type Split[D: Hashable] = Callable[[Configuration[D], int], list[Configuration[D]]]
"""Cuts a configuration into about n contiguous pieces, none empty, in order."""


def larger_first[D: Hashable](configuration: Configuration[D], n: int) -> list[Configuration[D]]:
    """Cut into n pieces as equal as possible, the larger ones first (Cleve & Zeller 2000, Fig. 5).

    ``n`` is at least 1 and at most the number of deltas.
    """
    size, rest = divmod(len(configuration), n)
    edges = [i * size + min(i, rest) for i in range(n + 1)]
    return [configuration[a:b] for a, b in pairwise(edges)]


class SetOrder:
    """Cuts the way ``DeltaDebugger.dd()`` of the Debugging Book does, whose logs depend on it.

    The book cuts sets of positions, in the order in which CPython iterates over them. For small
    numbers that is nearly their own order, but it depends on how a set came about. So the sets of
    the book are made here too, by the same operations: give an instance to ``dd`` both as ``split``
    and as ``narrator``.

    Args:
        count: how many deltas there are; they are the numbers from 0.
    """

    def __init__(self, count: int) -> None:
        self._passing: set[int] = set()
        self._failing = set(range(count))
        self._pieces: list[set[int]] = []
        self._verdict = ""

    def __call__(self, difference: Configuration[int], n: int) -> list[Configuration[int]]:
        """Cut the difference, as a ``Split`` does."""
        order = list(self._failing - self._passing)
        self._pieces = [set(piece) for piece in larger_first(tuple(order), n)]
        return [tuple(sorted(piece)) for piece in self._pieces]

    def round(self, passing: Configuration[int], failing: Configuration[int], n: int) -> None:
        """Do what was done since the last round, as the book does it."""
        match self._verdict:
            case "Reduce to subset":
                self._failing = self._passing | self._piece(failing, self._passing)
            case "Increase to subset":
                self._passing = self._failing - self._piece(failing, set(passing))
            case "Reduce to complement":
                self._failing = self._failing - self._piece(self._failing, set(failing))
            case "Increase to complement":
                self._passing = self._passing | self._piece(passing, self._passing)

    def verdict(self, words: str) -> None:
        """Remember what the round has come to."""
        self._verdict = words

    def _piece(self, inside: Iterable[int], outside: set[int]) -> set[int]:
        """The piece that holds what is in one set and not in the other."""
        moved = next(delta for delta in inside if delta not in outside)
        return next(piece for piece in self._pieces if moved in piece)
