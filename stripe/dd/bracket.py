"""Two configurations, one inside the other, that a search moves towards each other."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Hashable

from stripe.dd.outcomes import Configuration
from stripe.index_set import like


class Bracket[D: Hashable]:
    """A lower configuration inside an upper one; the difference lies in between.

    Args:
        position: where a delta stands in the universe.
        lower: the inner configuration.
        upper: the outer configuration.
    """

    def __init__(
        self, position: Callable[[D], int], lower: Configuration[D], upper: Configuration[D]
    ) -> None:
        self.lower = lower
        self.upper = upper
        self._position = position

    def moved(
        self, lower: Configuration[D] | None = None, upper: Configuration[D] | None = None
    ) -> Bracket[D]:
        """The gap with one side replaced, or both."""
        return Bracket(
            self._position,
            self.lower if lower is None else lower,
            self.upper if upper is None else upper,
        )

    def difference(self) -> Configuration[D]:
        """The deltas of ``upper`` that are not in ``lower``."""
        below = set(self.lower)
        return like(self.upper, (delta for delta in self.upper if delta not in below))

    def lower_with(self, piece: Configuration[D]) -> Configuration[D]:
        """``lower`` and a piece of the difference."""
        start, stop = self._span(self.lower, piece)
        if start == stop:
            return self.lower[:start] + piece + self.lower[stop:]
        first, last = self._span(self.upper, piece)
        between = self.upper[first:last]
        if len(between) != len(piece) + stop - start:
            return like(self.upper, sorted((*self.lower, *piece), key=self._position))
        return self.lower[:start] + between + self.lower[stop:]

    def upper_without(self, piece: Configuration[D]) -> Configuration[D]:
        """``upper`` without a piece of the difference."""
        first, last = self._span(self.upper, piece)
        if last - first == len(piece):
            return self.upper[:first] + self.upper[last:]
        start, stop = self._span(self.lower, piece)
        between = self.lower[start:stop]
        if len(between) != last - first - len(piece):
            gone = set(piece)
            return like(self.upper, (delta for delta in self.upper if delta not in gone))
        return self.upper[:first] + between + self.upper[last:]

    def _span(self, side: Configuration[D], piece: Configuration[D]) -> tuple[int, int]:
        """Where ``side`` lies between the first and the last delta of ``piece``.

        If nothing but the piece lies there, or the piece is contiguous in the difference, so that
        ``upper`` has just the piece and the deltas of ``lower`` there, whole spans are exchanged:
        far less work than delta by delta.
        """
        first, last = self._position(piece[0]), self._position(piece[-1])
        start = bisect_left(side, first, key=self._position)
        # Most often the span is just the piece, or nothing.
        if start == len(side) or self._position(side[start]) > last:
            return start, start
        stop = start + len(piece)
        if stop <= len(side) and side[stop - 1] == piece[-1]:
            return start, stop
        return start, bisect_left(side, last + 1, start, key=self._position)
